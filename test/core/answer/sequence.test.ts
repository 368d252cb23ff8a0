import { describe, expect, it } from 'vitest'
import { MockState } from '../../../src/core/state/mock-state.ts'
import type { Fixture } from '../../../src/core/schema/schema.ts'
import { defaultGraphQL } from '../../../src/core/graphql/settings.ts'
import { compileRoutes } from '../../../src/core/table/compile-routes.ts'
import { createLimits } from '../../../src/server/limits.ts'
import { routesOf, send, tableOf } from '../send.ts'

type Headers = Record<string, string>

/** Sends requests one after the other, and lists the statuses and bodies of what they get. */
function asking(fixture: Fixture, state = new MockState(), options: { shape?: boolean } = {}) {
  const table = tableOf(fixture, options)
  const limits = createLimits(0, state)
  return async (...requests: (string | [target: string, headers: Headers, body?: string])[]) => {
    const got: unknown[] = []
    for (const request of requests) {
      const [target, headers, body] = typeof request === 'string' ? [request, {}] : request
      const sent = await send(table, target, { state, limits, headers, body })
      got.push(sent.body === '' ? sent.status : sent.body)
    }
    return got
  }
}

const abc: Fixture[0]['response'] = [{ status: 503 }, { body: 'b' }, { body: 'c' }]

describe('a list of responses', () => {
  it.each<[name: string, route: Partial<Fixture[0]>, answers: unknown[]]>([
    ['is given in order, then the last one again', { response: abc }, [503, 'b', 'c', 'c', 'c']],
    ['begins again with repeat', { response: abc, repeat: true }, [503, 'b', 'c', 503, 'b']],
    ['stays at the last one with repeat: false', { response: abc, repeat: false }, [503, 'b', 'c', 'c', 'c']],
    ['may have one response', { response: [{ body: 'a' }] }, ['a', 'a', 'a', 'a', 'a']],
    ['may have an empty response', { response: [{}, { body: 'a' }] }, [200, 'a', 'a', 'a', 'a']],
    [
      'may have functions and Responses',
      { response: [() => ({ body: 'f' }), () => Promise.resolve({ body: 'p' }), new Response('r')], repeat: true },
      ['f', 'p', 'r', 'f', 'p'],
    ],
    ['stays where it is while the rate limit refuses', { response: abc, rateLimit: { requests: 2, per: 1e9 } }, [503, 'b', ...Array<unknown>(3).fill(expect.objectContaining({ error: expect.anything() as unknown }))]],
  ])('%s', async (_, route, answers) => {
    const ask = asking([{ ...route, path: '/a' }])
    expect(await ask(...answers.map(() => 'GET /a'))).toEqual(answers)
  }) // prettier-ignore

  it('has the delay, the fault, the headers and the name of each', async () => {
    const table = tableOf([
      {
        name: 'flaky',
        path: '/a',
        response: [{ fault: 'reset' }, { delay: 5, headers: { 'x-a': '1' } }],
      },
    ])
    const state = new MockState()
    expect(await send(table, 'GET /a', { state })).toMatchObject({ fault: 'reset', delay: 0 })
    const second = await send(table, 'GET /a', { state })
    expect(second).toMatchObject({ fault: undefined, delay: 5 })
    expect(second.headers).toMatchObject({ 'x-a': '1', 'x-mock-route': 'flaky' })
  })

  it('is counted by route, by path parameters, and by nothing else of the request', async () => {
    const ask = asking([
      { path: '/a/:id/:part?', response: abc },
      { path: '/a/:id/:part?', when: { query: { other: 1 } }, response: abc },
    ])
    const targets = ['/a/1', '/a/1?x=1', '/a/2', '/a/1/2', '/a/12', '/a/1?other=1', '/a/1?other=1', '/a/1']
    const got = await ask(...targets.map((path) => `GET ${path}`))
    expect(got.join(' ')).toBe('503 b 503 503 503 503 b c')
  })

  it('is counted by client: a header, a cookie, else everyone together', async () => {
    const ask = asking([{ path: '/a', response: abc }])
    const headers: Headers[] = [
      {},
      { 'x-mock-client': 'one' },
      { cookie: 'mock-client=one' },
      { 'x-mock-client': 'two' },
      { 'x-mock-scenario': 'any' },
      { cookie: 'session=1' },
    ]
    const got = await ask(...headers.map((one): [string, Headers] => ['GET /a', one]))
    expect(got).toEqual([503, 503, 'b', 503, 'b', 'c'])
  })

  it('HEAD gets the head of what GET would get, and takes no turn', async () => {
    const table = tableOf([{ path: '/a', response: [{ status: 503 }, { status: 201 }] }])
    const state = new MockState()
    const statuses = []
    for (const method of ['HEAD', 'HEAD', 'GET', 'HEAD', 'GET'])
      statuses.push((await send(table, `${method} /a`, { state })).status)
    expect(statuses).toEqual([503, 503, 503, 201, 201])
  })

  it('begins again after a reset, for one client or for everyone', async () => {
    const state = new MockState()
    const ask = asking([{ path: '/a', response: abc }], state)
    const one: [string, Headers] = ['GET /a', { 'x-mock-client': 'one' }]
    await ask('GET /a', one)
    state.reset('one')
    expect(await ask('GET /a', one)).toEqual(['b', 503])
    state.reset()
    expect(await ask('GET /a', one)).toEqual([503, 503])
  })

  it('begins again when its file is read again, and goes on when another one of its endpoint is', async () => {
    const saved = () => routesOf([{ path: '/a', response: abc }])
    const other = (id: number) => routesOf([{ path: '/a', when: { query: { id } } }])
    const state = new MockState()
    const get = async (routes: ReturnType<typeof routesOf>) => {
      const { table } = compileRoutes(routes, { graphql: defaultGraphQL })
      const { status, body } = await send(table, 'GET /a', { state })
      return body === '' ? status : body
    }
    const first = saved()
    expect(await get([...first, ...other(1)])).toBe(503)
    expect(await get([...first, ...other(2)])).toBe('b')
    expect(await get(saved())).toBe(503)
  })
})

