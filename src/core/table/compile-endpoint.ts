import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { formatPlace } from '../diagnostics/format.ts'
import { diagnoseFixture } from '../diagnostics/fixture-texts.ts'
import type { Route } from '../fixture/route.ts'
import type { GraphQLEndpoint } from '../graphql/settings.ts'
import { findUnreadable, successIn } from '../graphql/result.ts'
import { hidden, writeOperators } from '../redact/redact.ts'
import { socketMethod } from '../schema/schema.ts'
import { selectedByGraphQL, selectsByBody, selectsByDocument, type Selector } from '../select/selector.ts'
import { getOrMake } from '../values/collections.ts'
import { hash32 } from '../values/hash.ts'
import { compileResponse, compileWrite } from './compile-response.ts'
import { buildIndex, type Shadowed } from './route-index.ts'
import type { CompiledRoute, Endpoint, RouteResponse, RouteSet } from './route-table.ts'

export interface EndpointRoutes {
  method: string
  path: string
  graphql: GraphQLEndpoint | undefined
  routes: Route[]
}

interface EndpointContext {
  graphqlPaths: readonly string[]
  passesNavigations: boolean
}

interface CompiledEndpoint {
  /** Absent when all of the routes are left out. */
  endpoint?: Endpoint
  diagnostics: Diagnostic[]
}

export function compileEndpoint(
  { method, path, graphql, routes }: EndpointRoutes,
  { graphqlPaths, passesNavigations }: EndpointContext,
): CompiledEndpoint {
  const diagnostics: Diagnostic[] = []
  const compiled: CompiledRoute[] = []
  const ids = new Map<string, number>()
  const createSet = (): CollectedRoutes => ({ routes: [] })
  const always = createSet()
  const inScenarios = new Map<string, CollectedRoutes>()
  for (const route of routes) {
    const { selector, source, shape, rateLimit, scenarios, then } = route
    const navigation = route.navigation ?? (passesNavigations ? 'passthrough' : undefined)
    const sets = scenarios?.map((name) => getOrMake(inScenarios, name, createSet)) ?? [always]
    const isDefault = !selector && !route.isSelectorUnreadable
    const taken = isDefault ? sets.findIndex(({ defaultRoute }) => defaultRoute) : -1
    if (taken !== -1) {
      // Ordinary routes take precedence over a collection.
      if (route.operation) continue
      const other = sets[taken]!.defaultRoute!
      const details = {
        endpoint: `${method} ${path}`,
        place: formatPlace(other.source),
        isBroken: other.response.kind === 'broken',
        scenario: scenarios?.[taken],
      }
      if (!route.error) diagnostics.push(diagnoseFixture('default-route-duplicate', source, details))
      continue
    }
    const keys = graphql ? [] : graphqlKeys(route)
    if (keys.length > 0)
      diagnostics.push(diagnoseFixture('graphql-path-other', source, { path, keys, paths: graphqlPaths }))
    const name = route.name ?? `${method} ${path} #${compiled.length + 1}`
    const response = compileResponse(route, name, graphql)
    if (response.kind === 'broken' && !route.error) diagnostics.push(response.diagnostic)
    const bodies = graphql && !route.isInvalid ? bodiesIn(response) : []
    diagnostics.push(...findUnreadable({ name, source }, bodies))
    const one: CompiledRoute = {
      order: compiled.length,
      id: idOf(`${method} ${path} #`, route, ids),
      name,
      selector,
      response,
      source,
      textType: route.textType,
      shape,
      navigation,
      rateLimit,
      scenarios,
      then,
      write: route.write && compileWrite(route.write),
    }
    // A method that is written is meant: a client may send a body with GET.
    const isUsual = route.method === undefined || method === socketMethod
    if (isUsual && !graphql && selector && namesBody(selector))
      diagnostics.push(diagnoseFixture('selector-body-of-get', source, { path }))
    compiled.push(one)
    for (const set of sets) {
      set.routes.push(one)
      if (route.isSelectorUnreadable) set.unreadable ??= one
      else if (!selector) set.defaultRoute = one
    }
  }
  if (compiled.length === 0) return { diagnostics }

  const shadowed: Shadowed[] = []
  const endpoint: Endpoint = {
    method,
    path,
    graphql,
    ...toRouteSet(always, graphql, shadowed),
    routes: compiled,
  }
  const byScenario = [...inScenarios].filter(([, set]) => set.routes.length > 0)
  if (byScenario.length > 0)
    endpoint.byScenario = new Map(byScenario.map(([name, set]) => [name, toRouteSet(set, graphql, shadowed)]))
  for (const diagnostic of describeShadowed(shadowed)) diagnostics.push(diagnostic)
  return { endpoint, diagnostics }
}

