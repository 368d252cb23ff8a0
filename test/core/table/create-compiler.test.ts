/*
 * A compiler takes over what is the same as the last time. What it makes must not show that.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Route } from '../../../src/core/fixture/route.ts'
import { pathRouter } from '../../../src/core/http/path-router.ts'
import type { DocumentChecker } from '../../../src/core/graphql/checker.ts'
import { defaultGraphQL } from '../../../src/core/graphql/settings.ts'
import { compileRoutes, createCompiler, type CompiledTable } from '../../../src/core/table/compile-routes.ts'
import { matchEndpoint, selectRoute } from '../../../src/core/table/match.ts'
import { parsedRequest, routesOf } from '../send.ts'
import { sampling } from '../../sampling.ts'

const paths = ['/a', '/a/', '/b', '/b/:id', '/b/:key', '/café', '/caf%C3%A9', '/graphql', '/c/**', '/']
const selectors = [undefined, { query: { x: 1 } }, { query: { x: { $gt: 1 } } }, { headers: { y: 'z' } }]
const requests = [
  '/a',
  '/a?x=1',
  '/b',
  '/b/7?x=2',
  '/caf%c3%a9?x=1',
  '/graphql?query={a}',
  '/c/d/e?x=5',
  '/',
  '/none',
]

const definition = fc.record({
  path: fc.constantFrom(...paths),
  when: fc.constantFrom(...selectors),
  response: fc.record({ body: fc.constantFrom<unknown>(1, 'text', { data: { a: 1 } }, 10n) }),
})

const fillers = routesOf(Array.from({ length: 101 }, (_, i) => ({ path: `/f/${i}` })))

/** All that can be seen of a table, and of what its requests get. */
function show({ table, diagnostics }: CompiledTable) {
  return {
    endpoints: table.endpoints
      .filter(({ path }) => !path.startsWith('/f/'))
      .map(({ method, path, needsBody, routes, defaultRoute, graphql }) => ({
        method,
        path,
        needsBody,
        isGraphQL: graphql !== undefined,
        routes: routes.map(({ name, response, source }) => ({ name, kind: response.kind, response, source })),
        defaultRoute: defaultRoute?.name,
      })),
    routeCount: table.routeCount,
    asksBackend: table.asksBackend,
    scenarios: table.scenarios?.names,
    prefilter: table.prefilter.join(''),
    diagnostics,
    answers: requests.map((url) => {
      const match = matchEndpoint(table, 'GET', url, [''])
      if (!match) return undefined
      const { endpoint, params, path, search } = match
      const route = selectRoute(endpoint, parsedRequest({ path, search }, undefined, params))
      return [endpoint.method, endpoint.path, { ...params }, route?.name, route?.source]
    }),
  }
}

