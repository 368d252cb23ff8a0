import { GraphQLParams } from '../../../src/core/graphql/params.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CompiledRoute } from '../../../src/core/table/route-table.ts'
import { ParsedRequest } from '../../../src/core/request/parsed-request.ts'
import { buildIndex, findInIndex, PredicateError } from '../../../src/core/table/route-index.ts'
import type { Predicate } from '../../../src/core/schema/schema.ts'
import type { FixtureSelector } from '../../../src/core/schema/selector-schema.ts'
import { isMet } from '../../../src/core/select/selector.ts'
import { parsedRequest, rawRequest } from '../send.ts'
import { compileSelector } from '../../../src/core/select/compile-selector.ts'
import { sampling } from '../../sampling.ts'

function toRoutes(whens: readonly (FixtureSelector | Predicate | undefined)[]): CompiledRoute[] {
  return whens.map((when, order) => ({
    order,
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

const text = fc.constantFrom('', '1', '2', '1"1', '1;', 'true', 'null')
const name = fc.constantFrom('a', 'b', '__proto__', 'constructor')
const byName = <T>(value: fc.Arbitrary<T>) =>
  fc.array(fc.tuple(name, value), { maxLength: 2 }).map((entries) => Object.fromEntries(entries))
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(null, true, 0, 1, '', '1', 'true'),
    fc.array(tie('json'), { maxLength: 2 }),
    byName(tie('json')),
    byName(tie('json')),
  ),
}))
const textLiteral = fc.oneof(text, fc.constantFrom(1, 2, true))
const bodyLiteral = fc.oneof(
  json,
  fc.dictionary(fc.constantFrom('a', 'b', 'a.b', 'a.a', 'b.a'), json, { maxKeys: 2 }),
)
const literals: fc.Arbitrary<FixtureSelector> = fc.record(
  {
    query: byName(textLiteral),
    params: byName(textLiteral),
    headers: byName(textLiteral),
    cookies: byName(textLiteral),
    body: bodyLiteral,
    operationName: fc.constantFrom('A', 'B'),
    variables: byName(json),
  },
  { requiredKeys: [] },
)
/** What a predicate does: return, or throw. */
const predicate = fc.constantFrom(true, false, false, 'throw' as const)
const whens = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: literals },
    { weight: 2, arbitrary: predicate },
    { weight: 1, arbitrary: fc.constant(undefined) },
  ),
  { maxLength: 12 },
)
const requests = fc
  .record({
    query: byName(text),
    headers: byName(text),
    cookies: byName(fc.constantFrom('1', '2', 'true')),
    params: byName(text),
    body: json,
    operationName: fc.constantFrom('A', undefined),
    variables: byName(json),
  }) // prettier-ignore
  .map(({ query, headers, cookies, params, body, operationName, variables }) => {
    const cookie = Object.entries(cookies).map(([key, value]) => `${key}=${value}`).join('; ') // prettier-ignore
    const raw = rawRequest({
      search: new URLSearchParams(Object.entries(query)).toString(),
      headers: { ...headers, cookie },
    })
    return new ParsedRequest(raw, params, body, new GraphQLParams({ operationName, variables }))
  })

describe('findInIndex', () => {
  it('gives the same result as a linear scan, and calls the same predicates in the same order', () => {
    let found = 0
    let passed = 0
    fc.assert(
      fc.property(whens, fc.array(requests, { minLength: 1, maxLength: 4 }), (parts, requests) => {
        let ran: number[] = []
        const routes = toRoutes(
          parts.map((part, order) => {
            if (typeof part === 'object' || part === undefined) return part
            return () => {
              ran.push(order)
              if (part === 'throw') throw new Error(`#${order}`)
              return part
            }
          }),
        )
        const record = (run: () => CompiledRoute | undefined) => {
          ran = []
          try {
            return { route: run()?.name, ran }
          } catch (error) {
            return { error: error instanceof PredicateError ? error.cause : error, ran }
          }
        }
        const { index } = buildIndex(routes)
        for (const request of requests) {
          const expected = record(() => scan(routes, request))
          expect(record(() => findInIndex(index, request))).toEqual(expected)
          if (expected.route === undefined) passed++
          else found++
        }
      }),
      sampling(600),
    )
    expect(Math.min(found, passed)).toBeGreaterThan(200) // requests that match, and requests that do not
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
  const sentText = fc.constantFrom('1', '1.0', 'true')
  const request = fc
    .tuple(sentText, sentText, fc.constantFrom<unknown>(1, '1', true))
    .map(([a, b, value]) => parsedRequest({ search: `a=${a}&b=${b}` }, { a: value, b: value }))
  let found = 0
  fc.assert(
    fc.property(fc.array(when, { maxLength: 6 }), fc.array(request, { maxLength: 6 }), (whens, sent) => {
      const routes = toRoutes(whens)
      for (const { route, by } of buildIndex(routes).shadowed) {
        expect(by.order).toBeLessThan(route.order)
        for (const one of sent.filter((request) => scan([route], request))) {
          found++
          expect(scan([by], one)).toBe(by)
        }
      }
    }),
    sampling(500),
  )
  expect(found).toBeGreaterThan(2)
})

it('reads each of 50 000 routes a constant number of times', () => {
  const reads = (count: number) => {
    let looks = 0
    const routes = toRoutes(
      Array.from({ length: count }, (_, i) =>
        i % 2 ? { query: { a: i, b: 1 } } : { query: { q: { $gt: i } } },
      ),
    )
    const counted = routes.map((route) => ({
      ...route,
      get selector() {
        looks++
        return route.selector
      },
    }))
    expect(buildIndex(counted).shadowed).toEqual([])
    return looks
  }
  expect(reads(50_000)).toBeLessThanOrEqual(reads(500) * 100 + 100)
})
