import type { ParsedRequest } from '../request/parsed-request.ts'
import type { Diagnostic, SourceLocation } from '../diagnostics/diagnostic.ts'
import { diagnoseFixture } from '../diagnostics/fixture-texts.ts'
import type { FixtureRoute } from '../schema/schema.ts'

type PageStyle = 'page' | 'offset' | 'cursor' | 'link' | 'relay'

export interface Paging {
  style: PageStyle
  items: readonly unknown[]
  perPage: number
  /** `undefined` if a client may not choose. */
  maxPerPage?: number | undefined
  /** Names of the query parameters by their standard names. */
  parameters: Readonly<Record<string, string>>
  /** Names of the envelope's keys by their standard names; `false` leaves a key out. */
  envelope: Readonly<Record<string, string | false>>
  outOfRange: 'default' | 'empty' | 'error'
  malformed: 'default' | 'error'
  /** Relay: the path of the connection in `data`. */
  field: readonly string[]
}

/** Of lists that no `paginate` describes: what is wrong in a request does not count. */
export const lenientPaging = {
  parameters: {},
  envelope: {},
  outOfRange: 'empty',
  malformed: 'default',
  field: [],
} as const

export interface Part {
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
type Asked = Part | (WrongParameter & { part: Part })

export const itemsHere = Symbol('items')

interface Style {
  /** Standard names for the start and the size. A connection reads arguments instead. */
  parameters: readonly string[]
  /** `undefined` if the start parameter is malformed. */
  startOf: (text: string, size: number) => number | undefined
  envelope: (part: Part, total: number) => [key: string, value: unknown][]
  label: (part: Part) => string
  maxPerPage?: number
}

const numbered: Style = {
  parameters: ['page', 'per_page'],
  startOf(text, size) {
    const page = wholeNumber(text, 1)
    return page && (page - 1) * size
  },
  envelope: (part, total) => [
    ['page', pageNumber(part)],
    ['per_page', part.size],
    ['total', total],
    ['total_pages', pageCount(total, part.size)],
    ['has_more', part.start + part.size < total],
    ['data', itemsHere],
  ],
  label: (part) => `page ${pageNumber(part)}`,
}

const unnumbered = {
  maxPerPage: 100,
  label: ({ start, size }: Part) => `items ${start + 1} to ${start + size}`,
}

export const styles: Record<PageStyle, Style> = {
  page: numbered,
  link: numbered,
  offset: {
    ...unnumbered,
    parameters: ['offset', 'limit'],
    startOf: (text) => wholeNumber(text, 0),
    envelope: ({ start, size }, total) => [
      ['offset', start],
      ['limit', size],
      ['total', total],
      ['has_more', start + size < total],
      ['data', itemsHere],
    ],
  },
  cursor: {
    ...unnumbered,
    parameters: ['cursor', 'limit'],
    // Clients without a cursor often send an empty one.
    startOf: (text) => (text === '' ? 0 : decodeCursor(text)),
    envelope: ({ start, size }, total) => [
      ['limit', size],
      ['next_cursor', start + size < total ? encodeCursor(start + size) : null],
      ['has_more', start + size < total],
      ['data', itemsHere],
    ],
  },
  /** @see https://relay.dev/graphql/connections.htm */
  relay: {
    ...unnumbered,
    parameters: [],
    startOf: decodeCursor,
    envelope: ({ start, size }, total) => [
      ['edges', itemsHere],
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
  },
}

export function askedPart(request: ParsedRequest, paging: Paging): Asked {
  const { perPage, maxPerPage, parameters } = paging
  const style = styles[paging.style]
  const [startName, sizeName] = style.parameters
  if (startName === undefined || sizeName === undefined) return askedConnection(request, paging)
  const sizeParameter = parameters[sizeName] ?? sizeName
  const sizeText = maxPerPage === undefined ? undefined : request.query[sizeParameter]
  const asked = sizeText === undefined ? perPage : wholeNumber(sizeText, 1)
  if (asked === undefined)
    return wrongParameter(sizeParameter, sizeText!, 'malformed', sizeName, { start: 0, size: perPage })
  const size = Math.min(asked, maxPerPage ?? asked)
  const startParameter = parameters[startName] ?? startName
  const startText = request.query[startParameter]
  if (startText === undefined) return { start: 0, size }
  const start = style.startOf(startText, size)
  if (start === undefined)
    return wrongParameter(startParameter, startText, 'malformed', startName, { start: 0, size })
  const isPastEnd = start > 0 && start >= paging.items.length
  return isPastEnd
    ? wrongParameter(startParameter, startText, 'out-of-range', startName, { start, size })
    : { start, size }
}

/** With several aliases, an error in one is an error of all. */
function askedConnection({ graphql }: ParsedRequest, paging: Paging): Asked {
  const [first, ...others] = graphql?.argumentsOf(paging.field) ?? [{}]
  const asked = partByArguments(first, paging)
  return (
    [asked, ...others.map((args) => partByArguments(args, paging))].find((one) => 'reason' in one) ?? asked
  )
}

export function partByArguments(args: Readonly<Record<string, unknown>>, paging: Paging): Asked {
  const { perPage, maxPerPage = perPage, items } = paging
  const wrong = (name: string) =>
    wrongParameter(name, JSON.stringify(args[name]), 'malformed', name, { start: 0, size: perPage })
  const isGiven = (name: string) => args[name] !== undefined && args[name] !== null
  let start = 0
  let end = items.length
  // An empty cursor is none, as above.
  for (const name of ['after', 'before'].filter((name) => isGiven(name) && args[name] !== '')) {
    const index = decodeCursor(args[name])
    if (index === undefined) return wrong(name)
    if (name === 'after') start = Math.min(Math.max(start, index + 1), items.length)
    else end = Math.min(end, index)
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

export function pageNumber({ start, size }: Part): number {
  return Math.floor(start / size) + 1
}

/** An opaque position in a list, the same after a restart. */
export function encodeCursor(index: number): string {
  return btoa(`item:${index}`).replaceAll('=', '')
}

function decodeCursor(cursor: unknown): number | undefined {
  if (typeof cursor !== 'string') return undefined
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

const positive = 'a whole number, 1 or more'
const natural = 'a whole number, 0 or more'
const cursorText = 'a cursor from an earlier page'
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

function wrongParameter(
  parameter: string,
  value: string,
  reason: WrongParameter['reason'],
  standardName: string,
  part: Part,
): WrongParameter & { part: Part } {
  return { parameter, value, reason, expected: expectations[standardName]!, part }
}

type PaginateDefinition = NonNullable<FixtureRoute['paginate']>

/** Keys of `paginate` that a style does not use, and why. */
const unusedKeys: Partial<Record<PageStyle, Record<string, string>>> = {
  link: { envelope: 'it sends the items alone', field: 'it is not for GraphQL' },
  relay: {
    parameters: 'it reads the arguments of the field',
    outOfRange: 'a connection without more edges is empty',
  },
  page: { field: 'it is not for GraphQL' },
  offset: { field: 'it is not for GraphQL' },
  cursor: { field: 'it is not for GraphQL' },
}

export function checkList(
  list: PaginateDefinition,
  at: (path: readonly string[], target?: 'key' | 'value') => SourceLocation,
): Diagnostic[] {
  const { style = 'page', perPage = 20, maxPerPage } = list
  const diagnostics: Diagnostic[] = []
  const unused = unusedKeys[style] ?? {}
  for (const [key, reason] of Object.entries(unused)) {
    if (list[key as keyof PaginateDefinition] === undefined) continue
    diagnostics.push(diagnoseFixture('paginate-key-unused', at([key], 'key'), { key, style, reason }))
  }
  if (maxPerPage !== undefined && maxPerPage < perPage) {
    diagnostics.push(
      diagnoseFixture('paginate-max-below-default', at(['maxPerPage']), { perPage, maxPerPage }),
    )
  }
  const envelope = styles[style].envelope({ start: 0, size: 1 }, 0).map(([key]) => key)
  const names = { parameters: styles[style].parameters, envelope }
  for (const [key, known] of Object.entries(names)) {
    if (key in unused) continue
    const renamed: Record<string, string | false | undefined> = list[key as 'parameters' | 'envelope'] ?? {}
    for (const name of Object.keys(renamed)) {
      if (known.includes(name)) continue
      diagnostics.push(diagnoseFixture('fixture-unknown-key', at([key, name], 'key'), { key: name, known }))
    }
    // Of two equal envelope keys only one would be sent, and two equal parameters can't differ.
    const owners = new Map<string, string>()
    for (const standard of known) {
      const name = renamed[standard] ?? standard
      const other = name === false ? undefined : owners.get(name)
      if (name !== false) owners.set(name, standard)
      if (name === false || other === undefined) continue
      const place = at([key, Object.hasOwn(renamed, standard) ? standard : other])
      diagnostics.push(diagnoseFixture('paginate-name-taken', place, { name, keys: [other, standard] }))
    }
  }
  return diagnostics
}
