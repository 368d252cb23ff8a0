import { LRUCache } from 'lru-cache'
import {
  items as itemsHere,
  pageCount,
  pageNumber,
  readArguments,
  styles,
  encodeCursor,
} from './page-styles.ts'
import type { ListShape, PageStyle, Part, WrongParameter } from './page-styles.ts'
import { ByArguments } from '../graphql/by-arguments.ts'
import type { GraphQLResult } from '../graphql/checker.ts'
import type { ParsedRequest } from '../request/parsed-request.ts'
import { prepareResponse, rawJson, type PreparedResponse } from '../response/prepare-response.ts'
import type { FixtureResponse } from '../schema/schema.ts'
import { isRecord, ownValue } from '../values/values.ts'

/** A fixture's `paginate` with its defaults filled in. */
export interface Paging {
  style: PageStyle
  items: readonly unknown[]
  perPage: number
  maxPerPage: number | undefined
  parameters: Readonly<Record<string, string>>
  /** Names of the envelope's keys by their standard names; `false` leaves a key out. */
  envelope: Readonly<Record<string, string | false>>
  outOfRange: 'default' | 'empty' | 'error'
  malformed: 'default' | 'error'
  field: readonly string[]
}

/** One part of a list, ready to be sent, or why its parameter is refused. */
export type PageResult =
  { response: PreparedResponse; notice?: WrongParameter | undefined } | { refused: WrongParameter }

export interface PagedList {
  pageCount: number
  /** The response of every part, without its body. */
  response: FixtureResponse
  /** Relay: the result of an operation with the connection, whose part depends on the arguments of its field. */
  result: GraphQLResult | undefined
  /** @throws TypeError when an item is not a JSON value */
  pageFor: (request: ParsedRequest) => PageResult
}

/** Approximate maximum bytes of the cached parts of one list; the least recently used are removed first. */
const maxKeptBytes = 4_194_304
const entryOverhead = 1_000

/**
 * Sends a list in parts. The cost of a part depends on the part, not on the list: an item is serialised when it is first
 * sent, and repeated requests for a part are answered from a cache.
 */
export function createPagedList(
  paging: Paging,
  routeName: string,
  response: FixtureResponse = {},
): PagedList {
  const style = styles[paging.style]
  const list: ListShape = { ...paging, total: paging.items.length }
  const texts: string[] = []
  const kept = new LRUCache<string, PreparedResponse>({
    maxSize: maxKeptBytes,
    maxEntrySize: maxKeptBytes / 2,
    // A `link` header contains the request's URL, which is the key, up to four times.
    sizeCalculation: ({ body }, key) => key.length * 10 + body.length + entryOverhead,
  })

  function itemText(index: number): string {
    return (texts[index] ??= toJson(paging.items[index]))
  }

  function render(part: Part, request: ParsedRequest): PreparedResponse {
    const { style: name } = paging
    const data = renderItems(part)
    const body =
      name === 'link' ? data : name === 'relay' ? renderResult(part, data) : renderEnvelope(part, data)
    const headers = { ...response.headers, ...(name === 'link' && linkHeaders(part, list, request)) }
    return prepareResponse(
      { ...response, headers, body: rawJson(body) },
      `${routeName}, ${style.label(part)}`,
    )
  }

  function renderItems({ start, size }: Part): string {
    const end = Math.min(start + size, paging.items.length)
    const entries: string[] = []
    for (let index = start; index < end; index++) {
      const text = itemText(index)
      entries.push(paging.style === 'relay' ? `{"cursor":"${encodeCursor(index)}","node":${text}}` : text)
    }
    return `[${entries.join(',')}]`
  }

  function renderEnvelope(part: Part, data: string): string {
    const members = style
      .envelope(part, list)
      .map(([key, value]) => [paging.envelope[key] ?? key, value] as const)
      .filter(([key]) => key !== false)
      .map(([key, value]) => `${JSON.stringify(key)}:${value === itemsHere ? data : JSON.stringify(value)}`)
    return `{${members.join(',')}}`
  }

  function renderResult(part: Part, data: string): string {
    return writeAround(response.body, ['data', ...paging.field], renderEnvelope(part, data))
  }

  const result =
    paging.style === 'relay'
      ? (withConnection(
          response.body,
          ['data', ...paging.field],
          new ByArguments(paging.items, (args) => {
            const asked = readArguments(args, list)
            const part = 'reason' in asked ? asked.part : asked
            return JSON.parse(renderEnvelope(part, renderItems(part))) as unknown
          }),
        ) as GraphQLResult)
      : undefined

  function respond(part: Part, request: ParsedRequest): PreparedResponse {
    const key = `${part.start} ${part.size}${paging.style === 'link' ? ` ${request.raw.url}` : ''}`
    let page = kept.get(key)
    if (!page) {
      page = render(part, request)
      kept.set(key, page)
    }
    return page
  }

  return {
    response,
    result,
    pageCount: paging.style === 'page' || paging.style === 'link' ? pageCount(list.total, paging.perPage) : 1,
    pageFor(request) {
      const asked = style.read(request, list)
      if (!('reason' in asked)) return { response: respond(asked, request) }
      const { part, ...wrong } = asked
      const answer = wrong.reason === 'malformed' ? paging.malformed : paging.outOfRange
      if (answer === 'error') return { refused: wrong }
      if (answer === 'empty') return { response: respond(part, request) }
      return { response: respond({ start: 0, size: part.size }, request), notice: wrong }
    },
  }
}

/** Puts a connection into `data`, at the path of its field; the rest of the fixture's body stays around it. */
function withConnection(around: unknown, [key, ...path]: readonly string[], connection: unknown): unknown {
  if (key === undefined) return connection
  const rest = isRecord(around) ? around : {}
  return { ...rest, [key]: withConnection(ownValue(rest, key), path, connection) }
}

/** The same as a JSON string. */
function writeAround(around: unknown, [key, ...path]: readonly string[], connection: string): string {
  if (key === undefined) return connection
  const rest = isRecord(around) ? around : {}
  const members = Object.keys({ ...rest, [key]: undefined }).flatMap((name) => {
    const text =
      name === key ? writeAround(ownValue(rest, key), path, connection) : JSON.stringify(rest[name])
    return text === undefined ? [] : `${JSON.stringify(name)}:${text}`
  })
  return `{${members.join(',')}}`
}

/** The header `Link` with the pages around this one, and the list's length. @see https://www.rfc-editor.org/rfc/rfc8288 */
function linkHeaders(part: Part, list: ListShape, { raw }: ParsedRequest): Record<string, string> {
  const queryStart = raw.url.indexOf('?')
  const path = queryStart === -1 ? raw.url : raw.url.slice(0, queryStart)
  const last = pageCount(list.total, part.size)
  const page = pageNumber(part)
  const link = (relation: string, number: number) => {
    const query = new URLSearchParams(`?${raw.search}`)
    query.set(list.parameters.page ?? 'page', String(number))
    return `<${path}?${query}>; rel="${relation}"`
  }
  const links = [
    link('first', 1),
    ...(page > 1 ? [link('prev', Math.min(page - 1, last))] : []),
    ...(page < last ? [link('next', page + 1)] : []),
    link('last', last),
  ]
  return { link: links.join(', '), 'x-total-count': String(list.total) }
}

function toJson(value: unknown): string {
  const text = JSON.stringify(value) as string | undefined
  if (text === undefined) throw new TypeError(`a ${typeof value} is not a JSON value`)
  return text
}