/** Only what has neither a name nor a selector of its own gets a number. */
function idOf(endpoint: string, { name, selector, scenarios = [] }: Route, taken: Map<string, number>) {
  const { equalities, tests } = selector ?? { equalities: [], tests: [] }
  const parts = [
    ...scenarios,
    ...equalities.map(({ field, value }) => [field.id, field.isSecret ? hidden : value]),
    ...tests.map(({ field, written }) =>
      field ? [field.id, writeOperators(written, field)] : String(written),
    ),
  ]
  const id = `${endpoint}${name ?? (parts.length > 0 ? hash32(JSON.stringify(parts)).toString(36) : 'default')}`
  const count = (taken.get(id) ?? 0) + 1
  taken.set(id, count)
  return count === 1 ? id : `${id} (${count})`
}

interface CollectedRoutes {
  routes: CompiledRoute[]
  defaultRoute?: CompiledRoute
  /** A route with an unreadable selector answers instead of the default route. */
  unreadable?: CompiledRoute
}

function toRouteSet(
  { routes, defaultRoute, unreadable }: CollectedRoutes,
  graphql: GraphQLEndpoint | undefined,
  shadowed: Shadowed[],
): RouteSet {
  const built = buildIndex(routes)
  for (const one of built.shadowed) shadowed.push(one)
  const byDocument = graphql && routes.find(({ selector }) => selector && selectsByDocument(selector))
  return {
    index: built.index,
    defaultRoute: unreadable ?? defaultRoute,
    needsBody: routes.some((route) => readsBody(route, graphql)),
    ...(byDocument && { firstByDocument: byDocument.order }),
  }
}

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

function graphqlKeys({ selector, shape, paging, graphqlNames = [] }: Route): string[] {
  return [
    ...(selector ? selectedByGraphQL(selector).map((key) => `when.${key}`) : []),
    ...(shape === undefined ? [] : ['shape']),
    ...(paging?.style === 'relay' ? ['style: relay'] : []),
    ...graphqlNames,
  ]
}

/** Bodies that a GraphQL client gets, where they are the same for all requests. A change gives its keys. */
function bodiesIn(response: RouteResponse): unknown[] {
  switch (response.kind) {
    case 'sequence':
      return response.parts.flatMap(bodiesIn)
    case 'static':
      return [successIn(response.prepared)]
    case 'result':
      return [response.definition.body]
    case 'paged':
      return [response.list.response.body]
    case 'backend':
      return response.patch.map(({ parts: [key] }) => ({ [key!]: undefined }))
    default:
      return []
  }
}

function namesBody({ equalities, tests }: Selector): boolean {
  return [...equalities, ...tests].some(({ field }) => field?.source === 'body')
}

export function isOfKind(kind: RouteResponse['kind'], response: RouteResponse): boolean {
  return (
    response.kind === kind ||
    (response.kind === 'sequence' && response.parts.some((part) => part.kind === kind))
  )
}

export function hasStream({ routes }: Endpoint): boolean {
  return routes.some(({ response }) => isOfKind('stream', response))
}

function readsBody({ selector, response, write }: CompiledRoute, graphql: GraphQLEndpoint | undefined) {
  if (graphql || isOfKind('function', response) || write?.readsBody) return true
  const parts = response.kind === 'sequence' ? response.parts : [response]
  if (parts.some((part) => 'readsBody' in part && part.readsBody)) return true
  return selector !== undefined && selectsByBody(selector)
}
