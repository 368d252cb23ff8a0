import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { Route } from '../fixture/route.ts'
import type { DocumentChecker } from '../graphql/checker.ts'
import { createGraphQLEndpoint, type GraphQLEndpoint } from '../graphql/endpoint.ts'
import type { Navigation } from '../schema/schema.ts'
import type { GraphQLSettings } from '../graphql/settings.ts'
import { trimSlash } from '../http/path.ts'
import { createPrefilter } from './prefilter.ts'
import { compileEndpoint, type CompiledEndpoint, type RouteGroup } from './compile-endpoint.ts'
import { makeFind, makeLocate, rememberByPaths } from './find-endpoint.ts'
import { createGrouping, isSamePath } from './group-routes.ts'
import type { Endpoint, RouteResponse, RouteTable, ScenarioRoutes } from './route-table.ts'
import { createScenarioTable } from './scenario-table.ts'

export interface CompileOptions {
  graphql: GraphQLSettings
  checker?: DocumentChecker | undefined
  schemaError?: Diagnostic | undefined
  unmatched?: 'error' | 'passthrough' | undefined
  navigation?: Navigation | undefined
}

export interface CompiledTable {
  table: RouteTable
  diagnostics: Diagnostic[]
}

/** Compiles routes, in the order of the fixture files, to a route table. Never throws. */
export function compileRoutes(routes: readonly Route[], options: CompileOptions): CompiledTable {
  return createCompiler(options)(routes, options)
}

/**
 * Makes a function that compiles routes again whenever their files change. It reuses an endpoint whose routes are the same
 * objects as the last time; the result is the same as that of `compileRoutes`.
 */
export function createCompiler({
  graphql: settings,
  unmatched,
  navigation,
}: Pick<CompileOptions, 'graphql' | 'unmatched' | 'navigation'>): (
  routes: readonly Route[],
  checks: Pick<CompileOptions, 'checker' | 'schemaError'>,
) => CompiledTable {
  let known = new Map<string, CompiledGroup>()
  const groupRoutes = createGrouping()
  const locate = rememberByPaths(makeLocate)
  const makePrefilter = rememberByPaths((endpoints) => createPrefilter(endpoints.map(({ path }) => path)))
  let graphqlEndpoint: GraphQLEndpoint | undefined
  let lastOrder = 0
  const nextOrder = () => lastOrder++
  const passesNavigations = navigation === 'passthrough'

  return (routes, { checker, schemaError }) => {
    if (graphqlEndpoint?.checker !== checker || graphqlEndpoint?.schemaError !== schemaError)
      graphqlEndpoint = undefined
    graphqlEndpoint ??= createGraphQLEndpoint(settings, checker, schemaError)
    const diagnostics: Diagnostic[] = []
    const all = withSchemaRoutes(routes, graphqlEndpoint, unmatched)
    const compiled = new Map<string, CompiledGroup>()
    const endpoints: Endpoint[] = []
    const alwaysThere: Endpoint[] = []
    const inScenarios: ScenarioRoutes[] = []
    for (const group of groupRoutes(all, graphqlEndpoint, diagnostics)) {
      let one = known.get(group.key)
      if (!one || !isSame(one.group, group))
        one = { group, ...compileEndpoint(group, nextOrder, passesNavigations) }
      compiled.set(group.key, one)
      if (one.diagnostics.length > 0) diagnostics.push(...one.diagnostics)
      if (!one.endpoint) continue
      endpoints.push(one.endpoint)
      if (one.isAlwaysThere) alwaysThere.push(one.endpoint)
      for (const routes of one.scenarios) inScenarios.push(routes)
    }
    known = compiled
    const table = {
      endpoints,
      routeCount: countRoutes(endpoints),
      asksBackend: endpoints.some(({ routes: own }) => own.some(({ response }) => asksBackend(response))),
      find: makeFind(alwaysThere, locate(alwaysThere)),
      prefilter: makePrefilter(endpoints),
      ...(inScenarios.length > 0 && { scenarios: createScenarioTable(inScenarios) }),
    }
    return { table: Object.freeze(table), diagnostics }
  }
}

interface CompiledGroup extends CompiledEndpoint {
  group: RouteGroup
}

function isSame(before: RouteGroup, now: RouteGroup): boolean {
  if (before.graphql !== now.graphql || before.path !== now.path) return false
  if (before.routes.length !== now.routes.length) return false
  for (let i = 0; i < now.routes.length; i++) if (before.routes[i] !== now.routes[i]) return false
  return true
}

/**
 * With a schema, each GraphQL endpoint has a default route: since missing fields are filled in, a whole answer can be too.
 * With `unmatched: 'passthrough'`, requests that no route of the project selects go to the next handler instead.
 */
function withSchemaRoutes(
  routes: readonly Route[],
  { paths, checker, schemaError }: GraphQLEndpoint,
  unmatched: CompileOptions['unmatched'],
): readonly Route[] {
  if (!checker?.hasSchema && !schemaError) return routes
  const open = paths.filter((path) => {
    const own = routes.filter(
      (route) =>
        !route.scenarios && isSamePath(trimSlash(route.path), path) && (route.method ?? 'POST') === 'POST',
    )
    return own.every(({ selector }) => selector) && (own.length === 0 || unmatched !== 'passthrough')
  })
  const source = { file: 'the schema' }
  const response = { body: { data: {} } }
  return [...routes, ...open.map((path) => ({ name: 'filled in by the schema', path, response, source }))]
}

function asksBackend(response: RouteResponse): boolean {
  return response.kind === 'sequence' ? response.parts.some(asksBackend) : response.kind === 'backend'
}

/** The number of routes that can answer. A paged list counts as one route per page. */
function countRoutes(endpoints: readonly Endpoint[]): number {
  let count = 0
  for (const { routes } of endpoints) {
    for (const { response } of routes) {
      if (response.kind !== 'broken') count += response.kind === 'paged' ? response.list.pageCount : 1
    }
  }
  return count
}
