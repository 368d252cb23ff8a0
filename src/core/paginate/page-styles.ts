import { type ParsedRequest, exactly } from '../request/parsed-request.ts'
import { keyPath } from '../select/selector.ts'
import { idText } from '../values/exact-number.ts'
import { valueAt } from '../values/values.ts'

export type PageStyle = 'page' | 'offset' | 'cursor' | 'link' | 'relay'

export interface Paging {
  style: PageStyle
  items: readonly unknown[]
  perPage: number
  /** `undefined` if a client may not choose. */
  maxPerPage?: number | undefined
  firstPage: number
  /** The path in an item of its cursor; `undefined` for a cursor of the position in the list. */
  cursor?: readonly string[] | undefined
  /** Names of the parameters by their standard names. */
  parameters: Readonly<Record<string, string>>
  /** Paths of the envelope's keys by their standard names; `false` leaves a key out. */
  envelope: Readonly<Record<string, readonly string[] | false>>
  outOfRange: 'default' | 'empty' | 'error'
  malformed: 'default' | 'error'
  /** Relay: the path of the connection in `data`. */
  field: readonly string[]
  /** Relay: the `__typename` of the connection; `undefined` for one by that of the items. */
  typeName?: string | undefined
}

/** Paging of lists without a `paginate`: wrong parameters of a request are ignored. */
export const lenientPaging = {
  firstPage: 1,
  parameters: {},
  envelope: {},
  outOfRange: 'empty',
  malformed: 'default',
  field: [],
} as const

export interface PagePart {
  start: number
  size: number
}

export interface WrongParameter {
  parameter: string
  value: string
  reason: 'malformed' | 'out-of-range'
  expected: string
}

/** The requested part; or the wrong parameter, and the part to send instead. */
type AskedPart = PagePart | (WrongParameter & { part: PagePart })

interface Style {
  /** Standard names for the start and the size. A connection reads arguments instead. */
  parameters: readonly [start: string, size: string] | readonly []
  /** `undefined` if the start parameter is malformed. */
  startOf: (text: string, size: number, paging: Paging) => number | undefined
  /** Valid values of the start parameter in words, for messages. */
  expected: (paging: Paging) => string
  /** The value with which a client asks for the part; `null` if a client can't. */
  askFor: (part: PagePart, paging: Paging) => string | number | null
  /** Standard names of the keys around the items. Others are sent if the envelope names them. */
  envelope: readonly string[]
  label: (part: PagePart, paging: Paging) => string
  maxPerPage?: number
}

const numbered: Style = {
  parameters: ['page', 'per_page'],
  startOf(text, size, { firstPage }) {
    const page = wholeNumber(text, firstPage)
    return page === undefined ? undefined : (page - firstPage) * size
  },
  expected: ({ firstPage }) => wholeFrom(firstPage),
  askFor: ({ start, size }, { firstPage }) => Math.floor(start / size) + firstPage,
  envelope: ['page', 'per_page', 'total', 'total_pages', 'has_more', 'data'],
  label: (part, paging) => `page ${numbered.askFor(part, paging)}`,
}

const unnumbered = {
  maxPerPage: 100,
  label: ({ start, size }: PagePart) => `items ${start + 1} to ${start + size}`,
}

const byCursor = {
  ...unnumbered,
  // Clients without a cursor often send an empty one.
  startOf: (text: string, _: number, paging: Paging) => (text === '' ? 0 : startAfter(text, paging)),
  expected: () => cursorText,
  askFor: ({ start }: PagePart, paging: Paging) =>
    start > 0 && paging.items.length > 0 ? cursorAt(Math.min(start, paging.items.length) - 1, paging) : null,
}

export const styles: Record<PageStyle, Style> = {
  page: numbered,
  link: numbered,
  offset: {
    ...unnumbered,
    parameters: ['offset', 'limit'],
    startOf: (text) => wholeNumber(text, 0),
    expected: () => wholeFrom(0),
    askFor: ({ start }) => start,
    envelope: ['offset', 'limit', 'total', 'has_more', 'data'],
  },
  cursor: {
    ...byCursor,
    parameters: ['cursor', 'limit'],
    envelope: ['limit', 'next_cursor', 'has_more', 'data'],
  },
  /** @see https://relay.dev/graphql/connections.htm */
  relay: { ...byCursor, parameters: [], envelope: ['edges', 'pageInfo', 'totalCount'] },
}

