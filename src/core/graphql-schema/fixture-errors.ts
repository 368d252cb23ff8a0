import {
  GraphQLError,
  responsePathAsArray,
  type GraphQLResolveInfo,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql/index.js'
import type { Budget } from '../graphql/budget.ts'
import type { GraphQLResult } from '../graphql/checker.ts'
import type { FormattedError } from '../graphql/formatted-error.ts'
import { isRecord, ownValue } from '../values/values.ts'
import { formatError, locationsOf } from './format-error.ts'
import type { SelectionContext } from '../graphql/walk-fields.ts'
import type { Place, FixtureError } from './place.ts'
import { fieldsByKey, keysOf, positionsOf, subselections, type Position } from './selections.ts'

/** Cost of an error: graphql-js creates it with a stack trace, and passes it up through every level of the answer. */
export const unitsPerError = 40

export interface ErrorContext extends SelectionContext {
  readonly rootSelections: readonly SelectionSetNode[]
  /** Entries for places that already throw another one. */
  readonly otherErrors: FormattedError[]
  readonly budget: Budget
}

const entries = new WeakMap<Error, FormattedError>()

export function toFixtureError(entry: FormattedError): FixtureError {
  // Fixtures from a function have not been validated.
  const path = isRecord(entry) && Array.isArray(entry.path) ? (entry.path as FixtureError['path']) : []
  return { entry, path, isPlaced: false }
}

/** Whether an error is about a field, not about the whole request. */
export function isAboutField({ path }: FixtureError): boolean {
  return path.length > 0
}

const noErrors: readonly FixtureError[] = []

/** The errors of an object that are about one of its fields, or about something below it. */
export function errorsOfField(
  source: Place,
  { fieldName, path: { key } }: GraphQLResolveInfo,
  context: ErrorContext,
): readonly FixtureError[] {
  if (source.errors.length === 0) return noErrors
  return source.errors.filter(({ path }) => {
    const segment = path[source.depth]
    if (segment === fieldName) return true
    if (typeof key !== 'string' || segment !== key) return false
    // The response key of one field can be the name of another one.
    const sets = source.fieldNodes ? subselections(source.fieldNodes) : context.rootSelections
    return keysOf(segment, fieldsByKey(sets, context)).includes(key)
  })
}

export function errorsOfItem({ errors, depth }: Place, index: number): readonly FixtureError[] {
  return errors.length === 0 ? noErrors : errors.filter(({ path }) => path[depth] === index)
}

/**
 * The error for graphql-js to throw at a place, so that it adds the location and sets parents to `null`. Further entries
 * are collected separately, since a field can throw only once.
 */
export function errorAt(place: Place, info: GraphQLResolveInfo, context: ErrorContext): Error | undefined {
  const here = place.errors.filter(({ path }) => path.length === place.depth)
  // If the fixture has `null` here, an error below is its cause.
  const below = place.value === null ? place.errors.filter((error) => !here.includes(error)) : []
  const from = { sets: subselections(info.fieldNodes) }
  const failures = [
    ...here.map((error) => ({ error, path: [], nodes: info.fieldNodes })),
    ...below.flatMap((error) =>
      positionsOf(error.path.slice(place.depth), from, context).map((position) => ({ error, ...position })),
    ),
  ].map(({ error, path, nodes }) => ({ error, nodes, path: [...responsePath(place, info), ...path] }))
  for (const { error } of failures) error.isPlaced = true
  const [first, ...rest] = failures
  context.budget.spend('errors', rest.length * unitsPerError)
  context.otherErrors.push(...rest.map(({ error, ...position }) => located(error.entry, position)))
  return first && createError(first.error.entry, first)
}

function responsePath(place: Place, info: GraphQLResolveInfo): (string | number)[] {
  const indices: number[] = []
  for (let at = place; typeof at.step === 'number'; at = at.parent!) indices.unshift(at.step)
  return [...responsePathAsArray(info.path), ...indices]
}

function createError(entry: FormattedError, { path, nodes }: Position): GraphQLError {
  const error = new GraphQLError(entry.message, { path, nodes })
  entries.set(error, entry)
  return error
}

/** Whether an error is from the fixture, not from the schema. */
export function isFixtureError(error: Error): boolean {
  return entries.has(error)
}

/** An error as it is sent. Keys from the fixture are kept. */
export function formatFixtureError(error: GraphQLError): FormattedError {
  const entry = entries.get(error)
  return entry
    ? located(entry, { path: error.path ?? [], nodes: error.nodes as Position['nodes'] })
    : formatError(error)
}

/** An entry at a place of the answer. */
function located(
  { message, locations, ...entry }: FormattedError,
  { path, nodes }: Position,
): FormattedError {
  const places = locations ?? locationsOf(nodes)
  return { message, ...(places && { locations: places }), ...entry, path }
}

/**
 * The entries that no field has thrown: those of the whole request, and those of places that the operation does not
 * select or the answer does not have. Only those below a failed parent are left out, as on a server.
 *
 * @param answer the resulting `data`, if any
 */
export function leftOver(
  errors: readonly FixtureError[],
  answer: GraphQLResult['data'],
  operation: OperationDefinitionNode,
  context: ErrorContext,
): FormattedError[] {
  return errors.flatMap((error) => {
    if (error.isPlaced) return []
    const from = { sets: context.rootSelections }
    const positions = isAboutField(error) ? positionsOf(error.path, from, context) : []
    if (positions.length === 0) return asItStands(error.entry, operation)
    if (positions.some(({ path }) => isNulled(answer, path))) return []
    return positions.map((position) => located(error.entry, position))
  })
}

function asItStands(entry: FormattedError, operation: OperationDefinitionNode): FormattedError {
  const locations = locationsOf([operation])
  if (!isRecord(entry) || !locations) return entry
  const { message, ...rest } = entry as FormattedError
  return { message, locations, ...rest }
}

/** Whether a path of the answer ends at a `null` before its end. */
function isNulled(data: unknown, path: Position['path']): boolean {
  let value = data
  for (const segment of path) {
    if (value === null) return true
    value = ownValue(value, String(segment))
  }
  return false
}
