import { describe, expect, it } from 'vitest'
import type { Fixture } from '../../../src/core/schema/schema.ts'
import { compileRoutes } from '../../../src/core/table/compile-routes.ts'
import { matchEndpoint } from '../../../src/core/table/match.ts'
import { MockState } from '../../../src/core/state/mock-state.ts'
import { defaultGraphQL } from '../../../src/core/graphql/settings.ts'
import { routesOf, send, tableOf } from '../send.ts'

/** Routes are named by their bodies. */
const named = (body: string) => ({ response: { body } })

const fixture: Fixture = [
  { path: '/pay', method: 'POST', ...named('paid') },
  { path: '/pay', method: 'POST', when: { body: { amount: 13 } }, ...named('unlucky') },
  { path: '/pay', method: 'POST', scenario: 'down', ...named('down') },
  { path: '/pay', method: 'POST', scenario: ['slow', 'down'], when: { query: { a: 1 } }, ...named('slow a') },
  { path: '/pay', method: 'POST', scenario: 'slow', ...named('slow') },
  { path: '/user', when: { query: { id: 1 } }, ...named('user 1') },
  { path: '/user', scenario: 'logged out', ...named('nobody') },
  { path: '/beta', scenario: 'beta', ...named('beta') },
  { path: '/beta/off', scenario: 'beta', when: { query: { on: 1 } }, ...named('beta on') },
  { path: '/orders/:id', ...named('order') },
  { path: '/orders/7', scenario: 'gone', ...named('gone') },
  { path: '/orders/:id', scenario: 'gone', when: { params: { id: 8 } }, ...named('gone 8') },
  { path: '/orders/**', scenario: 'maintenance', ...named('maintenance') },
  { path: '/orders/**', method: 'POST', scenario: 'maintenance', ...named('no orders') },
  { path: '/head', method: 'HEAD' },
  { path: '/head', scenario: 'down', ...named('head') },
]

describe('a request', () => {
  const table = tableOf(fixture)

  it.each<[target: string, scenarios: string, answer: unknown, body?: string]>([
    ['POST /pay', '', 'paid'],
    ['POST /pay', '', 'unlucky', '{"amount":13}'],
    ['POST /pay', 'down', 'down', '{"amount":13}'],
    ['POST /pay?a=1', 'down', 'slow a'],
    ['POST /pay', 'slow', 'slow'],
    ['POST /pay', 'slow,down', 'down'],
    ['POST /pay', 'down,slow', 'down'],
    ['POST /pay?a=1', 'down,slow', 'slow a'],
    ['POST /pay', 'gone', 'paid'],
    ['POST /pay', 'unknown', 'paid'],
    ['POST /pay', 'unknown,slow', 'slow'],
    ['POST /pay', 'constructor,__proto__', 'paid'],
    ['GET /user?id=1', '', 'user 1'],
    ['GET /user?id=1', 'logged out', 'nobody'],
    ['GET /user?id=2', 'logged%20out', 'nobody'],
    ['GET /beta', 'beta', 'beta'],
    ['GET /beta', '', 'passed on'],
    ['GET /beta/off?on=1', 'beta', 'beta on'],
    ['GET /beta/off?on=1', 'down', 'passed on'],
    ['POST /beta', 'beta', 'passed on'],
    ['GET /orders/7', '', 'order'],
    ['GET /orders/7', 'gone', 'gone'],
    ['GET /orders/8', 'gone', 'gone 8'],
    ['GET /orders/9', 'gone', 'order'],
    ['GET /orders/7', 'maintenance', 'maintenance'],
    ['GET /orders/7/lines', 'maintenance', 'maintenance'],
    ['GET /orders/7/lines', '', 'passed on'],
    ['GET /orders/7', 'gone,maintenance', 'gone'],
    ['GET /orders/8', 'gone,maintenance', 'gone 8'],
    ['GET /orders/9', 'gone,maintenance', 'maintenance'],
    ['POST /orders/9', 'maintenance', 'no orders'],
    ['POST /orders/9', '', 'passed on'],
  ])('%s in the scenario "%s": %s', async (target, scenarios, answer, body = '{}') => {
    const sent = await send(table, target, { body, headers: { 'x-mock-scenario': scenarios } })
    expect(sent.kind === 'passthrough' ? 'passed on' : sent.body).toBe(answer)
  })

  it('HEAD is answered by the GET route of an active scenario', async () => {
    const head = async (scenario: string) =>
      (await send(table, 'HEAD /head', { headers: { 'x-mock-scenario': scenario } })).headers
    expect((await head(''))['x-mock-route']).toBe('HEAD /head #1')
    expect((await head('down'))['x-mock-route']).toBe('GET /head #1')
  })
})

it('the path parameters of both paths can be read, wherever the route is', async () => {
  const table = tableOf([
    { path: '/a/:id', response: ({ params }) => ({ body: { ...params } }) },
    {
      path: '/:folder/**:rest',
      scenario: 'all',
      when: { params: { folder: 'b' } },
      response: ({ params }) => ({ body: { ...params } }),
    },
    { path: '/b/:id', response: ({ params }) => ({ body: { ...params } }) },
  ])
  const get = async (target: string) =>
    (await send(table, target, { headers: { 'x-mock-scenario': 'all' } })).body
  expect(await get('GET /a/1')).toMatchObject({ id: '1' })
  expect(await get('GET /b/1')).toMatchObject({ folder: 'b', rest: '1' })
})