export function askedPart(request: ParsedRequest, paging: Paging): AskedPart {
  const { perPage, maxPerPage, parameters } = paging
  const style = styles[paging.style]
  const [startName, sizeName] = style.parameters
  if (startName === undefined || sizeName === undefined) return askedConnection(request, paging)
  const sizeParameter = parameters[sizeName] ?? sizeName
  const sizeText = maxPerPage === undefined ? undefined : parameterText(request, sizeParameter)
  const asked = sizeText === undefined ? perPage : wholeNumber(sizeText, 1)
  if (asked === undefined) {
    const wrong = {
      parameter: sizeParameter,
      value: sizeText!,
      reason: 'malformed',
      expected: wholeFrom(1),
    } as const
    return { ...wrong, part: { start: 0, size: perPage } }
  }
  const size = Math.min(asked, maxPerPage ?? asked)
  const startParameter = parameters[startName] ?? startName
  const startText = parameterText(request, startParameter)
  if (startText === undefined) return { start: 0, size }
  const start = style.startOf(startText, size, paging)
  const isPastEnd = start !== undefined && start > 0 && start >= paging.items.length
  const part = { start: start ?? 0, size }
  if (start !== undefined && !isPastEnd) return part
  const reason = isPastEnd ? 'out-of-range' : 'malformed'
  return { parameter: startParameter, value: startText, reason, expected: style.expected(paging), part }
}

/** A parameter in the query, or in the body of a search that is sent with POST. */
function parameterText(request: ParsedRequest, name: string): string | undefined {
  const path = keyPath('body', name)
  const value =
    request.query[name] ?? exactly(request, 'body', path, valueAt(request.body, path)) ?? undefined
  return value === undefined || value === '' ? value : (idText(value) ?? JSON.stringify(value))
}

/** With several aliases, an error in one is an error of all. */
function askedConnection({ graphql }: ParsedRequest, paging: Paging): AskedPart {
  const [first, ...others] = graphql?.argumentsOf(paging.field) ?? [{}]
  const asked = partByArguments(first, paging)
  return (
    [asked, ...others.map((args) => partByArguments(args, paging))].find((one) => 'reason' in one) ?? asked
  )
}

export function partByArguments(args: Readonly<Record<string, unknown>>, paging: Paging): AskedPart {
  const { perPage, maxPerPage = perPage, items } = paging
  const wrong = (parameter: string): AskedPart => {
    const expected = parameter === 'first' || parameter === 'last' ? wholeFrom(0) : cursorText
    const value = JSON.stringify(args[parameter])
    return { parameter, value, reason: 'malformed', expected, part: { start: 0, size: perPage } }
  }
  const isGiven = (name: string) => args[name] !== undefined && args[name] !== null
  let start = 0
  let end = items.length
  // An empty cursor is none, as above.
  for (const name of ['after', 'before'].filter((name) => isGiven(name) && args[name] !== '')) {
    const next = startAfter(args[name], paging)
    if (next === undefined) return wrong(name)
    if (name === 'after') start = Math.min(Math.max(start, next), items.length)
    else end = Math.min(end, next - 1)
  }
  for (const name of ['first', 'last'].filter(isGiven)) {
    const count = args[name] as number
    if (!Number.isSafeInteger(count) || count < 0) return wrong(name)
    if (name === 'first') end = Math.min(end, start + count)
    else start = Math.max(start, end - count)
  }
  const wanted = Math.max(0, end - start)
  const size = Math.min(wanted, isGiven('first') || isGiven('last') ? maxPerPage : perPage)
  return { start: isGiven('last') ? start + wanted - size : start, size }
}

/** An empty list has one empty page. */
export function pageCount(total: number, size: number): number {
  return Math.max(1, Math.ceil(total / size))
}

/** The item's own cursor, or else an opaque position in the list, the same after a restart. */
export function cursorAt(index: number, { items, cursor }: Paging): string {
  return cursorIn(items[index], cursor) ?? btoa(`item:${index}`).replaceAll('=', '')
}

function cursorIn(item: unknown, cursor: Paging['cursor']): string | undefined {
  return cursor && idText(valueAt(item, cursor))
}

function startAfter(given: unknown, { items, cursor }: Paging): number | undefined {
  const text = idText(given)
  const index = cursor ? items.findIndex((item) => cursorIn(item, cursor) === text) : -1
  const position = index === -1 ? decodeCursor(text) : index
  return position === undefined ? undefined : position + 1
}

function decodeCursor(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return undefined
  try {
    const digits = /^item:(\d{1,15})$/.exec(atob(cursor))?.[1]
    return digits === undefined ? undefined : Number(digits)
  } catch {
    return undefined // not base64
  }
}

function wholeNumber(text: string, min: number): number | undefined {
  // One with more digits is past the end of every list.
  const value = /^\d+$/.test(text) ? Math.min(Number(text), Number.MAX_SAFE_INTEGER) : -1
  return value >= min ? value : undefined
}

const wholeFrom = (min: number) => `a whole number, ${min} or more`
const cursorText = 'a cursor from an earlier page'
