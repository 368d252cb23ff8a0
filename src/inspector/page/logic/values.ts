import { plural } from './format.ts'

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
  return plural(size, Array.isArray(value) ? 'item' : 'key')
}

/** The parts of a GraphQL request. */
interface GraphqlPayload {
  query: string
  variables?: Shown
  others: { [key: string]: Shown }
}

/** Splits the body of a GraphQL request; `undefined` for a body that is something else. */
export function graphqlPayload(body: Shown): GraphqlPayload | undefined {
  if (!isObject(body) || typeof body['query'] !== 'string') return undefined
  const { query, variables, ...others } = body
  return { query, ...(variables !== undefined && variables !== null && { variables }), others }
}

export interface GraphqlError {
  message: string
  /** `hero.friends.1.name` */
  path?: string
  /** `4:7` */
  locations: string[]
}

/** The errors of a GraphQL answer, which may come with HTTP 200. */
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

function isObject(value: Shown | undefined): value is { [key: string]: Shown } {
  return value !== undefined && !(value instanceof LongNumber) && !Array.isArray(value) && !!entriesOf(value)
}

/** A piece of a line of YAML, and what it is coloured as. */
interface Piece {
  text: string
  kind?: 'key' | 'comment'
}

/** Splits YAML into lines of pieces, to highlight keys and comments. Covers what the server writes. */
export function yamlLines(yaml: string): Piece[][] {
  return yaml.replace(/\n$/, '').split('\n').map(piecesOf)
}

function piecesOf(line: string): Piece[] {
  if (/^\s*#/.test(line)) return [{ text: line, kind: 'comment' }]
  const [, indent, key, rest] = /^([\s-]*)([\w$./-]+|"[^"]*"|'[^']*')(:(?:\s.*)?)$/.exec(line) ?? []
  if (indent === undefined) return withComment(line)
  return [{ text: indent }, { text: key!, kind: 'key' }, ...withComment(rest!)]
}

/** Splits off a comment at the end of a line. A `#` inside quotes does not begin one. */
function withComment(text: string): Piece[] {
  const at = /["']/.test(text) ? text.search(/ # [^"']*$/) : text.search(/ #/)
  if (at === -1) return [{ text }]
  return [{ text: text.slice(0, at) }, { text: text.slice(at), kind: 'comment' }]
}
