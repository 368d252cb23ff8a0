import { Kind, type FieldNode, type SelectionSetNode } from 'graphql/index.js'
import { fieldsOf, type SelectionContext } from '../graphql/walk-fields.ts'

type Sets = readonly SelectionSetNode[]

/** The fields of selection sets by response key, whatever the type of the object. */
export function fieldsByKey(sets: Sets, context: SelectionContext): Map<string, FieldNode[]> {
  const fields = new Map<string, FieldNode[]>()
  for (const field of fieldsOf(sets, context)) {
    const key = (field.alias ?? field.name).value
    const known = fields.get(key)
    if (known) known.push(field)
    else fields.set(key, [field])
  }
  return fields
}

/**
 * The response keys for a segment of a fixture's path: those of the fields with that name, or the segment itself.
 */
export function keysOf(
  segment: string | number,
  fields: ReadonlyMap<string, readonly FieldNode[]>,
): string[] {
  const named = [...fields].filter(([, nodes]) => nodes.some(({ name }) => name.value === segment))
  if (named.length > 0) return named.map(([key]) => key)
  return typeof segment === 'string' && fields.has(segment) ? [segment] : []
}

export function subselections(nodes: readonly FieldNode[]): SelectionSetNode[] {
  return nodes.flatMap(({ selectionSet }) => selectionSet ?? [])
}

/** A place in the answer, and the nodes that selected it. */
export interface Position {
  path: readonly (string | number)[]
  nodes: readonly FieldNode[]
}

/** Maximum positions, since a path can match many aliases on every level. */
const maxPositions = 100

/** The positions of a fixture's path in the answer: several if fields are selected under several aliases. */
export function positionsOf(
  path: readonly (string | number)[],
  from: { sets: Sets; nodes?: readonly FieldNode[] },
  context: SelectionContext,
): Position[] {
  let positions = [{ path: [] as (string | number)[], nodes: from.nodes ?? [], sets: from.sets }]
  for (const segment of path) {
    positions = positions.flatMap((position) => {
      if (typeof segment === 'number') return { ...position, path: [...position.path, segment] }
      const fields = fieldsByKey(position.sets, context)
      return keysOf(segment, fields).map((key) => {
        const nodes = fields.get(key)!
        return { path: [...position.path, key], nodes, sets: subselections(nodes) }
      })
    })
    positions.length = Math.min(positions.length, maxPositions)
  }
  return positions
}

/** The cost of collecting a selection set: its selections, with fragments expanded. */
export interface SelectionSize {
  selections: number
  /** The number of `__typename` on its own level, which graphql-js resolves itself. */
  typenames: number
}

const sizes = new WeakMap<SelectionSetNode, SelectionSize>()

/** The size of one level, without the selections of its fields. */
export function sizeOf(set: SelectionSetNode, fragments: SelectionContext['fragments']): SelectionSize {
  const known = sizes.get(set)
  if (known) return known
  const size: SelectionSize = { selections: 0, typenames: 0 }
  sizes.set(set, size) // a fragment that contains itself ends here
  for (const selection of set.selections) {
    size.selections++
    if (selection.kind === Kind.FIELD) {
      if (selection.name.value === '__typename') size.typenames++
      continue
    }
    const inner =
      selection.kind === Kind.INLINE_FRAGMENT
        ? selection.selectionSet
        : fragments.get(selection.name.value)?.selectionSet
    if (!inner) continue
    const { selections, typenames } = sizeOf(inner, fragments)
    size.selections += selections
    size.typenames += typenames
  }
  return size
}
