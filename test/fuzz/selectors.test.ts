/* Random selectors and random requests: what they come to never depends on how it is worked out, and nothing throws. */
import { GraphQLParams } from '../../src/core/graphql/params.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CompiledRoute, RouteTable } from '../../src/core/table/route-table.ts'
import { defaultGraphQL } from '../../src/core/graphql/settings.ts'
import { matchEndpoint, selectRoute, type EndpointMatch } from '../../src/core/table/match.ts'
import { ParsedRequest } from '../../src/core/request/parsed-request.ts'
import { isRecord } from '../../src/core/values/values.ts'
import { askedOf, failedConditions, file, rawRequest, read } from '../core/send.ts'
import { holdsNaively } from './naive-selector.ts'
import { patience, sampling } from '../sampling.ts'
import { anyWhen, goodWhen, request, type When } from './selector-arbitraries.ts'
import { decide } from '../../src/core/answer/decide.ts'
import { parseFixture } from '../../src/core/fixture/parse-fixture.ts'
import type { RawRequest } from '../../src/core/http/raw-request.ts'
import { compileRoutes } from '../../src/core/table/compile-routes.ts'

function tableOf(whens: readonly (When | undefined)[]) {
  const fixture = ['/r/:id', '/graphql'].flatMap((path) =>
    whens.map((when, index) => ({
      method: 'POST',
      path,
      name: `${index}`,
      ...(when && { when: whenFor(path, when) }),
      response: { body: { data: { index } } },
    })),
  )
  const parsed = parseFixture(fixture, file)
  const { table, diagnostics } = compileRoutes(parsed.routes, { graphql: defaultGraphQL })
  return { table, diagnostics: [...parsed.diagnostics, ...diagnostics] }
}

/** The path of GraphQL has no parameter that could be selected by. */
function whenFor(path: string, when: When): When {
  return path === '/graphql'
    ? Object.fromEntries(Object.entries(when).filter(([source]) => source !== 'params'))
    : when
}

function parsedOf({ params, endpoint }: EndpointMatch, raw: RawRequest): ParsedRequest {
  const body = raw.body && parseOrText(raw.body)
  if (endpoint.path !== '/graphql' || !isRecord(body)) return new ParsedRequest(raw, params, body)
  const { operationName, variables } = body
  const graphql = new GraphQLParams({
    ...body,
    operationName: typeof operationName === 'string' ? operationName : undefined,
    variables: isRecord(variables) ? variables : undefined,
    query: undefined,
    extensions: undefined,
  })
  return new ParsedRequest(raw, params, body, graphql)
}

/** What a request comes to, and how it was parsed on the way. */
async function answerOf(table: RouteTable, raw: RawRequest) {
  const match = matchEndpoint(table, raw.method, raw.url, [''])
  return (
    match && { match, sent: read(await decide(askedOf(match, raw), { kind: 'complete', bytes: raw.body })) }
  )
}

/** The first route whose selector holds, one by one; else one whose selector can't be read; else the default route. */
function selectOneByOne(routes: readonly CompiledRoute[], parsed: ParsedRequest): CompiledRoute | undefined {
  return (
    routes.find(({ selector }) => selector && failedConditions(selector, parsed).length === 0) ??
    routes.find(({ selector, response }) => !selector && response.kind === 'broken') ??
    routes.find(({ selector }) => !selector)
  )
}

const whenOrDefault = (when: fc.Arbitrary<When>) =>
  fc.array(fc.oneof({ weight: 6, arbitrary: when }, { weight: 1, arbitrary: fc.constant(undefined) }), {
    minLength: 1,
    maxLength: 5,
  })

describe('selectors', () => {
  it(
    'match the same requests as a naive implementation',
    () => {
      const property = fc.property(
        goodWhen,
        fc.array(request, { minLength: 1, maxLength: 3 }),
        (when, requests) => {
          checkMeaning(when, requests)
        },
      )
      fc.assert(property, sampling(20))
    },
    patience,
  )

  it(
    'the index selects the same route as trying the routes one by one',
    async () => {
      const property = fc.asyncProperty(
        fc.oneof(whenOrDefault(goodWhen), whenOrDefault(fc.oneof(goodWhen, anyWhen))),
        fc.array(request, { minLength: 1, maxLength: 3 }),
        checkSelection,
      )
      await fc.assert(property, sampling(20))
    },
    patience,
  )
})

/** Warnings about selectors that are read all the same. */
const remarks = new Set(['selector-duplicate', 'selector-shadowed', 'graphql-path-other'])

