import { addRoute, createRouter, findRoute } from 'rou3'
import { isGraphQLGet } from '../graphql/settings.ts'
import { canonicalRequestPath, percentDecoded } from '../http/path.ts'
import { fittingOrigins, routerPath, splitOrigin } from '../http/route-url.ts'
import type { HeaderSource } from '../http/raw-request.ts'
import type { ParsedRequest } from '../request/parsed-request.ts'
import { anyMethod } from '../schema/schema.ts'
import { compareTexts } from '../values/values.ts'
import { findInIndex } from './route-index.ts'
import type {
  ActiveRoutes,
  CompiledRoute,
  Endpoint,
  Find,
  FoundEndpoint,
  RouteSet,
  RouteTable,
  ScenarioTable,
} from './route-table.ts'

export interface EndpointMatch {
  endpoint: Endpoint
  params: Readonly<Record<string, string>>
  path: string
  search: string
}

interface ScenarioSource {
  activeFor: (method: string, url: string, source: HeaderSource) => readonly string[]
  /** Whether an override chooses the route of the endpoint, which is then there without its scenario. */
  forces: (endpoint: Endpoint, source: HeaderSource) => boolean
}

const slash = 47
const noHeaders: HeaderSource = { headers: {} }
const noParams = Object.freeze(Object.create(null)) as Readonly<Record<string, string>>

/**
 * The endpoint of a request; `undefined` when no route has its path. Synchronous, so that the host's other requests are
 * not delayed.
 *
 * @param url request target as in HTTP: path and query, including `base`; a whole URL for another origin
 * @param bases path prefixes from `canonicalBase`; the first that fits is removed; `''` means no prefix
 * @param scenarios asked only if a scenario has routes for the path. Without it, no scenario is active
 */
export function matchEndpoint(
  table: RouteTable,
  method: string,
  url: string,
  bases: readonly string[],
  scenarios?: ScenarioSource,
  source: HeaderSource = noHeaders,
): EndpointMatch | undefined {
  const queryStart = url.indexOf('?')
  const whole = queryStart === -1 ? url : url.slice(0, queryStart)
  const target = originForm(whole)
  const fullPath = target === undefined ? undefined : canonicalRequestPath(target)
  if (fullPath === undefined) return undefined
  const isWhole = whole.charCodeAt(0) !== slash
  const elsewhere = isWhole ? originsOf(table, whole) : noOrigins
  // Made only for a path that may be a route's: requests that are not ours leave nothing to collect but parts of their URL.
  let asked: AskedTable | undefined
  for (const origin of elsewhere) {
    asked ??= { table, method, url, search: searchOf(url), scenarios, source }
    const match = matchPath(asked, routerPath(`${origin}${fullPath}`))
    if (match) return { ...match, path: `${splitOrigin(whole).origin}${fullPath}` }
  }
  if (elsewhere.length > 0) return undefined
  for (const base of bases) {
    const path = pathBelow(base, fullPath)
    if (path === undefined || table.firstSegments?.has(firstSegment(path)) === false) continue
    asked ??= { table, method, url, search: searchOf(url), scenarios, source }
    const match = matchPath(asked, path)
    if (match) return match
  }
  return undefined
}

function searchOf(url: string): string {
  const start = url.indexOf('?')
  return start === -1 ? '' : url.slice(start + 1)
}

/** Origins of routes that this absolute URL belongs to; none for a path. */
export function originsOf({ origins }: Pick<RouteTable, 'origins'>, url: string): readonly string[] {
  return origins.length === 0 ? noOrigins : fittingOrigins(origins, splitOrigin(url).origin)
}

const noOrigins: readonly string[] = []

interface AskedTable {
  table: RouteTable
  method: string
  url: string
  search: string
  scenarios: ScenarioSource | undefined
  source: HeaderSource
}

function matchPath(asked: AskedTable, path: string): EndpointMatch | undefined {
  const { table, method, url, search, scenarios, source } = asked
  let found = findByMethod(table.find, asked, path)
  const inScenario = scenarios && table.scenarios && findByMethod(table.scenarios.find, asked, path)
  if (inScenario) {
    if (
      scenarios.forces(inScenario.data, source) &&
      !(found && bySpecificity(found.data, inScenario.data) <= 0)
    )
      found = inScenario
    const active = scenarios.activeFor(method, url, source)
    const match = active.length > 0 && matchActive(table.scenarios, active, asked, path, found)
    if (match) return match
  }
  return found && { endpoint: found.data, params: decodeParams(found.params), path, search }
}

/** The endpoint among those with routes in scenarios, whether active or not. */
export function matchInScenarios(
  table: RouteTable,
  method: string,
  url: string,
  bases: readonly string[],
): EndpointMatch | undefined {
  return table.scenarios && matchEndpoint({ ...table, find: table.scenarios.find }, method, url, bases)
}

function matchActive(
  scenarios: ScenarioTable,
  active: readonly string[],
  asked: AskedTable,
  path: string,
  own: FoundEndpoint | undefined,
): EndpointMatch | undefined {
  const inScenarios: InScenario[] = []
  let params = own?.params
  for (const scenario of active) {
    const find = scenarios.findIn(scenario)
    const found = find && findByMethod(find, asked, path)
    if (!found) continue
    inScenarios.push({ scenario, endpoint: found.data, set: found.data.byScenario!.get(scenario)! })
    if (found.params) params = { ...params, ...found.params }
  }
  if (inScenarios.length === 0) return undefined
  return {
    endpoint: withActive(own?.data, inScenarios),
    params: decodeParams(params),
    path,
    search: asked.search,
  }
}

