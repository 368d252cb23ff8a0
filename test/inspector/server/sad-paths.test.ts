import { text } from 'node:stream/consumers'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '../../../src/client.ts'
import type { MiddlewareOptions } from '../../../src/core/options/options.ts'
import type { Shapes } from '../../../src/inspector/api/api.ts'
import { apiServerOnce } from './api-server.ts'

const fixture = `
- path: /orders/:id
  response: { body: { id: 7, lines: [{ sku: a }, { sku: b }] } }
- name: gone
  path: /orders/:id
  when: { params: { id: 404 } }
  response: { status: 404, body: { code: 404, reason: gone } }
- path: /orders/:id
  scenario: down
  response: { status: 503 }
- path: /orders/:id
  scenario: nothing
  response: { delay: 2000, body: { lines: [] } }
- path: /signed-in
  response: { headers: { set-cookie: [a=1, b=2] }, body: { id: 1 } }
- path: /items
  paginate: { perPage: 2, items: [{ id: 1 }, { id: 2 }, { id: 3 }] }
- path: /graphql
  response: { body: { data: { hero: { name: R2-D2, friends: [{ name: Luke }, { name: Han }] } } } }
- path: /graphql
  scenario: half
  response:
    body:
      data: { hero: { name: R2-D2, friends: [{ name: Luke }, { name: null }] } }
      errors: [{ message: gone, path: [hero, friends, 1, name] }]
- path: /graphql
  scenario: login
  response: { body: { data: null, errors: [{ message: no, extensions: { code: UNAUTHENTICATED } }] } }
- path: /graphql
  when: { operationName: Other }
  response: { body: { data: { hero: { name: A, friends: [] } }, errors: [{ message: no, extensions: { code: FORBIDDEN } }] } }
`
const schema = `
type Query { hero: Hero }
type Hero { name: String friends: [Friend!] }
type Friend { name: String! }
`

const server = apiServerOnce(
  { 'fixtures/a.yaml': fixture, 'schema.graphql': schema },
  { graphql: { schema: './schema.graphql' } },
)
afterEach(() => server.call('POST', 'reset', { requests: true }))

const force = (sadPath: string, client?: string) =>
  server.call('PUT', 'overrides', { sadPath }, client === undefined ? {} : { 'x-mock-client': client })
const query = 'query Hero {\n  hero {\n    name\n    friends {\n      name\n    }\n  }\n}'
const askHero = () => server.post('/graphql', { query })
const list = async (query: string) =>
  (await server.call<Shapes['SadPathList']>('GET', `sad-paths?${query}`)).body

describe('the list', () => {
  it('is that of a request', async () => {
    await server.send('/orders/7')
    const { sadPaths, more } = await list(`request=${(await server.last()).id}`)
    expect(more).toBe(0)
    expect(sadPaths.find(({ kind }) => kind === 'null')).toEqual({
      id: 'GET /orders/:id #null id',
      title: 'id is null',
      kind: 'null',
      request: 'GET /orders/:id',
      method: 'GET',
      path: '/orders/:id',
    })
  })

  it('is that of a route, which nobody has asked', async () => {
    const { sadPaths } = await list(`route=${encodeURIComponent('GET /items #default')}`)
    expect(sadPaths.map(({ id }) => id)).toContain('GET /items #page endless data')
  })

  it('has a limit', async () => {
    await askHero()
    const { sadPaths, more } = await list(`request=${(await server.last()).id}&limit=3`)
    expect(sadPaths.map(({ id }) => id)).toEqual([
      'POST /graphql Hero #status 500',
      'POST /graphql Hero #null hero',
      'POST /graphql Hero #list empty hero.friends',
    ])
    expect(more).toBeGreaterThan(10)
  })

  it('is that of the answer before it went wrong', async () => {
    await askHero()
    const before = await list(`request=${(await server.last()).id}`)
    await force('POST /graphql Hero #status 500')
    await askHero()
    expect(await list(`request=${(await server.last()).id}`)).toEqual(before)
  })

  it.each([
    ['', 400, 'api-parameter-invalid'],
    ['request=1&route=a', 400, 'api-parameter-invalid'],
    ['request=99', 404, 'api-request-unknown'],
    ['route=GET%20/a', 404, 'api-route-unknown'],
  ])('of "%s" is a %i', async (query, status, code) => {
    expect(await server.call('GET', `sad-paths?${query}`)).toMatchObject({
      status,
      body: { error: { code } },
    })
  })
})

