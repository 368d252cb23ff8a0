import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { headerText, queryValue } from '../http/raw-request.ts'
import type { ParsedRequest } from '../request/parsed-request.ts'
import type { FixtureSelector } from '../schema/schema.ts'
import { numberKey } from '../values/decimal.ts'
import { ownValue } from '../values/values.ts'

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
  /** The field that is looked at; a predicate may look at anything. */
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

export interface CompiledSelector {
  selector: Selector
  diagnostics: Diagnostic[]
}

/** Sources that are read before the request's body is. */
const headSources: readonly string[] = ['query', 'params', 'headers', 'cookies']
/** Sources whose values are text, which has neither numbers nor booleans of its own. */
const textSources: readonly string[] = [...headSources, 'operationName', 'operationType', 'document']

/** Whether the keys of a source are names of texts. In all other sources, keys reach inside with dots. */
export function isFlat({ source }: Pick<Field, 'source'>): boolean {
  return headSources.includes(source)
}

export function isTextSource({ source }: Pick<Field, 'source'>): boolean {
  return textSources.includes(source)
}

/**
 * Where a key leads. In a body and in variables, dots reach inside, and `\.` is a dot of the key itself. Header names
 * have no case.
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

/** Whether the text of a field stands for numbers and booleans, too, because its source has nothing but text. */
export function readsText(request: ParsedRequest, field: Field): boolean {
  return isTextSource(field) || (request.isForm && field.source === 'body')
}

/** What a scalar is compared as. Text in a request may be compared as text, and as a number. */
export type ScalarKind = 'string' | 'number' | 'boolean' | 'null'

export function kindOf(value: Scalar): ScalarKind {
  return value === null ? 'null' : (typeof value as Exclude<ScalarKind, 'null'>)
}

/**
 * A value of a request as the text by which it is compared with scalars of one kind: two are equal if and only if these
 * texts are. `undefined` when the value equals no scalar of that kind.
 *
 * @param isText whether the value comes from where everything is text
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

/** An equality as an index compares it. */
export interface IndexedEquality {
  field: Field
  kind: ScalarKind
  /** Tells fields that are read in different ways from each other. */
  id: string
  /** What `readKey` must give. */
  key: string
}

export function toIndexed({ field, value }: Equality): IndexedEquality {
  const kind = kindOf(value)
  // A value that equals nothing, such as NaN, gets a key that no request can give.
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

/** Whether a selector can only be answered once the request's body is there. A predicate may look at anything. */
export function selectsByBody({ equalities, tests }: Selector): boolean {
  return equalities.some(({ field }) => !isFlat(field)) || tests.some(({ field }) => !field || !isFlat(field))
}

/** The document of a GraphQL request. The developer wrote it as `query`. */
export const documentField: Field = { source: 'document', path: [], id: 'query' }

/** Makes the fields of one fixture file. A hundred thousand routes that are selected by `page` share one. */
export class Fields {
  readonly #known = new Map<string, Field>()

  get(source: Field['source'], path: readonly string[]): Field {
    const names = isFlat({ source }) ? path : path.map((name) => name.replace(/[\\.]/g, '\\$&'))
    const id = [source, ...names].join('.')
    let field = this.#known.get(id)
    if (!field) this.#known.set(id, (field = { source, path, id }))
    return field
  }
}
