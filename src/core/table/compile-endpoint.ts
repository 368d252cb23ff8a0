import { getOrMake } from '../values/collections.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { diagnoseFixture } from '../diagnostics/fixture-texts.ts'
import { formatPlace } from '../diagnostics/format.ts'
import type { Route } from '../fixture/route.ts'
import type { GraphQLEndpoint } from '../graphql/endpoint.ts'
import type { Selector } from '../select/selector.ts'
import {
  selectedByGraphQL,
  selectsByBody,
  selectsByDocument,
  selectsByExtensions,
} from '../select/selector.ts'
import { compileResponse } from './compile-response.ts'
import { createFindNearest } from './nearest-routes.ts'
import { buildIndex, type Shadowed } from './route-index.ts'
import type {
  CompiledRoute,
  Endpoint,
  RouteIndex,
  RouteResponse,
  RouteSet,
  ScenarioRoutes,
} from './route-table.ts'

/** Where a route belongs. */
export interface Place {
  /** Method and path, the same for two spellings of a path. */
  key: string
  method: string
  path: string
  /** For a path with parameters: what it has in common with paths that differ only in the parameters' names. */
  node: string | undefined
  graphql: GraphQLEndpoint | undefined
}

/** The routes that share a method and a path, before they are compiled. */
export interface RouteGroup {
  /** That of the first route. */
  place: Place
  /** Paths of the GraphQL endpoints. */
  graphqlPaths: readonly string[]
  routes: Route[]
}

export interface CompiledEndpoint {
  /** `undefined` when there is no route. */
  endpoint: Endpoint | undefined
  /** Whether there is a route without a scenario. */
  isAlwaysThere: boolean
  /** Its routes in each scenario. */
  scenarios: readonly ScenarioRoutes[]
  diagnostics: readonly Diagnostic[]
}

const noIndex: RouteIndex = []
const noDiagnostics: readonly Diagnostic[] = []
const noScenarios: readonly ScenarioRoutes[] = []

/**
 * @param nextOrder gives each route a higher number than the one before
 * @param passesNavigations whether the application answers navigations, unless a route says otherwise
 */
export function compileEndpoint(
  { place: { method, path, graphql }, graphqlPaths, routes }: RouteGroup,
  nextOrder: () => number,
  passesNavigations = false,
): CompiledEndpoint {
  const diagnostics: Diagnostic[] = []
  const compiled: CompiledRoute[] = []
  const createSet = () => new SetInProgress(graphql)
  const always = createSet()
  const onlyAlways = [always]
  const inScenarios = new Map<string, SetInProgress>()
  for (const route of routes) {
    const { selector, source, shape, rateLimit, scenarios } = route
    const navigation = route.navigation ?? (passesNavigations ? 'passthrough' : undefined)
    const sets = scenarios?.map((name) => getOrMake(inScenarios, name, createSet)) ?? onlyAlways
    if (!selector && !route.isSelectorUnreadable) {
      const taken = sets.findIndex(({ defaultRoute }) => defaultRoute)
      if (taken !== -1) {
        if (route.error) continue
        const other = sets[taken]!.defaultRoute!
        const details = {
          endpoint: `${method} ${path}`,
          place: formatPlace(other.source),
          isBroken: other.response.kind === 'broken',
          scenario: scenarios?.[taken],
        }
        diagnostics.push(diagnoseFixture('default-route-duplicate', source, details))
        continue
      }
    }
    const idle = graphql ? [] : graphqlKeys(route)
    if (idle.length > 0) {
      diagnostics.push(
        diagnoseFixture('graphql-path-other', source, { path, keys: idle, paths: graphqlPaths }),
      )
    }
    const name = route.name ?? `${method} ${path} #${compiled.length + 1}`
    const response = compileResponse(route, name, graphql)
    if (response.kind === 'broken' && !route.error) diagnostics.push(response.diagnostic)
    const one: CompiledRoute = { order: nextOrder(), name, selector, response, source }
    if (route.textType !== undefined) one.textType = route.textType
    if (shape !== undefined) one.shape = shape
    if (navigation !== undefined) one.navigation = navigation
    if (rateLimit) one.rateLimit = rateLimit
    if (scenarios) one.scenarios = scenarios
    if (graphql && selector && selectsByExtensions(selector)) one.isByExtensions = true
    if (method === 'GET' && !graphql && selector && namesBody(selector))
      diagnostics.push(diagnoseFixture('selector-body-of-get', source, { path }))
    compiled.push(one)
    for (const set of sets) set.add(one, route.isSelectorUnreadable === true)
  }
  if (compiled.length === 0)
    return { endpoint: undefined, isAlwaysThere: false, scenarios: noScenarios, diagnostics }

  const kept = compiled.slice() // an array that has grown reserves memory, and most endpoints have one route
  const shadowed: Shadowed[] = []
  const endpoint: Endpoint = {
    method,
    path,
    graphql,
    ...always.finish(shadowed),
    routes: kept,
    findNearest: createFindNearest(kept),
  }
  const scenarios: ScenarioRoutes[] = []
  for (const [scenario, set] of inScenarios) {
    // A set is empty if its only route was left out.
    if (set.routes.length > 0)
      scenarios.push({ ...set.finish(shadowed), scenario, endpoint, method, path, graphql })
  }
  diagnostics.push(...describeShadowed(shadowed))
  return {
    endpoint,
    isAlwaysThere: always.routes.length > 0,
    scenarios: scenarios.length > 0 ? scenarios : noScenarios,
    diagnostics: diagnostics.length > 0 ? diagnostics : noDiagnostics,
  }
}

