import type { CompiledRoute, Endpoint, RouteTable } from './compile-routes.ts'
import { isGraphQLGet } from './graphql.ts'
import { canonicalRequestPath } from './path.ts'
import { mayMatch } from './path-filter.ts'
import type { ParsedRequest } from './request.ts'
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
 * @param bases path prefixes that are cut off, the first that fits; `''` stands for none
 */
export function matchEndpoint(
  table: RouteTable,
  method: string,
  url: string,
  bases: readonly string[],
): EndpointMatch | undefined {
  const isOriginForm = url.charCodeAt(0) === slash
  for (let i = 0; i < bases.length; i++) {
    const base = bases[i]!
    if (isOriginForm && (base === '' || url.startsWith(base)) && !mayMatch(table.filter, url, base.length))
      continue
    const queryStart = url.indexOf('?')
    const fullPath = originForm(queryStart === -1 ? url : url.slice(0, queryStart))
    if (base !== '' && !(fullPath.startsWith(base) && fullPath.charCodeAt(base.length) === slash)) continue
    const spelled = base === '' ? fullPath : fullPath.slice(base.length)
    // A path is spelled anew only where it can matter: in escapes, and for fixtures whose own paths have any.
    const path = table.hasEscapes || spelled.includes('%') ? canonicalRequestPath(spelled) : spelled
    if (path === undefined) return undefined
    const found = findByMethod(table, method, path, url, queryStart)
    if (!found) continue
    const search = queryStart === -1 ? '' : url.slice(queryStart + 1)
    return { endpoint: found.data, params: decodeParams(found.params), path, search }
  }
  return undefined
}

function findByMethod(table: RouteTable, method: string, path: string, url: string, queryStart: number) {
  const found = table.find(method, path) ?? (method === 'HEAD' ? table.find('GET', path) : undefined)
  if (queryStart === -1 || found?.data.isGraphQL || (method !== 'GET' && method !== 'HEAD')) return found
  if (!path.startsWith(table.graphqlPath) || !isGraphQLGet(url.slice(queryStart + 1))) return found
  const post = table.find('POST', path)
  return post?.data.isGraphQL ? post : found
}

/** A proxy's client sends `GET http://host/path`; everyone else sends the path alone. */
function originForm(path: string): string {
  if (path.charCodeAt(0) === slash) return path
  return path.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '') || '/'
}

function decodeParams(params: Record<string, string> | undefined): Readonly<Record<string, string>> {
  if (!params) return noParams
  const decoded = Object.create(null) as Record<string, string>
  for (const name in params) {
    const value = params[name]
    if (value !== undefined) decoded[name] = value.includes('%') ? decodeURIComponent(value) : value
  }
  return decoded
}

/** The route of an endpoint that answers a request: the first whose selector holds, else its default route. */
export function selectRoute(endpoint: Endpoint, request: ParsedRequest): CompiledRoute | undefined {
  return findInIndex(endpoint.index, request) ?? endpoint.defaultRoute
}
