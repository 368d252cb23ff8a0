import type { KeyPath, Route } from '../../core/fixture/route.ts'
import { createPagedList } from '../../core/paginate/paginate.ts'
import { compileValues, RequestValue } from '../../core/request-values/compile-values.ts'
import { makeResponse } from '../../core/request-values/make-response.ts'
import { ParsedRequest } from '../../core/request/parsed-request.ts'
import { RawRequest } from '../../core/http/raw-request.ts'
import { bodyAsText, isFileBody } from '../../core/response/prepare-response.ts'
import { asJson } from '../../core/values/json-value.ts'
import type { FixtureResponse, ResponseFunction } from '../../core/schema/schema.ts'

export interface Body {
  status: number
  value: unknown
  keyOf: (path: KeyPath) => KeyPath
  /** Whether a part of it comes from the request, and so can't be checked. */
  isOpen: (path: KeyPath) => boolean
}

const known = () => false

/** The JSON bodies that are known without a request: not those of functions. */
export function bodiesOf(route: Route): Body[] {
  if (route.error) return []
  if (route.paging) return pagedBody(route)
  const { sequence, response } = route
  if (!sequence) return single(response, ['response'])
  return sequence.parts.flatMap((part, index) => single(part.response, ['response', index]))
}

function single(response: FixtureResponse | ResponseFunction, key: KeyPath): Body[] {
  if (typeof response === 'function' || response.fault !== undefined) return []
  const { value, paths } = compileValues(response)
  const { status = 200, body } = (
    value instanceof RequestValue ? makeResponse(value, emptyRequest('/')) : value
  ) as FixtureResponse
  const isOpen = (path: KeyPath) =>
    paths.some(
      (open) => open.length <= path.length + 1 && open.every((key, i) => key === ['body', ...path][i]),
    )
  if (!isFileBody(body)) {
    const isJson = body !== undefined && typeof body !== 'string' && !ArrayBuffer.isView(body)
    return isJson ? [{ status, value: body, keyOf: (path) => [...key, 'body', ...path], isOpen }] : []
  }
  if (!body.contentType.includes('json')) return []
  // A file may have the extension of JSON and other content.
  const json = asJson(new TextDecoder().decode(body.bytes))
  return json ? [{ status, ...json, keyOf: () => [...key, 'file'], isOpen: known }] : []
}

function pagedBody({ paging, response, name = '', path }: Route): Body[] {
  const { items, style, envelope, field } = paging!
  if (!Array.isArray(items) || typeof response === 'function') return []
  const all = Math.max(items.length, 1)
  const list = createPagedList({ ...paging!, items, perPage: all, maxPerPage: all }, name, response)
  const page = list.pageFor(emptyRequest(path))
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
  return [{ status, value: JSON.parse(bodyAsText(body)) as unknown, keyOf, isOpen: known }]
}

function emptyRequest(path: string): ParsedRequest {
  const raw = new RawRequest({ method: 'GET', url: path, path, search: '', headers: {} })
  return new ParsedRequest(raw, {}, undefined)
}
