import { addRoute, compareRoutes, createRouter, findRoute, routeNodeKeys } from 'rou3'
import { compileRouter } from 'rou3/compiler'
import { collectBeginnings } from './beginnings.ts'
import { diagnose, type Diagnostic, type SourceLocation } from '../diagnostics/diagnostic.ts'
import type { Route } from '../fixture/route.ts'
import type { DocumentChecker } from '../graphql/checker.ts'
import { isResult, needsCompletion, resultIn } from '../graphql/result.ts'
import type { GraphQLSettings } from '../graphql/settings.ts'
import { prepareResponse } from '../response/prepare-response.ts'
import type { FixtureResponse } from '../schema/schema.ts'
import { buildIndex } from './route-index.ts'
import { createPagedList } from '../paginate/paginate.ts'
import { selectsByBody, selectsByDocument, selectsByExtensions } from '../select/selector.ts'
import { reasonOf } from '../values/thrown.ts'
import { formatPlace } from '../diagnostics/format.ts'
import { createGraphQLEndpoint, type GraphQLEndpoint } from '../graphql/endpoint.ts'
import type { Answer, CompiledRoute, Endpoint, RouteTable, RouteIndex } from './route-table.ts'

export interface CompileOptions {
  graphql: GraphQLSettings
  checker?: DocumentChecker | undefined
  schemaFault?: Diagnostic | undefined
}

const noIndex: RouteIndex = []

/** Compiles routes, in the order of the fixture files, to a route table. Never throws. */
export function compileRoutes(
  routes: readonly Route[],
  { graphql: settings, checker, schemaFault }: CompileOptions,
): { table: RouteTable; diagnostics: Diagnostic[] } {
  const diagnostics: Diagnostic[] = []
  const endpoints = new Map<string, Endpoint>()
  const pathsByNode = new Map<string, { path: string; source: SourceLocation }[]>()
  const graphqlEndpoint = createGraphQLEndpoint(settings, checker, schemaFault)
  let order = 0

  for (const route of withSchemaRoute(routes, graphqlEndpoint)) {
    const path = trimSlash(route.path)
    const graphql = path === settings.path ? graphqlEndpoint : undefined
    const method = route.method ?? (graphql ? 'POST' : 'GET')
    const twin = findTwin(method, path, route.source, pathsByNode)
    if (twin) {
      const details = { path, other: twin.path, place: formatPlace(twin.source) }
      diagnostics.push(diagnose('path-parameter-conflict', route.source, details))
      continue
    }
    const key = `${method} ${path}`
    // Two spellings of one text, such as `/café` and `/caf%C3%A9`, are one endpoint.
    const node = isPattern(path) ? key : `${method} ${routeNodeKeys(path).join()}`
    let endpoint = endpoints.get(node)
    if (!endpoint) {
      endpoint = {
        method,
        path,
        graphql,
        needsBody: false,
        routes: [],
        defaultRoute: undefined,
        index: noIndex,
      }
      endpoints.set(node, endpoint)
    }
    const first = endpoint.defaultRoute
    if (!route.selector && first) {
      const details = { endpoint: key, place: formatPlace(first.source) }
      diagnostics.push(diagnose('default-route-duplicate', route.source, details))
      continue
    }
    const name = route.name ?? `${key} #${endpoint.routes.length + 1}`
    const answer = compileAnswer(route, name, graphql)
    if ('reason' in answer) {
      diagnostics.push(diagnose('body-not-json', route.source, answer))
      continue
    }
    const { selector, source, shape, rateLimit } = route
    const compiled: CompiledRoute = { order: order++, name, selector, answer, source }
    if (shape !== undefined) compiled.shape = shape
    if (rateLimit) compiled.rateLimit = rateLimit
    if (graphql && selector) {
      if (selectsByExtensions(selector)) compiled.isByExtensions = true
      if (selectsByDocument(selector)) endpoint.firstByDocument ??= compiled.order
    }
    // A list that is pushed to keeps room for sixteen more; most endpoints have one route.
    if (endpoint.routes.length === 0) endpoint.routes = [compiled]
    else endpoint.routes.push(compiled)
    endpoint.needsBody ||= readsBody(compiled, endpoint)
    if (!selector) endpoint.defaultRoute = compiled
  }

  for (const [node, endpoint] of endpoints) {
    if (endpoint.routes.length === 0) {
      endpoints.delete(node) // all that it had has errors
      continue
    }
    const { index, shadowed } = buildIndex(endpoint.routes)
    if (index.length > 0) endpoint.index = index
    for (const { route, by } of shadowed) {
      const details = { name: by.name, place: formatPlace(by.source) }
      diagnostics.push(diagnose('selector-duplicate', route.source, details))
    }
  }
  const table = {
    endpoints: [...endpoints.values()],
    routeCount: countRoutes(endpoints),
    find: makeFind(endpoints),
    beginnings: collectBeginnings([...endpoints.values()].map(({ path }) => path)),
  }
  return { table: Object.freeze(table), diagnostics }
}