describe('a forced sad path', () => {
  it.each<[string, string, number, unknown]>([
    [
      'GET /orders/:id #null lines[].sku last',
      '/orders/7',
      200,
      { id: 7, lines: [{ sku: 'a' }, { sku: null }] },
    ],
    ['GET /orders/:id #missing lines', '/orders/7', 200, { id: 7 }],
    ['GET /orders/:id #list empty lines', '/orders/7', 200, { id: 7, lines: [] }],
    ['GET /orders/:id #status 404', '/orders/7', 404, { code: 404, reason: 'gone' }],
    ['GET /orders/:id #status 503', '/orders/7', 503, { code: 503, reason: 'gone' }],
    ['GET /items #page fails data', '/items', 200, { page: 1, data: [{ id: 1 }, { id: 2 }] }],
    ['GET /items #page fails data', '/items?page=2', 500, { code: 500, reason: 'gone' }],
    ['GET /items #page endless data', '/items?page=2', 200, { page: 2, has_more: true, data: [{ id: 3 }] }],
    [
      'GET /orders/:id #null lines[].sku middle',
      '/orders/7',
      200,
      { id: 7, lines: [{ sku: 'a' }, { sku: 'b' }] },
    ],
    ['GET /orders/:id #status 500', '/items', 200, { page: 1 }],
  ])('%s at %s', async (id, url, status, body) => {
    await force(id)
    const response = await server.send(url)
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject(body as object)
  })

  it.each<[name: string, first: number[], second: number[]]>([
    ['repeated-next', [1, 2], [2, 3]],
    ['lost-next', [1, 2], []],
  ])('of the list between two pages: %s', async (name, first, second) => {
    await force(`GET /items #page ${name} data`)
    const idsOf = async (url: string) =>
      ((await (await server.send(url)).json()) as { data: { id: number }[] }).data.map(({ id }) => id)
    expect(await idsOf('/items?page=2'), 'no page before').toEqual(name === 'lost-next' ? [] : [3])
    await force(`GET /items #page ${name} data`)
    expect(await idsOf('/items')).toEqual(first)
    expect(await idsOf('/items?page=2')).toEqual(second)
  })

  it('of GraphQL spreads as the schema says, and its error has a location', async () => {
    await force('POST /graphql Hero #null hero.friends[].name')
    expect(await (await askHero()).json()).toEqual({
      errors: [
        {
          message: 'hero.friends[0].name could not be read.',
          locations: [{ line: 5, column: 7 }],
          path: ['hero', 'friends', 0, 'name'],
        },
      ],
      data: { hero: { name: 'R2-D2', friends: null } },
    })
    expect(await server.last()).toMatchObject({ answeredBy: 'override', operationName: 'Hero' })
  })

  it('keeps both of two cookies', async () => {
    await force('GET /signed-in #null id')
    const response = await server.send('/signed-in')
    expect([await response.json(), response.headers.getSetCookie()]).toEqual([{ id: null }, ['a=1', 'b=2']])
  })

  it.each([
    ['status 204', 'body none', 204, ''],
    ['HTML', 'body html', 200, '<!doctype html>'],
  ])('%s', async (_, name, status, start) => {
    await force(`GET /orders/:id #${name}`)
    const response = await server.send('/orders/7')
    expect(response.status).toBe(status)
    expect((await response.text()).startsWith(start)).toBe(true)
  })

  it('is refused if it is none', async () => {
    expect(await force('GET /items')).toMatchObject({
      status: 400,
      body: { error: { code: 'api-sad-path-unknown' } },
    })
  })
})

