import { compareRoutes, routeNodeKeys } from 'rou3'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { formatPlace } from '../diagnostics/format.ts'
import { diagnoseFixture } from '../diagnostics/fixture-texts.ts'
import type { Route, NamedTrigger } from '../fixture/route.ts'
import type { DocumentChecker } from '../graphql/result.ts'
import type { GraphQLEndpoint, GraphQLSettings } from '../graphql/settings.ts'
import { canonicalRequestPath, trimSlash } from '../http/path.ts'
import { routerPath, splitOrigin } from '../http/route-url.ts'
import { anyMethod, type Navigation, socketMethod } from '../schema/schema.ts'
import type { Field } from '../select/selector.ts'
import { addTo, getOrMake } from '../values/collections.ts'
import { compileEndpoint, isOfKind, type EndpointRoutes, hasStream } from './compile-endpoint.ts'
import { atPath, expandCollections } from './expand-collections.ts'
import { createFind, firstSegments } from './match.ts'
import type { Endpoint, RouteTable, ScenarioTable, CompiledRoute } from './route-table.ts'
import { nearestName } from '../values/spelling.ts'

export interface CompileOptions {
  graphql: GraphQLSettings
  checker?: DocumentChecker | undefined
  schemaError?: Diagnostic | undefined
  unmatched?: 'error' | 'passthrough' | undefined
  navigation?: Navigation | undefined
}

export function compileRoutes(routes: readonly Route[], options: CompileOptions) {
  const { checker, schemaError } = options
  const graphql: GraphQLEndpoint = { ...options.graphql, checker, schemaError }
  const diagnostics: Diagnostic[] = []
  const { routes: expanded, collections } = expandCollections(
    [...routes, ...schemaRoutes(routes, graphql, options)],
    diagnostics,
  )
  const groups = groupByEndpoint(expanded, graphql, diagnostics)
  const context = { graphqlPaths: graphql.paths, passesNavigations: options.navigation === 'passthrough' }
  const endpoints = groups.flatMap((group) => {
    const made = compileEndpoint(group, context)
    for (const diagnostic of made.diagnostics) diagnostics.push(diagnostic)
    return made.endpoint ?? []
  })
  const { channels, diagnostics: ofTriggers } = checkTriggers(expanded, endpoints)
  for (const diagnostic of ofTriggers) diagnostics.push(diagnostic)
  const scenarios = createScenarioTable(endpoints.filter(({ byScenario }) => byScenario))
  for (const diagnostic of unknownScenarios(expanded, scenarios)) diagnostics.push(diagnostic)
  const table: RouteTable = {
    endpoints,
    collections,
    routeCount: endpoints.reduce((count, endpoint) => count + countRoutes(endpoint), 0),
    asksBackend: endpoints.some((endpoint) =>
      endpoint.routes.some(({ response }) => isOfKind('backend', response)),
    ),
    origins: originsOf(endpoints),
    channels,
    hasSockets: endpoints.some(({ method }) => method === socketMethod),
    hasSubscriptions: endpoints.some((endpoint) => endpoint.graphql && hasStream(endpoint)),
    firstSegments: firstSegments(endpoints.flatMap(({ path }) => (path.startsWith('/') ? path : []))),
    find: createFind(endpoints.filter((endpoint) => endpoint.routes.some(({ scenarios }) => !scenarios))),
    ...(scenarios && { scenarios }),
  }
  return { table: Object.freeze(table), diagnostics }
}

function originsOf(endpoints: readonly Endpoint[]): readonly string[] {
  const origins = new Set(endpoints.map(({ path }) => splitOrigin(path).origin))
  origins.delete('')
  return [...origins].sort((a, b) => Number(a.includes('*')) - Number(b.includes('*')))
}

/** With `unmatched: 'passthrough'`, what an endpoint's own routes do not select goes to the next handler instead. */
function schemaRoutes(
  routes: readonly Route[],
  { paths, checker, schemaError }: GraphQLEndpoint,
  { unmatched }: CompileOptions,
): Route[] {
  if (!checker?.hasSchema && !schemaError) return []
  const open = paths.filter((path) => {
    const own = routes.filter(
      (route) =>
        !route.scenarios &&
        isSamePath(trimSlash(route.path), path) &&
        (route.method ?? ['POST']).some((method) => method === 'POST' || method === anyMethod),
    )
    return own.every(({ selector }) => selector) && (own.length === 0 || unmatched !== 'passthrough')
  })
  return open.map((path) => ({
    name: 'filled in by the schema',
    path,
    response: { body: { data: {} } },
    source: schemaSource,
  }))
}

/** One object, since the answers of a route are counted by its source. */
const schemaSource = { file: 'the schema' }

