import { getOrMake } from '../values/collections.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { headerText, queryValue } from '../http/raw-request.ts'
import type { ParsedRequest } from '../request/parsed-request.ts'
import type { FixtureSelector } from '../schema/selector-schema.ts'
import { numberKey } from '../values/decimal.ts'
import { ownValue } from '../values/values.ts'

/** A part of a request that a selector can name: `query.page`, `body.filter.state`, `operationName`. */
export interface Field {
  source: keyof FixtureSelector | 'document'
  path: readonly string[]
  /** The field as the developer wrote it; two fields are equal if and only if their ids are. */
  id: string
}

export type Scalar = string | number | boolean | null

/** A field that must equal a scalar. The route table's index is built from these. */
interface Equality {
  field: Field
  value: Scalar
}

/** A condition that can't be indexed. */
export interface Test {
  /** The tested field; a predicate has none, since it can read everything. */
  field?: Field
  /** The value or the operators that the field is compared with, as written; a predicate has none. */
  written?: unknown
  holds: (request: ParsedRequest) => boolean
}

/** What a request must have for a route to answer: every equality and every test must hold. */
export interface Selector {
  equalities: Equality[]
  tests: Test[]
}

export interface CompiledSelector {
  selector: Selector
  diagnostics: Diagnostic[]
}

/** Sources that do not need the request's body. */
const headSources: readonly string[] = ['query', 'params', 'headers', 'cookies']
/** Sources whose values are strings, so that numbers and booleans are compared with strings. */
const textSources: readonly string[] = [...headSources, 'operationName', 'operationType', 'document']

/** Whether the keys of a source are plain names. In all other sources, dots in keys reach inside. */
export function isFlat({ source }: Pick<Field, 'source'>): boolean {
  return headSources.includes(source)
}

export function isTextSource({ source }: Pick<Field, 'source'>): boolean {
  return textSources.includes(source)
}

/**
 * The path of a key. In a body and in variables, dots reach inside, and `\.` is a dot in the key itself. Header names are
 * case-insensitive.
 */
export function keyPath(source: Field['source'], key: string): string[] {
  if (isFlat({ source })) return [source === 'headers' ? key.toLowerCase() : key]
  return key.includes('\\') ? splitEscaped(key) : key.split('.')
}

function splitEscaped(key: string): string[] {
  const parts = ['']
  for (let i = 0; i < key.length; i++) {
    const isEscape = key[i] === '\\' && /[.\\]/.test(key[i + 1] ?? '')
    if (isEscape) i++
    if (!isEscape && key[i] === '.') parts.push('')
    else parts[parts.length - 1] += key[i]!
  }
  return parts
}

/** The value of a field in a request; `undefined` when the request does not have it. */
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

/** Whether a field's string is also compared with numbers and booleans, because its source has only strings. */
export function readsText(request: ParsedRequest, field: Field): boolean {
  return isTextSource(field) || (request.isForm && field.source === 'body')
}

/** The type that a scalar is compared as. A string in a request can be compared as a string and as a number. */
type ScalarKind = 'string' | 'number' | 'boolean' | 'null'

function kindOf(value: Scalar): ScalarKind {
  return value === null ? 'null' : (typeof value as Exclude<ScalarKind, 'null'>)
}

/**
 * The key by which a value of a request is compared with scalars of one kind: values are equal if and only if their keys
 * are. `undefined` when the value equals no scalar of that kind.
 *
 * @param isText whether the value comes from a source of strings
 */
export function comparisonKey(value: unknown, kind: ScalarKind, isText: boolean): string | undefined {
  if (typeof value === 'string') {
    if (kind === 'string') return value
    if (!isText) return undefined
    if (kind === 'number') return numberKey(value)
    return kind === 'boolean' && (value === 'true' || value === 'false') ? value : undefined
  }
  if (typeof value === 'number') return kind === 'number' ? numberKey(value) : undefined
  if (typeof value === 'boolean') return kind === 'boolean' ? String(value) : undefined
  return value === null && kind === 'null' ? 'null' : undefined
}

/** An equality as the index compares it. */
export interface IndexedEquality {
  field: Field
  kind: ScalarKind
  /** Distinguishes fields that are read in different ways. */
  id: string
  /** What `readKey` must return. */
  key: string
}

export function toIndexed({ field, value }: Equality): IndexedEquality {
  const kind = kindOf(value)
  // A value that equals nothing, such as NaN, gets a key that no request can have.
  return { field, kind, id: `${kind} ${field.id}`, key: comparisonKey(value, kind, false) ?? '\0' }
}

/** The key of a field's value in a request; `undefined` when it equals no scalar of that kind. */
export function readKey(
  request: ParsedRequest,
  { field, kind }: Pick<IndexedEquality, 'field' | 'kind'>,
): string | undefined {
  return comparisonKey(readField(request, field), kind, readsText(request, field))
}

/** Whether a request meets an equality. */
export function isMet(equality: Equality, request: ParsedRequest): boolean {
  const indexed = toIndexed(equality)
  return readKey(request, indexed) === indexed.key
}

/** Whether a selector needs the text of a GraphQL document. */
export function selectsByDocument(selector: Selector): boolean {
  return fieldsOf(selector).some(({ source }) => source === 'document' || source === 'operationType')
}

/** Whether a selector reads the `extensions` of a GraphQL request, such as the hash of a persisted query. */
export function selectsByExtensions(selector: Selector): boolean {
  return fieldsOf(selector).some(
    ({ source, path }) => source === 'extensions' || (source === 'body' && path[0] === 'extensions'),
  )
}

const graphqlSources: readonly string[] = [
  'operationName',
  'operationType',
  'variables',
  'extensions',
  'document',
]

/** The keys of a selector that only GraphQL requests have, as the developer wrote them. */
export function selectedByGraphQL(selector: Selector): string[] {
  const fields = fieldsOf(selector).filter(({ source }) => graphqlSources.includes(source))
  return [...new Set(fields.map(({ source }) => (source === 'document' ? 'query' : source)))]
}

function fieldsOf({ equalities, tests }: Selector): Field[] {
  return [...equalities, ...tests].flatMap(({ field }) => field ?? [])
}

/** Whether a selector needs the request's body. A predicate may read it. */
export function selectsByBody({ equalities, tests }: Selector): boolean {
  return equalities.some(({ field }) => !isFlat(field)) || tests.some(({ field }) => !field || !isFlat(field))
}

/** The document of a GraphQL request. The developer wrote it as `query`. */
export const documentField: Field = { source: 'document', path: [], id: 'query' }

/** Creates the fields of one fixture file. A hundred thousand routes that are selected by `page` share one field. */
export class Fields {
  readonly #known = new Map<string, Field>()

  get(source: Field['source'], path: readonly string[]): Field {
    const names = isFlat({ source }) ? path : path.map((name) => name.replace(/[\\.]/g, '\\$&'))
    const id = [source, ...names].join('.')
    return getOrMake(this.#known, id, () => ({ source, path, id }))
  }
}
