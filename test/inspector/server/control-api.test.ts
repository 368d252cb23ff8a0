import { gzipSync } from 'node:zlib'
import { describe, expect, it, vi } from 'vitest'
import type { RouteInfo } from '../../../src/inspector/api/api.ts'
import { openRaw } from '../../hosts/raw.ts'
import { apiServerOnce, startApiServer } from './api-server.ts'

const fixtures = {
  'fixtures/orders.yaml': `
- path: /orders/:id
  response: { body: { id: 7, state: open } }
- name: the order is gone
  path: /orders/:id
  when: { params: { id: 404 } }
  response: { status: 404, body: { code: not_found } }
- name: search by tenant
  method: POST
  path: /orders/search
  when: { headers: { x-tenant: { $in: [a, b] } }, body: { filter.state: open } }
  response: { body: [] }
- { path: /broken, response: { fault: reset } }
- { method: POST, path: /pay, response: { body: { paid: true } } }
- { method: POST, path: /pay/later, response: { body: { paid: true }, delay: 20 } }
- path: /graphql
  response: { body: { data: { hero: null } } }
`,
  'fixtures/list.yaml': `
- { path: /list, paginate: { perPage: 1, items: [{ id: 1 }, { id: 2 }] } }
`,
}

const server = apiServerOnce(fixtures)

describe('GET routes', () => {
  it('lists the routes in the order in which they are tried', async () => {
    const { status, body } = await server.call<{ routes: RouteInfo[] }>('GET', 'routes')
    expect(status).toBe(200)
    expect(body.routes).toEqual([
      expect.objectContaining({
        id: 'GET /list #default',
        answers: 'paginate',
        status: 200,
        pages: 2,
        file: 'fixtures/list.yaml',
        line: 2,
      }),
      expect.objectContaining({
        id: 'GET /orders/:id #default',
        answers: 'static',
        isTemplate: false,
        line: 2,
      }),
      expect.objectContaining({
        id: 'GET /orders/:id #the order is gone',
        name: 'the order is gone',
        when: { params: { id: 404 } },
        scenarios: [],
      }),
      expect.objectContaining({
        id: 'POST /orders/search #search by tenant',
        when: { headers: { 'x-tenant': { $in: ['a', 'b'] } }, body: { 'filter.state': 'open' } },
      }),
      expect.objectContaining({ id: 'GET /broken #default' }),
      expect.objectContaining({ id: 'POST /pay #default' }),
      expect.objectContaining({ id: 'POST /pay/later #default' }),
      expect.objectContaining({ id: 'POST /graphql #default', isGraphQL: true }),
    ])
  })

  it('counts what a route has answered', async () => {
    const hits = async () => {
      const { body } = await server.call<{ routes: RouteInfo[] }>('GET', 'routes')
      return body.routes.find(({ id }) => id === 'GET /orders/:id #the order is gone')!.hits
    }
    const before = await hits()
    await server.send('/orders/404')
    expect(await hits()).toBe(before + 1)
  })
})

