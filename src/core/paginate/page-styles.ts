import { fieldArguments } from '../graphql/fields.ts'
import type { ParsedRequest } from '../request/parsed-request.ts'

/*
 * How clients ask for a part of a list, and what is sent around it. A style has two functions: one from a request to the
 * requested part, and one from that part to the envelope.
 */

export type PageStyle = 'page' | 'offset' | 'cursor' | 'link' | 'relay'

/** A part of a list: its first index, and its maximum number of items. */
export interface Part {
  start: number
  size: number
}

/** A parameter that is invalid, or points past the end of the list. */
export interface WrongParameter {
  parameter: string
  value: string
  reason: 'malformed' | 'out-of-range'
  /** What the parameter expects. */
  expected: string
}

/** The requested part; or what is wrong with the request, and the part to send instead. */
export type Asked = Part | (WrongParameter & { part: Part })

export interface ListShape {
  total: number
  perPage: number
  /** The most items that a client may ask for at once; `undefined` if it may not choose. */
  maxPerPage: number | undefined
  /** Names of the parameters, by their standard names. */
  parameters: Readonly<Record<string, string>>
  /** Relay: the path of the connection in `data`. */
  field: readonly string[]
}

export interface Style {
  read: (request: ParsedRequest, list: ListShape) => Asked
  /** The keys of the envelope, in order; the value `itemsHere` is replaced by the items. */
  envelope: (part: Part, list: ListShape) => [key: string, value: unknown][]
  /** Appended to the route's name, to distinguish the parts. */
  label: (part: Part) => string
  /** Standard names of the query parameters that it reads. */
  parameters: readonly string[]
  /** The default of `maxPerPage`. */
  maxPerPage?: number
}

/** Placeholder for the items in an envelope. */
export const items = Symbol('items')

const numbered: Style = {
  parameters: ['page', 'per_page'],
  read(request, list) {
    const size = readSize(request, list, 'per_page')
    if ('reason' in size) return size
    const page = readNumber(request, list.parameters.page ?? 'page', 1, 1)
    if (page === undefined) return wrong(request, list, 'page', 'malformed', 0, size.size)
    const part = { start: (page - 1) * size.size, size: size.size }
    if (page > pageCount(list.total, part.size))
      return wrong(request, list, 'page', 'out-of-range', part.start, part.size)
    return part
  },
  envelope: (part, { total }) => [
    ['page', pageNumber(part)],
    ['per_page', part.size],
    ['total', total],
    ['total_pages', pageCount(total, part.size)],
    ['has_more', part.start + part.size < total],
    ['data', items],
  ],
  label: (part) => `page ${pageNumber(part)}`,
}

const offset: Style = {
  parameters: ['offset', 'limit'],
  maxPerPage: 100,
  read(request, list) {
    const size = readSize(request, list, 'limit')
    if ('reason' in size) return size
    const start = readNumber(request, list.parameters.offset ?? 'offset', 0, 0)
    if (start === undefined) return wrong(request, list, 'offset', 'malformed', 0, size.size)
    if (start > 0 && start >= list.total)
      return wrong(request, list, 'offset', 'out-of-range', start, size.size)
    return { start, size: size.size }
  },
  envelope: ({ start, size }, { total }) => [
    ['offset', start],
    ['limit', size],
    ['total', total],
    ['has_more', start + size < total],
    ['data', items],
  ],
  label: itemsLabel,
}

const cursor: Style = {
  parameters: ['cursor', 'limit'],
  maxPerPage: 100,
  read(request, list) {
    const size = readSize(request, list, 'limit')
    if ('reason' in size) return size
    const text = request.query[list.parameters.cursor ?? 'cursor']
    const start = text === undefined ? 0 : decodeCursor(text)
    if (start === undefined) return wrong(request, list, 'cursor', 'malformed', 0, size.size)
    if (start > 0 && start >= list.total)
      return wrong(request, list, 'cursor', 'out-of-range', start, size.size)
    return { start, size: size.size }
  },
  envelope: ({ start, size }, { total }) => [
    ['limit', size],
    ['next_cursor', start + size < total ? encodeCursor(start + size) : null],
    ['has_more', start + size < total],
    ['data', items],
  ],
  label: itemsLabel,
}

