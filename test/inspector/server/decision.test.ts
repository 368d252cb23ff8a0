import { describe, expect, it, vi } from 'vitest'
import type { Explanation, RequestDetails } from '../../../src/inspector/api/api.ts'
import { apiServer, apiServerOnce, startApiServer } from './api-server.ts'

/* What the inspector says of a request that went wrong. */

const fixtures = {
  'fixtures/shop.yaml': `
- name: cart
  path: /graphql
  when: { operationName: Cart }
  response: { body: { data: { cart: null }, errors: [{ message: Cart is empty }] } }
- name: order 7
  path: /graphql
  when: { operationName: Order, variables: { id: '7', filter: { first: 10 } } }
  response: { body: { data: { order: { id: 7 } } } }
- name: hero
  path: /graphql
  when: { operationName: Hero }
  response: { body: { data: { hero: { name: Luke } } } }
- { name: limited, path: /limited, rateLimit: { requests: 1, per: 60000 }, response: { body: [] } }
- { name: broken, path: /broken, response: { body: { id: 1 }, fault: truncated } }
- { name: listed, path: /listed, paginate: { perPage: 1, malformed: error, items: [{ id: 1 }, { id: 2 }] } }
- { name: steps, path: /steps, response: [{ body: one }, { status: 503 }] }
- { name: upload, method: POST, path: /upload, when: { body: { a: 1 } } }
- { name: orders, path: /orders/:id, response: { body: {} } }
- { name: all down, path: '/**', method: '*', scenario: down, response: { status: 503 } }
`,
  'fixtures/code.ts': `export default [
  { name: 'throws', path: '/throws', response({ query }) {
    return { body: query.none.length }
  } },
]`,
}

const server = apiServerOnce(fixtures, { bodyLimit: 1024 })

const containing = (text: string) => expect.stringContaining(text) as string
const matching = (pattern: RegExp) => expect.stringMatching(pattern) as string
const json = { 'content-type': 'application/json' }
const graphql = (payload: unknown) => ({ method: 'POST', body: JSON.stringify(payload), headers: json })
const order = graphql({ query: 'query Order { order }', variables: { id: 7, filter: { first: 50 } } })

async function seen(path: string, init: RequestInit = {}): Promise<RequestDetails> {
  const before = (await server.last('?passed=true'))?.id ?? 0
  await server
    .send(path, init)
    .then((response) => response.text())
    .catch(() => {})
  await vi.waitFor(async () => expect((await server.last('?passed=true')).id).toBeGreaterThan(before))
  return server.details()
}

it('the nearest route is the same in the decision and in the 404, with all that it lacks', async () => {
  const { decision, response } = await seen('/graphql', order)
  expect(decision.summary).toBe(
    'No route matched. Closest: "order 7" (variables.id, variables.filter.first).',
  )
  expect(decision.candidates.map(({ name, unmet }) => [name, unmet.map(({ field }) => field)])).toEqual([
    ['order 7', ['variables.id', 'variables.filter.first']],
    ['cart', ['operationName']],
    ['hero', ['operationName']],
  ])
  expect(decision.candidates[0]!.unmet[0]).toEqual({
    field: 'variables.id',
    expected: '"7"',
    expectedType: 'string',
    received: '7',
    receivedType: 'number',
  })
  expect(decision).not.toHaveProperty('reason')
  const { errors } = JSON.parse(response!.body.text!) as { errors: { message: string }[] }
  expect(errors[0]!.message).toBe(
    'No route matched POST /graphql. Closest: "order 7" (fixtures/shop.yaml:6:3) wants variables.id to be the string "7", not the number 7, and variables.filter.first to be the number 10, not the number 50.',
  )
})

