import type { Diagnostic, SourceLocation } from '../diagnostics/diagnostic.ts'
import { diagnoseFixture } from '../diagnostics/fixture-texts.ts'
import { formatPlace } from '../diagnostics/format.ts'
import type { Route } from '../fixture/route.ts'
import type { GraphQLEndpoint } from '../graphql/endpoint.ts'
import type { PathRouter } from '../http/path-router.ts'
import { canonicalRequestPath, isPlainPath, isSimplePath, trimSlash } from '../http/path.ts'
import type { Place, RouteGroup } from './compile-endpoint.ts'

interface Grouping {
  /** In the order of their first routes. */
  groups: ReadonlyMap<string, RouteGroup>
  /** The only groups that differ from the last ones; `undefined` if there may be other groups, or another order. */
  replaced: readonly RouteGroup[] | undefined
  diagnostics: readonly Diagnostic[]
}

/** What was grouped last. */
interface Last {
  routes: readonly Route[]
  graphqlEndpoint: GraphQLEndpoint
  /** Where each of the routes belongs. */
  places: Place[]
  groups: Map<string, RouteGroup>
  diagnostics: readonly Diagnostic[]
}

/**
 * Makes a function that groups routes by endpoint. Two spellings of one path, such as `/café` and `/caf%C3%A9`, are one
 * endpoint. It remembers where each route belongs, since most routes are the same objects as the last time.
 */
export function createGrouping(
  router: PathRouter,
): (routes: readonly Route[], graphqlEndpoint: GraphQLEndpoint) => Grouping {
  let last: Last | undefined
  return (routes, graphqlEndpoint) => {
    if (last?.graphqlEndpoint !== graphqlEndpoint) last = undefined
    const replaced = last && replaceRoutes(last, routes, router)
    if (!last || !replaced) last = groupAll(routes, graphqlEndpoint, router, last)
    return { groups: last.groups, replaced, diagnostics: last.diagnostics }
  }
}

function groupAll(
  routes: readonly Route[],
  graphqlEndpoint: GraphQLEndpoint,
  router: PathRouter,
  last: Last | undefined,
): Last {
  const places: Place[] = []
  const groups = new Map<string, RouteGroup>()
  const patterns = new Map<string, Pattern[]>()
  const diagnostics: Diagnostic[] = []
  const knownPlace = last ? placesInCommon(last, routes) : () => undefined
  for (const [index, route] of routes.entries()) {
    const place = knownPlace(index) ?? placeOf(route, graphqlEndpoint, router)
    places.push(place)
    const { key, path, node } = place
    let group = groups.get(key)
    if (group) group.routes.push(route)
    else {
      const twin = node === undefined ? undefined : findTwin(node, path, route.source, patterns, router)
      if (twin) {
        const details = { path, other: twin.path, place: formatPlace(twin.source) }
        diagnostics.push(diagnoseFixture('path-parameter-conflict', route.source, details))
        continue
      }
      groups.set(key, (group = { place, graphqlPaths: graphqlEndpoint.paths, routes: [route] }))
    }
    if (group.place.path === path) places[index] = group.place // one object for all of its routes
  }
  return { routes, graphqlEndpoint, places, groups, diagnostics }
}

/** The places of the routes at the beginning and at the end of two lists, as far as these are the same. */
function placesInCommon({ routes: before, places }: Last, now: readonly Route[]) {
  const shorter = Math.min(before.length, now.length)
  const more = now.length - before.length
  let start = 0
  while (start < shorter && before[start] === now[start]) start++
  let end = now.length
  while (end > start + Math.max(more, 0) && before[end - 1 - more] === now[end - 1]) end--
  return (index: number) => (index < start ? places[index] : index >= end ? places[index - more] : undefined)
}

/**
 * Replaces routes by others at the same endpoints, which is what most edits do. It costs as much as they do, however many
 * others there are.
 *
 * @returns their groups; `undefined`, with nothing changed, if all routes have to be grouped anew
 */
function replaceRoutes(last: Last, routes: readonly Route[], router: PathRouter): RouteGroup[] | undefined {
  if (routes.length !== last.routes.length || last.diagnostics.length > 0) return undefined
  const others = new Map<Route, Route>()
  const keys = new Set<string>()
  let count = 0
  let replacements = 0
  const replace = (route: Route) => {
    const other = others.get(route)
    if (other) replacements++
    return other ?? route
  }
  for (let i = 0; i < routes.length; i++) {
    const [before, now] = [last.routes[i]!, routes[i]!]
    if (before === now) continue
    const [place, known] = [placeOf(now, last.graphqlEndpoint, router), last.places[i]!]
    if (place.key !== known.key || place.path !== known.path) return undefined
    others.set(before, now)
    keys.add(known.key)
    count++
  }
  const groups = [...keys]
    .map((key) => last.groups.get(key)!)
    .map((group) => ({ ...group, routes: group.routes.map(replace) }))
  // Each object once, unless one is in the list several times.
  if (others.size !== count || replacements !== count) return undefined
  for (const group of groups) last.groups.set(group.place.key, group)
  last.routes = routes
  return groups
}

function placeOf(route: Route, endpoint: GraphQLEndpoint, router: PathRouter): Place {
  const path = trimSlash(route.path)
  const graphql = endpoint.paths.some((one) => isSamePath(path, one)) ? endpoint : undefined
  const method = route.method ?? (graphql ? 'POST' : 'GET')
  if (isPlainPath(path)) return { key: `${method} ${path}`, method, path, node: undefined, graphql }
  const node = `${method} ${isSimplePath(path) ? simpleNodeKey(path) : router.nodeKeys(path).join(' ')}`
  return /[:*({]/.test(path)
    ? { key: `${method} ${path}`, method, path, node, graphql }
    : { key: node, method, path, node: undefined, graphql }
}

/** The key that the router has for a simple path. It takes the router much longer, and it need not be loaded. */
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
  router: PathRouter,
): Pattern | undefined {
  const others = patterns.get(node)
  const isTwin = (other: Pattern) =>
    (isSimplePath(path) && isSimplePath(other.path)) || router.matchesSame(path, other.path)
  const twin = others?.find(isTwin)
  if (!others) patterns.set(node, [{ path, source }])
  else if (!twin) others.push({ path, source })
  return twin
}

/** Whether a route's path is the path of the GraphQL endpoint, in any spelling. */
export function isSamePath(path: string, graphqlPath: string): boolean {
  return path === graphqlPath || (!isPlainPath(path) && canonicalRequestPath(path) === graphqlPath)
}
