import { numberKey } from './decimal.ts'

/*
 * A number that JavaScript can't hold, such as an id of 19 digits, is kept as a text with a mark until it is sent as it was
 * written.
 */

const mark = '\uE000number:'
const marked = /"\uE000number:([\d.eE+-]+)"/g
const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
/** A text without an end is one token: it must not be searched again from each of its quotes. */
const jsonTokens = /"(?:[^"\\]|\\.?)*"?|-?\d[\d.eE+-]*/gs

/** The value itself if it is the one that was written; `undefined` if JSON can't have it. */
export function exactNumber(written: string, value: number): number | string | undefined {
  if (isExact(written, value)) return value
  return jsonNumber.test(written) ? mark + written : undefined
}

/** The digits of a number that JavaScript can't hold; `undefined` for every other value. */
export function writtenNumber(value: unknown): string | undefined {
  return typeof value === 'string' && value.startsWith(mark) ? value.slice(mark.length) : undefined
}

/** `undefined` for what is no id: an empty text, an object, `null`. */
export function idText(id: unknown): string | undefined {
  if (typeof id === 'number') return String(id)
  return typeof id === 'string' && id !== '' ? (writtenNumber(id) ?? id) : undefined
}

/** Whether a value is the number that was written. Spellings such as `0x1F` are taken as exact. */
function isExact(written: string, value: number): boolean {
  const key = numberKey(written)
  return Number.isFinite(value) && (key === undefined || key === numberKey(value))
}

/** Whether `JSON.parse` keeps all numbers of a JSON text. */
export function hasExactNumbers(json: string): boolean {
  if (!/\d{16}|\d[eE]|\d\.\d{15}/.test(json)) return true
  for (const [token] of json.matchAll(jsonTokens))
    if (!token.startsWith('"') && !isExact(token, Number(token))) return false
  return true
}

/** @throws SyntaxError */
export function parseExactly(json: string): unknown {
  const value: unknown = JSON.parse(json)
  return hasExactNumbers(json) ? value : JSON.parse(withMarks(json))
}

/** Marks numbers for a library that calls `JSON.parse`; what it writes goes through `withoutMarks`. */
export function withMarks(json: string): string {
  return hasExactNumbers(json)
    ? json
    : json.replaceAll(jsonTokens, (token) =>
        token.startsWith('"') || isExact(token, Number(token)) ? token : JSON.stringify(mark + token),
      )
}

export function withoutMarks(json: string): string {
  return json.includes(mark) ? json.replaceAll(marked, '$1') : json
}

/** `undefined` for text that is not JSON. */
export function exactJson(text: string): { value: unknown } | undefined {
  try {
    return { value: parseExactly(text) }
  } catch {
    return undefined
  }
}

/** YAML with the digits of marked numbers, which are texts in it, in quotes or not. */
export function unmarked(yaml: string): string {
  return yaml.includes(mark) ? yaml.replaceAll(/(["']?)\uE000number:([\d.eE+-]+)\1/g, '$2') : yaml
}

/** `undefined` for a value without JSON. @throws TypeError as `JSON.stringify` does */
export function toJson(value: unknown): string | undefined {
  const text = JSON.stringify(value) as string | undefined
  return text && withoutMarks(text)
}