/** With a schema, the endpoint needs no route: whatever a fixture leaves out is filled in, so all of it can be. */
function withSchemaRoute(routes: readonly Route[], { path, checker }: GraphQLEndpoint): readonly Route[] {
  if (!checker?.hasSchema) return routes
  const isMocked = routes.some(
    (route) => trimSlash(route.path) === path && (route.method ?? 'POST') === 'POST',
  )
  if (isMocked) return routes
  return [
    ...routes,
    {
      name: 'filled in by the schema',
      path,
      response: { body: { data: {} } },
      source: { file: 'the schema' },
    },
  ]
}

/** A compiled router is faster, until its chain of comparisons is as long as the walk through the tree. */
const maxCompiledPaths = 100

function makeFind(endpoints: ReadonlyMap<string, Endpoint>): RouteTable['find'] {
  const router = createRouter<Endpoint>()
  for (const endpoint of endpoints.values()) addRoute(router, endpoint.method, endpoint.path, endpoint)
  if (endpoints.size <= maxCompiledPaths) {
    try {
      return compileRouter(router)
    } catch {
      // A runtime that forbids code from text, such as an edge worker: the tree is walked instead.
    }
  }
  return (method, path) => findRoute(router, method, path)
}

function isPattern(path: string): boolean {
  return /[:*({]/.test(path)
}

/** Another spelling of the same path (`/orders/:id`, `/orders/:key`), which no request can tell apart. */
function findTwin(
  method: string,
  path: string,
  source: SourceLocation,
  pathsByNode: Map<string, { path: string; source: SourceLocation }[]>,
) {
  if (!isPattern(path)) return undefined
  const node = `${method} ${routeNodeKeys(path).join(' ')}`
  const paths = pathsByNode.get(node) ?? []
  pathsByNode.set(node, paths)
  const twin = paths.find((other) => other.path !== path && compareRoutes(other.path, path) === 'equal')
  if (!twin && !paths.some((other) => other.path === path)) paths.push({ path, source })
  return twin
}

function compileAnswer(
  { response, paging, shape }: Route,
  name: string,
  graphql: GraphQLEndpoint | undefined,
): Answer | { reason: string } {
  if (paging) {
    const { items } = paging
    if ('file' in items) return { reason: `this host can't read the file "${items.file}"` }
    return { kind: 'paged', list: createPagedList({ ...paging, items }, name, response as FixtureResponse) }
  }
  if (typeof response === 'function') return { kind: 'function', respond: response }
  try {
    const prepared = prepareResponse(response, name)
    const body = graphql && (isResult(response.body) ? response.body : resultIn(prepared))
    if (body && needsCompletion(graphql, shape ?? graphql.shape, body)) {
      return { kind: 'completed', response: { ...response, body } }
    }
    return { kind: 'static', response: prepared }
  } catch (error) {
    return { reason: reasonOf(error) }
  }
}

function readsBody({ selector, answer }: CompiledRoute, { graphql }: Endpoint): boolean {
  if (graphql || answer.kind === 'function') return true
  return selector !== undefined && selectsByBody(selector)
}

/** A list that is numbered by pages counts as the routes that its pages would be. */
function countRoutes(endpoints: ReadonlyMap<string, Endpoint>): number {
  let count = 0
  for (const { routes } of endpoints.values()) {
    for (const { answer } of routes) count += answer.kind === 'paged' ? answer.list.pageCount : 1
  }
  return count
}

function trimSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}