/** The part of a connection that the arguments of its field ask for. */
export function readArguments(args: Readonly<Record<string, unknown>>, list: ListShape): Asked {
  const { perPage, maxPerPage = perPage, total } = list
  let start = 0
  let end = total
  for (const name of ['after', 'before'] as const) {
    const value = args[name]
    if (value === undefined || value === null) continue
    const index = decodeCursor(value)
    if (index === undefined) return wrongArgument(name, value, perPage)
    if (name === 'after') start = Math.min(Math.max(start, index + 1), total)
    else end = Math.min(end, index)
  }
  for (const name of ['first', 'last'] as const) {
    const value = args[name]
    if (value === undefined || value === null) continue
    if (!Number.isSafeInteger(value) || (value as number) < 0) return wrongArgument(name, value, perPage)
    if (name === 'first') end = Math.min(end, start + (value as number))
    else start = Math.max(start, end - (value as number))
  }
  const wanted = Math.max(0, end - start)
  const size = Math.min(wanted, isGiven(args.first) || isGiven(args.last) ? maxPerPage : perPage)
  return { start: isGiven(args.last) ? start + wanted - size : start, size }
}

/** @see https://relay.dev/graphql/connections.htm */
const relay: Style = {
  parameters: [],
  maxPerPage: 100,
  /** With several aliases, an error in one is an error of all. */
  read({ graphql }, list) {
    const [first, ...others] = graphql ? fieldArguments(graphql, list.field) : [{}]
    const asked = readArguments(first, list)
    return [asked, ...others.map((args) => readArguments(args, list))].find((one) => 'reason' in one) ?? asked
  },
  envelope: ({ start, size }, { total }) => [
    ['edges', items],
    [
      'pageInfo',
      {
        hasNextPage: start + size < total,
        hasPreviousPage: start > 0,
        startCursor: size > 0 ? encodeCursor(start) : null,
        endCursor: size > 0 ? encodeCursor(start + size - 1) : null,
      },
    ],
    ['totalCount', total],
  ],
  label: itemsLabel,
}

export const styles: Record<PageStyle, Style> = { page: numbered, link: numbered, offset, cursor, relay }

/** The number of pages of a list; an empty list has one empty page. */
export function pageCount(total: number, size: number): number {
  return Math.max(1, Math.ceil(total / size))
}

export function pageNumber({ start, size }: Part): number {
  return Math.floor(start / size) + 1
}

/** An opaque string for a position in a list, which stays the same after a restart. */
export function encodeCursor(index: number): string {
  return btoa(`item:${index}`).replaceAll('=', '')
}

export function decodeCursor(cursor: unknown): number | undefined {
  if (typeof cursor !== 'string') return undefined
  const index = Number(/^item:(\d{1,15})$/.exec(decodeBase64(cursor))?.[1] ?? NaN)
  return Number.isNaN(index) ? undefined : index
}

function decodeBase64(text: string): string {
  try {
    return atob(text)
  } catch {
    return ''
  }
}

function itemsLabel({ start, size }: Part): string {
  return `items ${start + 1} to ${start + size}`
}

function readSize(
  request: ParsedRequest,
  list: ListShape,
  standardName: string,
): { size: number } | ReturnType<typeof wrong> {
  const { perPage, maxPerPage, parameters } = list
  if (maxPerPage === undefined) return { size: perPage }
  const size = readNumber(request, parameters[standardName] ?? standardName, perPage, 1)
  return size === undefined
    ? wrong(request, list, standardName, 'malformed', 0, perPage)
    : { size: Math.min(size, maxPerPage) }
}

/** A whole number in the query; the default when it is absent, `undefined` when it is invalid. */
function readNumber(request: ParsedRequest, name: string, absent: number, min: number): number | undefined {
  const text = request.queryValue(name)
  if (text === undefined) return absent
  const value = /^\d{1,15}$/.test(text) ? Number(text) : -1
  return value >= min ? value : undefined
}

const positive = 'a whole number, 1 or more'
const natural = 'a whole number, 0 or more'
const cursorText = 'a cursor from an earlier page'
/** What each parameter expects, by its standard name. */
const expectations: Readonly<Record<string, string>> = {
  page: positive,
  per_page: positive,
  limit: positive,
  offset: natural,
  cursor: cursorText,
  first: natural,
  last: natural,
  after: cursorText,
  before: cursorText,
}

function wrong(
  request: ParsedRequest,
  { parameters }: ListShape,
  standardName: string,
  reason: WrongParameter['reason'],
  start: number,
  size: number,
): WrongParameter & { part: Part } {
  const parameter = parameters[standardName] ?? standardName
  const expected = expectations[standardName]!
  return { parameter, value: request.queryValue(parameter) ?? '', reason, expected, part: { start, size } }
}

function wrongArgument(parameter: string, value: unknown, size: number): WrongParameter & { part: Part } {
  const expected = expectations[parameter]!
  return { parameter, value: JSON.stringify(value), reason: 'malformed', expected, part: { start: 0, size } }
}

function isGiven(argument: unknown): boolean {
  return argument !== undefined && argument !== null
}
