import type { Diagnostic, SourceLocation } from '../diagnostics/diagnostic.ts'
import { diagnoseFixture, type fixtureTexts } from '../diagnostics/fixture-texts.ts'
import { type FileBody, isFileBody } from '../response/prepare-response.ts'
import { requestValueSchema } from '../schema/value-schema.ts'
import { isFlat, isOfGraphQL, type Field } from '../select/selector.ts'
import { describeValue } from '../values/describe-value.ts'
import { nearestName } from '../values/spelling.ts'
import { isPlainObject, setOwn, type KeyPath } from '../values/values.ts'
import {
  conversions,
  convert,
  type ValueSource,
  type Conversion,
  readValue,
  requestText,
} from './read-value.ts'
import { nearReference, readReference, readTextParts, requestSources } from './reference.ts'

/*
 * Values of a response that are made for each request: `{ $from: params.id }`. They are compiled with their route, so that
 * a response without any costs nothing.
 */

/** Stands in the place of a value, or around one that contains others. */
export class RequestValue {
  /** @throws TooMuchFromRequest */
  constructor(readonly make: (given: ValueSource) => unknown) {}
}

/** @throws TooMuchFromRequest */
export function makeValue(value: unknown, given: ValueSource): unknown {
  return value instanceof RequestValue ? value.make(given) : value
}

/** The files that a loader has read for `file: { $text: … }`. A request can choose only one of these. */
export interface FileChoice {
  $file: string
  /** Files by the path that the text gives. */
  files: Readonly<Record<string, FileBody>>
}

export function isFileChoice(value: unknown): value is FileChoice {
  if (!isPlainObject(value) || typeof value['$file'] !== 'string' || !isPlainObject(value['files']))
    return false
  return Object.values(value['files']).every(isFileBody)
}

export class NoSuchFile extends Error {
  constructor(readonly file: string) {
    super()
  }
}

interface ValueContext {
  params?: readonly string[] | undefined
  place?: ((path: KeyPath) => SourceLocation) | undefined
  /** Whether `$id` is a variable of the GraphQL operation, as inside `$item` and `$list`. */
  hasVariables?: boolean
}

interface CompiledValues {
  /** The value itself, if it has no values of the request; else a `RequestValue`, or a copy without `$literal`. */
  value: unknown
  readsBody: boolean
  /** Names that only requests of a GraphQL endpoint have: `variables.id`. */
  graphqlNames: string[]
  paths: KeyPath[]
  collections: NamedCollection[]
  diagnostics: Diagnostic[]
}

interface NamedCollection {
  name: string
  path: KeyPath
  /** `$item` or `$list` with its other keys. */
  value: Record<string, unknown>
}

const operators = Object.keys(requestValueSchema.entries).filter((key) => key.startsWith('$'))
const keysOf: Record<string, readonly string[]> = {
  $from: ['as', 'else'],
  $text: ['else'],
  $item: ['id'],
  $list: ['where', 'sort', 'connection'],
}
const expectations: Record<string, string> = {
  $from: 'a name such as params.id',
  $text: 'a text such as "Order {params.id}"',
  $item: 'the name of a collection',
  $list: 'the name of a collection',
}

