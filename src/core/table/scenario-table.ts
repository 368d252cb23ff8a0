import { makeFind } from './find-endpoint.ts'
import type { ActiveRoutes, Endpoint, Find, ScenarioRoutes, ScenarioTable } from './route-table.ts'

/** Indexes the routes of all scenarios. The index of a scenario is made when it is first active. */
export function createScenarioTable(routes: readonly ScenarioRoutes[]): ScenarioTable {
  const byName = new Map<string, ScenarioRoutes[]>()
  for (const one of routes) {
    const others = byName.get(one.scenario)
    if (others) others.push(one)
    else byName.set(one.scenario, [one])
  }
  const made = new Map<string, Find<ScenarioRoutes>>()
  return {
    names: [...byName.keys()],
    find: makeFind([...new Set(routes.map(({ endpoint }) => endpoint))]),
    findIn(scenario) {
      let find = made.get(scenario)
      const own = byName.get(scenario)
      if (!find && own) made.set(scenario, (find = makeFind(own)))
      return find
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
  const key = own ?? first
  let byRoutes = known.get(key)
  if (!byRoutes) known.set(key, (byRoutes = new WeakMap()))
  let endpoint = byRoutes.get(first)
  if (!endpoint) byRoutes.set(first, (endpoint = combine(own, found)))
  return endpoint
}

function combine(own: Endpoint | undefined, found: readonly ScenarioRoutes[]): Endpoint {
  const active: ActiveRoutes = {
    scenarios: found.map(({ scenario }) => scenario),
    index: found.flatMap(({ index }) => index),
    defaultRoute: found
      .flatMap(({ defaultRoute }) => defaultRoute ?? [])
      .reduce<ActiveRoutes['defaultRoute']>((a, b) => (a && a.order < b.order ? a : b), undefined),
    needsBody: found.some(({ needsBody }) => needsBody),
  }
  const byDocument = Math.min(...found.map(({ firstByDocument = Infinity }) => firstByDocument))
  if (byDocument < Infinity) active.firstByDocument = byDocument
  const base = own ?? found[0]!.endpoint
  // Its own routes come first, since they are known by their number.
  const whole = [...new Set([base, ...found.map(({ endpoint }) => endpoint)])]
  return {
    ...base,
    graphql: base.graphql ?? found.find(({ graphql }) => graphql)?.graphql,
    needsBody: active.needsBody || (own?.needsBody ?? false),
    active,
    routes: whole.length === 1 ? base.routes : whole.flatMap(({ routes }) => routes),
    findNearest:
      whole.length === 1
        ? base.findNearest
        : (request) => whole.flatMap(({ findNearest }) => findNearest(request)),
  }
}
