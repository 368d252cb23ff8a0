import { bodyText } from '../http/body.ts'
import type { ParsedRequest } from '../request/parsed-request.ts'
import { readField, readsText, type Field } from '../select/selector.ts'
import { numberKey } from '../values/decimal.ts'
import { exactJson, exactNumber, toJson, writtenNumber } from '../values/exact-number.ts'

export const conversions = ['number', 'boolean', 'json', 'list'] as const
export type Conversion = (typeof conversions)[number]

/** Maximum characters that values of the request add to a response. */
export const maxFromRequest = 8_388_608

export class TooMuchFromRequest extends Error {}

/** Items of collections, for values such as `{ $item: orders, id: $id }`. `path` is where the value is. */
export interface GivenItems {
  /** `undefined` for the item that the route has written. */
  item: (name: string, asked: { id: unknown } | undefined, path: readonly (string | number)[]) => unknown
  list: (
    name: string,
    query: { where: unknown; sort: unknown; connection: unknown },
    path: readonly (string | number)[],
  ) => unknown
}

export interface ValueSource {
  items?: GivenItems | undefined
  request: ParsedRequest
  /** Characters that values of the request may still add: a short body can name a large value often. */
  left: number
  /** Sizes of objects of the request, since a response may name one often. */
  sizes: Map<Field, number>
  now: () => string
  uuid: () => string
}

/** `undefined` where the request has none. @throws TooMuchFromRequest */
export function readValue(given: ValueSource, field: Field): unknown {
  const read = readField(given.request, field) ?? undefined
  const value = ArrayBuffer.isView(read) ? bodyText(given.request.raw) : read
  let size = given.sizes.get(field)
  if (size === undefined) given.sizes.set(field, (size = sizeOf(value)))
  spend(given, size)
  return value
}

/** @throws TooMuchFromRequest */
export function spend(given: ValueSource, size: number): void {
  given.left -= size
  if (given.left < 0) throw new TooMuchFromRequest()
}

/** Approximate length of a value's JSON, counted up to the limit: a large text may occur many times. */
function sizeOf(value: unknown): number {
  const waiting = [value]
  let size = 0
  while (waiting.length > 0 && size <= maxFromRequest) {
    const one = waiting.pop()
    if (typeof one === 'string') size += one.length
    else if (typeof one === 'object' && one !== null)
      for (const [key, part] of Object.entries(one)) {
        size += key.length + 6 // quotes, a colon, a comma, and a short value
        waiting.push(part)
      }
  }
  return size
}

/** `undefined` if the text can't be converted: `'abc'` is not a number. */
export function convert(value: unknown, kind: Conversion | undefined): unknown {
  if (kind === 'list') return [value ?? []].flat()
  if (writtenNumber(value) !== undefined) return kind === 'boolean' ? undefined : value
  if (kind === 'json') return typeof value === 'string' ? (exactJson(value)?.value ?? undefined) : value
  if (kind === 'boolean')
    return value === true || value === 'true' || (value === false || value === 'false' ? false : undefined)
  if (kind !== 'number' || typeof value === 'number') return value
  const text = typeof value === 'string' && numberKey(value) !== undefined ? value : undefined
  return text && exactNumber(text.replace(/^([+-]?)0+(?=\d)/, '$1').replace('+', ''), Number(text))
}

/** `undefined` where the request has none. @throws TooMuchFromRequest */
export function requestText(given: ValueSource, field: Field): string | undefined {
  const value = readValue(given, field)
  if (Array.isArray(value) && readsText(given.request, field)) return value.join(',')
  if (typeof value !== 'string' && value !== undefined) return toJson(value)
  return writtenNumber(value) ?? value
}