/** @param params the names of the path's parameters; any if they are unknown */
export function compileValues(
  value: unknown,
  { params, place = () => ({ file: '' }), hasVariables = false }: ValueContext = {},
): CompiledValues {
  const compiled: CompiledValues = {
    value,
    readsBody: false,
    graphqlNames: [],
    paths: [],
    collections: [],
    diagnostics: [],
  }
  let areArguments = hasVariables
  if (!hasVariables && !mayHaveValues(value)) return compiled
  const around = new Set<object>()
  const path: (string | number)[] = []
  compiled.value = visit(value)
  return compiled

  function visit(one: unknown): unknown {
    if (areArguments && typeof one === 'string' && /^\$[A-Za-z_]/.test(one)) return readVariable(one)
    if (typeof one !== 'object' || one === null || around.has(one)) return one
    const isList = Array.isArray(one)
    if (!isList && (!isPlainObject(one) || isFileBody(one))) return one
    if (isFileChoice(one)) return visitFiles(one)
    const operator = isList ? undefined : operators.find((key) => Object.hasOwn(one, key))
    if (operator !== undefined) return visitOperator(operator, one as Record<string, unknown>)
    around.add(one) // a value of code may be circular
    const constants: [string, unknown][] = []
    const made: [string, RequestValue][] = []
    for (const key of Object.keys(one)) {
      const part = (one as Record<string, unknown>)[key]
      path.push(isList ? Number(key) : key)
      if (key.startsWith('$')) noticeMisspelled(key, part)
      const visited = visit(part)
      if (visited instanceof RequestValue) made.push([key, visited])
      else if (visited !== part) constants.push([key, visited])
      path.pop()
    }
    around.delete(one)
    const base = constants.length > 0 ? copyWith(one, constants) : one
    if (made.length === 0) return base
    return new RequestValue((given) =>
      copyWith(
        base,
        made.map(([key, part]) => [key, part.make(given)]),
      ),
    )
  }

  function visitOperator(operator: string, one: Record<string, unknown>): unknown {
    const known = [operator, ...(keysOf[operator] ?? [])]
    for (const key of Object.keys(one).filter((key) => !known.includes(key)))
      report('fixture-unknown-key', key, { key, known })
    if (operator === '$literal') return one['$literal']
    compiled.paths.push([...path])
    const given = one[operator]
    if (operator === '$now' || operator === '$uuid')
      return given === true
        ? new RequestValue(({ now, uuid }) => (operator === '$now' ? now() : uuid()))
        : refuse(operator, `it takes true, not ${describeValue(given)}`)
    if (typeof given !== 'string')
      return refuse(operator, `it takes ${expectations[operator]}, not ${describeValue(given)}`)
    if (operator === '$item' || operator === '$list') return readCollection(operator, given, one)
    path.push('else')
    const otherwise = visit(one['else'])
    path.pop()
    const makeElse = (given: ValueSource) => makeValue(otherwise, given) ?? null
    if (operator === '$text') return readParts(given, otherwise === undefined ? undefined : makeElse)
    const kind = one['as'] as Conversion | undefined
    if (kind !== undefined && !conversions.includes(kind))
      return refuse('as', `it knows ${conversions.join(', ')}, not ${describeValue(kind)}`)
    const field = use(given, operator)
    return (
      field &&
      new RequestValue((given) => {
        const value = readValue(given, field)
        const isElse = value === undefined && otherwise !== undefined
        return (isElse ? undefined : convert(value, kind)) ?? makeElse(given)
      })
    )
  }

  function readVariable(text: string): unknown {
    compiled.paths.push([...path])
    const field = use(`variables.${text.slice(1)}`, '')
    return field && new RequestValue((given) => readValue(given, field))
  }

  function readCollection(operator: '$item' | '$list', name: string, one: Record<string, unknown>): unknown {
    const here = [...path]
    compiled.collections.push({ name, path: [...here, operator], value: one })
    const { connection } = one
    const outer = areArguments
    areArguments = true
    const [id, where, sort] = ['id', 'where', 'sort'].map((key) => {
      path.push(key)
      const visited = visit(one[key])
      path.pop()
      return visited
    })
    areArguments = outer
    const hasId = Object.hasOwn(one, 'id')
    return new RequestValue((given) => {
      if (!given.items) return null
      if (operator === '$item')
        return given.items.item(name, hasId ? { id: makeValue(id, given) } : undefined, here)
      const query = { where: makeValue(where, given), sort: makeValue(sort, given) }
      return given.items.list(name, { ...query, connection }, here)
    })
  }

  function visitFiles({ $file, files }: FileChoice): unknown {
    const name = readParts($file, undefined)
    compiled.paths.push([...path])
    if (!(name instanceof RequestValue)) return null
    return new RequestValue((given) => {
      const file = String(name.make(given))
      if (!Object.hasOwn(files, file)) throw new NoSuchFile(file)
      return files[file]
    })
  }

  function readParts(text: string, makeElse: ((given: ValueSource) => unknown) | undefined): unknown {
    const parts = readTextParts(text)
    if (typeof parts === 'string') return refuse('$text', parts)
    const fields = parts.map((part) => (typeof part === 'string' ? part : use(part.name, '$text')))
    return new RequestValue((given) => {
      const texts = fields.map((part) => (typeof part === 'object' ? requestText(given, part) : part))
      return makeElse && texts.includes(undefined) ? makeElse(given) : texts.join('')
    })
  }

  function use(name: string, key: string): Field | undefined {
    const field = readReference(name)
    const param = field?.source === 'params' ? field.path[0] : undefined
    if (field && (param === undefined || !params || params.includes(param))) {
      compiled.readsBody ||= !isFlat(field)
      if (isOfGraphQL(field)) compiled.graphqlNames.push(name)
      return field
    }
    const known = field && params?.length ? params.map((param) => `params.${param}`) : requestSources
    const near = params?.includes(name) ? `params.${name}` : field ? undefined : nearReference(name)
    report('value-unknown-name', key, { name, known, near })
    return undefined
  }

  function refuse(key: string, reason: string): null {
    report('value-invalid', key, { key, reason })
    return null
  }

  function report<C extends ReportedCode>(
    code: C,
    key: string,
    ...details: Parameters<(typeof fixtureTexts)[C]>
  ) {
    compiled.diagnostics.push(diagnoseFixture(code, place([...path, key]), ...details))
  }

  /** Reports a name that looks like one of ours, by its value too: `{ $date: true }`, `{ $param: params.id }`. */
  function noticeMisspelled(key: string, part: unknown): void {
    const other =
      part === true
        ? { date: '$now', time: '$now', id: '$uuid' }[/date|time|id$/.exec(key.toLowerCase())?.[0] ?? '']
        : typeof part === 'string' && part.includes('.') && readReference(part) && '$from'
    const meant = (key.length > 3 && nearestName(key, operators)) || other || undefined
    if (meant !== undefined)
      compiled.diagnostics.push(diagnoseFixture('value-misspelled', place([...path]), { key, meant }))
  }
}