it('the server’s scenarios and those of a client are used where the request names none', async () => {
  const table = tableOf(fixture)
  const state = new MockState(['down'])
  const pay = async (headers: Record<string, string> = {}) =>
    (await send(table, 'POST /pay', { state, headers })).body
  expect(await pay()).toBe('down')
  state.setScenarios(['slow'], 'one')
  expect(await pay({ 'x-mock-client': 'one' })).toBe('slow')
  expect(await pay({ cookie: 'mock-client=one' })).toBe('slow')
  expect(await pay({ 'x-mock-client': 'two' })).toBe('down')
  expect(await pay({ 'x-mock-client': 'one', 'x-mock-scenario': '' })).toBe('paid')
  expect(await pay({ cookie: 'mock-client=one; mock-scenario=down' })).toBe('down')
})

it('a predicate is called once for each request, however many of its scenarios are active', async () => {
  let calls = 0
  const table = tableOf([
    { path: '/a', response: { body: 'else' } },
    { path: '/a', scenario: ['x', 'y', 'z'], when: () => ++calls < 0, response: { body: 'never' } },
  ])
  expect((await send(table, 'GET /a', { headers: { 'x-mock-scenario': 'x,y,z' } })).body).toBe('else')
  expect(calls).toBe(1)
})

it('a body is read only if the routes that are there need it', () => {
  const table = tableOf([
    { path: '/a', method: 'POST' },
    { path: '/a', method: 'POST', scenario: 's', when: { body: { a: 1 } } },
    { path: '/a', method: 'POST', scenario: 't', when: { query: { a: 1 } } },
  ])
  const needsBody = (...scenarios: string[]) =>
    matchEndpoint(table, 'POST', '/a', [''], new MockState(scenarios), { headers: {} })!.endpoint.needsBody
  expect([needsBody(), needsBody('s'), needsBody('t'), needsBody('t', 's')]).toEqual([
    false,
    true,
    false,
    true,
  ])
})

describe('default routes', () => {
  const diagnosticsOf = (routes: Fixture) =>
    compileRoutes(routesOf(routes), { graphql: defaultGraphQL }).diagnostics.map(({ code, message }) => [
      code,
      message,
    ])

  it.each<[name: string, routes: Fixture]>([
    ['one without a scenario, one in each', [{ path: '/a' }, { path: '/a', scenario: 'x' }, { path: '/a', scenario: 'y' }]],
    ['of several scenarios, none shared', [{ path: '/a', scenario: ['x', 'y'] }, { path: '/a', scenario: ['z'] }]],
    ['equal selectors in other scenarios', [{ path: '/a', when: { query: { b: 1 } } }, { path: '/a', scenario: 'x', when: { query: { b: 1 } } }]],
    ['equal selectors in one of two scenarios', [{ path: '/a', scenario: 'x', when: { query: { b: 1 } } }, { path: '/a', scenario: ['x', 'y'], when: { query: { b: 1 } } }]],
  ])('%s: fine', (_, routes) => {
    expect(diagnosticsOf(routes)).toEqual([])
  }) // prettier-ignore

  it('of the same scenario are duplicates', () => {
    expect(diagnosticsOf([{ path: '/a', scenario: ['w', 'x'] }, { path: '/a', scenario: ['x', 'y'] }])).toEqual([
      [
        'default-route-duplicate',
        'GET /a has two default routes in the scenario "x": this one and the one at fixtures/a.ts:1:1, which answers.',
      ],
    ])
  }) // prettier-ignore

  it('a route that is hidden in all of its scenarios never answers', () => {
    const hidden: Fixture = [
      { name: 'first', path: '/a', scenario: ['x', 'y'], when: { query: { b: 1 } } },
      { path: '/a', scenario: ['x', 'y'], when: { query: { b: 1 } } },
    ]
    expect(diagnosticsOf(hidden)).toEqual([
      ['selector-duplicate', expect.stringContaining('"first" (fixtures/a.ts:1:1) has the same selector')],
    ])
  })
})

