import { describe, expect, it } from 'vitest'
import { noLimits, type Limits } from '../../../src/core/answer/rules.ts'
import type { Fixture } from '../../../src/core/schema/schema.ts'
import { send, tableOf } from '../send.ts'

/** Lets so many requests of each route through, then asks for a wait. */
function limitsOf(wait: number): Limits & { counted: string[] } {
  const counted: string[] = []
  return {
    ...noLimits,
    counted,
    countRequest(route, { requests }) {
      counted.push(route.name)
      return counted.filter((name) => name === route.name).length > requests ? wait : 0
    },
  }
}

const rateLimit = { requests: 1, per: 60_000 }
const place = 'fixtures/a.ts:1:1'

describe('a route with a rate limit', () => {
  it.each<[kind: string, route: Fixture[number]]>([
    ['fixed', { path: '/a', response: { body: 1, delay: 5 } }],
    ['a function', { path: '/a', response: () => ({ body: 1 }) }],
    ['paged', { path: '/a', paginate: { items: [1] } }],
  ])('of which the answer is %s, answers 429 after so many requests', async (_, route) => {
    const table = tableOf([{ ...route, name: 'limited – é', rateLimit }])
    const limits = limitsOf(1001)
    expect((await send(table, 'GET /a', { limits })).status).toBe(200)
    const sent = await send(table, 'HEAD /a?b=1', { limits })
    expect(sent).toMatchObject({
      by: 'route',
      kind: 'answered',
      status: 429,
      headers: { 'x-mock-route': 'limited %E2%80%93 é', 'retry-after': '2' },
      body: {
        error: {
          message: 'HEAD /a?b=1 exceeds the limit of the route "limited – é": 1 request in 60 s.',
          code: 'rate-limited',
          fix: 'Ask again in 2 s, or change "rateLimit" in the fixture.',
          place,
        },
      },
      diagnostic: undefined, // what the fixture asks for is no news
    })
  })

  it('answers on the GraphQL endpoint in the shape that clients read, a batch entry by entry', async () => {
    const table = tableOf([{ path: '/graphql', name: 'r', rateLimit, response: { body: { data: 1 } } }])
    const headers = { 'content-type': 'application/json' }
    const limits = limitsOf(1)
    const batch = await send(table, 'POST /graphql', { headers, body: '[{},{}]', limits })
    const refused = [{ message: expect.any(String) as string, extensions: { code: 'rate-limited', fix: 'Ask again in 1 s, or change "rateLimit" in the fixture.', place } }] // prettier-ignore
    expect([batch.status, batch.body]).toEqual([200, [{ data: 1 }, { errors: refused }]])
    const single = await send(table, 'POST /graphql', { headers, body: '{}', limits })
    expect([single.status, single.headers['retry-after'], single.body]).toEqual([
      429,
      '1',
      { errors: refused },
    ])
  })

  it('counts for itself, and only what it answers', async () => {
    const limits = limitsOf(1)
    const table = tableOf([
      { name: 'one', path: '/a', when: { query: { b: 1 } }, rateLimit },
      { name: 'two', path: '/a', rateLimit },
      { name: 'free', path: '/b' },
    ])
    for (const target of ['GET /a?b=1', 'GET /a', 'GET /b', 'GET /b']) {
      expect((await send(table, target, { limits })).status).toBe(200)
    }
    expect(limits.counted).toEqual(['one', 'two'])
  })

  it('never calls a function whose result is not used', async () => {
    let calls = 0
    const table = tableOf([{ path: '/a', rateLimit, response: () => ({ body: ++calls }) }])
    const limits = limitsOf(1)
    for (let i = 0; i < 3; i++) await send(table, 'GET /a', { limits })
    expect(calls).toBe(1)
  })
})
