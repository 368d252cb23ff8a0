import { getOrMake, oncePerObject } from '../values/collections.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { headerText } from '../http/raw-request.ts'
import { exactly, isExactSource, type ParsedRequest } from '../request/parsed-request.ts'
import { isSecret } from '../redact/secret-names.ts'
import type { FixtureSelector } from '../schema/selector-schema.ts'
import { numberKey } from '../values/decimal.ts'
import { writtenNumber } from '../values/exact-number.ts'
import { ownValue, words } from '../values/values.ts'

/** A part of a request that a selector names, such as `body.filter.state`. */
export interface Field {
  source: keyof FixtureSelector | 'document'
  path: readonly string[]
  /** The developer's spelling, and the identity of a field. */
  id: string
  /** Whether the values of the field are hidden. */
  isSecret?: boolean
}

export type Scalar = string | number | boolean | null

interface Equality {
  field: Field
  value: Scalar
}

export interface FieldTest {
  /** Absent for a predicate, which can read everything. */
  field?: Field
  written?: unknown
  holds: (request: ParsedRequest) => boolean
}

export interface Selector {
  equalities: Equality[]
  tests: FieldTest[]
}

export interface CompiledSelector {
  selector: Selector
  diagnostics: Diagnostic[]
}

/** Sources that do not need the request's body. */
const headSources: readonly string[] = ['query', 'params', 'headers', 'cookies']
/** Sources of strings, where numbers and booleans are compared with strings. */
const textSources: readonly string[] = [...headSources, 'operationName', 'operationType', 'document']

export function isFlat({ source }: Pick<Field, 'source'>): boolean {
  return headSources.includes(source)
}

export function isTextSource({ source }: Pick<Field, 'source'>): boolean {
  return textSources.includes(source)
}

/** Header names are case-insensitive. In a body and in variables, dots reach inside, and `\.` is a dot in the key. */
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

/** `undefined` when the request does not have the field. */
export function readField(request: ParsedRequest, { source, path }: Field): unknown {
  const [name] = path
  switch (source) {
    case 'headers':
      return name === undefined ? request.headers : headerText(request.raw.headers, name)
    case 'document':
      return name === undefined ? request.document : request.typedDocument
    case 'query':
      return name === undefined ? request.parameters : readParameter(request.parameters, name)
    default: {
      const value = readPath(request[source], path, request.isForm && source === 'body')
      return isExactSource(source) ? exactly(request, source, path, value) : value
    }
  }
}

/** Reads a key inside operators, such as `$or`, as `readField` reads it outside of them. */
export function keyReader(
  source: Field['source'],
  key: string,
): (value: unknown, isText: boolean) => unknown {
  if (source === 'query') return (value) => readParameter(value, key)
  const path = keyPath(source, key)
  return (value, isText) => readPath(value, path, isText)
}

function readPath(value: unknown, path: readonly string[], isForm: boolean): unknown {
  return path.length === 0 ? value : path.reduce<unknown>(isForm ? valueInForm : entryOf, value)
}

/** A value of an object, or of a list, the last of which is `-1`. */
function entryOf(value: unknown, key: string): unknown {
  return key === '-1' && Array.isArray(value) ? value.at(-1) : ownValue(value, key)
}

/** `id.0` is the first of its values, unless a parameter has this name. */
function readParameter(parameters: unknown, name: string): unknown {
  const dot = name.lastIndexOf('.')
  const own = ownValue(parameters, name)
  if (dot === -1 || own !== undefined) return own
  return valueInForm(ownValue(parameters, name.slice(0, dot)), name.slice(dot + 1))
}

/** A value of a form. A field that is sent once is a list of one. */
function valueInForm(value: unknown, key: string): unknown {
  return typeof value === 'string' && (key === '0' || key === '-1') ? value : entryOf(value, key)
}

/** Form bodies have only strings, too. */
export function readsText(request: ParsedRequest, field: Field): boolean {
  return isTextSource(field) || (request.isForm && field.source === 'body')
}

type ScalarKind = 'string' | 'number' | 'boolean' | 'null'

