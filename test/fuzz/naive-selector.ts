import type { ParsedRequest } from '../../src/core/request/parsed-request.ts'

/*
 * What selectors mean, once more and as plainly as can be: no index, no compilation, no library. It is what the fuzzer
 * compares the package with.
 */

type Rows = Record<string, unknown>

const textSources = ['query', 'params', 'headers', 'cookies', 'operationName', 'operationType']
const flatSources = ['query', 'params', 'headers', 'cookies']

/** Whether a selector without mistakes holds for a request. */
export function holdsNaively(when: Rows, request: ParsedRequest): boolean {
  return Object.entries(when).every(([source, literal]) => {
    const isText = textSources.includes(source)
    const pathOf = (key: string) =>
      source === 'headers' ? [key.toLowerCase()] : flatSources.includes(source) ? [key] : key.split('.')
    return fits(literal, request[source as 'body'], isText, pathOf)
  })
}

function fits(literal: unknown, value: unknown, isText: boolean, pathOf: (key: string) => string[]): boolean {
  const inner = (other: unknown, of: unknown) => fits(other, of, isText, pathOf)
  if (Array.isArray(literal))
    return (
      Array.isArray(value) &&
      value.length === literal.length &&
      literal.every((item, i) => inner(item, value[i]))
    )
  if (typeof literal !== 'object' || literal === null) return (isText ? String(literal) : literal) === value
  const keys = Object.keys(literal)
  if (keys.length === 0) return typeof value === 'object' && value !== null && !Array.isArray(value)
  return keys.every((key) => {
    const operand = (literal as Rows)[key]
    if (key.startsWith('$')) return operatorFits(key, operand, value, isText, inner, literal as Rows)
    return inner(operand, pathOf(key).reduce<unknown>(ownEntry, value))
  })
}

function operatorFits(
  operator: string,
  operand: unknown,
  value: unknown,
  isText: boolean,
  inner: (literal: unknown, of: unknown) => boolean,
  all: Rows,
): boolean {
  const list = operand as unknown[]
  const wanted = isText ? asNumber(operand) : operand
  const candidates = each(isText ? asNumber(value) : value)
  const compares = (compare: (a: number, b: number) => boolean) =>
    candidates.some((item) => typeof item === typeof wanted && compare(item as number, wanted as number))
  const isIn = () => candidates.some((item) => (wanted as unknown[]).some((other) => same(item, other)))
  switch (operator) {
    case '$eq':
      return candidates.some((item) => same(item, wanted))
    case '$ne':
      return !candidates.some((item) => same(item, wanted))
    case '$in':
      return isIn()
    case '$nin':
      return !isIn()
    case '$gt':
      return compares((a, b) => a > b)
    case '$gte':
      return compares((a, b) => a >= b)
    case '$lt':
      return compares((a, b) => a < b)
    case '$lte':
      return compares((a, b) => a <= b)
    case '$exists':
      return (value !== undefined) === operand
    case '$size':
      return Array.isArray(value) && value.length === operand
    case '$mod': {
      const items = Array.isArray(value) ? (value as unknown[]) : [isText ? asNumber(value) : value]
      return items.some((item) => typeof item === 'number' && item % Number(list[0]) === list[1])
    }
    case '$all':
      return (
        list.length > 0 &&
        list.every(
          (item) => inner(item, value) || (Array.isArray(value) && value.some((entry) => inner(item, entry))),
        )
      )
    case '$elemMatch':
      return Array.isArray(value) && value.some((entry) => inner(operand, entry))
    case '$not':
      return !inner(operand, value)
    case '$and':
      return list.every((item) => inner(item, value))
    case '$or':
      return list.some((item) => inner(item, value))
    case '$nor':
      return !list.some((item) => inner(item, value))
    case '$regex': {
      const pattern = new RegExp(String(operand), typeof all.$options === 'string' ? all.$options : '')
      return [value].flat().some((item) => typeof item === 'string' && pattern.test(item))
    }
    case '$options':
      return true
    default:
      throw new Error(`the fuzzer knows no ${operator}`)
  }
}

/** A list's entries, and those of lists in it, count each, and so does the list. */
function each(value: unknown): unknown[] {
  return Array.isArray(value) ? [...value.flatMap(each), value] : [value]
}

function same(a: unknown, b: unknown): boolean {
  if ((a ?? null) === null || (b ?? null) === null) return (a ?? null) === (b ?? null)
  if (typeof a !== 'object' || typeof b !== 'object') return a === b
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [keys, others] = [Object.keys(a!), Object.keys(b!)]
  return (
    keys.length === others.length &&
    keys.every((key) => others.includes(key) && same((a as Rows)[key], (b as Rows)[key]))
  )
}

function ownEntry(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.keys(value).includes(key)) return undefined
  return (value as Rows)[key]
}

function asNumber(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asNumber)
  if (value === 'true' || value === 'false') return value === 'true'
  return typeof value === 'string' && /^[+-]?(\d{1,15}(\.\d*)?|\.\d+)$/.test(value) ? Number(value) : value
}
