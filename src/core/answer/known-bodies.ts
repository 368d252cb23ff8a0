import type { Route } from '../fixture/route.ts'
import { createPagedList } from '../paginate/paginate.ts'
import { compileValues, isFileChoice, literalItems, makeValue } from '../request-values/compile-values.ts'
import { givenBy } from '../request-values/make-response.ts'
import type { ValueSource } from '../request-values/read-value.ts'
import { ParsedRequest } from '../request/parsed-request.ts'
import { bodyAsText, isFileBody } from '../response/prepare-response.ts'
import { toJson } from '../values/exact-number.ts'
import { resultOf } from '../stream/frames.ts'
import { asJson } from '../values/json-value.ts'
import type { FixtureResponse, ResponseFunction } from '../schema/schema.ts'
import type { KeyPath } from '../values/values.ts'

export interface Body {
  status: number
  value: unknown
  keyOf: (path: KeyPath) => KeyPath
  /** Whether it is one event of a stream. */
  isEvent?: boolean
  /** Whether a part of it comes from the request, and so can't be checked. */
  isOpen: (path: KeyPath) => boolean
}

/** The JSON bodies that are known without a request: not those of functions. */
export function bodiesOf(route: Route): Body[] {
  if (route.error) return []
  if (route.collection) return collectionBody(route)
  if (route.paging) return pagedBody(route)
  const { sequence, response } = route
  if (!sequence) return single(response, ['response'])
  return sequence.parts.flatMap((part, index) => single(part.response, ['response', index]))
}

function single(response: FixtureResponse | ResponseFunction, key: KeyPath): Body[] {
  if (typeof response === 'function' || response.fault !== undefined) return []
  if (isFileChoice(response.body)) return []
  const { value, paths } = compileValues(response)
  const { status = 200, body, stream } = makeValue(value, unknownRequest('/')) as FixtureResponse
  const open = paths.map((path) => [...key, ...path])
  if (stream !== undefined) return eventsOf(stream, key, open)
  const keyOf = (path: KeyPath) => [...key, 'body', ...path]
  const isOpen = isBelow(open, keyOf)
  if (!isFileBody(body)) {
    const isJson = body !== undefined && typeof body !== 'string' && !ArrayBuffer.isView(body)
    return isJson ? [{ status, value: asSent(body), keyOf, isOpen }] : []
  }
  if (!body.contentType.includes('json')) return []
  // A file may have the extension of JSON and other content.
  const json = asJson(new TextDecoder().decode(body.bytes))
  return json ? [{ status, ...json, keyOf: () => [...key, 'file'], isOpen: () => false }] : []
}

/** Each event of a subscription is a result. */
function eventsOf(
  stream: NonNullable<FixtureResponse['stream']>,
  key: KeyPath,
  open: readonly KeyPath[],
): Body[] {
  const [events, way] = Array.isArray(stream)
    ? [stream, [...key, 'stream']]
    : [stream.events ?? [], [...key, 'stream', 'events']]
  return events.map((event, index) => {
    const keyOf = (path: KeyPath) => [...way, index, ...path]
    const value = asSent(resultOf(event) ?? {})
    return { status: 200, value, keyOf, isOpen: isBelow(open, keyOf), isEvent: true }
  })
}

function collectionBody({ collection, paging, ...route }: Route): Body[] {
  const { items } = paging!
  if (!Array.isArray(items)) return []
  if (!collection!.isPaged) {
    const keyOf = (path: KeyPath) => ['collection', 'items', ...path]
    return [{ status: 200, value: asSent(items), keyOf, isOpen: () => false }]
  }
  return pagedBody({ ...route, paging: { ...paging!, items: literalItems(items) } }).map((body) => ({
    ...body,
    keyOf: (path) => ['collection', ...body.keyOf(path).slice(1)],
  }))
}

function pagedBody({ paging, response, name = '', path }: Route): Body[] {
  const { style, envelope, field } = paging!
  if (!Array.isArray(paging!.items) || typeof response === 'function') return []
  const { value, paths } = compileValues({ response, paginate: { items: paging!.items } })
  const given = unknownRequest(path)
  const made = makeValue(value, given) as { response: FixtureResponse; paginate: { items: unknown[] } }
  const { items } = made.paginate
  const all = Math.max(items.length, 1)
  const list = createPagedList({ ...paging!, items, perPage: all, maxPerPage: all }, name, made.response)
  const page = list.pageFor(given.request)
  if ('refused' in page) return []
  const { status, body } = page.response
  const isRelay = style === 'relay'
  const ofEnvelope = style === 'link' ? [] : [String(envelope['data'] ?? 'data')]
  const prefix = isRelay ? ['data', ...field, 'edges'] : ofEnvelope
  const keyOf = (way: KeyPath): KeyPath => {
    if (!prefix.every((key, index) => way[index] === key))
      return isRelay ? ['response', 'body', ...way] : ['paginate']
    const [index, ...rest] = way.slice(prefix.length)
    if (index === undefined) return ['paginate', 'items']
    return ['paginate', 'items', index, ...(isRelay ? rest.slice(1) : rest)] // after `node`
  }
  return [{ status, value: JSON.parse(bodyAsText(body)) as unknown, keyOf, isOpen: isBelow(paths, keyOf) }]
}

/** Numbers that JavaScript can't hold are marked until they are sent. */
function asSent(body: unknown): unknown {
  try {
    return JSON.parse(toJson(body) ?? 'null') as unknown
  } catch {
    return body
  }
}

/** A part of a body by its key in the route. */
function isBelow(open: readonly KeyPath[], keyOf: Body['keyOf']): Body['isOpen'] {
  return (path) => {
    const key = keyOf(path)
    return open.some((one) => one.every((part, index) => part === key[index]))
  }
}

function unknownRequest(path: string): ValueSource {
  const raw = { method: 'GET', url: path, path, search: '', headers: {} }
  return givenBy(
    new ParsedRequest(raw, {}, undefined),
    () => 0,
    () => '',
  )
}
