import { plural } from '../../../core/values/describe-value.ts'

/** A number that loses digits as a JavaScript number, shown as written. */
export class LongNumber {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
  toJSON(): string {
    return this.text
  }
}

export type Shown = null | boolean | number | string | LongNumber | Shown[] | { [key: string]: Shown }

/** @returns `undefined` for text that is not JSON */
export function parseJson(text: string): { value: Shown } | undefined {
  try {
    return { value: JSON.parse(text, keepDigits) as Shown }
  } catch {
    return undefined
  }
}

/** Engines without the third argument show the rounded number. */
function keepDigits(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || context?.source === undefined) return value
  const isExact = /^-?\d+$/.test(context.source) ? Number.isSafeInteger(value) : Number.isFinite(value)
  return isExact ? value : new LongNumber(context.source)
}

export function entriesOf(value: Shown): [string, Shown][] | undefined {
  if (value === null || typeof value !== 'object' || value instanceof LongNumber) return undefined
  return Array.isArray(value) ? value.map((item, index) => [String(index), item]) : Object.entries(value)
}

/** How deep a tree is open at first: as deep as it stays below a number of lines, at least one level. */
export function openDepth(value: Shown, lines: number): number {
  let level = [value]
  let total = 1
  for (let depth = 0; ; depth++) {
    const next = level.flatMap((item) => entriesOf(item)?.map(([, child]) => child) ?? [])
    total += next.length
    if (next.length === 0 || (depth > 0 && total > lines)) return depth
    level = next
  }
}

/** `3 keys`, `1 item`. */
export function sizeOf(value: Shown): string {
  const size = entriesOf(value)?.length ?? 0
  return plural(size, Array.isArray(value) ? 'item' : 'key')
}

interface GraphqlPayload {
  query: string
  variables?: Shown
  others: { [key: string]: Shown }
}

export function graphqlPayload(body: Shown): GraphqlPayload | undefined {
  if (!isObject(body) || typeof body['query'] !== 'string') return undefined
  const { query, variables, ...others } = body
  return { query, ...(variables !== undefined && variables !== null && { variables }), others }
}

export interface GraphqlError {
  message: string
  path?: string
  locations: string[]
}

/** They may come with HTTP 200. */
export function graphqlErrors(body: Shown): GraphqlError[] {
  if (!isObject(body) || !Array.isArray(body['errors'])) return []
  return body['errors'].filter(isObject).map(({ message, path, locations }) => ({
    message: typeof message === 'string' ? message : '(no message)',
    ...(Array.isArray(path) && { path: path.join('.') }),
    locations: Array.isArray(locations)
      ? locations.filter(isObject).map(({ line, column }) => `${String(line)}:${String(column)}`)
      : [],
  }))
}

export function isObject(value: Shown | undefined): value is { [key: string]: Shown } {
  return value !== undefined && !(value instanceof LongNumber) && !Array.isArray(value) && !!entriesOf(value)
}
