import { PagedConnection, type GraphQLResult } from '../graphql/result.ts'
import type { ParsedRequest } from '../request/parsed-request.ts'
import { prepareResponse, JsonText, type PreparedResponse } from '../response/prepare-response.ts'
import type { FixtureResponse } from '../schema/schema.ts'
import { parseExactly } from '../values/exact-number.ts'
import { isRecord, ownValue } from '../values/values.ts'
import { envelopeText, itemsText, jsonOf, linkHeader, type SentPage } from './envelope.ts'
import {
  askedPart,
  pageCount,
  partByArguments,
  styles,
  type Paging,
  type PagePart,
  type WrongParameter,
} from './page-styles.ts'
import { LruMap } from '../values/lru-map.ts'

type PageResult =
  { response: PreparedResponse; notice?: WrongParameter | undefined } | { refused: WrongParameter }

export type PagedList = ReturnType<typeof createPagedList>

/** Maximum bytes of the kept parts of one list. */
const maxKeptBytes = 4_194_304

/** Parts are kept, since preparing one takes a fifth of its request, except for those that contain their URL. */
export function createPagedList(paging: Paging, routeName: string, response: FixtureResponse = {}) {
  const { style: name, items } = paging
  const style = styles[name]
  const hasUrl = name === 'link' || Object.keys(paging.envelope).some((key) => key.endsWith('_url'))
  const kept = new LruMap<string, PreparedResponse>({
    max: maxKeptBytes,
    sizeOf: ({ body }) => body.length + 1000,
  })

  const connectionOf = (part: PagePart, selected?: SentPage['selected']) =>
    parseExactly(envelopeText({ part, paging, ...(selected && { selected }) }))
  const around = (connection: unknown) => setIn(response.body, ['data', ...paging.field], connection)

  function bodyText(part: PagePart, request: ParsedRequest): string {
    if (name === 'link') return itemsText(part, paging)
    return name === 'relay' ? jsonOf(around(connectionOf(part))) : envelopeText({ part, paging, request })
  }

  function respond(part: PagePart, request: ParsedRequest): PreparedResponse {
    const key = `${part.start} ${part.size}`
    const known = kept.get(key)
    if (known) return known
    const total = String(items.length)
    const links =
      name === 'link' && exposed({ link: linkHeader({ part, paging, request }), 'x-total-count': total })
    const headers = { ...response.headers, ...links }
    const body = new JsonText(bodyText(part, request))
    const page = prepareResponse({ ...response, headers, body }, `${routeName}, ${style.label(part, paging)}`)
    if (!hasUrl) kept.set(key, page)
    return page
  }

  const connection = new PagedConnection(items, (args, selected) => {
    const asked = partByArguments(args, paging)
    return connectionOf('reason' in asked ? asked.part : asked, selected)
  })
  return {
    response,
    /** Relay: the operation's result around the connection. */
    result: name === 'relay' ? (around(connection) as GraphQLResult) : undefined,
    /** @param isCut whether the operation takes its part of the connection, by the arguments of the field */
    connectionFor: ({ graphql }: ParsedRequest, isCut: boolean): unknown =>
      isCut ? connection : connection.pageFor(graphql?.argumentsOf(paging.field)[0] ?? {}),
    pageCount: name === 'page' || name === 'link' ? pageCount(items.length, paging.perPage) : 1,
    /** @throws TypeError when an item is not a JSON value */
    pageFor(request: ParsedRequest): PageResult {
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

/** The headers, with the one that lets pages of other origins read them. */
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
