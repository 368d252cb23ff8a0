import { writtenNumber } from '../values/exact-number.ts'
import { compareTexts, ownValue, valueAt } from '../values/values.ts'
import type { Item } from './items.ts'

export interface ItemQuery {
  /** Conditions by field and operator: `customer.name`, `total_gte`. Several values: an item needs one of them. */
  filters?: readonly (readonly [key: string, values: readonly string[]])[] | undefined
  /** Whether `total_gte`, `_lte`, `_ne` and `_like` are operators. */
  hasOperators?: boolean
  /** Text to find anywhere in the item. */
  text?: string | undefined
  sort?: readonly SortKey[] | undefined
}

export interface SortKey {
  field: string
  isDescending: boolean
}

/** A new list of the same items. */
export function findItems<Found extends Item>(items: Iterable<Found>, query: ItemQuery): Found[] {
  let found = Array.isArray(items) ? (items as Found[]) : [...items]
  const text = query.text?.toLowerCase()
  if (text) found = found.filter((item) => hasText(item, text))
  for (const [key, values] of query.filters ?? [])
    found = found.filter(compileFilter(key, values, query.hasOperators ?? false))
  return query.sort?.length ? sortItems(found, query.sort) : found
}

/** The whole text is a field before it is an operator: `a_ne` may be a key. */
export function fieldOf(key: string, hasOperators: boolean): { field: string; operator?: string } {
  const [, field, operator] = (hasOperators && /^(.+)_(gte|lte|ne|like)$/.exec(key)) || []
  return field === undefined ? { field: key } : { field, operator: operator! }
}

/** A function that reads a field, which may be a path. */
export function itemReader(field: string): (item: Item) => unknown {
  const path = field.split('.')
  return (item) => ownValue(item, field) ?? valueAt(item, path)
}

function compileFilter(
  key: string,
  values: readonly string[],
  hasOperators: boolean,
): (item: Item) => boolean {
  const { field, operator } = fieldOf(key, hasOperators)
  const own = itemReader(field)
  const read = (item: Item) => own(item) ?? undefined
  if (operator === undefined) {
    const wanted = new Set(values)
    return (item) => wanted.has(comparedText(read(item)) ?? noText)
  }
  if (operator === 'ne') return (item) => !values.includes(comparedText(read(item)) ?? noText)
  if (operator === 'like') {
    // Not a regular expression, which could take minutes.
    const parts = values.map((value) => value.toLowerCase())
    return (item) => {
      const text = comparedText(read(item))?.toLowerCase()
      return text !== undefined && parts.some((part) => text.includes(part))
    }
  }
  const bounds = values.map((text) => ({ text, number: text.trim() === '' ? NaN : Number(text) }))
  return (item) => {
    const value = read(item)
    if (value === undefined) return false
    const number = typeof value === 'number' ? value : Number(writtenNumber(value) ?? NaN)
    return bounds.some((bound) => {
      const order = Number.isNaN(number)
        ? compareTexts(comparedText(value)!, bound.text)
        : number - bound.number
      return operator === 'gte' ? order >= 0 : order <= 0
    })
  }
}

const noText = '\uE000'

/** A value as the text that a query compares; `undefined` where there is none. */
export function comparedText(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'object')
    return Array.isArray(value) ? value.map(comparedText).join() : '[object Object]'
  return writtenNumber(value) ?? String(value)
}

function hasText(item: Item, text: string): boolean {
  const waiting: unknown[] = [item]
  while (waiting.length > 0) {
    const one = waiting.pop()
    if (typeof one === 'object' && one !== null) for (const part of Object.values(one)) waiting.push(part)
    else if (comparedText(one)?.toLowerCase().includes(text)) return true
  }
  return false
}

function sortItems<Found extends Item>(items: readonly Found[], keys: readonly SortKey[]): Found[] {
  const readers = keys.map(({ field }) => itemReader(field))
  const read = items.map((item) => ({ item, values: readers.map((one) => one(item)) }))
  read.sort((a, b) => {
    for (const [index, { isDescending }] of keys.entries()) {
      const [one, other] = [a.values[index], b.values[index]]
      const missing = Number(isMissing(one)) - Number(isMissing(other))
      if (missing !== 0) return missing
      const order = compareValues(one, other)
      if (order !== 0) return isDescending ? -order : order
    }
    return 0
  })
  return read.map(({ item }) => item)
}

/** Whether the value is missing: such items come last, in both directions. */
function isMissing(value: unknown): boolean {
  return value === undefined || value === null
}

/** Numbers come before texts. */
function compareValues(a: unknown, b: unknown): number {
  const ranks = rankOf(a) - rankOf(b)
  if (ranks !== 0) return ranks
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return compareTexts(comparedText(a) ?? '', comparedText(b) ?? '')
}

function rankOf(value: unknown): number {
  return typeof value === 'number' ? 0 : 1
}

/** `-created,name`: the highest `created` first. */
export function readSort(text: string): SortKey[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => ({ field: part.replace(/^-/, ''), isDescending: part.startsWith('-') }))
}
