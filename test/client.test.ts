import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '../src/client.ts'
import { startApiServer, type ApiServer } from './inspector/server/api-server.ts'

const fixtures = {
  'fixtures/shop.yaml': `
- { name: open, path: /orders/:id, response: { body: { state: open } } }
- { name: down, path: /orders/:id, scenario: down, response: { status: 503 } }
- { name: gone, path: /orders/:id, when: { params: { id: 404 } }, response: { status: 404 } }
- { path: /slow, response: { body: slow, delay: 50 } }
- { name: turns, path: /turns, response: [{ status: 503 }, { body: ok }] }
- { path: /graphql, response: { body: { data: { a: 1 } } } }
`,
}

let server: ApiServer
beforeAll(async () => {
  server = await startApiServer(fixtures)
})
afterEach(() => createClient(server.origin).reset())
afterAll(() => server.close())

const status = async (path: string, client?: string) =>
  (await server.send(path, client === undefined ? {} : { headers: { 'x-mock-client': client } })).status

describe('two clients at the same time', () => {
  const one = () => createClient(server.origin, { client: 'one' })
  const two = () => createClient(server.origin, { client: 'two' })

  it('have scenarios of their own', async () => {
    await one().setScenario('down')
    expect([await status('/orders/7', 'one'), await status('/orders/7', 'two')]).toEqual([503, 200])
    expect(await status('/orders/7')).toBe(200)
    await one().setScenario()
    expect(await status('/orders/7', 'one')).toBe(200)
  })

  it('have overrides of their own', async () => {
    await one().override({ failNext: { count: 1, status: 500 } })
    await two().override({ routes: { 'GET /orders/:id': 'gone' } })
    expect([await status('/orders/7', 'two'), await status('/orders/7')]).toEqual([404, 200])
    expect([await status('/orders/7', 'one'), await status('/orders/7', 'one')]).toEqual([500, 200])
  })

  it('see their own requests, and reset their own', async () => {
    await status('/orders/1', 'one')
    await status('/orders/2', 'two')
    expect((await one().requests()).map(({ url }) => url)).toEqual(['/orders/1'])
    await one().reset()
    expect(await one().requests()).toEqual([])
    expect((await two().requests()).map(({ url }) => url)).toEqual(['/orders/2'])
    expect(await createClient(server.origin).requests({ path: /^\/orders/ })).toHaveLength(1)
  })
})

it('finds requests by their path with the base, and without it', async () => {
  const shop = await startApiServer(fixtures, { base: '/api' })
  for (const path of ['/api/orders/7', '/api/nothing']) await shop.send(path)
  const client = createClient(shop.origin)
  const paths = ['/orders/7', '/api/orders/7', /^\/orders/, '/nothing', '/api/nothing', '/api', '/7']
  const found = await Promise.all(paths.map((path) => client.requests({ path })))
  expect(found.map(({ length }) => length)).toEqual([1, 1, 1, 1, 1, 0, 0])
  await shop.close()
})

describe('waitForRequest', () => {
  it('returns a later request, with body and answer', async () => {
    const client = createClient(server.origin)
    const waiting = client.waitForRequest({ operationName: 'Buy' })
    await status('/orders/7')
    await server.send('/graphql', { method: 'POST', body: '{"query":"mutation Buy { a }"}' })
    expect(await waiting).toMatchObject({
      operationName: 'Buy',
      operationType: 'mutation',
      body: { text: '{"query":"mutation Buy { a }"}' },
      response: { status: 200, body: { text: '{"data":{"a":1}}' } },
    })
  })

  it('returns one that has arrived already, and each request once', async () => {
    const client = createClient(server.origin)
    await status('/orders/1')
    await status('/orders/2')
    const path = /^\/orders/
    const both = await Promise.all([client.waitForRequest({ path }), client.waitForRequest({ path })])
    expect(both.map(({ url }) => url).sort()).toEqual(['/orders/1', '/orders/2'])
    await expect(client.waitForRequest({ path }, { timeout: 50 })).rejects.toThrow('No request has arrived')
  })

  it('waits for the answer', async () => {
    const waiting = createClient(server.origin).waitForRequest({ path: '/slow' })
    await status('/slow')
    expect(await waiting).toMatchObject({ status: 200, duration: expect.any(Number) as number })
  })

  it('says what has arrived instead', async () => {
    const client = createClient(server.origin)
    await status('/orders/404?a=1')
    await expect(client.waitForRequest({ method: 'POST', path: '/pay' }, { timeout: 200 })).rejects.toThrow(
      'Waited 200 ms for a request with method "POST" and path "/pay". These have arrived:\n  GET /orders/404?a=1 → 404 by "gone"',
    )
  })
})

it('explains without answering', async () => {
  const client = createClient(server.origin)
  for (let times = 0; times < 2; times++) {
    expect(await client.explain({ method: 'GET', url: '/turns' })).toMatchObject({
      route: 'GET /turns #turns',
    })
  }
  expect(await client.explain({ url: '/orders/7' })).toMatchObject({
    answeredBy: 'route',
    route: 'GET /orders/:id #open',
    candidates: [
      { name: 'open', isSelected: true, isDefault: true },
      {
        name: 'gone',
        unmet: [{ field: 'params.id', expected: '"404"', expectedType: 'string', received: '"7"' }],
      },
      { name: 'down', unmet: [{ field: 'scenario', expected: 'down' }] },
    ],
  })
  expect(await client.requests()).toEqual([])
  expect(await status('/turns')).toBe(503)
})

it('fails with what the control API says', async () => {
  const client = createClient(server.origin)
  await expect(client.override({ routes: { 'GET /slow': 'GET /slow #9' } })).rejects.toMatchObject({
    name: 'ControlApiError',
    status: 400,
    code: 'api-route-unknown',
    message:
      'The endpoint GET /slow has no route "GET /slow #9". Did you mean "GET /slow #1"? There are: GET /slow #1.',
  })
})

it.each<[what: string, answer: (() => Response) | undefined, status: number, message: RegExp]>([
  ['no server', undefined, 0, /^No server answers at "http:\/\/app\.test"\. Start the dev server/],
  [
    'an application that answers with its page',
    () => new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } }),
    200,
    /^There is no control API at http:\/\/app\.test\/__mock-api\/api\/: the answer has the status 200/,
  ],
  [
    'a server without the plugin',
    () => new Response('Cannot GET', { status: 404 }),
    404,
    /"inspector" is not false/,
  ],
])('says how to get a control API from %s', async (_, answer, status, message) => {
  const send = () => (answer ? Promise.resolve(answer()) : Promise.reject(new TypeError('fetch failed')))
  const client = createClient('http://app.test', { fetch: send })
  for (const call of [client.reset(), client.requests(), client.waitForRequest({ path: '/a' })]) {
    const error: unknown = await call.catch((reason: unknown) => reason)
    expect(error).toMatchObject({
      name: 'ControlApiError',
      status,
      message: expect.stringMatching(message) as string,
    })
  }
})

it.each<[filter: object, message: string]>([
  [
    { path: '/slow', timeout: 10 },
    'Unknown key "timeout" in the filter of a request. It goes into the second argument: waitForRequest({ path: "/orders" }, { timeout: 1000 }).',
  ],
  [
    { url: '/slow' },
    'Unknown key "url" in the filter of a request. Known keys: method, path, operationName, status, answeredBy, route.',
  ],
])('refuses the filter %j', async (filter, message) => {
  const client = createClient(server.origin)
  for (const call of [client.waitForRequest(filter), client.requests(filter)])
    await expect(call).rejects.toEqual(new TypeError(message))
})