describe('createCompiler', () => {
  it('gives the same table as a fresh compilation after routes were added, removed or moved', () => {
    const pool = fc.array(definition, { minLength: 1, maxLength: 12 })
    const lists = fc.array(fc.uniqueArray(fc.nat(11)), { minLength: 2, maxLength: 5 })
    fc.assert(
      fc.property(pool, lists, fc.boolean(), (definitions, picks, isMany) => {
        const compile = createCompiler({ graphql: defaultGraphQL, router: pathRouter })
        const routes = definitions.map(({ response, ...rest }, line): Route => {
          const [route] = routesOf([rest])
          return { ...route!, response, source: { file: 'a.yaml', line } }
        })
        // More endpoints than a compiled router has.
        const more = isMany ? fillers : []
        for (const indexes of picks) {
          const current = [...indexes.flatMap((index) => routes[index] ?? []), ...more]
          expect(show(compile(current, {}))).toEqual(
            show(compileRoutes(current, { graphql: defaultGraphQL, router: pathRouter })),
          )
        }
      }),
      sampling(25),
    )
  })

  it('gives the same table as a fresh compilation after routes were replaced', () => {
    const responses = fc.constantFrom<Route['response']>({ body: 1 }, { from: 'backend' }, { body: 10n })
    const scenarios = fc.constantFrom(undefined, undefined, ['s'])
    const one = fc.record({ path: fc.constantFrom(...paths), when: fc.constantFrom(...selectors) })
    const pool = fc.array(one, { minLength: 1, maxLength: 8 })
    const step = fc.record({
      index: fc.nat(7),
      other: one,
      response: responses,
      scenarios,
      isEach: fc.boolean(),
    })
    fc.assert(
      fc.property(pool, fc.array(step, { maxLength: 6 }), (definitions, steps) => {
        const compile = createCompiler({ graphql: defaultGraphQL, router: pathRouter })
        const routes = routesOf(definitions)
        let current = [...routes, ...routes.slice(2, 4)] // some objects twice
        compile(current, {})
        for (const [line, { index, other, response, scenarios, isEach }] of steps.entries()) {
          const at = index % current.length
          const { path } = current[at]!
          const [made] = routesOf([{ when: other.when, path: scenarios ? other.path : path }])
          const changed = { ...made!, response, scenarios, source: { file: 'b.yaml', line } }
          current = current.map((route, i) => {
            if (i === at) return changed
            return isEach && route === current[at]
              ? { ...changed, source: { file: 'c.yaml', line: i } }
              : route
          })
          expect(show(compile(current, {}))).toEqual(
            show(compileRoutes(current, { graphql: defaultGraphQL, router: pathRouter })),
          )
        }
      }),
      sampling(100),
    )
  })

  it('reads nothing of other routes when some are replaced by routes of the same endpoints', () => {
    let reads = 0
    const count = {
      get: (route: Route, key: string) => (reads++, Reflect.get(route, key) as unknown),
    }
    const compile = createCompiler({ graphql: defaultGraphQL, router: pathRouter })
    const body = (id: number) => routesOf([{ path: '/x/:id', response: { body: id } }])
    const others = fillers.map((route) => new Proxy(route, count))
    compile([...body(1), ...others, ...routesOf([{ path: '/y' }])], {})
    reads = 0
    const { table } = compile(
      [...body(2), ...others, ...routesOf([{ path: '/y', response: { status: 201 } }])],
      {},
    )
    expect(reads).toBe(0)
    expect(table.find('GET', '/x/7')?.data.routes).toMatchObject([{ response: { prepared: { body: '2' } } }])
    expect(table.find('GET', '/y')?.data.routes).toMatchObject([{ response: { prepared: { status: 201 } } }])
  })

  it('reuses exactly the endpoints whose routes are unchanged', () => {
    const compile = createCompiler({ graphql: defaultGraphQL, router: pathRouter })
    const routes = routesOf([{ path: '/a' }, { path: '/b' }, { path: '/b', when: { query: { x: 1 } } }])
    const before = compile(routes, {}).table
    const after = compile([...routes.slice(0, 2), ...routesOf([{ path: '/b', when: { query: { x: 2 } } }])], {}).table
    expect(after).not.toBe(before)
    expect(after.endpoints[0]).toBe(before.endpoints[0])
    expect(after.endpoints[1]).not.toBe(before.endpoints[1])
    expect(after.find('GET', '/a')?.data).toBe(after.endpoints[0])
    expect(after.find('GET', '/b')?.data).toBe(after.endpoints[1])
    // The table before is still what it was: a request that is under way may have it.
    expect(before.find('GET', '/b')?.data).toBe(before.endpoints[1])
  }) // prettier-ignore

  it('compiles the GraphQL endpoint again when the schema changes', () => {
    const compile = createCompiler({ graphql: defaultGraphQL, router: pathRouter })
    const routes = routesOf([{ path: '/a' }, { path: '/graphql', response: { body: { data: {} } } }])
    const checker = { hasSchema: true } as DocumentChecker
    const before = compile(routes, {}).table
    const after = compile(routes, { checker }).table
    expect(after.endpoints[0]).toBe(before.endpoints[0])
    expect(after.endpoints[1]!.graphql?.checker).toBe(checker)
    expect(compile(routes, { checker }).table.endpoints[1]).toBe(after.endpoints[1])
  })

  it('gives different orders to routes that are compiled at different times', () => {
    const compile = createCompiler({ graphql: defaultGraphQL, router: pathRouter })
    const orders = [1, 2, 3].flatMap((id) =>
      compile(routesOf([{ path: '/graphql', response: { body: id } }]), {}).table.endpoints.flatMap(({ routes }) =>
        routes.map(({ order }) => order),
      ),
    )
    expect(new Set(orders).size).toBe(3)
  }) // prettier-ignore
})
