import type { FieldNode, OperationDefinitionNode } from 'graphql'
import { isRecord, ownValue } from '../../values/values.ts'
import { locationOf, type FormattedError } from '../formatted-error.ts'
import type { PlannedSelection } from './plan.ts'
import { fieldValue } from './values.ts'
import type { Shaping } from './shaping.ts'

/** A position that a part of an error's path leads to. */
interface PathStep {
  path: (string | number)[]
  names: string[]
  nodes: readonly FieldNode[]
  selection: PlannedSelection | undefined
  /** The fixture's value there, which shows the type. */
  value: unknown
}

/**
 * A fixture's errors as they appear in the response. A `path` may consist of field names or of response keys; a field that
 * is selected under several aliases fails under each. Missing `locations` are added.
 *
 * A path that the operation does not select is kept as it is, with the start of the operation as its location.
 */
export function shapeErrors(
  shaping: Shaping,
  errors: readonly FormattedError[],
  data: unknown,
): FormattedError[] {
  return errors.flatMap((error) =>
    isRecord(error) && Array.isArray(error.path) ? shapeError(shaping, error, error.path, data) : error,
  )
}

function shapeError(
  shaping: Shaping,
  error: FormattedError,
  written: readonly unknown[],
  data: unknown,
): FormattedError[] {
  let fields = follow(shaping, written, data, 'name')
  if (fields.length === 0) fields = follow(shaping, written, data, 'key')
  if (fields.length === 0) return [located(error, error.path, [shaping.operation])]
  return fields.map(({ path, names, nodes }) => {
    shaping.budget.spend('errors', nodes.length)
    shaping.missing.excuse(names)
    return located(error, path, nodes)
  })
}

/** The fields at a path. Its parts are tried as names or as response keys first, then as the other. */
function follow(
  shaping: Shaping,
  written: readonly unknown[],
  data: unknown,
  first: 'name' | 'key',
): PathStep[] {
  let places: PathStep[] = [{ path: [], names: [], nodes: [], selection: shaping.plan.root, value: data }]
  for (const part of written) {
    places = places.flatMap((place) =>
      typeof part === 'number' ? enterList(place, part) : enterObject(shaping, place, part, first),
    )
    if (!shaping.budget.spend('errors', places.length)) return []
  }
  return places.filter(({ nodes }) => nodes.length > 0)
}

function enterList(place: PathStep, index: number): PathStep {
  return { ...place, path: [...place.path, index], value: ownValue(place.value, String(index)) }
}

function enterObject(
  { plan, variables }: Shaping,
  place: PathStep,
  part: unknown,
  first: 'name' | 'key',
): PathStep[] {
  if (!place.selection) return []
  const { list: all } = plan.fieldsOf(place.selection, place.value)
  const found = all.filter((field) => field[first] === part)
  const second = first === 'name' ? 'key' : 'name'
  return (found.length > 0 ? found : all.filter((field) => field[second] === part)).map((field) => ({
    path: [...place.path, field.key],
    names: [...place.names, field.name],
    nodes: field.nodes,
    selection: field.selection,
    value: fieldValue(place.value, field, variables),
  }))
}

/** Keys in the order of the specification's examples. */
function located(
  error: FormattedError,
  path: FormattedError['path'],
  nodes: readonly (FieldNode | OperationDefinitionNode)[],
): FormattedError {
  const { message, locations = nodes.map(locationOf) } = error
  return Object.assign({ message, locations, path }, error, { locations, path })
}