describe('GET requests', () => {
  const json = { 'content-type': 'application/json' }
  const post = (value: unknown) => ({ method: 'POST', body: JSON.stringify(value), headers: json })
  const gone = {
    id: 'GET /orders/:id #the order is gone',
    name: 'the order is gone',
    file: 'fixtures/orders.yaml',
    line: 4,
    column: 3,
  }
  const variables = { id: 7, password: 'x' }
  const preflight = { origin: 'http://localhost:1', 'access-control-request-method': 'GET' }
  it.each<[what: string, path: string, init: RequestInit, expected: object]>([
    [
      'a route',
      '/orders/404?token=abc&a=1',
      { headers: { 'x-mock-client': 'one' } },
      { url: '/orders/404?token=…&a=1', client: 'one', status: 404, answeredBy: 'route', route: gone },
    ],
    ['no route', '/orders/search', post({}), { method: 'POST', status: 404, answeredBy: 'nothing' }],
    [
      'a malformed body',
      '/orders/search',
      { ...post({}), body: '{' },
      { url: '/orders/search', status: 400, answeredBy: 'refused' },
    ],
    [
      'a page of another site',
      '/orders/7',
      { headers: { origin: 'https://evil.example' } },
      { status: 403, answeredBy: 'refused' },
    ],
    [
      'a preflight',
      '/orders/7',
      { method: 'OPTIONS', headers: preflight },
      { status: 204, answeredBy: 'plugin' },
    ],
    ['a fault', '/broken', {}, { answeredBy: 'fault', route: expect.anything() as object }],
    [
      'an operation',
      '/graphql',
      post({ query: 'query Hero($id: ID, $password: String) { hero }', variables }),
      { operationName: 'Hero', operationType: 'query', variables: 'id: 7, password: …', answeredBy: 'route' },
    ],
    [
      'a batch',
      '/graphql',
      post([{ query: 'query A { hero }' }, { query: 'query B { hero }' }]),
      { operationName: 'A, B', status: 200, answeredBy: 'route' },
    ],
  ])('has %s', async (_, path, init, expected) => {
    await server.send(path, init).catch(() => {})
    await expect.poll(() => server.last()).toMatchObject(expected)
  })

  it('has no status of a fault that sends none', async () => {
    await server.send('/broken').catch(() => {})
    const ended = { answeredBy: 'fault', duration: expect.any(Number) as number }
    await expect.poll(() => server.last()).toMatchObject(ended)
    expect(await server.last()).not.toHaveProperty('status')
  })

  it.each(['error', 'passthrough'] as const)(
    'has an upload that breaks off, with `unmatched: %s`',
    async (unmatched) => {
      const own = await startApiServer(fixtures, { unmatched })
      try {
        const connection = await openRaw(own.origin)
        connection.write(
          'POST /orders/search HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n',
        )
        expect(await connection.next()).toMatchObject({ status: 100 })
        connection.write('{')
        connection.reset()
        await expect.poll(() => own.requests()).toMatchObject([{ url: '/orders/search', isAborted: true }])
        const [request] = await own.requests()
        expect([request!.status, request!.answeredBy]).toEqual([undefined, 'passed-on'])
      } finally {
        await own.close()
      }
    },
  )

  it('times the upload of a request, too', async () => {
    const upload = new ReadableStream({
      async start(stream) {
        stream.enqueue(new TextEncoder().encode('{ "filter": '))
        await new Promise((resolve) => setTimeout(resolve, 30))
        stream.enqueue(new TextEncoder().encode('{} }'))
        stream.close()
      },
    })
    const init = { method: 'POST', body: upload, duplex: 'half' } as RequestInit
    expect((await server.send('/orders/search', init)).status).toBe(404)
    const { url, status, duration } = await server.last()
    expect([url, status]).toEqual(['/orders/search', 404])
    // How long depends on when the server has accepted the connection. An answer that is not timed has 0.
    expect(duration).toBeGreaterThan(0)
  })

  it('lists what is passed on only when asked', async () => {
    const [before] = [(await server.last()).id, await server.send('/elsewhere.js')]
    expect((await server.last()).id).toBe(before)
    await server.last('?passed=true')
    await server.send('/elsewhere.js')
    await expect
      .poll(() => server.last('?passed=true'))
      .toMatchObject({ url: '/elsewhere.js', answeredBy: 'passed-on', status: 404 })
  })

  it('filters by client, and takes a limit', async () => {
    await server.send('/orders/1', { headers: { 'x-mock-client': 'two' } })
    await server.send('/orders/2', { headers: { cookie: 'mock-client=two' } })
    await server.send('/orders/3')
    const ofTwo = await server.requests('?client=two')
    expect(ofTwo.map(({ url }) => url)).toEqual(['/orders/2', '/orders/1'])
    expect(await server.requests('?limit=1')).toHaveLength(1)
    expect((await server.call('GET', 'requests?limit=x')).status).toBe(400)
  })
})