describe('a GraphQL failure with HTTP 200 is marked', () => {
  const query = (name: string) => ({ query: `query ${name} { a }` })
  it.each<[what: string, payload: unknown, errors: object | undefined, summary: RegExp]>([
    ['no failure', query('Hero'), undefined, /^The selector of "hero"/],
    ['errors', query('Cart'), { mark: '1 error', message: 'Cart is empty' }, /^The selector of "cart".* matches\. The answer has 1 error: Cart is empty\.$/],
    ['a query that can’t be parsed, and a route that answers', { query: 'query Hero {', operationName: 'Hero' }, { mark: 'query error', message: containing('Syntax Error') }, /^The selector of "hero"/],
    ['a query that can’t be parsed', { query: 'query Hero {' }, { mark: 'query error', message: containing('Syntax Error') }, /^No route matched\. Closest/],
    ['one operation of a batch', [query('Hero'), query('Cart')], { mark: '1 of 2 failed', message: 'Cart is empty' }, /^Operation 2 of 2: The selector of "cart".* matches\. Of the batch, 1 of 2 failed: Cart is empty\.$/],
    ['an unmatched operation of a batch', [query('Hero'), query('Heros')], { mark: '1 of 2 failed', message: containing('No route matched') }, /^Operation 2 of 2: No route matched\. Closest: "hero" \(operationName\)\.$/],
  ])('%s', async (_, payload, errors, summary) => {
    const { errors: found, status, decision } = await seen('/graphql', graphql(payload))
    expect([status, found]).toEqual([200, errors])
    expect(decision.summary).toMatch(summary)
  }) // prettier-ignore
})

