import { expect, it } from 'vitest'
import { createFetchHandler, type Fixture } from '../../../src/fetch.ts'
import type { FixtureResponse } from '../../../src/fixture.ts'

type Fail = NonNullable<FixtureResponse['fail']>

function start(routes: Fixture, seed?: number) {
  const handler = createFetchHandler(routes, { logLevel: 'silent', ...(seed !== undefined && { values: { seed } }) })
  const fetch = async (url: string, headers: Record<string, string> = {}, body?: unknown) =>
    (await handler(
      new Request(`http://localhost${url}`, {
        headers: { ...headers, 'content-type': 'application/json' },
        ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      }),
    ))!
  const statuses = async (count: number, url = '/a', client = 'one') => {
    const seen: number[] = []
    for (let i = 0; i < count; i++) seen.push((await fetch(url, { 'x-mock-client': client })).status)
    return seen
  }
  return { handler, fetch, statuses }
} // prettier-ignore

const failing = (fail: Fail): Fixture => [{ path: '/a', response: { body: 'fine', fail } }]
const failed = (seen: readonly number[], status: number) => seen.filter((one) => one === status).length

it('fails for a share of the requests, the same for each client and each start', async () => {
  const rule = failing({ share: 0.2, status: 503 })
  const first = await start(rule).statuses(250)
  expect(failed(first, 503) / 250).toBeCloseTo(0.2, 1)
  const { statuses } = start(rule)
  expect(await statuses(50, '/a', 'two')).toEqual(first.slice(0, 50))
  expect(await start(rule, 7).statuses(50)).not.toEqual(first.slice(0, 50))
})

it('chooses by weights, and leaves the rest', async () => {
  const seen = await start(
    failing([
      { share: 0.3, status: 503 },
      { share: 0.5, status: 429 },
    ]),
  ).statuses(400)
  expect(failed(seen, 503) / 400).toBeCloseTo(0.3, 1)
  expect(failed(seen, 429) / 400).toBeCloseTo(0.5, 1)
  expect(failed(seen, 200) / 400).toBeCloseTo(0.2, 1)
})

it.each<[Fail, number[]]>([
  [{ calls: [3, 7] }, [200, 200, 500, 200, 200, 200, 500, 200]],
  [
    [{ calls: [2], status: 429 }, { share: 1 }],
    [500, 429, 500],
  ],
  [{ share: 0 }, [200, 200, 200]],
  [{ share: 1, status: 404 }, [404, 404]],
])('%j gives %j', async (fail, expected) =>
  expect(await start(failing(fail)).statuses(expected.length)).toEqual(expected),
)

it('counts per client and per value of the path', async () => {
  const { statuses } = start([{ path: '/a/:id', response: { fail: { calls: [2] } } }])
  expect(await statuses(2, '/a/1')).toEqual([200, 500])
  expect(await statuses(2, '/a/2')).toEqual([200, 500])
  expect(await statuses(2, '/a/1', 'two')).toEqual([200, 500])
})

it('says the seed and the number of the request, which HEAD does not count', async () => {
  const { handler, fetch } = start(failing({ calls: [2], headers: { 'retry-after': 1 }, status: 503 }), 7)
  expect((await fetch('/a')).headers.get('x-mock-seed')).toBe('7; call=1')
  expect((await handler(new Request('http://localhost/a', { method: 'HEAD' })))!.status).toBe(503)
  const answer = await fetch('/a')
  expect([answer.status, answer.headers.get('retry-after'), answer.headers.get('x-mock-seed')]).toEqual([
    503,
    '1',
    '7; call=2',
  ])
  expect(await answer.json()).toMatchObject({ error: { code: 'fail-sent' } })
})

it('a failure has a body with values of the request, and changes nothing', async () => {
  const { fetch } = start([
    {
      method: 'POST',
      path: '/orders',
      write: { create: 'orders', set: { $from: 'body' } },
      then: { scenario: { add: 'bought' } },
      response: { status: 201, fail: { calls: [1], status: 409, body: { sent: { $from: 'body' } } } },
    },
    { path: '/orders', collection: { items: [{ id: 1 }], only: ['list'] } },
    { path: '/bought', scenario: 'bought', response: {} },
  ])
  const refused = await fetch('/orders', {}, { id: 2 })
  expect([refused.status, await refused.json()]).toEqual([409, { sent: { id: 2 } }])
  expect(await (await fetch('/orders')).json()).toEqual([{ id: 1 }])
  expect((await fetch('/orders', {}, { id: 2 })).status).toBe(201)
  expect(await (await fetch('/orders')).json()).toHaveLength(2)
  expect((await fetch('/bought')).status).toBe(200)
})

it('a fault breaks the response itself', async () => {
  const { fetch } = start(failing({ calls: [1], fault: 'truncated' }))
  const broken = await fetch('/a')
  expect(broken.status).toBe(200)
  await expect(broken.text()).rejects.toThrow()
  expect(await (await fetch('/a')).text()).toBe('fine')
})

it.each<[string, Fixture[number]]>([
  ['pages', { path: '/a', paginate: { items: [1, 2] }, response: { fail: { calls: [2] } } }],
  ['a collection', { path: '/a', collection: { items: [{ id: 1 }] }, response: { fail: { calls: [2] } } }],
  ['a sequence', { path: '/a', response: [{}, { fail: { share: 1 } }] }],
  ['a stream', { path: '/a', response: { stream: [{ data: 1 }], end: 'complete', fail: { calls: [2] } } }],
])('%s', async (_, route) => expect(await start([route]).statuses(2)).toEqual([200, 500]))

it('GraphQL: an operation gets errors at their places, or a status', async () => {
  const errors = [{ message: 'Overloaded.', path: ['hero'] }]
  const { fetch } = start([
    { path: '/graphql', response: { body: { data: { hero: 1 } }, fail: [{ calls: [1], errors }, { calls: [2] }] } },
  ]) // prettier-ignore
  const ask = (body: unknown) => fetch('/graphql', {}, body)
  const query = { query: '{\n  hero }' }
  expect(await (await ask(query)).json()).toEqual({
    data: null,
    errors: [{ ...errors[0], locations: [{ line: 2, column: 3 }] }],
  })
  const second = await ask(query)
  expect(second.status).toBe(500)
  expect(await second.json()).toMatchObject({ errors: [{ extensions: { code: 'fail-sent' } }] })
  const batch = await ask([query, query])
  expect(await batch.json()).toEqual([{ data: { hero: 1 } }, { data: { hero: 1 } }])
  expect(batch.headers.get('x-mock-seed')).toBe('0; call=3, 0; call=4')
})

it('a saved state goes on counting, and a reset begins again', async () => {
  const rule = failing({ calls: [3] })
  const before = start(rule)
  await before.statuses(2)
  const after = start(rule)
  after.handler.restore(before.handler.save()!)
  expect(await after.statuses(2)).toEqual([500, 200])
  after.handler.reset({ client: 'one' })
  expect(await after.statuses(3)).toEqual([200, 200, 500])
})
