import { diagnose, type Diagnostic } from '../diagnostics/diagnostic.ts'
import { formatPlace } from '../diagnostics/format.ts'
import type { Route } from '../fixture/route.ts'
import type { GraphQLEndpoint } from '../graphql/endpoint.ts'
import { isResult, dependsOnOperation, resultIn } from '../graphql/result.ts'
import { createPagedList } from '../paginate/paginate.ts'
import { prepareResponse } from '../response/prepare-response.ts'
import type { FixtureResponse } from '../schema/schema.ts'
import type { Selector } from '../select/selector.ts'
import {
  selectedByGraphQL,
  selectsByBody,
  selectsByDocument,
  selectsByExtensions,
} from '../select/selector.ts'
import { reasonOf } from '../values/thrown.ts'
import { createFindNearest } from './nearest-routes.ts'
import { buildIndex } from './route-index.ts'
import type { CompiledRoute, Endpoint, RouteIndex, RouteResponse } from './route-table.ts'

/** The routes that share a method and a path, before they are compiled. */
export interface RouteGroup {
  method: string
  path: string
  graphql: GraphQLEndpoint | undefined
  /** Paths of the GraphQL endpoints. */
  graphqlPaths: readonly string[]
  routes: Route[]
}

export interface CompiledEndpoint {
  /** `undefined` when there is no route. */
  endpoint: Endpoint | undefined
  diagnostics: readonly Diagnostic[]
}

const noIndex: RouteIndex = []
const noDiagnostics: readonly Diagnostic[] = []

/**
 * @param nextOrder gives each route a higher number than the one before
 * @param passesNavigations whether the application answers navigations, unless a route says otherwise
 */
export function compileEndpoint(
  { method, path, graphql, graphqlPaths, routes }: RouteGroup,
  nextOrder: () => number,
  passesNavigations = false,
): CompiledEndpoint {
  const diagnostics: Diagnostic[] = []
  const compiled: CompiledRoute[] = []
  let defaultRoute: CompiledRoute | undefined
  /** Which requests it is for is unknown, so it answers those that would otherwise get the default route's response. */
  let unreadable: CompiledRoute | undefined
  let firstByDocument: number | undefined
  let needsBody = false
  for (const route of routes) {
    const { selector, source, shape, rateLimit } = route
    const navigation = route.navigation ?? (passesNavigations ? 'passthrough' : undefined)
    if (!selector && !route.isSelectorUnreadable && defaultRoute) {
      if (route.error) continue
      const details = { endpoint: `${method} ${path}`, place: formatPlace(defaultRoute.source) }
      diagnostics.push(diagnose('default-route-duplicate', source, details))
      continue
    }
    const idle = graphql ? [] : graphqlKeys(route)
    if (idle.length > 0) {
      diagnostics.push(diagnose('graphql-path-other', source, { path, keys: idle, paths: graphqlPaths }))
    }
    const name = route.name ?? `${method} ${path} #${compiled.length + 1}`
    const response = compileResponse(route, name, path, graphql)
    if (response.kind === 'broken' && !route.error) diagnostics.push(response.diagnostic)
    const one: CompiledRoute = { order: nextOrder(), name, selector, response, source }
    if (shape !== undefined) one.shape = shape
    if (navigation !== undefined) one.navigation = navigation
    if (rateLimit) one.rateLimit = rateLimit
    if (graphql && selector) {
      if (selectsByExtensions(selector)) one.isByExtensions = true
      if (selectsByDocument(selector)) firstByDocument ??= one.order
    }
    if (method === 'GET' && !graphql && selector && namesBody(selector))
      diagnostics.push(diagnose('selector-body-of-get', source, { path }))
    compiled.push(one)
    needsBody ||= readsBody(one, graphql)
    if (route.isSelectorUnreadable) unreadable ??= one
    else if (!selector) defaultRoute = one
  }
  if (compiled.length === 0) return { endpoint: undefined, diagnostics }

  const { index, shadowed } = buildIndex(compiled)
  for (const { route, by, isEqual } of shadowed) {
    const details = { name: by.name, place: formatPlace(by.source) }
    const code = isEqual ? 'selector-duplicate' : 'selector-shadowed'
    diagnostics.push(diagnose(code, route.source, details))
  }
  const kept = compiled.slice() // an array that has grown reserves memory, and most endpoints have one route
  const endpoint: Endpoint = {
    method,
    path,
    graphql,
    needsBody,
    routes: kept,
    defaultRoute: unreadable ?? defaultRoute,
    index: index.length > 0 ? index : noIndex,
    findNearest: createFindNearest(kept),
  }
  if (firstByDocument !== undefined) endpoint.firstByDocument = firstByDocument
  return { endpoint, diagnostics: diagnostics.length > 0 ? diagnostics : noDiagnostics }
}

/** Keys of a route that have a meaning only on a GraphQL endpoint. */
function graphqlKeys({ selector, shape, paging }: Route): string[] {
  return [
    ...(selector ? selectedByGraphQL(selector).map((key) => `when.${key}`) : []),
    ...(shape === undefined ? [] : ['shape']),
    ...(paging?.style === 'relay' ? ['style: relay'] : []),
  ]
}

function compileResponse(
  route: Route,
  name: string,
  path: string,
  graphql: GraphQLEndpoint | undefined,
): RouteResponse {
  const { response, paging, shape, error, source } = route
  if (error) return { kind: 'broken', diagnostic: error }
  const broken = (reason: string): RouteResponse => ({
    kind: 'broken',
    diagnostic: diagnose('body-not-json', source, { reason }),
  })
  if (paging) {
    const { items } = paging
    if (typeof items === 'function') return broken('its "items" is a function that was not called.')
    if ('file' in items) return broken(`this host can't read the file "${items.file}".`)
    return { kind: 'paged', list: createPagedList({ ...paging, items }, name, response as FixtureResponse) }
  }
  if (typeof response === 'function') return { kind: 'function', respond: response }
  try {
    const prepared = prepareResponse(response, name, path)
    const body = graphql && (isResult(response.body) ? response.body : resultIn(prepared))
    if (body && dependsOnOperation(graphql, shape ?? graphql.shape, body)) {
      return { kind: 'result', definition: { ...response, body } }
    }
    return { kind: 'static', prepared }
  } catch (error) {
    return broken(`${reasonOf(error).replace(/\.$/, '')}.`)
  }
}

/** A predicate may read the body too, but does not have to. */
function namesBody({ equalities, tests }: Selector): boolean {
  return [...equalities, ...tests].some(({ field }) => field?.source === 'body')
}

function readsBody({ selector, response }: CompiledRoute, graphql: GraphQLEndpoint | undefined): boolean {
  if (graphql || response.kind === 'function') return true
  return selector !== undefined && selectsByBody(selector)
}
