import { mayMatch } from './prefilter.ts'
import type { CompiledRoute, Endpoint, RouteTable } from './route-table.ts'
import { isGraphQLGet } from '../graphql/payload.ts'
import { canonicalRequestPath } from '../http/path.ts'
import type { ParsedRequest } from '../request/parsed-request.ts'
import { findInIndex } from './route-index.ts'

/** The endpoint that a request is for, and the parts of its URL. */
export interface EndpointMatch {
  endpoint: Endpoint
  params: Readonly<Record<string, string>>
  path: string
  search: string
}

const slash = 47
const noParams = Object.freeze(Object.create(null)) as Readonly<Record<string, string>>

/**
 * The endpoint that a request is for; `undefined` when no route has its path. Synchronous, so that other requests of the
 * host are not delayed.
 *
 * @param url request target as in HTTP: path and query, including `base`
 * @param bases path prefixes as `canonicalBase` returns them; the first that fits is removed; `''` means no prefix
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

/** The path without the base; `undefined` when it is not below the base. */
function pathBelow(base: string, path: string): string | undefined {
  if (base === '') return path
  if (!path.startsWith(base)) return undefined
  if (path.length === base.length) return '/'
  return path.charCodeAt(base.length) === slash ? path.slice(base.length) : undefined
}

/** The GraphQL endpoint at a path, for a browser that opens it. */
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
    // Escapes allow other spellings of the base. The path, or the whole URL, may end right after the base.
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

/** Clients of a proxy send `GET http://host/path`, all others only the path. `OPTIONS *` has no path. */
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

/** Decodes a parameter. In `/:a:b`, an escape can be split between the two: then it is kept as it is. */
function decode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

/** The route of an endpoint that answers a request: the first whose selector matches, otherwise the default route. */
export function selectRoute(endpoint: Endpoint, request: ParsedRequest): CompiledRoute | undefined {
  return findInIndex(endpoint.index, request) ?? endpoint.defaultRoute
}