describe('GET requests/:id', () => {
  const json = { 'content-type': 'application/json' }
  const card = '{ "card": "visa", "password": "hunter2" }'
  it.each<[what: string, path: string, init: RequestInit]>([
    ['is sent at once', '/pay', { body: card, headers: json }],
    ['is compressed', '/pay', { body: gzipSync(card), headers: { ...json, 'content-encoding': 'gzip' } }],
    ['is answered later', '/pay/later', { body: card, headers: json }],
  ])('has a body that no route needs, if it %s', async (_, path, init) => {
    const response = await server.send(path, { method: 'POST', ...init })
    expect(await response.json()).toEqual({ paid: true })
    await vi.waitFor(async () => expect((await server.details()).body).toBeDefined(), 30_000)
    expect((await server.details()).body).toMatchObject({ text: card.replace('hunter2', '…') })
  })

  it('has everything, without secrets', async () => {
    const sent = '{ "filter": { "state": "open" }, "password": "hunter2" }'
    await server.post('/orders/search', sent, { 'x-tenant': 'c', authorization: 'Bearer abc' })
    expect(await server.details()).toMatchObject({
      headers: { 'x-tenant': 'c', authorization: '…' },
      body: { size: 56, text: sent.replace('hunter2', '…'), isCut: false },
      response: {
        status: 404,
        headers: { 'content-type': 'application/json; charset=utf-8' },
        body: { text: expect.stringContaining('route-unmatched') as string, isCut: false },
      },
      decision: {
        answeredBy: 'nothing',
        endpoint: 'POST /orders/search',
        summary: 'No route matched. Closest: "search by tenant" (headers.x-tenant).',
        candidates: [
          {
            id: 'POST /orders/search #search by tenant',
            isSelected: false,
            unmet: [
              {
                field: 'headers.x-tenant',
                expected: '{"$in":["a","b"]}',
                expectedType: 'operators',
                received: '"c"',
                receivedType: 'string',
              },
            ],
          },
        ],
        more: 0,
      },
    })
  })

  it('is a 404 when it is unknown', async () => {
    for (const id of ['999999', '0', 'x']) {
      const { status, body } = await server.call('GET', `requests/${id}`)
      expect([status, body]).toEqual([
        404,
        { error: expect.objectContaining({ code: 'api-request-unknown' }) as object },
      ])
    }
  })
})

it.each<[method: string, path: string, body: unknown, status: number, code: string]>([
  ['GET', 'request', undefined, 404, 'api-path-unknown'],
  ['GET', '', undefined, 404, 'api-path-unknown'],
  ['POST', 'routes', {}, 405, 'api-method-unknown'],
  ['DELETE', 'scenario', undefined, 405, 'api-method-unknown'],
  ['PUT', 'scenario', '{', 400, 'api-body-invalid'],
  ['PUT', 'scenario', undefined, 400, 'api-body-invalid'],
  ['PUT', 'overrides', { delay: -1 }, 400, 'api-body-invalid'],
  ['PUT', 'overrides', { routes: { 'GET /nowhere': 'GET /nowhere #1' } }, 400, 'api-endpoint-unknown'],
  ['PUT', 'overrides', { delay: { 'GET /nowhere': 10 } }, 400, 'api-endpoint-unknown'],
  ['PUT', 'overrides', { failNext: { count: 1, endpoint: 'GET /nowhere' } }, 400, 'api-endpoint-unknown'],
  ['PUT', 'overrides', { routes: { 'GET /list': 'GET /list #2' } }, 400, 'api-route-unknown'],
  ['PUT', 'overrides', { routes: { constructor: 'GET /list #1' } }, 400, 'api-body-invalid'],
  ['PUT', 'overrides', { delay: { constructor: 1 } }, 400, 'api-body-invalid'],
  ['PUT', 'overrides', JSON.parse('{"__proto__":{"delay":1}}'), 400, 'api-body-invalid'],
  ['POST', 'reset', { constructor: 1 }, 400, 'api-body-invalid'],
  ['POST', 'edit', { request: 999999 }, 404, 'api-request-unknown'],
  ['POST', 'open', { file: '/etc/passwd' }, 404, 'api-file-unknown'],
  ['PUT', 'scenario', ' '.repeat(3_000_000), 413, 'api-body-too-large'],
])('%s %s is an error in JSON', async (method, path, body, status, code) => {
  const answer = await server.call<{ error: { code: string; fix: string } }>(method, path, body)
  expect([answer.status, answer.body.error.code]).toEqual([status, code])
  expect(answer.body.error.fix).toMatch(/[.?]$/)
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  if (status === 405) expect(answer.headers.get('allow')).toMatch(/^[A-Z, ]+$/)
})

