import { PagedConnection, type GraphQLResult } from '../graphql/result.ts'
import type { ParsedRequest } from '../request/parsed-request.ts'
import { prepareResponse, JsonText, type PreparedResponse } from '../response/prepare-response.ts'
import type { FixtureResponse } from '../schema/schema.ts'
import { parseExactly, toJson } from '../values/exact-number.ts'
import { isRecord, ownValue } from '../values/values.ts'
import {
  askedPart,
  encodeCursor,
  itemsHere,
  pageCount,
  pageNumber,
  partByArguments,
  styles,
  type Paging,
  type Part,
  type WrongParameter,
} from './page-styles.ts'
import { LruMap } from '../values/lru-map.ts'

type PageResult =
  { response: PreparedResponse; notice?: WrongParameter | undefined } | { refused: WrongParameter }

export interface PagedList {
  pageCount: number
  response: FixtureResponse
  /** Relay: the operation's result around the connection. */
  result: GraphQLResult | undefined
  /** @param isCut whether the operation takes its part of the connection, by the arguments of the field */
  connectionFor: (request: ParsedRequest, isCut: boolean) => unknown
  /** @throws TypeError when an item is not a JSON value */
  pageFor: (request: ParsedRequest) => PageResult
}

/** Maximum bytes of the kept parts of one list. */
const maxKeptBytes = 4_194_304

/** Parts are kept, since preparing one takes a fifth of its request; not for `link`, whose parts contain their URL. */
export function createPagedList(
  paging: Paging,
  routeName: string,
  response: FixtureResponse = {},
): PagedList {
  const { style: name, items } = paging
  const style = styles[name]
  const kept = new LruMap<string, PreparedResponse>({
    max: maxKeptBytes,
    sizeOf: ({ body }) => body.length + 1000,
  })

  function itemsText({ start, size }: Part): string {
    const texts = items.slice(start, start + size).map(jsonOf)
    const entry = (text: string, index: number) =>
      `{"cursor":"${encodeCursor(start + index)}","node":${text}}`
    return `[${(name === 'relay' ? texts.map(entry) : texts).join(',')}]`
  }

  function envelopeText(part: Part): string {
    const members = style.envelope(part, items.length).flatMap(([standardName, value]) => {
      const key = paging.envelope[standardName] ?? standardName
      if (key === false) return []
      return `${JSON.stringify(key)}:${value === itemsHere ? itemsText(part) : JSON.stringify(value)}`
    })
    return `{${members.join(',')}}`
  }

  const connectionOf = (part: Part) => parseExactly(envelopeText(part))
  const around = (connection: unknown) => setIn(response.body, ['data', ...paging.field], connection)

  function bodyText(part: Part): string {
    if (name === 'link') return itemsText(part)
    return name === 'relay' ? jsonOf(around(connectionOf(part))) : envelopeText(part)
  }

  function respond(part: Part, request: ParsedRequest): PreparedResponse {
    const key = `${part.start} ${part.size}`
    const known = kept.get(key)
    if (known) return known
    const headers = { ...response.headers, ...(name === 'link' && linkHeaders(part, paging, request)) }
    const body = new JsonText(bodyText(part))
    const page = prepareResponse({ ...response, headers, body }, `${routeName}, ${style.label(part)}`)
    if (name !== 'link') kept.set(key, page)
    return page
  }

  const connection = new PagedConnection(items, (args) => {
    const asked = partByArguments(args, paging)
    return connectionOf('reason' in asked ? asked.part : asked)
  })
  return {
    response,
    result: name === 'relay' ? (around(connection) as GraphQLResult) : undefined,
    connectionFor: ({ graphql }, isCut) =>
      isCut ? connection : connection.pageFor(graphql?.argumentsOf(paging.field)[0] ?? {}),
    pageCount: name === 'page' || name === 'link' ? pageCount(items.length, paging.perPage) : 1,
    pageFor(request) {
      const asked = askedPart(request, paging)
      if (!('reason' in asked)) return { response: respond(asked, request) }
      const { part, ...wrong } = asked
      const answer = wrong.reason === 'malformed' ? paging.malformed : paging.outOfRange
      if (answer === 'error') return { refused: wrong }
      if (answer === 'empty') return { response: respond(part, request) }
      return { response: respond({ start: 0, size: part.size }, request), notice: wrong }
    },
  }
}

/** With the header that lets pages of other origins read these. */
export function exposed(headers: Record<string, string>): Record<string, string> {
  return { ...headers, 'access-control-expose-headers': Object.keys(headers).join(', ') }
}

/** A copy with another value at a path, whatever is there now; through a list, in each of its objects. */
function setIn(object: unknown, [key, ...path]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value
  if (Array.isArray(object))
    return object.map((item) => (item === null ? null : setIn(item, [key, ...path], value)))
  const rest = isRecord(object) ? object : {}
  return { ...rest, [key]: setIn(ownValue(rest, key), path, value) }
}

/** @see https://www.rfc-editor.org/rfc/rfc8288 */
function linkHeaders(
  part: Part,
  { items, parameters }: Paging,
  { raw }: ParsedRequest,
): Record<string, string> {
  const queryStart = raw.url.indexOf('?')
  const path = queryStart === -1 ? raw.url : raw.url.slice(0, queryStart)
  const last = pageCount(items.length, part.size)
  const page = pageNumber(part)
  const link = (relation: string, number: number) => {
    const query = new URLSearchParams(`?${raw.search}`)
    query.set(parameters.page ?? 'page', String(number))
    return `<${path}?${query}>; rel="${relation}"`
  }
  const links = [
    link('first', 1),
    ...(page > 1 ? [link('prev', Math.min(page - 1, last))] : []),
    ...(page < last ? [link('next', page + 1)] : []),
    link('last', last),
  ]
  return exposed({ link: links.join(', '), 'x-total-count': String(items.length) })
}

function jsonOf(value: unknown): string {
  const text = toJson(value)
  if (text === undefined) throw new TypeError(`a ${typeof value} is not a JSON value`)
  return text
}
