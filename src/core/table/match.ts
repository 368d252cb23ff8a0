import { mayBegin } from './beginnings.ts'
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

const noParams = Object.freeze(Object.create(null)) as Readonly<Record<string, string>>

/**
 * The endpoint that a request is for; `undefined` when the request is not ours. Synchronous, so that a request that is
 * not ours goes on at once.
 *
 * @param url request target as HTTP carries it: path and query, with `base` still in front
 * @param bases path prefixes that are cut off, the first that fits; `''` stands for none
 */
export function matchEndpoint(
  table: RouteTable,
  method: string,
  url: string,
  bases: readonly string[],
): EndpointMatch | undefined {
  if (!mayBeOurs(table, url, bases)) return undefined
  const queryStart = url.indexOf('?')
  const fullPath = originForm(queryStart === -1 ? url : url.slice(0, queryStart))
  if (fullPath === undefined) return undefined
  for (const base of bases) {
    if (base !== '' && !(fullPath.startsWith(base) && fullPath.charCodeAt(base.length) === 47) /* / */)
      continue
    const path = canonicalRequestPath(fullPath.slice(base.length))
    if (path === undefined) return undefined
    const search = queryStart === -1 ? '' : url.slice(queryStart + 1)
    const found = findByMethod(table, method, path, search)
    if (found) return { endpoint: found.data, params: decodeParams(found.params), path, search }
  }
  return undefined
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

function mayBeOurs({ beginnings }: RouteTable, url: string, bases: readonly string[]): boolean {
  if (!url.startsWith('/')) return true
  for (let i = 0; i < bases.length; i++) if (mayBegin(beginnings, url, bases[i]!.length)) return true
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
  if (path.charCodeAt(0) === 47 /* / */) return path
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