/** A set of routes to which routes are still added. */
class SetInProgress {
  readonly routes: CompiledRoute[] = []
  defaultRoute: CompiledRoute | undefined
  /** Which requests it is for is unknown, so it answers those that would otherwise get the default route's response. */
  #unreadable: CompiledRoute | undefined
  #firstByDocument: number | undefined
  #needsBody = false

  constructor(private readonly graphql: GraphQLEndpoint | undefined) {}

  add(route: CompiledRoute, isSelectorUnreadable: boolean): void {
    const { selector } = route
    this.routes.push(route)
    this.#needsBody ||= readsBody(route, this.graphql)
    if (this.graphql && selector && selectsByDocument(selector)) this.#firstByDocument ??= route.order
    if (isSelectorUnreadable) this.#unreadable ??= route
    else if (!selector) this.defaultRoute = route
  }

  /** @param shadowed is extended by the routes that never answer in this set */
  finish(shadowed: Shadowed[]): RouteSet {
    const built = buildIndex(this.routes)
    shadowed.push(...built.shadowed)
    const set: RouteSet = {
      needsBody: this.#needsBody,
      defaultRoute: this.#unreadable ?? this.defaultRoute,
      index: built.index.length > 0 ? built.index : noIndex,
    }
    if (this.#firstByDocument !== undefined) set.firstByDocument = this.#firstByDocument
    return set
  }
}

/** A route never answers if it is shadowed in each of its scenarios. */
function describeShadowed(shadowed: readonly Shadowed[]): Diagnostic[] {
  if (shadowed.length === 0) return []
  const times = new Map<CompiledRoute, number>()
  return shadowed.flatMap(({ route, by, isEqual }) => {
    const count = (times.get(route) ?? 0) + 1
    times.set(route, count)
    if (count < (route.scenarios?.length ?? 1)) return []
    const details = { name: by.name, place: formatPlace(by.source) }
    return diagnoseFixture(isEqual ? 'selector-duplicate' : 'selector-shadowed', route.source, details)
  })
}

/** Keys of a route that have a meaning only on a GraphQL endpoint. */
function graphqlKeys({ selector, shape, paging }: Route): string[] {
  if (!selector && shape === undefined && !paging) return []
  return [
    ...(selector ? selectedByGraphQL(selector).map((key) => `when.${key}`) : []),
    ...(shape === undefined ? [] : ['shape']),
    ...(paging?.style === 'relay' ? ['style: relay'] : []),
  ]
}

/** A predicate may read the body too, but does not have to. */
function namesBody({ equalities, tests }: Selector): boolean {
  return [...equalities, ...tests].some(({ field }) => field?.source === 'body')
}

function callsFunction(response: RouteResponse): boolean {
  return response.kind === 'sequence' ? response.parts.some(callsFunction) : response.kind === 'function'
}

function readsBody({ selector, response }: CompiledRoute, graphql: GraphQLEndpoint | undefined): boolean {
  if (graphql || callsFunction(response)) return true
  return selector !== undefined && selectsByBody(selector)
}