interface InScenario {
  scenario: string
  endpoint: Endpoint
  set: RouteSet
}

/** The paths may differ: `/orders/:id`, and `/**` of a scenario in which everything fails. */
function withActive(own: Endpoint | undefined, found: readonly InScenario[]): Endpoint {
  const paths = [...new Set(found.map(({ endpoint }) => endpoint))].sort(bySpecificity)
  const active: ActiveRoutes = {
    scenarios: found.map(({ scenario }) => scenario),
    sets: paths.map((path) => merge(found.filter(({ endpoint }) => endpoint === path).map(({ set }) => set))),
  }
  const byDocument = Math.min(...found.map(({ set: { firstByDocument = Infinity } }) => firstByDocument))
  // Orders of several paths can't be compared.
  if (byDocument < Infinity) active.firstByDocument = paths.length > 1 ? -1 : byDocument
  const base = own ?? paths[0]!
  // Its own routes come first, since their ids contain their number.
  const whole = [...new Set([base, ...paths])]
  return {
    ...base,
    graphql: base.graphql ?? paths.find(({ graphql }) => graphql)?.graphql,
    needsBody: (own?.needsBody ?? false) || found.some(({ set }) => set.needsBody),
    active,
    routes: whole.length === 1 ? base.routes : whole.flatMap(({ routes }) => routes),
  }
}

function merge(sets: readonly RouteSet[]): RouteSet {
  if (sets.length === 1) return sets[0]!
  const defaults = sets.flatMap(({ defaultRoute }) => defaultRoute ?? [])
  return {
    index: sets.flatMap(({ index }) => index),
    defaultRoute: defaults.sort((a, b) => a.order - b.order)[0],
    needsBody: sets.some(({ needsBody }) => needsBody),
  }
}

/** The router's precedence: literal, parameter, wildcard. */
function bySpecificity(a: Endpoint, b: Endpoint): number {
  return compareTexts(rankOf(a.path), rankOf(b.path))
}

function rankOf(path: string): string {
  return routerPath(path).replace(/[^/]+/g, (segment) =>
    /^\*\*|[*+]$/.test(segment) ? '2' : /[:*({]/.test(segment) ? '1' : '0',
  )
}

/** `undefined` when the path is not below the base. */
function pathBelow(base: string, path: string): string | undefined {
  if (base === '') return path
  if (!path.startsWith(base)) return undefined
  if (path.length === base.length) return '/'
  return path.charCodeAt(base.length) === slash ? path.slice(base.length) : undefined
}

export function matchGraphQL(
  table: RouteTable,
  url: string,
  bases: readonly string[],
  scenarios?: ScenarioSource,
  source?: HeaderSource,
): EndpointMatch | undefined {
  const match = matchEndpoint(table, 'POST', url, bases, scenarios, source)
  return match?.endpoint.graphql && match
}

function findByMethod(find: Find, { method, search }: AskedTable, path: string): FoundEndpoint | undefined {
  const asked = find(method, path)
  const found = method === 'HEAD' && asked?.data.method !== method ? find('GET', path) : asked
  if (found?.data.graphql || search === '' || (method !== 'GET' && method !== 'HEAD')) return found
  const post = find('POST', path)
  return post?.data.graphql && isGraphQLGet(search) ? post : found
}

/** Clients of a proxy send `GET http://host/path`. `OPTIONS *` has no path. */
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
    // An escape that `/:a:b` splits between the two stays as it is.
    if (value !== undefined) decoded[name] = percentDecoded(value)
  }
  return decoded
}

/** The first route whose selector matches, otherwise the default route. Active scenarios come first. */
export function selectRoute(endpoint: Endpoint, request: ParsedRequest): CompiledRoute | undefined {
  for (const { index, defaultRoute } of [...(endpoint.active?.sets ?? []), endpoint]) {
    const route = findInIndex(index, request) ?? defaultRoute
    if (route) return route
  }
  return undefined
}

export function isThere({ active }: Endpoint, { scenarios }: CompiledRoute): boolean {
  return !scenarios || scenarios.some((name) => active?.scenarios.includes(name))
}

/** Precedence at each segment: literal, parameter, wildcard. Of one path, a method comes before `*`. */
export function createFind(endpoints: readonly Endpoint[]): Find {
  const router = createRouter<Endpoint>()
  // `/opt/:id?` also ends where `/opt` does, and there rou3 takes the first.
  const mayEndEarly = ({ path }: Endpoint) => /[?+*{]/.test(path)
  const inOrder = [
    ...endpoints.filter((endpoint) => !mayEndEarly(endpoint)),
    ...endpoints.filter(mayEndEarly).sort(bySpecificity),
  ]
  for (const endpoint of inOrder)
    addRoute(
      router,
      endpoint.method === anyMethod ? '' : endpoint.method,
      routerPath(endpoint.path),
      endpoint,
    )
  return (method, path) => findRoute(router, method, path)
}

/** First segments of paths, which rule out nearly every request; `undefined` if a path can begin with any segment. */
export function firstSegments(paths: readonly string[]): ReadonlySet<string> | undefined {
  const segments = paths.map(firstSegment)
  // Anything else is a parameter, a wildcard, or a character that the router escapes.
  const arePlain = segments.every((segment) => /^[\w~@!$&',;=.-]*$/.test(segment))
  return arePlain && !paths.some((path) => path.includes('/.')) ? new Set(segments) : undefined
}

function firstSegment(path: string): string {
  const end = path.indexOf('/', 1)
  return end === -1 ? path.slice(1) : path.slice(1, end)
}