const aboutBodies = 'GET openapi.json describes the bodies of the control API.'
const failing = (failNext: object) => ({ failNext: { count: 1, ...failNext } })

it.each<[request: string, body: unknown, message: string, fix?: string]>([
  ['PUT scenario', { scenario: 7 }, '"scenario" must be a name, or a list of names, not the number 7.'],
  ['PUT scenario', {}, 'The key "scenario" is missing.'],
  [
    'PUT overrides',
    { dely: 1 },
    'Unknown key "dely".',
    'Did you mean "delay"? Known keys: routes, delay, failNext, sadPath, nextAnswer, offline, chaos.',
  ],
  [
    'PUT overrides',
    failing({ stats: 503 }),
    'Unknown key "failNext.stats".',
    'Did you mean "status"? Known keys: count, status, fault, endpoint.',
  ],
  [
    'PUT overrides',
    failing({ path: '/list' }),
    'Unknown key "failNext.path".',
    'An endpoint is a method and a path: write "endpoint": "POST /orders".',
  ],
  [
    'PUT overrides',
    failing({ endpoint: '/list' }),
    'There is no endpoint "/list".',
    'An endpoint is a method and a path: write "GET /list".',
  ],
  [
    'PUT overrides',
    failing({ fault: 'rset' }),
    '"failNext.fault" must be "reset", "empty", "truncated", "malformed", "stalled" or "silent", not the string "rset".',
  ],
  [
    'PUT overrides',
    { delay: { 'GET /lst': 10 } },
    'There is no endpoint "GET /lst".',
    expect.stringMatching(/^Did you mean "GET \/list"\? There are: .*GET \/list/) as string,
  ],
  [
    'PUT overrides',
    { delay: '1' },
    '"delay" must be milliseconds, or an object of them, not the string "1".',
  ],
  [
    'PUT record',
    { recording: true, target: 'localhost:5198' },
    '"target" must be a URL such as "https://staging.example", without user and query, not the string "localhost:5198".',
    'The scheme is missing: write "http://localhost:5198".',
  ],
  ...['https://a.example/v1', 'https://me@a.example', 'https://*.example', 'file:///etc', 'a.example'].map(
    (origin): [string, object, string] => [
      'PUT record',
      { recording: true, origin },
      `"origin" must be an origin such as "https://api.example.com", not the string "${origin.replace('me@', '…@')}".`,
    ],
  ),
  ['POST edit', { request: 1, file: '' }, '"file" must be the name of a file, not the string "".'],
  ['POST explain', { url: 'orders' }, '"url" must be a path that begins with "/", not the string "orders".'],
  [
    'GET requests/x',
    undefined,
    'No recorded request has the id x.',
    'The last 500 requests are kept, until the server stops.',
  ],
  ['GET request', undefined, 'The control API has nothing at "/request".', 'Did you mean "/requests"?'],
])('%s with %j says what is wrong', async (request, body, message, fix = aboutBodies) => {
  const [method, path] = request.split(' ') as [string, string]
  const answer = await server.call<{ error: { message: string; fix: string } }>(method, path, body)
  expect(answer.body.error).toMatchObject({ message, fix })
})

it.each([
  ['empty without one', undefined, ''],
  ['SDL', 'schema.graphql', 'type Query {\n  hero: String\n}'],
])('GET graphql-schema is %s', async (_, schema, sdl) => {
  const own = await startApiServer(
    { 'schema.graphql': 'type Query { hero: String } # a' },
    { graphql: { schema } },
  )
  expect((await own.call('GET', 'graphql-schema')).body).toEqual({ sdl })
  await own.close()
})