function checkMeaning(when: When, requests: readonly RawRequest[]): void {
  const { table, diagnostics } = tableOf([when])
  const unexpected = diagnostics.filter(({ code }) => !remarks.has(code))
  // The operands of some operators must not look like operators.
  if (unexpected.length > 0)
    return expect(unexpected.every(({ code }) => code === 'selector-invalid-operand')).toBe(true)
  for (const raw of requests) {
    const match = matchEndpoint(table, raw.method, raw.url, [''])!
    const parsed = parsedOf(match, raw)
    const [route] = match.endpoint.routes
    const expected = holdsNaively(whenFor(match.endpoint.path, when), parsed)
    expect(failedConditions(route!.selector!, parsed).length === 0).toBe(expected)
  }
}

function parseOrText(bytes: Uint8Array): unknown {
  const text = new TextDecoder().decode(bytes)
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

async function checkSelection(
  whens: readonly (When | undefined)[],
  requests: readonly RawRequest[],
): Promise<void> {
  const { table, diagnostics } = tableOf(whens)
  for (const { code } of diagnostics) expect(code).toMatch(/^(selector|fixture|default-route|graphql-path)-/)
  const again = tableOf(whens)
  expect(again.diagnostics).toEqual(diagnostics)
  for (const raw of requests) {
    const answer = await answerOf(table, raw)
    if (!answer) continue
    const { sent, match } = answer
    // A route with an error answers 500 with its diagnostic.
    const hasErrors = diagnostics.some(({ severity }) => severity === 'error')
    expect(hasErrors ? [200, 400, 404, 500] : [200, 400, 404]).toContain(sent.status)
    expect((await answerOf(again.table, raw))!.sent).toEqual(sent)
    const parsed = parsedOf(match, raw)
    expect(selectRoute(match.endpoint, parsed)?.order).toBe(
      selectOneByOne(match.endpoint.routes, parsed)?.order,
    )
  }
}

/** What the fuzzers, and looking for what they would find, have found. */
describe('problems that were found before', () => {
  const own = (text: string) => JSON.parse(text) as unknown
  const deepList = own('['.repeat(100_000) + ']'.repeat(100_000))
  it.each<[why: string, when: When, body: unknown, expected: boolean]>([
    ['a list in a list is not followed, however deep', { body: { a: { $in: [1] } } }, { a: deepList }, false],
    ['nor compared by recursion', { body: { a: { $ne: [[1]] } } }, { a: deepList }, true],
    ['null is no multiple of two', { body: { a: { $mod: [2, 0] } } }, { a: null }, false],
    ['__proto__ is a key as any', { body: { a: { $eq: own('{"__proto__":{}}') } } }, { a: { x: 1 } }, false],
    ['of own ones', { body: { a: { $eq: own('{"__proto__":{}}') } } }, own('{"a":{"__proto__":{}}}'), true],
  ])('%s', (_, when, body, expected) => {
    const { table, diagnostics } = tableOf([when])
    expect(diagnostics).toEqual([])
    const parsed = new ParsedRequest(rawRequest({ method: 'POST' }), {}, body)
    const [endpoint] = table.endpoints
    expect(selectRoute(endpoint!, parsed) !== undefined).toBe(expected)
    expect(failedConditions(endpoint!.routes[0]!.selector!, parsed).length === 0).toBe(expected)
  })

  it.each<[why: string, when: When, code: string]>([
    [
      '$all ran code',
      { body: { a: { $all: [{ $where: 'globalThis.ran = true' }] } } },
      'selector-unknown-operator',
    ],
    ['deep selectors', { body: own('{"a":'.repeat(5000) + '1' + '}'.repeat(5000)) }, 'selector-too-deep'],
    ['deep lists', { body: deepList }, 'selector-too-deep'],
  ])('is reported when the file is loaded: %s', (_, when, code) => {
    const { table, diagnostics } = tableOf([when])
    expect(diagnostics.map((diagnostic) => diagnostic.code)).toEqual([code, code])
    expect(table.endpoints.flatMap(({ routes }) => routes).filter(({ selector }) => selector)).toEqual([])
    expect(globalThis).not.toHaveProperty('ran')
  })

  it('a regular expression in $all is matched in bounded time', () => {
    const { table } = tableOf([{ body: { a: { $all: [{ $regex: '(a+)+$' }] } } }])
    const parsed = new ParsedRequest(rawRequest({ method: 'POST' }), {}, { a: [`${'a'.repeat(5000)}b`] })
    expect(selectRoute(table.endpoints[0]!, parsed)).toBeUndefined()
  })
})
