import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CompiledRoute } from '../../../src/core/table/route-table.ts'
import type { ParsedRequest } from '../../../src/core/request/parsed-request.ts'
import { buildIndex, findInIndex } from '../../../src/core/table/route-index.ts'
import type { Predicate } from '../../../src/core/schema/schema.ts'
import type { FixtureSelector } from '../../../src/core/schema/selector-schema.ts'
import { isMet } from '../../../src/core/select/selector.ts'
import { parsedRequest } from '../send.ts'
import { compileSelector } from '../../../src/core/select/compile-selector.ts'
import { sampling } from '../../sampling.ts'

function toRoutes(whens: readonly (FixtureSelector | Predicate | undefined)[]): CompiledRoute[] {
  return whens.map((when, order) => ({
    order,
    id: `GET / #${order}`,
    name: `#${order}`,
    selector: when && compileSelector(when, () => ({ file: 'a.ts' })).selector,
    response: { kind: 'function', respond: () => ({}) },
    source: { file: 'a.ts' },
  }))
}

/** What the index must agree with: the routes one by one. */
function scan(routes: readonly CompiledRoute[], request: ParsedRequest): CompiledRoute | undefined {
  return routes.find(
    ({ selector }) =>
      selector &&
      selector.equalities.every((equality) => isMet(equality, request)) &&
      selector.tests.every((test) => test.holds(request)),
  )
}

const find = (routes: readonly CompiledRoute[], request: ParsedRequest) =>
  findInIndex(buildIndex(routes).index, request)

describe('findInIndex', () => {
  // That the index finds what a linear scan finds is shown in test/fuzz/selectors.
  it('calls the predicates before the route that it finds, in their order', () => {
    const called: number[] = []
    const calling = (order: number, result: boolean) => () => called.push(order) > 0 && result
    const routes = toRoutes([
      calling(0, false),
      { query: { a: 1 } },
      calling(2, false),
      calling(3, true),
      calling(4, true),
    ])
    expect([find(routes, parsedRequest({ search: 'a=1' }))?.name, called]).toEqual(['#1', [0]])
    expect([find(routes, parsedRequest())?.name, called]).toEqual(['#3', [0, 0, 2, 3]])
  })

  it.each<[whens: FixtureSelector[], search: string, body: unknown, name: string | undefined]>([
    [[{ body: { a: '1' } }, { body: { a: 1 } }], '', { a: 1 }, '#1'],
    [[{ body: { a: 1 } }, { body: { a: '1' } }], '', { a: '1' }, '#1'],
    [[{ body: { a: null } }, { body: { a: 'null' } }], '', { a: 'null' }, '#1'],
    [[{ query: { a: 1, b: 2 } }, { query: { a: 1 } }], 'a=1&b=2', undefined, '#0'],
    [[{ query: { a: 1 } }, { query: { a: 1, b: 2 } }], 'a=1&b=2', undefined, '#0'],
    [[{ query: { b: 2, a: 1 } }, { query: { b: 2 } }], 'a=1&b=2', undefined, '#0'],
    [[{ query: { a: '1"1', b: '1' } }], 'a=1&b=1%221', undefined, undefined],
    [[{ body: [] }, {}], '', [1], '#1'],
    [[{ query: { a: 1 } }], 'a=2', undefined, undefined],
    [[{ query: { a: 1, b: 2 } }, { query: { a: 3, b: 2 } }], 'a=2&a=3&b=2&b=1', undefined, '#1'],
    [[{ query: { a: 2, b: 2 } }, { query: { a: 1, b: 1 } }], 'a=1&a=1&b=1', undefined, '#1'],
    [[], '', undefined, undefined],
  ])('of %j, for %j and %j, finds %s', (whens, search, body, name) => {
    expect(find(toRoutes(whens), parsedRequest({ search }, body))?.name).toBe(name)
  })

  it('names the route of a predicate that throws', () => {
    const cause = new Error('oh')
    const fails = () => {
      throw cause
    }
    const routes = toRoutes([{ query: { a: 1 } }, fails])
    expect(find(routes, parsedRequest({ search: 'a=1' }))?.name).toBe('#0')
    expect(() => find(routes, parsedRequest())).toThrow(
      expect.objectContaining({ route: routes[1], cause, message: 'the predicate of #1 failed' }),
    )
  })
})

