import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { PathRouter } from '../http/path-router.ts'
import type { CompiledEndpoint } from './compile-endpoint.ts'
import { makeFind, makeLocate, rememberByPaths } from './find-endpoint.ts'
import { createPrefilter } from './prefilter.ts'
import type { Endpoint, Find, RouteResponse, RouteTable, ScenarioRoutes } from './route-table.ts'
import { createScenarioTable } from './scenario-table.ts'

/** A table, and what it was assembled from. */
export interface Assembled {
  table: RouteTable
  /** The endpoints that have a route without a scenario. */
  alwaysThere: readonly Endpoint[]
  /** Finds the index of one of them. */
  locate: Find<number>
  diagnostics: readonly Diagnostic[]
}

/** Makes a function that assembles a table of endpoints. What depends on their paths alone is made once for the same paths. */
export function createAssembler(router: PathRouter): (compiled: Iterable<CompiledEndpoint>) => Assembled {
  const makeLocateOnce = rememberByPaths((endpoints) => makeLocate(endpoints, router))
  const makePrefilterOnce = rememberByPaths((endpoints) => createPrefilter(endpoints.map(({ path }) => path)))
  return (compiled) => {
    const endpoints: Endpoint[] = []
    const alwaysThere: Endpoint[] = []
    const inScenarios: ScenarioRoutes[] = []
    const diagnostics: Diagnostic[] = []
    for (const one of compiled) {
      if (one.diagnostics.length > 0) diagnostics.push(...one.diagnostics)
      if (!one.endpoint) continue
      endpoints.push(one.endpoint)
      if (one.isAlwaysThere) alwaysThere.push(one.endpoint)
      for (const routes of one.scenarios) inScenarios.push(routes)
    }
    const locate = makeLocateOnce(alwaysThere)
    const table = {
      endpoints,
      routeCount: endpoints.reduce((count, endpoint) => count + countRoutes(endpoint), 0),
      asksBackend: endpoints.some(asksBackend),
      find: makeFind(alwaysThere, locate),
      prefilter: makePrefilterOnce(endpoints),
      ...(inScenarios.length > 0 && { scenarios: createScenarioTable(inScenarios, router) }),
    }
    return { table: Object.freeze(table), alwaysThere, locate, diagnostics }
  }
}

/**
 * The table with other endpoints in place of some, which have the same methods and paths. It costs as much as they do,
 * however many others there are. `undefined` if the table has to be assembled anew.
 */
export function replaceEndpoints(
  last: Assembled,
  replaced: readonly { before: CompiledEndpoint; now: CompiledEndpoint }[],
): Assembled | undefined {
  const endpoints = [...last.table.endpoints]
  const alwaysThere = [...last.alwaysThere]
  let { routeCount, asksBackend: asks } = last.table
  for (const { before, now } of replaced) {
    if (!isOrdinary(before) || !isOrdinary(now) || asksBackend(before.endpoint)) return undefined
    endpoints[endpoints.indexOf(before.endpoint)] = now.endpoint
    alwaysThere[alwaysThere.indexOf(before.endpoint)] = now.endpoint
    routeCount += countRoutes(now.endpoint) - countRoutes(before.endpoint)
    asks ||= asksBackend(now.endpoint)
  }
  const find = makeFind(alwaysThere, last.locate)
  const table = { ...last.table, endpoints, routeCount, asksBackend: asks, find }
  return { ...last, table: Object.freeze(table), alwaysThere }
}

/** Whether an endpoint is always there, and nothing is said about it. */
function isOrdinary(compiled: CompiledEndpoint): compiled is CompiledEndpoint & { endpoint: Endpoint } {
  const { isAlwaysThere, scenarios, diagnostics } = compiled
  return isAlwaysThere && scenarios.length === 0 && diagnostics.length === 0
}

function asksBackend({ routes }: Endpoint): boolean {
  return routes.some(({ response }) => isFromBackend(response))
}

function isFromBackend(response: RouteResponse): boolean {
  return response.kind === 'sequence' ? response.parts.some(isFromBackend) : response.kind === 'backend'
}

/** The number of routes that can answer. A paged list counts as one route per page. */
function countRoutes({ routes }: Endpoint): number {
  let count = 0
  for (const { response } of routes)
    if (response.kind !== 'broken') count += response.kind === 'paged' ? response.list.pageCount : 1
  return count
}