describe('what covers a sad path', () => {
  const coverageOf = async (query: string, id: string) =>
    (await list(query)).sadPaths.find((path) => path.id === id)?.coveredBy

  it.each<[string, string, { by: string; name: string }[] | undefined]>([
    ['/orders/7', 'GET /orders/:id #status 404', [{ by: 'route', name: 'gone' }]],
    ['/orders/7', 'GET /orders/:id #status 503', [{ by: 'scenario', name: 'down' }]],
    ['/orders/7', 'GET /orders/:id #list empty lines', [{ by: 'scenario', name: 'nothing' }]],
    ['/orders/7', 'GET /orders/:id #slow late', [{ by: 'scenario', name: 'nothing' }]],
    ['/orders/7', 'GET /orders/:id #missing id', [{ by: 'scenario', name: 'nothing' }]],
    ['/orders/7', 'GET /orders/:id #null id', undefined],
    ['/orders/7', 'GET /orders/:id #body html', undefined],
    ['hero', 'POST /graphql Hero #null hero.friends[].name', [{ by: 'scenario', name: 'half' }]],
    ['hero', 'POST /graphql Hero #null hero', undefined],
    ['hero', 'POST /graphql Hero #error UNAUTHENTICATED', [{ by: 'scenario', name: 'login' }]],
    ['hero', 'POST /graphql Hero #error FORBIDDEN', undefined],
  ])('of %s: %s', async (url, id, expected) => {
    await (url === 'hero' ? askHero() : server.send(url))
    const found = await coverageOf(`request=${(await server.last()).id}`, id)
    expect(found?.map(({ by, name }) => ({ by, name }))).toEqual(expected)
  })

  it.each([
    ['a test', '#status 401', 'a test'],
    ['explore-0a1b2c3d-7', '#status 409', 'explore'],
  ])('is also a client that has had it: %s', async (client, kind, name) => {
    await server.send('/items')
    const query = `request=${(await server.last()).id}`
    await force(`GET /items ${kind}`, client)
    await server.send('/items', { headers: { 'x-mock-client': client } })
    expect(await coverageOf(query, `GET /items ${kind}`)).toEqual([{ by: 'client', name }])
    expect(await coverageOf(query, 'GET /items #status 403')).toBeUndefined()
  })
})

it('lists each operation of a batch', async () => {
  await server.post('/graphql', [{ query }, { query: query.replace('Hero', 'Other') }])
  const { sadPaths } = await list(`request=${(await server.last()).id}&limit=1000`)
  const names = sadPaths.flatMap(({ kind, operationName }) => (kind === 'null' ? operationName : []))
  expect([...new Set(names)]).toEqual(['Hero', 'Other'])
  await force('POST /graphql Other #null hero')
  const answers: unknown = await (
    await server.post('/graphql', [{ query }, { query: query.replace('Hero', 'Other') }])
  ).json()
  expect(answers).toMatchObject([{ data: { hero: { name: 'R2-D2' } } }, { data: { hero: null } }])
})

it('is written as a scenario', async () => {
  await askHero()
  const { id } = await server.last()
  const sadPath = 'POST /graphql Hero #null hero.name'
  const { status, body } = await server.call('POST', 'edit', { request: id, sadPath })
  expect(status).toBe(200)
  expect(body).toMatchObject({
    file: 'fixtures/hero-null-hero-name.yaml',
    scenario: 'hero-null-hero-name',
    text: `- path: /graphql
  scenario: hero-null-hero-name
  when: { operationName: Hero }
  response:
    body:
      errors:
        - message: hero.name could not be read.
          path: [hero, name]
      data:
        hero: { name: null, friends: [{ name: Luke }, { name: Han }] }
`,
  })
  const unknown = await server.call('POST', 'edit', { request: id, sadPath: 'GET /a #null b' })
  expect(unknown).toMatchObject({ status: 409, body: { error: { code: 'api-fixture-unwritable' } } })
})

it('is listed and forced by the client', async () => {
  const mock = createClient(server.origin, { client: 'test' })
  const headers = { 'x-mock-client': 'test' }
  await server.post('/graphql', { query }, headers)
  await server.send('/items?page=1', { headers })
  await server.send('/items?page=2', { headers })
  const paths = await mock.sadPaths({ operationName: 'Hero' })
  expect(new Set(paths.map(({ request }) => request))).toEqual(new Set(['POST /graphql Hero']))
  expect(new Set((await mock.sadPaths()).map(({ request }) => request))).toEqual(
    new Set(['POST /graphql Hero', 'GET /items']),
  )
  await mock.override({ delay: 1 })
  await mock.force(paths.find(({ kind }) => kind === 'error'))
  const answer = (await (await server.post('/graphql', { query }, headers)).json()) as object
  expect(answer).toEqual({ errors: [{ message: 'The request could not be answered.' }], data: null })
  await mock.force()
  expect(await (await server.post('/graphql', { query }, headers)).json()).toHaveProperty('data.hero')
})

