import { mayMatch } from './prefilter.ts'
import type { CompiledRoute, Endpoint, RouteTable } from './route-table.ts'
import { isGraphQLGet } from '../graphql/payload.ts'
import { canonicalRequestPath } from '../http/path.ts'
import type { ParsedRequest } from '../request/parsed-request.ts'
import { findInIndex } from './route-index.ts'

/** An endpoint that a request is for, and what was read on the way to it. */
export interface EndpointMatch {
  endpoint: Endpoint
  params: Readonly<Record<string, string>>
  path: string
  search: string
}

const slash = 47
const noParams = Object.freeze(Object.create(null)) as Readonly<Record<string, string>>

/**
 * The endpoint that a request is for; `undefined` when the request is not ours. Synchronous, so that a request that is
 * not ours goes on at once.
 *
 * @param url request target as HTTP carries it: path and query, with `base` still in front
 * @param bases path prefixes as `canonicalBase` spells them, of which the first that fits is cut off; `''` stands for none
 */
export function matchEndpoint(
  table: RouteTable,
  method: string,
  url: string,
  bases: readonly string[],
): EndpointMatch | undefined {
  if (!mayBeOurs(table, url, bases)) return undefined
  const queryStart = url.indexOf('?')
  const target = originForm(queryStart === -1 ? url : url.slice(0, queryStart))
  const fullPath = target === undefined ? undefined : canonicalRequestPath(target)
  if (fullPath === undefined) return undefined
  for (const base of bases) {
    const path = pathBelow(base, fullPath)
    if (path === undefined) continue
    const search = queryStart === -1 ? '' : url.slice(queryStart + 1)
    const found = findByMethod(table, method, path, search)
    if (found) return { endpoint: found.data, params: decodeParams(found.params), path, search }
  }
  return undefined
}

/** The path without a base in front; `undefined` when it is not below the base. */
function pathBelow(base: string, path: string): string | undefined {
  if (base === '') return path
  if (!path.startsWith(base)) return undefined
  if (path.length === base.length) return '/'
  return path.charCodeAt(base.length) === slash ? path.slice(base.length) : undefined
}

/** The GraphQL endpoint, where a path is its path: for who visits it in a browser. */
export function matchGraphQL(
  table: RouteTable,
  url: string,
  bases: readonly string[],
): EndpointMatch | undefined {
  const match = matchEndpoint(table, 'POST', url, bases)
  return match?.endpoint.graphql && match
}

function mayBeOurs({ prefilter }: RouteTable, url: string, bases: readonly string[]): boolean {
  if (url.charCodeAt(0) !== slash) return true
  for (const base of bases) {
    const isBelow = base === '' || url.startsWith(base)
    // An escape may spell the base in another way. Right behind the base, the path or the whole URL may end.
    if (isBelow ? url.charCodeAt(base.length) !== slash : url.includes('%')) return true
    if (isBelow && mayMatch(prefilter, url, base.length)) return true
  }
  return false
}

function findByMethod(table: RouteTable, method: string, path: string, search: string) {
  const found = table.find(method, path) ?? (method === 'HEAD' ? table.find('GET', path) : undefined)
  if (found?.data.graphql || (method !== 'GET' && method !== 'HEAD') || !isGraphQLGet(search)) return found
  const post = table.find('POST', path)
  return post?.data.graphql ? post : found
}

/** A proxy's client sends `GET http://host/path`; everyone else sends the path alone. `OPTIONS *` is for no path at all. */
function originForm(path: string): string | undefined {
  if (path.charCodeAt(0) === slash) return path
  const origin = /^[a-z][a-z0-9+.-]*:\/\/[^/]*/i.exec(path)
  return origin ? path.slice(origin[0].length) || '/' : undefined
}

function decodeParams(params: Record<string, string> | undefined): Readonly<Record<string, string>> {
  if (!params) return noParams
  const decoded = Object.create(null) as Record<string, string>
  for (const name in params) {
    const value = params[name]
    if (value !== undefined) decoded[name] = value.includes('%') ? decode(value) : value
  }
  return decoded
}

/** Of a segment that two parameters share (`/:a:b`), each can have one part of an escape: then it is text. */
function decode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

/** The route of an endpoint that answers a request: the first whose selector holds, else its default route. */
export function selectRoute(endpoint: Endpoint, request: ParsedRequest): CompiledRoute | undefined {
  return findInIndex(endpoint.index, request) ?? endpoint.defaultRoute
}