describe('a decision has its reason', () => {
  const big = { method: 'POST', body: JSON.stringify({ a: 'x'.repeat(2000) }), headers: json }
  it.each<[what: string, path: string, init: RequestInit, summary: string | RegExp, reason: object]>([
    ['403', '/orders/7', { headers: { origin: 'https://evil.example' } }, /^Refused before routing: pages of the origin "https:\/\/evil\.example" are refused/, { code: 'origin-refused', fix: containing('cors') }],
    ['413', '/upload', big, 'Refused before routing: the body exceeds 1 KiB.', { code: 'request-body-too-large', message: 'The body of POST /upload exceeds 1 KiB.', fix: 'Send less, or raise the option "bodyLimit".' }],
    ['400', '/upload', { ...big, body: '{' }, /^Refused before routing: the body can't be read: /, { code: 'request-body-malformed' }],
    ['a function that throws', '/throws', {}, /^A function of "throws" \(fixtures\/code\.ts.*\) failed\.$/, { code: 'function-failed', file: 'fixtures/code.ts', line: 3, stack: matching(/^TypeError: .*\n {4}at \S+ \(fixtures\/code\.ts:3:\d+\)$/) }],
    ['a fault', '/broken', {}, /"broken"/, { code: 'fault-sent', message: 'The route "broken" broke its answer with the fault "truncated".', line: 15 }],
    ['a malformed page', '/listed?page=x', {}, /"listed"/, { code: 'page-malformed', line: 16 }],
    ['a similar path', '/order/7', {}, 'No route has the method and path of this request.', { code: 'route-similar', message: containing('Did you mean GET /orders/:id') }],
    ['a similar path, behind a route for every path', '/order/7', { headers: { 'x-mock-scenario': 'down' } }, /"all down"/, { code: 'route-similar', message: containing('Did you mean GET /orders/:id') }],
  ])('%s', async (_, path, init, summary, reason) => {
    const { decision } = await seen(path, init)
    expect(decision.summary).toMatch(summary)
    expect(decision.reason).toMatchObject(reason)
  }) // prettier-ignore

  it('429', async () => {
    await seen('/limited')
    const { decision } = await seen('/limited')
    expect(decision.summary).toBe('The rate limit of "limited" (fixtures/shop.yaml:14:3) is used up.')
    expect(decision.reason).toMatchObject({ code: 'rate-limited', fix: matching(/^Ask again in /) }) // prettier-ignore
  })

  it('an override', async () => {
    await server.call('PUT', 'overrides', { failNext: { count: 1, status: 502 } })
    const { decision } = await seen('/orders/7')
    const { body } = await server.call<Explanation>('POST', 'explain', { url: '/orders/7' })
    expect(body).not.toHaveProperty('reason')
    expect(decision.reason).toMatchObject({ code: 'override-failed', message: 'An override made GET /orders/7 fail with 502.' }) // prettier-ignore
  })

  it('the step of a sequence', async () => {
    const steps = []
    while (steps.length < 3) steps.push((await seen('/steps')).decision.step)
    expect(steps).toEqual([
      { number: 1, of: 2 },
      { number: 2, of: 2 },
      { number: 2, of: 2 },
    ])
  })
})

it('a query that can’t be parsed is the reason, which does not repeat the routes', async () => {
  const { decision } = await seen('/graphql', graphql({ query: 'query Hero {' }))
  expect(decision.reason).toMatchObject({ code: 'graphql-unparsed', message: matching(/^The query of POST \/graphql can't be parsed: Syntax Error: [^"]*\.$/) }) // prettier-ignore
  expect(decision.reason).not.toHaveProperty('frame')
  expect(decision.candidates).toHaveLength(3)
})

it('routes in scenarios that are not active are candidates', async () => {
  const fixture = '- { name: late, path: /late, scenario: [slow, dark], response: {} }\n'
  const own = await apiServer({ 'fixtures/a.yaml': fixture })
  await own.send('/late')
  const unmet = [
    { field: 'scenario', expected: 'slow or dark', expectedType: 'scenario', receivedType: 'nothing' },
  ]
  const expected = {
    reason: { code: 'scenario-inactive' },
    candidates: [{ id: 'GET /late #late', unmet }],
    more: 0,
  }
  expect((await own.details()).decision).toMatchObject(expected)
  expect((await own.call('POST', 'explain', { url: '/late' })).body).toMatchObject(expected)
})

it('a miss whose endpoint has routes again is not told to mean that endpoint', async () => {
  const own = await apiServer({ 'fixtures/a.yaml': '- path: /other\n' })
  await own.send('/a?page=3')
  const { id } = await own.last()
  own.project.write('fixtures/a.yaml', '- { path: /a, when: { query: { page: 2 } } }\n')
  await vi.waitFor(async () => expect((await own.send('/a?page=2')).status).toBe(200))
  const { decision } = (await own.call<RequestDetails>('GET', `requests/${id}`)).body
  expect(decision.summary).toBe(
    'No route had the method and path of this request. Routes have them now: send it again to see why none matches.',
  )
  expect(decision).not.toHaveProperty('reason')
})

it('what was explained is kept when the fixture file changes', async () => {
  const fixture = '- { name: two, path: /a, when: { query: { page: 2 } } }\n- { name: big, method: POST, path: /b, when: { body: { a: 1 } } }\n'
  const own = await apiServer({ 'fixtures/a.yaml': fixture })
  await own.send('/a?page=3')
  const { id } = await own.last()
  await own.post('/b', { a: 2, filler: 'x'.repeat(70_000) })
  const decision = async (of: number) => (await own.call<RequestDetails>('GET', `requests/${of}`)).body.decision
  const ofBig = 'No route matched. Closest: "big" (body.a).'
  expect((await decision(id + 1)).summary).toBe(ofBig)
  for (const count of [1, 2, 3]) {
    own.project.write('fixtures/a.yaml', `- { name: saved ${count}, path: /a }\n`)
    await vi.waitFor(async () => expect((await own.send('/a')).headers.get('x-mock-route')).toBe(`saved ${count}`))
    expect(await decision(id)).toMatchObject({
      summary: 'No route matched. Closest: "two" (query.page).',
      candidates: [{ name: 'two', unmet: [{ field: 'query.page', expected: '"2"', received: '"3"' }] }],
    })
  }
  // A large body is not read again.
  expect(await decision(id + 1)).toMatchObject({
    summary: 'The body has 68.4 KiB, too much to compare the routes with it again.',
    reason: { message: containing('Closest: "big"') },
  })
}) // prettier-ignore

it('says how long an answer is delayed, also while it waits', async () => {
  const own = await startApiServer({ 'fixtures/a.yaml': '- { path: /slow, response: { delay: 600000 } }' })
  const waiting = new AbortController()
  void own.send('/slow', { signal: waiting.signal }).catch(() => {})
  await expect.poll(() => own.requests()).toHaveLength(1)
  const { id } = await own.last()
  expect((await own.call<RequestDetails>('GET', `requests/${id}`)).body.decision.summary).toMatch(
    /is the only route of GET \/slow\. Its answer is delayed by 600 s\.$/,
  )
  waiting.abort()
  await own.close()
})
