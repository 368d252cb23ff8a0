import { compareRoutes, routeNodeKeys } from 'rou3'
import { diagnose, type Diagnostic, type SourceLocation } from '../diagnostics/diagnostic.ts'
import { formatPlace } from '../diagnostics/format.ts'
import type { Route } from '../fixture/route.ts'
import type { GraphQLEndpoint } from '../graphql/endpoint.ts'
import { canonicalRequestPath, isPlainPath, isSimplePath, trimSlash } from '../http/path.ts'
import type { RouteGroup } from './compile-endpoint.ts'

/** The endpoint that a route belongs to. */
type Place = Pick<RouteGroup, 'key' | 'method' | 'path' | 'node' | 'graphql'>

/**
 * Makes a function that groups routes by endpoint. Two spellings of one path, such as `/café` and `/caf%C3%A9`, are one
 * endpoint. It remembers where each route belongs, since most routes are the same objects as the last time.
 */
export function createGrouping(): (
  routes: readonly Route[],
  graphqlEndpoint: GraphQLEndpoint,
  diagnostics: Diagnostic[],
) => Iterable<RouteGroup> {
  let known = new Map<Route, Place>()
  return (routes, graphqlEndpoint, diagnostics) => {
    const places = new Map<Route, Place>()
    const groups = new Map<string, RouteGroup>()
    const patterns = new Map<string, Pattern[]>()
    for (const route of routes) {
      const place = known.get(route) ?? placeOf(route, graphqlEndpoint)
      const { key, method, path, node } = place
      let group = groups.get(key)
      if (group) group.routes.push(route)
      else {
        const twin = node === undefined ? undefined : findTwin(node, path, route.source, patterns)
        if (twin) {
          const details = { path, other: twin.path, place: formatPlace(twin.source) }
          diagnostics.push(diagnose('path-parameter-conflict', route.source, details))
          continue
        }
        const graphql = place.graphql && graphqlEndpoint
        group = { key, method, path, node, graphql, graphqlPaths: graphqlEndpoint.paths, routes: [route] }
        groups.set(key, group)
      }
      places.set(route, group.path === path ? group : place)
    }
    known = places
    return groups.values()
  }
}

function placeOf(route: Route, endpoint: GraphQLEndpoint): Place {
  const path = trimSlash(route.path)
  const graphql = endpoint.paths.some((one) => isSamePath(path, one)) ? endpoint : undefined
  const method = route.method ?? (graphql ? 'POST' : 'GET')
  if (isPlainPath(path)) return { key: `${method} ${path}`, method, path, node: undefined, graphql }
  const node = `${method} ${isSimplePath(path) ? simpleNodeKey(path) : routeNodeKeys(path).join(' ')}`
  return /[:*({]/.test(path)
    ? { key: `${method} ${path}`, method, path, node, graphql }
    : { key: node, method, path, node: undefined, graphql }
}

/** What `routeNodeKeys` returns for a simple path, which takes it much longer. */
function simpleNodeKey(path: string): string {
  let count = 0
  return path.replace(/:\w+/g, () => `:_${count++}`)
}

/** A path with parameters, and the first route that has it. */
interface Pattern {
  path: string
  source: SourceLocation
}

/**
 * Finds an earlier path that differs from a new one only in the names of its parameters (`/orders/:id`, `/orders/:key`).
 * If there is none, the new one is added.
 */
function findTwin(
  node: string,
  path: string,
  source: SourceLocation,
  patterns: Map<string, Pattern[]>,
): Pattern | undefined {
  const others = patterns.get(node)
  const twin = others?.find((other) => compareRoutes(other.path, path) === 'equal')
  if (!others) patterns.set(node, [{ path, source }])
  else if (!twin) others.push({ path, source })
  return twin
}

/** Whether a route's path is the path of the GraphQL endpoint, in any spelling. */
export function isSamePath(path: string, graphqlPath: string): boolean {
  return path === graphqlPath || (!isPlainPath(path) && canonicalRequestPath(path) === graphqlPath)
}
