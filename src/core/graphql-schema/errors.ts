import {
  GraphQLError,
  responsePathAsArray,
  type GraphQLResolveInfo,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql/index.js'
import type { GraphQLResult } from '../graphql/result.ts'
import { located, locationOf, type FormattedError } from '../graphql/formatted-error.ts'
import { keysFor, positionsOf, type FieldPosition } from '../graphql/locations.ts'
import { fieldsByKey, subselections, type SelectionContext } from '../graphql/selections.ts'
import { isRecord, ownValue } from '../values/values.ts'
import type { AnswerNode, FixtureError } from './answer-node.ts'
import { cutText } from '../values/describe-value.ts'
import { isTooDeep } from '../values/thrown.ts'

/** Locations come from the tokens, since the document reader drops the text. */
export function formatError(error: Partial<GraphQLError>): FormattedError {
  const { path, nodes = [], extensions = {} } = error
  const locations = nodes.flatMap((node) => (node.loc ? locationOf(node) : []))
  return {
    message: messageOf(error),
    ...(locations.length > 0 && { locations }),
    ...(path && { path }),
    ...(Object.keys(extensions).length > 0 && { extensions }),
  }
}

/** Some messages repeat a name from the query text, which can be as long as the text. */
const maxMessageLength = 2_000

export function messageOf(error: { message?: string }): string {
  if (isTooDeep(error)) return 'Selections or values nest too deep.'
  const { message = '' } = error
  return cutText(message, maxMessageLength)
}

export interface ErrorContext extends SelectionContext {
  readonly rootSelections: readonly SelectionSetNode[]
  /** Entries for positions that already throw another one. */
  readonly otherErrors: FormattedError[]
}

/** Thrown at a position of the answer, so that graphql-js sets its parents to `null`. */
export class ThrownEntry extends GraphQLError {
  constructor(
    readonly entry: FormattedError,
    { path, nodes }: Pick<FieldPosition, 'path' | 'nodes'>,
  ) {
    super(entry.message, { path, nodes })
  }
}

export function toFixtureError(entry: FormattedError): FixtureError {
  // Fixtures from a function have not been validated.
  const path = isRecord(entry) && Array.isArray(entry.path) ? (entry.path as FixtureError['path']) : []
  return { entry, path, isPlaced: false }
}

export function isAboutField({ path }: FixtureError): boolean {
  return path.length > 0
}

export function errorsOfField(
  source: AnswerNode,
  { fieldName, path: { key } }: GraphQLResolveInfo,
  context: ErrorContext,
): readonly FixtureError[] {
  if (source.errors.length === 0) return source.errors
  return source.errors.filter(({ path }) => {
    const segment = path[source.depth]
    if (segment === fieldName) return true
    if (typeof key !== 'string' || segment !== key) return false
    // The response key of one field can be the name of another one.
    const sets = source.fieldNodes ? subselections(source.fieldNodes) : context.rootSelections
    return keysFor(segment, fieldsByKey(sets, context)).includes(key)
  })
}

/** The error to throw at a node. Further entries are collected, since a field can throw only once. */
export function errorAt(node: AnswerNode, info: GraphQLResolveInfo, context: ErrorContext) {
  const here = node.errors.filter(({ path }) => path.length === node.depth)
  // If the fixture has `null` here, an error below is its cause.
  const below = node.value === null ? node.errors.filter((error) => !here.includes(error)) : []
  const start = responsePath(node, info)
  const sets = subselections(info.fieldNodes)
  const [first, ...rest] = [...here, ...below].flatMap((error) => {
    const positions = here.includes(error)
      ? [{ path: [], nodes: info.fieldNodes }]
      : positionsOf(error.path.slice(node.depth), sets, context)
    if (positions.length > 0) error.isPlaced = true
    return positions.map(({ path, nodes }) => ({ entry: error.entry, path: [...start, ...path], nodes }))
  })
  context.otherErrors.push(...rest.map(({ entry, path, nodes }) => located(entry, path, nodes)))
  return first && new ThrownEntry(first.entry, first)
}

function responsePath(node: AnswerNode, info: GraphQLResolveInfo): (string | number)[] {
  const indices: number[] = []
  for (let at = node; typeof at.step === 'number'; at = at.parent!) indices.unshift(at.step)
  return [...responsePathAsArray(info.path), ...indices]
}

/** Keys from the fixture are kept. */
export function formatFixtureError(error: GraphQLError): FormattedError {
  return error instanceof ThrownEntry
    ? located(error.entry, error.path, error.nodes as FieldPosition['nodes'])
    : formatError(error)
}

/** The entries that no field has thrown. Those below a failed parent are left out, as on a server. */
export function leftOver(
  errors: readonly FixtureError[],
  answer: GraphQLResult['data'],
  operation: OperationDefinitionNode,
  context: ErrorContext,
): FormattedError[] {
  return errors.flatMap(({ entry, path, isPlaced }) => {
    if (isPlaced) return []
    const positions = positionsOf(path, context.rootSelections, context)
      .map((position) => ({ ...position, is: placeIn(answer, position.path) }))
      .filter((position) => position.is !== 'absent')
    if (positions.length === 0) return isRecord(entry) ? located(entry, entry.path, [operation]) : entry
    if (positions.some((position) => position.is === 'below null')) return []
    return positions.map((position) => located(entry, position.path, position.nodes))
  })
}

/** A field below a fragment on another type is absent. */
function placeIn(data: unknown, path: FieldPosition['path']): 'there' | 'absent' | 'below null' {
  let value = data
  for (const segment of path) {
    if (value === null) return 'below null'
    if (isRecord(value) && !Object.hasOwn(value, segment)) return 'absent'
    value = ownValue(value, String(segment))
  }
  return 'there'
}