describe('an explanation', () => {
  const table = tableOf([
    { name: 'first page', path: '/items', when: { query: { page: 1 } } },
    { name: 'none', path: '/items', scenario: ['empty', 'new user'] },
    { name: 'odd', path: '/items', scenario: 'odd', when: { query: { page: 3 } } },
  ])

  it('says which scenario a route needs, behind the routes that are there', async () => {
    const { status, body, diagnostic } = await send(table, 'GET /items?page=2')
    expect(status).toBe(404)
    expect(body).toMatchObject({
      error: {
        routes: [
          { route: 'first page', unmet: [{ selector: 'query.page' }] },
          {
            route: 'none',
            unmet: [{ selector: 'scenario', expected: 'empty or new user', received: 'none' }],
          },
          {
            route: 'odd',
            unmet: [
              { selector: 'scenario', expected: 'odd', received: 'none' },
              { selector: 'query.page', expected: 'the string "3"' },
            ],
          },
        ],
      },
    })
    expect(diagnostic!.frame).toContain('- "none" (fixtures/a.ts:1:1) needs the scenario empty or new user')
  })

  it('counts the routes of an active scenario as there', async () => {
    const { body } = await send(table, 'GET /items?page=2', { headers: { 'x-mock-scenario': 'odd' } })
    expect(body).toMatchObject({
      error: {
        routes: [
          { route: 'first page', unmet: [{ selector: 'query.page' }] },
          { route: 'odd', unmet: [{ selector: 'query.page' }] },
          { route: 'none', unmet: [{ selector: 'scenario', received: 'odd' }] },
        ],
      },
    })
  })

  it('is the answer where a scenario is active and its routes do not fit', async () => {
    const alone = tableOf([{ path: '/a', scenario: 's', when: { query: { b: 1 } } }])
    expect((await send(alone, 'GET /a')).kind).toBe('passthrough')
    expect((await send(alone, 'GET /a', { headers: { 'x-mock-scenario': 's' } })).kind).toBe('unmatched')
  })
})

describe("of a route with method: '*'", () => {
  const table = tableOf([
    { path: '/opt/:id?', ...named('optional') },
    { path: '/opt', ...named('literal') },
    { path: '/rest/:id*', ...named('rest') },
    { path: '/rest/:id?', ...named('one') },
    { path: '/a', method: ['GET', 'POST'], ...named('both') },
    { path: '/a', method: '*', ...named('any') },
    { path: '/users/:id', ...named('user') },
    { path: '/graphql', response: { body: { data: { a: 1 } } } },
    { path: '/**', method: '*', scenario: 'down', response: { status: 503, body: 'down' } },
  ])
  const query = encodeURIComponent('{ a }')

  it.each<[target: string, scenario: string, answer: string]>([
    ['GET /opt', '', '200 literal'],
    ['GET /opt/1', '', '200 optional'],
    ['GET /rest', '', '200 one'],
    ['GET /rest/1/2', '', '200 rest'],
    ['GET /a', '', '200 both'],
    ['POST /a', '', '200 both'],
    ['DELETE /a', '', '200 any'],
    ['GET /users/7', '', '200 user'],
    ['DELETE /users/7', '', 'passthrough'],
    ...['GET /opt', 'HEAD /opt', 'POST /a', 'DELETE /a', 'PURGE /elsewhere', 'POST /graphql', `GET /graphql?query=${query}`].map(
      (target): [string, string, string] => [target, 'down', '503 down'],
    ),
  ])('%s in the scenario "%s": %s', async (target, scenario, answer) => {
    const sent = await send(table, target, { body: '{"query":"{ a }"}', headers: { 'x-mock-scenario': scenario } })
    expect(sent.kind === 'passthrough' ? sent.kind : `${sent.status} ${String(sent.body)}`).toBe(answer)
  }) // prettier-ignore

  const strict = tableOf(
    [
      { path: '/graphql', response: { body: { data: { a: 1 } } } },
      { path: '/a', method: 'POST', when: { body: { b: 1 } } },
      { path: '/b', method: 'POST', when: { body: { b: 1 } } },
      { path: '/b', method: '*', scenario: 'up', response: { body: 'up' } },
      { path: '/**', method: '*', scenario: 'down', response: { status: 503, body: 'down' } },
      { path: '/**', method: '*', scenario: 'bad', response: { status: 400, body: 'bad' } },
    ],
    { strict: true },
  )
  it.each<[what: string, target: string, options: Parameters<typeof send>[2], refused: number]>([
    ['a GraphQL body that is no JSON', 'POST /graphql', { body: '{' }, 400],
    ['a GraphQL document with an error', 'POST /graphql', { body: '{"query":"{"}' }, 200],
    [
      'a head that strict mode refuses',
      'POST /graphql',
      { body: 'x', headers: { 'content-type': 'text/x' } },
      415,
    ],
    ['a body that is no JSON', 'POST /a', { body: '{' }, 400],
    ['a body that is too large', 'POST /a', { unreadable: { kind: 'too-large', limit: 1 } }, 413],
  ])('a failure answers what would be refused, too: %s', async (_, target, options, refused) => {
    const sendIn = async (scenario: string) => {
      const headers = { 'content-type': 'application/json', ...options?.headers, 'x-mock-scenario': scenario }
      return (await send(strict, target, { ...options, headers })).status
    }
    expect([await sendIn(''), await sendIn('down')]).toEqual([refused, 503])
  })

  it.each([
    ['an answer does not', 'up', expect.stringContaining('JSON')],
    ['an answer from 400 on does', 'bad', '"bad"'],
  ])('%s', async (_, scenario, body) => {
    const headers = { 'content-type': 'application/json', 'x-mock-scenario': scenario }
    const answer = await send(strict, 'POST /b', { body: '{', headers })
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([400, body])
  })
})
