import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { ParsedRequest } from '../request/parsed-request.ts'
import type { FixtureSelector } from '../schema/schema.ts'
import { ownValue } from '../values/values.ts'
import { headerText } from '../http/raw-request.ts'
import { queryValue } from '../http/raw-request.ts'

/** One place of a request that a selector can name: `query.page`, `body.filter.state`, `operationName`. */
export interface Field {
  source: keyof FixtureSelector | 'document'
  path: readonly string[]
  /** The field as the developer wrote it; two fields are the same if and only if their ids are. */
  id: string
}

export type Scalar = string | number | boolean | null

/** A field that must equal a scalar: what the route table's index is made of. */
export interface Equality {
  field: Field
  value: Scalar
}

/** A condition that no index can answer. */
export interface Test {
  /** What is looked at; a predicate may look at anything. */
  field?: Field
  expected: string
  received: (request: ParsedRequest) => unknown
  holds: (request: ParsedRequest) => boolean
}

/** What a request must carry for a route to answer: every equality and every test. */
export interface Selector {
  equalities: Equality[]
  tests: Test[]
}

/** Sources whose values are text. */
export const textSources = [
  'query',
  'params',
  'headers',
  'cookies',
  'operationName',
  'operationType',
  'document',
] as const
/** Sources that are read off the request before its body is. */
export const headSources: readonly string[] = ['query', 'params', 'headers', 'cookies']

export interface CompiledSelector {
  selector: Selector
  diagnostics: Diagnostic[]
}

/** Where a key leads: text sources have no depth, header names no case, and dots reach inside everything else. */
export function keyPath(source: Field['source'], key: string): string[] {
  if (source === 'headers') return [key.toLowerCase()]
  return headSources.includes(source) ? [key] : key.split('.')
}

/** The value of a field in a request; `undefined` when the request does not carry it. */
export function readField(request: ParsedRequest, { source, path }: Field): unknown {
  const [name] = path
  switch (source) {
    case 'query':
      return name === undefined ? request.query : queryValue(request.raw.search, name)
    case 'headers':
      return name === undefined ? request.headers : headerText(request.raw.headers, name)
    default:
      return path.length === 0 ? request[source] : path.reduce<unknown>(ownValue, request[source])
  }
}

/** Whether a selector can only be answered once the request's body is there. A predicate may look at anything. */
export function selectsByBody({ equalities, tests }: Selector): boolean {
  return (
    equalities.some(({ field }) => !headSources.includes(field.source)) ||
    tests.some(({ field }) => !field || !headSources.includes(field.source))
  )
}

/** Whether a selector looks at what only the text of a GraphQL document tells. */
export function selectsByDocument(selector: Selector): boolean {
  return fieldsOf(selector).some(({ source }) => source === 'document' || source === 'operationType')
}

/** Whether a selector looks at the `extensions` of a GraphQL request, such as the hash of a persisted query. */
export function selectsByExtensions(selector: Selector): boolean {
  return fieldsOf(selector).some(
    ({ source, path }) => source === 'extensions' || (source === 'body' && path[0] === 'extensions'),
  )
}

function fieldsOf({ equalities, tests }: Selector): Field[] {
  return [...equalities, ...tests].flatMap(({ field }) => field ?? [])
}

/** The developer wrote it as `query`. */
export const documentField: Field = { source: 'document', path: [], id: 'query' }

/** Fields are shared: a hundred thousand routes that are selected by `page` name one. */
const fields = new Map<string, Field>()

export function makeField(source: Field['source'], path: readonly string[]): Field {
  const key = JSON.stringify([source, ...path])
  let field = fields.get(key)
  if (!field) fields.set(key, (field = { source, path, id: [source, ...path].join('.') }))
  return field
}