type ReportedCode = 'fixture-unknown-key' | 'value-invalid' | 'value-unknown-name'

/** A value of code may be circular, which only the full search notices. */
const mostSearched = 1_000_000

/** Whether any key begins with a dollar sign. Not recursive: a body may nest deeply, and most have none. */
function mayHaveValues(root: unknown): boolean {
  const waiting = [root]
  for (let count = 0; waiting.length > 0; count++) {
    const one = waiting.pop()
    if (typeof one !== 'object' || one === null || ArrayBuffer.isView(one) || isFileBody(one)) continue
    const isList = Array.isArray(one)
    if (count > mostSearched || (!isList && Object.keys(one).some((key) => key.startsWith('$')))) return true
    for (const part of isList ? (one as unknown[]) : Object.values(one))
      if (typeof part === 'object') waiting.push(part)
  }
  return false
}

function copyWith(one: object, parts: readonly (readonly [key: string, value: unknown])[]): object {
  const copy: object = Array.isArray(one) ? [...(one as unknown[])] : { ...one }
  for (const [key, part] of parts) setOwn(copy, key, part)
  return copy
}

/** A value that is sent as it is, whatever its keys are: of a file, or of an answer. */
export function asLiteral<T>(value: T): T | { $literal: T } {
  const compiled = compileValues(value)
  return compiled.value === value && compiled.diagnostics.length === 0 ? value : { $literal: value }
}

export function literalItems(items: readonly unknown[]): unknown[] {
  return asLiteral(items) === items ? (items as unknown[]) : items.map(asLiteral)
}
