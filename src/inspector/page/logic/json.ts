/** A number that loses digits as a JavaScript number. It is shown as written. */
export class LongNumber {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** A JSON value whose numbers keep all their digits. */
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

/** The keys and values of an object, or the indices and values of a list; `undefined` for any other value. */
export function entriesOf(value: Shown): [string, Shown][] | undefined {
  if (value === null || typeof value !== 'object' || value instanceof LongNumber) return undefined
  return Array.isArray(value) ? value.map((item, index) => [String(index), item]) : Object.entries(value)
}

/**
 * How deep a tree is opened at first: as deep as it stays below a number of lines, and at least one level.
 *
 * @param lines maximum number of lines
 */
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

/** What a collapsed object or list shows: `3 keys`, `1 item`. */
export function sizeOf(value: Shown): string {
  const size = entriesOf(value)?.length ?? 0
  const noun = Array.isArray(value) ? 'item' : 'key'
  return `${size} ${noun}${size === 1 ? '' : 's'}`
}
