/* Random routes and random active scenarios: the index selects what a naive search through the routes selects. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { MockState } from '../../src/core/state/mock-state.ts'
import { compileRoutes } from '../../src/core/table/compile-routes.ts'
import { defaultGraphQL } from '../../src/core/graphql/settings.ts'
import { matchEndpoint, selectRoute } from '../../src/core/table/match.ts'
import { parsedRequest, routesOf } from '../core/send.ts'
import { patience, sampling } from '../sampling.ts'

const scenario = fc.constantFrom('a', 'b', 'c', 'd')

interface Drawn {
  path: '/x' | '/x/:id' | '/**'
  scenario: string[] | undefined
  when: Record<string, string> | undefined
  isPredicate: boolean
}

const route: fc.Arbitrary<Drawn> = fc.record({
  path: fc.constantFrom('/x', '/x/:id', '/**'),
  scenario: fc.option(fc.uniqueArray(scenario, { minLength: 1, maxLength: 3 }), { nil: undefined }),
  when: fc.option(fc.dictionary(fc.constantFrom('p', 'q'), fc.constantFrom('1', '2'), { minKeys: 1 }), {
    nil: undefined,
  }),
  isPredicate: fc.boolean(),
})

const request = fc.record({
  url: fc.constantFrom('/x', '/x/7', '/y'),
  query: fc.dictionary(fc.constantFrom('p', 'q'), fc.constantFrom('1', '2')),
  active: fc.uniqueArray(scenario, { maxLength: 4 }),
})

const paths: Record<string, readonly Drawn['path'][]> = {
  '/x': ['/x', '/**'],
  '/x/7': ['/x/:id', '/**'],
  '/y': ['/**'],
}

/** The rules as docs/scenarios.md states them, route by route. */
function naive(
  routes: readonly Drawn[],
  { url, query, active }: { url: string; query: Record<string, string>; active: string[] },
) {
  const numbered = routes.map((drawn, index) => ({ ...drawn, index }))
  const fits = ({ when }: Drawn) => Object.entries(when ?? {}).every(([name, value]) => query[name] === value)
  const pick = (candidates: typeof numbered) =>
    candidates.find((one) => one.when && fits(one)) ?? candidates.find((one) => !one.when)
  /** Of some routes, those at the most specific path that any of them has. */
  const atBestPath = (some: typeof numbered) => {
    const best = paths[url]!.find((path) => some.some((one) => one.path === path))
    return some.filter(({ path }) => path === best)
  }
  const inFront = active.flatMap((name) =>
    atBestPath(numbered.filter(({ scenario }) => scenario?.includes(name))),
  )
  const byPath = paths[url]!.map((path) =>
    inFront.filter((one) => one.path === path).toSorted((a, b) => a.index - b.index),
  )
  const own = atBestPath(numbered.filter(({ scenario }) => !scenario))
  for (const candidates of [...byPath, own]) {
    const picked = pick(candidates)
    if (picked) return picked.index
  }
  return undefined
}

it(
  'the index selects what a search through the routes selects',
  () => {
    fc.assert(
      fc.property(
        fc.array(route, { maxLength: 12 }),
        fc.array(request, { minLength: 1, maxLength: 8 }),
        (drawn, requests) => {
          const fixture = drawn.map(({ path, scenario, when, isPredicate }, index) => ({
            name: `${index}`,
            path,
            ...(scenario && { scenario }),
            ...(when && {
              when: isPredicate
                ? ({ query }: { query: Record<string, string> }) =>
                    Object.entries(when).every(([name, value]) => query[name] === value)
                : { query: when },
            }),
          }))
          const { table } = compileRoutes(routesOf(fixture), { graphql: defaultGraphQL })
          const kept = withoutDuplicates(drawn)
          for (const asked of requests) {
            const search = new URLSearchParams(asked.query).toString()
            const state = new MockState(asked.active)
            const match = matchEndpoint(table, 'GET', `${asked.url}?${search}`, [''], state, { headers: {} })
            const selected =
              match && selectRoute(match.endpoint, parsedRequest({ search }, undefined, match.params))
            expect(selected?.name).toBe(naive(kept, asked)?.toString())
          }
        },
      ),
      sampling(40),
    )
  },
  patience,
)

/** A second default route of a scenario is an error, and never answers. It keeps its place in the list, with no scenario that is ever active. */
function withoutDuplicates(drawn: readonly Drawn[]): Drawn[] {
  const taken = new Set<string>()
  return drawn.map((one) => {
    if (one.when) return one
    const sets = (one.scenario ?? ['']).map((name) => `${one.path} ${name}`)
    if (sets.some((set) => taken.has(set))) return { ...one, scenario: ['never'] }
    for (const set of sets) taken.add(set)
    return one
  })
}
