import type { PathRouter } from '../http/path-router.ts'
import { getOrMake, groupBy } from '../values/collections.ts'
import { makeFind, makeLocate } from './find-endpoint.ts'
import type {
  ActiveRoutes,
  Endpoint,
  Find,
  RouteSet,
  ScenarioRoutes,
  ScenarioTable,
  Target,
} from './route-table.ts'

/** Indexes the routes of all scenarios. The index of a scenario is made when it is first active. */
export function createScenarioTable(routes: readonly ScenarioRoutes[], router: PathRouter): ScenarioTable {
  const findAmong = <T extends Target>(targets: readonly T[]) =>
    makeFind(targets, makeLocate(targets, router))
  const byName = groupBy(routes, ({ scenario }) => scenario)
  const made = new Map<string, Find<ScenarioRoutes>>()
  return {
    names: [...byName.keys()],
    find: findAmong([...new Set(routes.map(({ endpoint }) => endpoint))]),
    findIn(scenario) {
      const own = byName.get(scenario)
      return own && getOrMake(made, scenario, () => findAmong(own))
    },
  }
}

/** The endpoints of `withActive` by their own routes, then by the routes of the only active scenario. */
const known = new WeakMap<object, WeakMap<ScenarioRoutes, Endpoint>>()

/**
 * An endpoint with the routes of active scenarios in front of its own. Their paths may differ: `/orders/:id`, and `/**` of
 * a scenario in which everything fails.
 *
 * @param own `undefined` when there are no routes besides those of scenarios
 * @param found at least one
 */
export function withActive(own: Endpoint | undefined, found: readonly ScenarioRoutes[]): Endpoint {
  const [first] = found as [ScenarioRoutes]
  if (found.length > 1) return combine(own, found) // rare: several scenarios with routes for the same request
  const byRoutes = getOrMake(known, own ?? first, () => new WeakMap())
  return getOrMake(byRoutes, first, () => combine(own, found))
}

function combine(own: Endpoint | undefined, found: readonly ScenarioRoutes[]): Endpoint {
  const paths = [...new Set(found.map(({ endpoint }) => endpoint))].sort(bySpecificity)
  const active: ActiveRoutes = {
    scenarios: found.map(({ scenario }) => scenario),
    sets: paths.map((path) => merge(found.filter(({ endpoint }) => endpoint === path))),
  }
  const byDocument = Math.min(...found.map(({ firstByDocument = Infinity }) => firstByDocument))
  if (byDocument < Infinity) active.firstByDocument = byDocument
  const base = own ?? paths[0]!
  // Its own routes come first, since they are known by their number.
  const whole = [...new Set([base, ...paths])]
  return {
    ...base,
    graphql: base.graphql ?? found.find(({ graphql }) => graphql)?.graphql,
    needsBody: (own?.needsBody ?? false) || found.some(({ needsBody }) => needsBody),
    active,
    routes: whole.length === 1 ? base.routes : whole.flatMap(({ routes }) => routes),
    findNearest:
      whole.length === 1
        ? base.findNearest
        : (request) => whole.flatMap(({ findNearest }) => findNearest(request)),
  }
}

/** The routes that one endpoint has in several scenarios. */
function merge(sets: readonly RouteSet[]): RouteSet {
  if (sets.length === 1) return sets[0]!
  const defaults = sets.flatMap(({ defaultRoute }) => defaultRoute ?? [])
  return {
    index: sets.flatMap(({ index }) => index),
    defaultRoute: defaults.sort((a, b) => a.order - b.order)[0],
    needsBody: sets.some(({ needsBody }) => needsBody),
  }
}

/** From left to right, a plain segment comes before a parameter, and that before a wildcard, as in the router. */
function bySpecificity(a: Endpoint, b: Endpoint): number {
  const [first, second] = [rankOf(a.path), rankOf(b.path)]
  return first < second ? -1 : Number(first > second)
}

function rankOf(path: string): string {
  return path.replace(/[^/]+/g, (segment) =>
    segment.startsWith('**') ? '2' : /[:*({]/.test(segment) ? '1' : '0',
  )
}
