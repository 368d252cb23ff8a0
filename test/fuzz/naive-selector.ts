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
    const value = source === 'query' ? parametersOf(request.raw.search) : request[source as 'body']
    return fits(literal, value, isText, pathOf)
  })
}

/** A parameter that is repeated is a list. */
function parametersOf(search: string): Rows {
  const all = new URLSearchParams(search)
  return Object.fromEntries(
    [...all.keys()].map((name) => {
      const values = all.getAll(name)
      return [name, values.length > 1 ? values : values[0]]
    }),
  )
}

/** Text that is sent once is also a list of one. */
function listOf(value: unknown, isText: boolean): unknown[] | undefined {
  if (Array.isArray(value)) return value as unknown[]
  return isText && typeof value === 'string' ? [value] : undefined
}

function fits(literal: unknown, value: unknown, isText: boolean, pathOf: (key: string) => string[]): boolean {
  const inner = (other: unknown, of: unknown) => fits(other, of, isText, pathOf)
  if (Array.isArray(literal)) {
    const list = listOf(value, isText)
    return list?.length === literal.length && literal.every((item, i) => inner(item, list[i]))
  }
  if (typeof literal !== 'object' || literal === null) return isScalar(literal, value, isText)
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
  const candidates = Array.isArray(value) ? [value, ...(value as unknown[])] : [value]
  const isOneOf = (wanted: unknown[]) =>
    candidates.some((item) => wanted.some((other) => same(other, item, isText)))
  const compares = (holds: (order: number) => boolean) =>
    candidates.some((item) => {
      if (typeof operand === 'string')
        return typeof item === 'string' && holds(item < operand ? -1 : Number(item > operand))
      if (typeof item === 'number') return holds(Math.sign(item - Number(operand)))
      const ratios = isText && typeof item === 'string' ? [toRatio(item), toRatio(String(operand))] : []
      const [a, b] = ratios
      return a !== undefined && b !== undefined && holds(sign(a[0] * b[1] - b[0] * a[1]))
    })
  switch (operator) {
    case '$eq':
      return isOneOf([operand])
    case '$ne':
      return !isOneOf([operand])
    case '$in':
      return isOneOf(list)
    case '$nin':
      return !isOneOf(list)
    case '$gt':
      return compares((order) => order > 0)
    case '$gte':
      return compares((order) => order >= 0)
    case '$lt':
      return compares((order) => order < 0)
    case '$lte':
      return compares((order) => order <= 0)
    case '$exists':
      return (value !== undefined) === operand
    case '$size':
      return listOf(value, isText)?.length === operand
    case '$mod': {
      const [divisor, remainder] = list as [number, number]
      return candidates.some((item) => {
        if (typeof item === 'number') return item % divisor === remainder
        const ratio = isText && typeof item === 'string' ? toRatio(item) : undefined
        return ratio !== undefined && ratio[0] % (BigInt(divisor) * ratio[1]) === BigInt(remainder) * ratio[1]
      })
    }
    case '$all':
      return (
        list.length > 0 &&
        list.every(
          (item) => inner(item, value) || (Array.isArray(value) && value.some((entry) => inner(item, entry))),
        )
      )
    case '$elemMatch':
      return listOf(value, isText)?.some((entry) => inner(operand, entry)) ?? false
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

function same(wanted: unknown, value: unknown, isText: boolean): boolean {
  if ((wanted ?? null) === null || (value ?? null) === null) return (wanted ?? null) === (value ?? null)
  if (typeof wanted !== 'object') return isScalar(wanted, value, isText)
  if (typeof value !== 'object' || Array.isArray(wanted) !== Array.isArray(value)) return false
  const [keys, others] = [Object.keys(wanted!), Object.keys(value!)]
  return (
    keys.length === others.length &&
    keys.every((key) => others.includes(key) && same((wanted as Rows)[key], (value as Rows)[key], isText))
  )
}

/** Text is a number, or a boolean, where everything is text and the selector has one. Of a list, one entry is enough. */
function isScalar(wanted: unknown, value: unknown, isText: boolean): boolean {
  if (isText && Array.isArray(value)) return value.some((entry) => isScalar(wanted, entry, isText))
  if (!isText || typeof value !== 'string' || typeof wanted === 'string') return wanted === value
  if (typeof wanted === 'boolean') return String(wanted) === value
  const [a, b] = [toRatio(String(wanted)), toRatio(value)]
  return a !== undefined && b !== undefined && a[0] * b[1] === b[0] * a[1]
}

function ownEntry(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.keys(value).includes(key)) return undefined
  return (value as Rows)[key]
}

/** Decimal text as a fraction of two integers. */
function toRatio(text: string): [bigint, bigint] | undefined {
  if (!/^[+-]?(\d+\.?\d*|\.\d+)$/.test(text)) return undefined
  const [whole, fraction = ''] = text.replace(/^[+-]/, '').split('.') as [string, string?]
  const digits = BigInt(`0${whole}${fraction}`)
  return [text.startsWith('-') ? -digits : digits, 10n ** BigInt(fraction.length)]
}

function sign(value: bigint): number {
  return value > 0n ? 1 : value < 0n ? -1 : 0
}
