import { diagnoseFixture } from '../diagnostics/fixture-texts.ts'
import type { Diagnostic, SourceLocation } from '../diagnostics/diagnostic.ts'
import { isFileBody } from '../response/prepare-response.ts'
import { isFlat, type Field } from '../select/selector.ts'
import { describeValue } from '../values/describe-value.ts'
import { nearestName } from '../values/spelling.ts'
import { isPlainObject, setOwn } from '../values/values.ts'
import { nearReference, readReference, readText, sources } from './reference.ts'
import { conversions, convert, type Given, type Kind, readValue, textOf } from './read-value.ts'

/*
 * Values of a response that are made for each request: `{ $from: params.id }`. They are compiled with their route, so that
 * a response without any costs nothing.
 */

/** Stands in the place of a value, or around one that contains others. */
export class RequestValue {
  /** @throws TooMuchFromRequest */
  constructor(readonly make: (given: Given) => unknown) {}
}

type Path = readonly (string | number)[]

interface Context {
  params?: readonly string[] | undefined
  place?: ((path: Path) => SourceLocation) | undefined
}

interface CompiledValues {
  /** The value itself if it has none of them; else a `RequestValue`, or a copy without `$literal`. */
  value: unknown
  readsBody: boolean
  /** Where the values of the request are. */
  paths: Path[]
  diagnostics: Diagnostic[]
}

const operators = ['$from', '$text', '$literal']
const keysOf: Record<string, readonly string[]> = { $from: ['as', 'else'], $text: ['else'] }

/** @param params the names of the path's parameters; any if they are unknown */
export function compileValues(
  value: unknown,
  { params, place = () => ({ file: '' }) }: Context = {},
): CompiledValues {
  const compiled: CompiledValues = { value, readsBody: false, paths: [], diagnostics: [] }
  const around = new Set<object>()
  compiled.value = visit(value, [])
  return compiled

  function visit(one: unknown, path: Path): unknown {
    if (typeof one !== 'object' || one === null || around.has(one)) return one
    if (!Array.isArray(one) && (!isPlainObject(one) || isFileBody(one))) return one
    const operator = Array.isArray(one) ? undefined : operators.find((key) => Object.hasOwn(one, key))
    if (operator !== undefined) return compileOperator(operator, one as Record<string, unknown>, path)
    around.add(one) // a value of code may be circular
    const parts = inParts(one, path)
    around.delete(one)
    return parts ?? one
  }

  function inParts(one: object, path: Path): unknown {
    let made: [key: string, value: unknown][] | undefined
    for (const [key, part] of Object.entries(one) as [string, unknown][]) {
      if (key.startsWith('$')) noticeMisspelled(key, [...path, key])
      const compiled = visit(part, [...path, Array.isArray(one) ? Number(key) : key])
      if (compiled !== part) (made ??= []).push([key, compiled])
    }
    if (!made) return undefined
    const changed = made
    const constants = changed.filter(([, part]) => !(part instanceof RequestValue))
    const base = copyWith(one, constants)
    const later = changed.filter((entry): entry is [string, RequestValue] => entry[1] instanceof RequestValue)
    if (later.length === 0) return base
    return new RequestValue((given) =>
      copyWith(
        base,
        later.map(([key, part]) => [key, part.make(given)]),
      ),
    )
  }

  function compileOperator(operator: string, one: Record<string, unknown>, path: Path): unknown {
    const given = one[operator]
    const known = [operator, ...(keysOf[operator] ?? [])]
    for (const key of Object.keys(one).filter((key) => !known.includes(key)))
      compiled.diagnostics.push(diagnoseFixture('fixture-unknown-key', place([...path, key]), { key, known }))
    if (operator === '$literal') return given
    compiled.paths.push(path)
    const otherwise = Object.hasOwn(one, 'else') ? visit(one['else'], [...path, 'else']) : undefined
    const fallback = (given: Given) =>
      otherwise instanceof RequestValue ? otherwise.make(given) : (otherwise ?? null)
    const here = [...path, operator]
    if (typeof given !== 'string') {
      const expected =
        operator === '$from' ? 'a name such as params.id' : 'a text such as "Order {params.id}"'
      refuse(operator, `it takes ${expected}, not ${describeValue(given)}`, here)
      return null
    }
    if (operator === '$text') {
      const parts = readText(given)
      if (typeof parts === 'string') return refuse('$text', parts, here)
      const fields = parts.map((part) => (typeof part === 'string' ? part : use(part.name, here)))
      return new RequestValue((given) => {
        const texts = fields.map((part) => (typeof part === 'object' ? textOf(given, part) : part))
        if (otherwise !== undefined && texts.includes(undefined)) return fallback(given)
        return texts.join('')
      })
    }
    const kind = one['as'] as Kind | undefined
    if (kind !== undefined && !conversions.includes(kind)) {
      const fix = `it knows ${conversions.join(', ')}, not ${describeValue(kind)}`
      return refuse('as', fix, [...path, 'as'])
    }
    const field = use(given, here)
    if (!field) return null
    return new RequestValue((given) => convert(readValue(given, field), kind) ?? fallback(given))
  }

  function use(name: string, path: Path): Field | undefined {
    const field = readReference(name)
    const isKnown = field && (field.source !== 'params' || !params || isParameter(field.path[0], params))
    if (isKnown) {
      compiled.readsBody ||= !isFlat(field)
      return field
    }
    const known = field && params ? params.map((param) => `params.${param}`) : sources
    const near = params?.includes(name) ? `params.${name}` : field ? undefined : nearReference(name)
    compiled.diagnostics.push(diagnoseFixture('value-unknown-name', place(path), { name, known, near }))
    return undefined
  }

  function refuse(key: string, reason: string, path: Path): null {
    compiled.diagnostics.push(diagnoseFixture('value-invalid', place(path), { key, reason }))
    return null
  }

  function noticeMisspelled(key: string, path: Path): void {
    const meant = nearestName(key.slice(1), operators.map((operator) => operator.slice(1))) // prettier-ignore
    if (meant === undefined) return
    compiled.diagnostics.push(diagnoseFixture('value-misspelled', place(path), { key, meant: `$${meant}` }))
  }
}

function isParameter(name: string | undefined, params: readonly string[]): boolean {
  return name === undefined || params.includes(name)
}

function copyWith(one: object, parts: readonly (readonly [key: string, value: unknown])[]): object {
  const copy: object = Array.isArray(one) ? [...(one as unknown[])] : { ...one }
  for (const [key, part] of parts) setOwn(copy, key, part)
  return copy
}