export function isScalar(value: unknown): value is Scalar {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
}

export function scalarKindOf(value: Scalar): ScalarKind {
  if (writtenNumber(value) !== undefined) return 'number'
  return value === null ? 'null' : (typeof value as Exclude<ScalarKind, 'null'>)
}

/**
 * The key for comparisons with scalars of one kind; `undefined` when the value equals none.
 *
 * @param isText whether the value comes from a source of strings
 */
export function comparisonKey(value: unknown, kind: ScalarKind, isText: boolean): string | undefined {
  const written = writtenNumber(value)
  if (written !== undefined) return kind === 'number' ? numberKey(written) : undefined
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

export interface IndexedEquality {
  field: Field
  kind: ScalarKind
  /** Distinguishes fields that are read in different ways. */
  id: string
  key: string
}

export function toIndexed({ field, value }: Equality): IndexedEquality {
  const kind = scalarKindOf(value)
  // A value that equals nothing, such as NaN, gets a key that no request has.
  return { field, kind, id: `${kind} ${field.id}`, key: comparisonKey(value, kind, false) ?? '\0' }
}

/** A repeated parameter has a key for each of its values. */
export function readKeys(request: ParsedRequest, { field, kind }: Pick<IndexedEquality, 'field' | 'kind'>) {
  const value = readField(request, field)
  const isText = readsText(request, field)
  if (!isText || !Array.isArray(value)) return comparisonKey(value, kind, isText)
  return getOrMake(keysOfList(value), kind, () => {
    const keys = value.map((one) => comparisonKey(one, kind, true))
    return new Set(keys.filter((key) => key !== undefined))
  })
}

/** A list may have thousands of values, and be compared with as many routes. */
const keysOfList = oncePerObject<readonly unknown[], Map<ScalarKind, ReadonlySet<string>>>(() => new Map())

export function isMet(equality: Equality, request: ParsedRequest): boolean {
  const indexed = toIndexed(equality)
  const keys = readKeys(request, indexed)
  return keys === indexed.key || (typeof keys === 'object' && keys.has(indexed.key))
}

export function selectsByDocument(selector: Selector): boolean {
  return fieldsOf(selector).some(({ source }) => source === 'document' || source === 'operationType')
}

/** A persisted query selects by the hash in `extensions`. */
export function selectsByExtensions(selector: Selector): boolean {
  return fieldsOf(selector).some(
    ({ source, path }) => source === 'extensions' || (source === 'body' && path[0] === 'extensions'),
  )
}

const graphqlSources: readonly string[] = words('operationName operationType variables extensions document')

export function isOfGraphQL({ source }: Field): boolean {
  return graphqlSources.includes(source)
}

export function selectedByGraphQL(selector: Selector): string[] {
  const fields = fieldsOf(selector).filter(isOfGraphQL)
  return [...new Set(fields.map(({ source }) => (source === 'document' ? 'query' : source)))]
}

function fieldsOf({ equalities, tests }: Selector): Field[] {
  return [...equalities, ...tests].flatMap(({ field }) => field ?? [])
}

export function selectsByBody({ equalities, tests }: Selector): boolean {
  return equalities.some(({ field }) => !isFlat(field)) || tests.some(({ field }) => !field || !isFlat(field))
}

/** The developer wrote it as `query`. */
export const documentField: Field = { source: 'document', path: [], id: 'query' }
/** Field for documents with fragments on types, which only requests with the same ones fit. */
export const typedDocumentField: Field = { source: 'document', path: ['types'], id: 'query with types' }

/** The fields of one file, shared by its routes: 100,000 routes can select by `page`. */
export class Fields {
  readonly #known = new Map<string, Field>()

  get(source: Field['source'], path: readonly string[]): Field {
    const names = isFlat({ source }) ? path : path.map((name) => name.replace(/[\\.]/g, '\\$&'))
    const id = [source, ...names].join('.')
    return getOrMake(this.#known, id, () => ({ source, path, id, isSecret: isSecret({ source, path }) }))
  }
}
