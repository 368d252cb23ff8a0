import { compareRoutes, routeNodeKeys } from 'rou3'
import { diagnose, type Diagnostic, type SourceLocation } from '../diagnostics/diagnostic.ts'
import { formatPlace } from '../diagnostics/format.ts'
import type { Route } from '../fixture/route.ts'
import type { DocumentChecker } from '../graphql/checker.ts'
import { createGraphQLEndpoint, type GraphQLEndpoint } from '../graphql/endpoint.ts'
import type { Navigation } from '../schema/schema.ts'
import type { GraphQLSettings } from '../graphql/settings.ts'
import { canonicalRequestPath, isPlainPath, isSimplePath, trimSlash } from '../http/path.ts'
import { createPrefilter } from './prefilter.ts'
import { compileEndpoint, type CompiledEndpoint, type RouteGroup } from './compile-endpoint.ts'
import { makeFind } from './find-endpoint.ts'
import type { Endpoint, RouteTable, ScenarioRoutes } from './route-table.ts'
import { createScenarioTable } from './scenario-table.ts'

export interface CompileOptions {
  graphql: GraphQLSettings
  checker?: DocumentChecker | undefined
  schemaFault?: Diagnostic | undefined
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
  checks: Pick<CompileOptions, 'checker' | 'schemaFault'>,
) => CompiledTable {
  let known = new Map<string, CompiledGroup>()
  let knownNodes = new Map<string, string>()
  let graphqlEndpoint: GraphQLEndpoint | undefined
  let lastOrder = 0
  const nextOrder = () => lastOrder++
  const passesNavigations = navigation === 'passthrough'

  return (routes, { checker, schemaFault }) => {
    if (graphqlEndpoint?.checker !== checker || graphqlEndpoint?.schemaFault !== schemaFault)
      graphqlEndpoint = undefined
    graphqlEndpoint ??= createGraphQLEndpoint(settings, checker, schemaFault)
    const diagnostics: Diagnostic[] = []
    const all = withSchemaRoutes(routes, graphqlEndpoint, unmatched)
    const grouped = groupRoutes(all, graphqlEndpoint, knownNodes, diagnostics)
    const compiled = new Map<string, CompiledGroup>()
    const endpoints: Endpoint[] = []
    const alwaysThere: Endpoint[] = []
    const inScenarios: ScenarioRoutes[] = []
    for (const [key, group] of grouped.groups) {
      let one = known.get(key)
      if (!one || !isSame(one.group, group))
        one = { group, ...compileEndpoint(group, nextOrder, passesNavigations) }
      compiled.set(key, one)
      if (one.diagnostics.length > 0) diagnostics.push(...one.diagnostics)
      if (!one.endpoint) continue
      endpoints.push(one.endpoint)
      if (one.isAlwaysThere) alwaysThere.push(one.endpoint)
      for (const routes of one.scenarios) inScenarios.push(routes)
    }
    known = compiled
    knownNodes = grouped.nodes
    const table = {
      endpoints,
      routeCount: countRoutes(endpoints),
      find: makeFind(alwaysThere),
      prefilter: createPrefilter(endpoints.map(({ path }) => path)),
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
 * Groups routes by endpoint. Two spellings of one path, such as `/café` and `/caf%C3%A9`, are one endpoint.
 *
 * @param knownNodes the nodes of paths that are not plain, from the last time
 */
function groupRoutes(
  routes: readonly Route[],
  graphqlEndpoint: GraphQLEndpoint,
  knownNodes: ReadonlyMap<string, string>,
  diagnostics: Diagnostic[],
) {
  const { paths: graphqlPaths } = graphqlEndpoint
  const groups = new Map<string, RouteGroup>()
  const nodes = new Map<string, string>()
  const patterns = new Map<string, Pattern[]>()
  const nodeOf = (path: string): string => {
    if (isSimplePath(path)) return simpleNodeKey(path)
    const node = nodes.get(path) ?? knownNodes.get(path) ?? routeNodeKeys(path).join(' ')
    nodes.set(path, node)
    return node
  }
  for (const route of routes) {
    const path = trimSlash(route.path)
    const graphql = graphqlPaths.some((one) => isSamePath(path, one)) ? graphqlEndpoint : undefined
    const method = route.method ?? (graphql ? 'POST' : 'GET')
    const key = `${method} ${isPattern(path) || isPlainPath(path) ? path : nodeOf(path)}`
    const group = groups.get(key)
    if (group) {
      group.routes.push(route)
      continue
    }
    const twin = isPattern(path)
      ? findTwin(`${method} ${nodeOf(path)}`, path, route.source, patterns)
      : undefined
    if (twin) {
      const details = { path, other: twin.path, place: formatPlace(twin.source) }
      diagnostics.push(diagnose('path-parameter-conflict', route.source, details))
    } else groups.set(key, { method, path, graphql, graphqlPaths, routes: [route] })
  }
  return { groups, nodes }
}

/** What `routeNodeKeys` returns for a simple path, which takes it much longer. */
function simpleNodeKey(path: string): string {
  let count = 0
  return path.replace(/:\w+/g, () => `:_${count++}`)
}

function isPattern(path: string): boolean {
  return /[:*({]/.test(path)
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

/**
 * With a schema, each GraphQL endpoint has a default route: since missing fields are filled in, a whole answer can be too.
 * With `unmatched: 'passthrough'`, requests that no route of the project selects go to the next handler instead.
 */
function withSchemaRoutes(
  routes: readonly Route[],
  { paths, checker, schemaFault }: GraphQLEndpoint,
  unmatched: CompileOptions['unmatched'],
): readonly Route[] {
  if (!checker?.hasSchema && !schemaFault) return routes
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

/** Whether a route's path is the path of the GraphQL endpoint, in any spelling. */
function isSamePath(path: string, graphqlPath: string): boolean {
  return path === graphqlPath || (!isPlainPath(path) && canonicalRequestPath(path) === graphqlPath)
}