/** A route whose path differs from an earlier one only in the names of its parameters answers with an error. */
function groupByEndpoint(routes: readonly Route[], endpoint: GraphQLEndpoint, diagnostics: Diagnostic[]) {
  const groups: EndpointRoutes[] = []
  const onNodes = new Map<string, EndpointRoutes[]>()
  for (const route of routes) {
    const path = trimSlash(route.path)
    const isGraphQL = !route.socket && endpoint.paths.some((one) => isSamePath(path, one))
    const graphql = isGraphQL ? endpoint : undefined
    for (const method of route.method ?? [graphql ? 'POST' : 'GET']) {
      // Paths on the same node compete.
      const node = `${method} ${routeNodeKeys(routerPath(path)).join(' ')}`
      const onNode = getOrMake(onNodes, node, (): EndpointRoutes[] => [])
      const isPattern = /[:*({]/.test(splitOrigin(path).pathname)
      const same = onNode.find((other) => !isPattern || other.path === path)
      const twin =
        same ?? onNode.find((other) => compareRoutes(routerPath(path), routerPath(other.path)) === 'equal')
      if (same) same.routes.push(route)
      else if (twin && route.operation) twin.routes.push(atPath(route, twin.path))
      else if (twin) twin.routes.push(asConflict(route, path, twin, diagnostics))
      else {
        const group = { method, path, graphql, routes: [route] }
        groups.push(group)
        onNode.push(group)
      }
    }
  }
  return groups
}

function asConflict(route: Route, path: string, twin: EndpointRoutes, diagnostics: Diagnostic[]): Route {
  const details = { path, other: twin.path, place: formatPlace(twin.routes[0]!.source) }
  const error = diagnoseFixture('path-parameter-conflict', route.source, details)
  diagnostics.push(error)
  // Its parameters have other names here.
  const readsParams = (part: { field?: Field }) => !part.field || part.field.source === 'params'
  const parts = [...(route.selector?.equalities ?? []), ...(route.selector?.tests ?? [])]
  return {
    ...route,
    error: route.error ?? error,
    ...(parts.some(readsParams) && { selector: undefined, isSelectorUnreadable: true }),
  }
}

function isSamePath(path: string, graphqlPath: string): boolean {
  return path === graphqlPath || canonicalRequestPath(path) === graphqlPath
}

function createScenarioTable(endpoints: readonly Endpoint[]): ScenarioTable | undefined {
  if (endpoints.length === 0) return undefined
  const byName = new Map<string, Endpoint[]>()
  for (const endpoint of endpoints)
    for (const name of endpoint.byScenario!.keys()) addTo(byName, name, endpoint)
  const finds = new Map([...byName].map(([name, own]) => [name, createFind(own)]))
  return { names: [...byName.keys()], find: createFind(endpoints), findIn: (scenario) => finds.get(scenario) }
}

/** Scenarios that a `then` adds or removes, and that no route has. */
function unknownScenarios(routes: readonly Route[], scenarios: ScenarioTable | undefined): Diagnostic[] {
  const known = scenarios?.names ?? []
  return routes.flatMap(({ changedScenarios = [] }) =>
    changedScenarios
      .filter(({ name }) => !scenarios?.findIn(name))
      .map(({ name, source }) => diagnoseFixture('then-scenario-unknown', source, { name, known })),
  )
}

function countRoutes({ routes }: Endpoint): number {
  let count = 0
  for (const { response } of routes)
    if (response.kind !== 'broken') count += response.kind === 'paged' ? response.list.pageCount : 1
  return count
}

/** The triggers of all routes, and which of them name a route or a mutation that is not there. */
function checkTriggers(
  routes: readonly Route[],
  endpoints: readonly Endpoint[],
): { channels: readonly string[]; diagnostics: Diagnostic[] } {
  const triggers = routes.flatMap((route) => (route.operation ? [] : (route.triggers ?? [])))
  if (triggers.length === 0) return { channels: [], diagnostics: [] }
  const named = (by: NamedTrigger['by']) => triggers.filter((trigger) => trigger.by === by)
  const unknown = (
    by: 'mutation' | 'route',
    known: readonly string[],
    isUnknown: (name: string) => boolean = () => true,
  ) =>
    named(by).flatMap(({ name, source }) =>
      known.includes(name) || !isUnknown(name)
        ? []
        : diagnoseFixture('trigger-unknown', source, { by, name, known }),
    )
  const names =
    named('route').length > 0 ? endpoints.flatMap((one) => one.routes.map(({ name }) => name)) : []
  const mutations = endpoints.flatMap(({ graphql, routes }) => (graphql ? routes.map(mutationOf) : []))
  const known = mutations.filter((name) => typeof name === 'string')
  // A route for every mutation answers those with names of their own, too.
  const isTypo = (name: string) => nearestName(name, known) !== undefined
  return {
    channels: [...new Set(named('push').map(({ name }) => name))],
    diagnostics: [
      ...unknown('route', names),
      ...unknown('mutation', known, mutations.includes(true) ? isTypo : undefined),
    ],
  }
}

/** The name of the mutation that a route answers; `true` for one that may answer several. */
function mutationOf({ selector, response }: CompiledRoute): string | boolean {
  const of = (source: string) => selector?.equalities.find(({ field }) => field.source === source)?.value
  const type = of('operationType')
  if (isOfKind('stream', response) || (type !== undefined && type !== 'mutation')) return false
  const name = of('operationName')
  return typeof name === 'string' ? name : true
}