it.each<[whens: (FixtureSelector | Predicate | undefined)[], shadowed: [string, string][]]>([
  [[{ query: { a: 1 } }, { query: { a: '1' } }], [['#1', '#0']]],
  [[{ query: { a: 1 } }, { query: { a: 1 } }], [['#1', '#0']]],
  [[{ query: { a: 1, b: 2 } }, { query: { b: 2, a: 1 } }], [['#1', '#0']]],
  [[{ headers: { 'X-A': 1 } }, { headers: { 'x-a': 1 } }], [['#1', '#0']]],
  [[{ body: { 'a.b': 1 } }, { body: { a: { b: 1 } } }], [['#1', '#0']]],
  [[{ query: { a: 1 } }, { query: { a: 1, b: 2 } }], [['#1', '#0']]],
  [[{ query: { a: 1, b: 2 } }, { query: { a: 1 } }], []],
  [[{ query: { b: 2 } }, { query: { a: 1, b: 2 }, headers: { c: 3 } }], [['#1', '#0']]],
  [[{ query: { b: 3 } }, { query: { a: 1, b: 2 } }], []],
  [[{ query: { a: 1 } }, { query: { a: 1, b: { $gt: 2 } } }], [['#1', '#0']]],
  [[{ query: { a: { $gt: 2 } } }, { query: { a: { $gt: 2 }, b: 1 } }], []],
  [[{ query: { a: '1' } }, { query: { a: 1 } }], []],
  [[{ query: { a: 1 } }, { query: { a: '1.0', b: 2 } }], [['#1', '#0']]],
  [[{ query: { a: 1 } }, { query: { a: 'x' } }], []],
  [[{ body: { a: 1 } }, { body: { a: '1', b: 2 } }], []],
  [[{ body: { f: 6 } }, { body: { a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 } }], [['#1', '#0']]],
  [[{ body: { a: 1 } }, { body: { a: 1, l: [] } }], [['#1', '#0']]],
  [[{ body: { a: 1, l: [] } }, { body: { a: 1 } }], []],
  [[{ body: { a: 1 } }, { body: { a: '1' } }], []],
  [[{ query: { 'a.b': 1 } }, { body: { 'a.b': '1' } }], []],
  [
    [{}, () => true, {}],
    [
      ['#1', '#0'],
      ['#2', '#0'],
    ],
  ],
  [[() => true, () => true], []],
  [[undefined, {}], []],
])('of %j, the shadowed routes are %j', (whens, shadowed) => {
  const found = buildIndex(toRoutes(whens)).shadowed
  expect(found.map(({ route, by }) => [route.name, by.name])).toEqual(shadowed)
})

it('a shadowed route matches no request that the other route does not match', () => {
  const few = fc.constantFrom<unknown>(1, '1', '1.0', 'true', true, { $gt: 0 })
  const some = fc.record({ a: few, b: few }, { requiredKeys: [] }).filter((by) => Object.keys(by).length > 0)
  const when = fc.record({ query: some, body: some }, { requiredKeys: [] }) as fc.Arbitrary<FixtureSelector>
  const sentTexts = ['1', '1.0', 'true']
  const requests = sentTexts.flatMap((a) =>
    sentTexts.flatMap((b) =>
      [1, '1', true].map((value) => parsedRequest({ search: `a=${a}&b=${b}` }, { a: value, b: value })),
    ),
  )
  let found = 0
  fc.assert(
    fc.property(fc.array(when, { minLength: 4, maxLength: 8 }), (whens) => {
      const routes = toRoutes(whens)
      for (const { route, by } of buildIndex(routes).shadowed) {
        expect(by.order).toBeLessThan(route.order)
        for (const one of requests.filter((request) => scan([route], request))) {
          found++
          expect(scan([by], one)).toBe(by)
        }
      }
    }),
    sampling(70),
  )
  expect(found).toBeGreaterThan(0)
})
