import type { ParsedRequest } from '../request/parsed-request.ts'
import type { FixtureResponse } from '../schema/schema.ts'
import { toJson, writtenNumber } from '../values/exact-number.ts'
import { hash32, hex32 } from '../values/hash.ts'
import { makeValue } from './compile-values.ts'
import { type ValueSource, maxFromRequest, TooMuchFromRequest } from './read-value.ts'

/** @param seed of the response's UUIDs; asked for once, if there is one */
export function givenBy(request: ParsedRequest, clock: () => number, seed: () => string): ValueSource {
  let time: string | undefined
  let start: string | undefined
  let uuids = 0
  return {
    request,
    left: maxFromRequest,
    sizes: new Map(),
    now: () => (time ??= new Date(clock()).toISOString()),
    uuid: () => uuidOf(`${(start ??= seed())} ${uuids++}`),
  }
}

function uuidOf(seed: string): string {
  const hex = ['a', 'b', 'c', 'd'].map((name) => hex32(hash32(name + seed))).join('')
  const variant = '89ab'[parseInt(hex[16]!, 16) % 4]
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`
}

/** Maximum characters of a header's value: clients refuse a head of more than 16 KiB. */
const maxHeader = 8_192

/** @throws TooMuchFromRequest */
export function makeResponse(value: unknown, given: ValueSource): FixtureResponse {
  return withTexts(makeValue(value, given) as FixtureResponse)
}

/** @throws TooMuchFromRequest */
export function withTexts(made: FixtureResponse): FixtureResponse {
  return made.headers ? { ...made, headers: makeHeaders(made.headers) } : made
}

/** Headers of a response: missing values are left out, objects become JSON. Line breaks are encoded when written. */
function makeHeaders(made: NonNullable<FixtureResponse['headers']>): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(made) as [string, unknown][]) {
    if (value === null) continue
    const texts = [value]
      .flat()
      .map((one) => (typeof one === 'object' ? toJson(one)! : (writtenNumber(one) ?? String(one))))
    if (texts.join('').length > maxHeader) throw new TooMuchFromRequest()
    headers[name] = texts.length === 1 ? texts[0]! : texts
  }
  return headers
}