describe('on the GraphQL endpoint', () => {
  const data = (name: string) => ({ body: { data: { hero: { name, id: '1' } } } })
  const failed = { body: { errors: [{ message: 'no', path: ['hero'] }], data: { hero: null } } }
  const query = (text: string): [string, Headers, string] => [
    'POST /graphql',
    {},
    JSON.stringify({ query: text }),
  ]

  it('each response is shaped, gets its locations, and is not mixed up with another one', async () => {
    const fixture: Fixture = [{ path: '/graphql', response: [failed, data('R2'), data('C3')], repeat: true }]
    const ask = asking(fixture, undefined, { shape: true })
    const one = query('{ hero { name } }')
    const hero = (name: string) => ({ data: { hero: { name } } })
    const error = {
      errors: [{ message: 'no', path: ['hero'], locations: [{ line: 1, column: 3 }] }],
      data: { hero: null },
    }
    expect(await ask(one, one, one, one, query('{ hero { id } }'))).toEqual([
      error,
      hero('R2'),
      hero('C3'),
      error,
      { data: { hero: { id: '1' } } },
    ])
  })

  it('the operations of a batch take turns in order', async () => {
    const ask = asking([{ path: '/graphql', response: [data('1'), () => data('2'), data('3')] }])
    const batch = JSON.stringify([{ query: '{ a }' }, { query: '{ b }' }, { query: '{ c }' }])
    const [answer] = await ask(['POST /graphql', {}, batch])
    expect(answer).toEqual(['1', '2', '3'].map((name) => data(name).body))
  })
})

it('the same order of requests of each client gets the same answers, whatever comes between', async () => {
  const fixture: Fixture = [{ path: '/a/:id', response: abc, repeat: true }]
  const requests = Array.from({ length: 60 }, (_, i): [string, Headers] => [
    `GET /a/${i % 3}`,
    { 'x-mock-client': `${(i * 7) % 4}` },
  ])
  const together = await asking(fixture)(...requests)
  const clients = ['0', '1', '2', '3'].map((client) =>
    requests.filter(([, h]) => h['x-mock-client'] === client),
  )
  const alone = await Promise.all(clients.map((own) => asking(fixture)(...own)))
  expect(requests.map(([, headers]) => alone[Number(headers['x-mock-client'])]!.shift())).toEqual(together)
})