describe('what is passed on to the next handler', () => {
  const app = apiServerOnce(
    { 'fixtures/a.yaml': '- { path: /a, response: { body: {} } }' },
    {},
    (req, res) => {
      const body = JSON.stringify({ users: [{ name: 'Ada', from: req.method }] })
      res.writeHead(200, { 'content-type': 'application/json', 'x-backend': '1' }).end(body)
    },
  )

  it('goes wrong, too', async () => {
    await app.requests('?passed=true')
    await app.send('/users?page=1')
    const request = await app.last('?passed=true')
    expect(request).toMatchObject({ answeredBy: 'passed-on', status: 200 })
    const { sadPaths } = (await app.call<Shapes['SadPathList']>('GET', `sad-paths?request=${request.id}`))
      .body
    const path = sadPaths.find(({ kind }) => kind === 'missing')!
    expect(path.id).toBe('GET /users #missing users')
    await app.call('PUT', 'overrides', { sadPath: 'GET /users #null users[].name' })
    const response = await app.send('/users')
    expect([response.status, response.headers.get('x-backend'), await response.json()]).toEqual([
      200,
      '1',
      { users: [{ name: null, from: 'GET' }] },
    ])
    expect(await app.last()).toMatchObject({ answeredBy: 'override', url: '/users' })
    const yaml = await app.call('POST', 'edit', { request: request.id, sadPath: path.id })
    expect(yaml.body['text']).toContain('scenario: users-missing-users')
    await app.call('PUT', 'overrides', { sadPath: 'GET /users #status 503' })
    expect((await app.send('/users', { method: 'POST' })).status).toBe(200)
    expect((await app.send('/users')).status).toBe(503)
    await app.call('PUT', 'overrides', {})
    expect(await (await app.send('/users')).json()).toEqual({ users: [{ name: 'Ada', from: 'GET' }] })
  })
})

describe.each<[string, string, MiddlewareOptions]>([
  ['without a route', '- { path: /a, response: { body: {} } }', {}],
  [
    'beside a route for another operation',
    '- { path: /graphql, when: { operationName: Mine }, response: { body: { data: {} } } }',
    { unmatched: 'passthrough' },
  ],
])('GraphQL that is passed on, %s', (_, fixture, options) => {
  const app = apiServerOnce({ 'fixtures/a.yaml': fixture }, options, (req, res) => {
    void text(req).then((sent) => {
      const asked = JSON.parse(sent) as { query: string } | { query: string }[]
      const answer = ({ query }: { query: string }) => ({ data: { users: [{ name: query.slice(6, 7) }] } })
      const body = JSON.stringify(Array.isArray(asked) ? asked.map(answer) : answer(asked))
      res.writeHead(200, { 'content-type': 'application/json' }).end(body)
    })
  })
  beforeAll(() => app.requests('?passed=true'))

  const operation = (name: string) => ({ query: `query ${name} {\n  users { name }\n}` })

  it('goes wrong operation by operation', async () => {
    await app.post('/graphql', operation('A'))
    const request = await app.last('?passed=true')
    expect(request).toMatchObject({ answeredBy: 'passed-on', operationName: 'A', operationType: 'query' })
    const { body } = await app.call<Shapes['SadPathList']>('GET', `sad-paths?request=${request.id}`)
    expect(body.sadPaths.map(({ id }) => id)).toContain('POST /graphql A #error UNAUTHENTICATED')
    const sadPath = 'POST /graphql A #null users[].name'
    await app.call('PUT', 'overrides', { sadPath })
    expect(await (await app.post('/graphql', operation('A'))).json()).toEqual({
      errors: [
        {
          message: 'users[0].name could not be read.',
          locations: [{ line: 2, column: 11 }],
          path: ['users', 0, 'name'],
        },
      ],
      data: { users: [{ name: null }] },
    })
    expect(await app.last()).toMatchObject({ answeredBy: 'override', operationName: 'A' })
    const other = { data: { users: [{ name: 'B' }] } }
    expect(await (await app.post('/graphql', operation('B'))).json()).toEqual(other)
    expect(await (await app.post('/graphql', [operation('A'), operation('B')])).json()).toMatchObject([
      { data: { users: [{ name: null }] } },
      other,
    ])
    const yaml = await app.call('POST', 'edit', { request: request.id, sadPath })
    expect(yaml.body['text']).toContain('when: { operationName: A }')
  })

  it('is passed on, whatever its body holds', async () => {
    await app.call('PUT', 'overrides', {})
    const sent = { query: options.unmatched ? '{' : `{ a(b: "${'x'.repeat(2_000_000)}") }` }
    expect(await (await app.post('/graphql', sent)).json()).toHaveProperty('data')
    expect(await app.last('?passed=true')).toMatchObject({ answeredBy: 'passed-on', url: '/graphql' })
  })
})
