import { describe, expect, it, vi } from 'vitest'
import { createFetchHandler, type FetchHandler, type FetchOptions, type Fixture } from '../src/fetch.ts'
import type { MockApiError } from '../src/core/diagnostics/format.ts'

function failure(create: () => unknown) {
  try {
    create()
  } catch (error) {
    const { name, diagnostics } = error as MockApiError
    return { name, codes: diagnostics.map(({ code, pointer }) => [code, pointer]), text: String(error) }
  }
  throw new Error('nothing was thrown')
}

describe('createFetchHandler throws', () => {
  it('reports all wrong routes at once, with their positions', () => {
    const routes = [
      { path: '/a', respnse: {} },
      { path: '/b', response: { status: 'ok' } },
      {},
    ] as unknown as Fixture
    const { name, codes, text } = failure(() => createFetchHandler(routes))
    expect(name).toBe('MockApiError')
    expect(codes).toEqual([
      ['fixture-unknown-key', '/0/respnse'],
      ['fixture-invalid', '/1/response/status'],
      ['fixture-missing-key', '/2'],
    ])
    expect(text).toContain('Did you mean "response"?')
  })

  it.each<[name: string, routes: unknown, code: string]>([
    ['two default routes', [{ path: '/a' }, { path: '/a' }], 'default-route-duplicate'],
    ['a body that is no JSON', [{ path: '/a', response: { body: 1n } }], 'body-not-json'],
    [
      'items that throw',
      [{ path: '/a', paginate: { items: () => Promise.reject(new Error()) } }],
      'items-failed',
    ],
    ['items in a file', [{ path: '/a', collection: { items: { file: 'a.json' } } }], 'body-file-unsupported'],
    ['items without an id', [{ path: '/a', collection: { items: () => [{}] } }], 'collection-item-invalid'],
    ['a body file in a list', [{ path: '/a', response: [{}, { file: 'a.svg' }] }], 'body-file-unsupported'],
    ['a body file', [{ path: '/a', response: { file: 'a.svg' } }], 'body-file-unsupported'],
    ['no routes', undefined, 'fixture-invalid'],
    ['a function', () => [], 'fixture-invalid'],
  ])('%s', (_, routes, code) => {
    expect(failure(() => createFetchHandler(routes as Fixture)).codes[0]![0]).toBe(code)
  })

  it.each([
    [{ fixtures: 'mocks' }, 'option-unknown'],
    [{ root: '/' }, 'option-unknown'],
    [{ watch: true }, 'option-unknown'],
    [{ base: 'api' }, 'option-invalid'],
    [{ inspector: true }, 'inspector-without-files'],
  ])('the option %j', (options, code) => {
    expect(failure(() => createFetchHandler([], options as FetchOptions)).codes[0]![0]).toBe(code)
  })
})

it('names the route that was probably meant, once', async () => {
  const logger = { info: vi.fn(), warn: vi.fn(), error: vi.fn() }
  const handler = createFetchHandler([{ path: '/orders' }], { logger })
  for (const path of ['ordres', 'ordres', 'orders.js', 'else'])
    await handler(new Request(`http://localhost/${path}`))
  const named = expect.stringContaining(
    'No route answers GET /ordres. Did you mean GET /orders (routes)?',
  ) as string
  expect(logger.warn.mock.calls).toEqual([[named]])
})

it('warns of a route that never answers', () => {
  const logger = { info: vi.fn(), warn: vi.fn(), error: vi.fn() }
  const when = { query: { a: 1 } }
  createFetchHandler(
    [
      { path: '/a', when },
      { path: '/a', when },
    ],
    { logger },
  )
  expect(logger.warn.mock.calls.flat()).toEqual([expect.stringContaining('This route never answers')])
})

it('answers with the routes as they were passed, whatever is done to the list later', async () => {
  const routes = [{ path: '/a', response: { body: { n: 1 } } }]
  const handler = createFetchHandler(routes, { logLevel: 'silent' })
  routes[0]!.response.body.n = 2
  const response = await handler(new Request('http://localhost/a'))
  expect(await response!.json()).toEqual({ n: 1 })
})

it('scenarios and sequences work, with a state for each handler', async () => {
  const warnings: string[] = []
  const logger = { info() {}, warn: (text: string) => void warnings.push(text), error() {} }
  const routes: Fixture = [
    { path: '/a', response: [{ body: '1' }, () => ({ body: '2' }), new Response('3')], repeat: true },
    { path: '/a', scenario: 'down', response: { status: 503 } },
  ]
  const handle = createFetchHandler(routes, { scenario: 'don', logger })
  expect(warnings).toEqual([
    expect.stringContaining('names the scenario "don", which no route has.\n  Fix: Did you mean "down"?'),
  ])
  const get = async (headers: Record<string, string> = {}, url = 'http://localhost/a', own = handle) =>
    (await own(new Request(url, { headers })))!
  for (const text of ['1', '2', '3', '1']) expect(await (await get()).text()).toBe(text)
  expect(await (await get({ 'x-mock-client': 'one' })).text()).toBe('1')
  expect((await get({ 'x-mock-scenario': 'down' })).status).toBe(503)
  expect((await get({}, undefined, createFetchHandler(routes, { scenario: 'down' }))).status).toBe(503)

  const page = await get({ accept: 'text/html' }, 'http://localhost/a?mock-scenario=down')
  expect([page.status, page.headers.get('set-cookie')]).toEqual([
    503,
    'mock-scenario=down; Path=/; SameSite=Lax',
  ])
  expect((await get({ cookie: 'mock-scenario=down' })).headers.get('set-cookie')).toBeNull()

  expect(
    await handle(new Request('http://localhost/b', { headers: { 'x-mock-scenario': 'dwn' } })),
  ).toBeUndefined()
  expect(warnings.slice(1)).toEqual([
    expect.stringContaining('The header "x-mock-scenario" names the scenario "dwn"'),
  ])
})

describe('setScenario and reset', () => {
  const routes: Fixture = [
    { path: '/a', response: [{ body: '1' }, { body: '2' }] },
    { path: '/a', scenario: 'down', response: { status: 503 } },
    { path: '/a', scenario: 'busy', response: { status: 429 } },
  ]
  const schema = 'type Query { a: Int }'

  it.each<[string, FetchOptions]>([
    ['', {}],
    [', with a schema that is loaded later', { graphql: { schema } }],
  ])('switch everyone, or one client%s', async (_, options) => {
    const handler = createFetchHandler(routes, { logLevel: 'silent', ...options })
    const get = async (client?: string) => {
      const headers = client === undefined ? {} : { 'x-mock-client': client }
      const response = await handler(new Request('http://localhost/a', { headers }))
      return response!.status === 200 ? response!.text() : response!.status
    }
    handler.setScenario('down', { client: 'one' })
    expect([await get('one'), await get()]).toEqual([503, '1'])
    handler.setScenario(['busy'])
    expect([await get('one'), await get()]).toEqual([503, 429])
    handler.setScenario([])
    expect([await get('one'), await get()]).toEqual([503, '2'])
    handler.reset({ client: 'one' })
    expect([await get('one'), await get()]).toEqual(['1', '2'])
    handler.reset()
    expect([await get('one'), await get()]).toEqual(['1', '1'])
  })

  it('names of no scenario are refused, with the most similar one', () => {
    const handler = createFetchHandler(routes)
    const { name, codes, text } = failure(() => handler.setScenario(['down', 'bussy']))
    expect([name, codes]).toEqual(['MockApiError', [['scenario-unknown', undefined]]])
    expect(text).toContain('names the scenario "bussy", which no route has.\n  Fix: Did you mean "busy"?')
  })
})

describe('a pattern, for which the first request loads RE2', () => {
  const withPattern = (pattern: string): Fixture => [
    { path: '/a', when: { query: { name: { $regex: pattern } } }, response: { body: 'fits' } },
    { path: '/a', response: { body: 'default' } },
  ]
  const ask = async (handle: FetchHandler, query: string) =>
    (await handle(new Request(`http://localhost/a?name=${query}`)))!.text()

  it('selects', async () => {
    const handle = createFetchHandler(withPattern('^[a-c]+$'), { logLevel: 'silent' })
    expect(await Promise.all([ask(handle, 'abc'), ask(handle, 'abd'), ask(handle, 'c')])).toEqual([
      'fits',
      'default',
      'fits',
    ])
  })

  it('is an error if it is invalid', async () => {
    // At once if an earlier handler has loaded RE2.
    const ask = async () => createFetchHandler(withPattern('['))(new Request('http://localhost/a'))
    for (let i = 0; i < 2; i++) await expect(ask()).rejects.toThrow('selector-invalid-pattern')
  })
})

describe('a document', () => {
  const withDocument = (query: string): Fixture => [
    { path: '/graphql', when: { query }, response: { body: { data: { a: 1 } } } },
    { path: '/graphql', response: { body: { data: null } } },
  ]
  const ask = async (handle: FetchHandler, query: string) => {
    const answer = await handle(
      new Request('http://localhost/graphql', { method: 'POST', body: JSON.stringify({ query }) }),
    )
    return (await answer!.json()) as unknown
  }

  it('selects', async () => {
    const handle = createFetchHandler(withDocument('query A { a, b }'), { logLevel: 'silent' })
    const asked = ['query A { b a }', 'query B { b a }', 'query A { a b }'].map((query) => ask(handle, query))
    expect(await Promise.all(asked)).toEqual([{ data: { a: 1 } }, { data: null }, { data: { a: 1 } }])
  })

  it('is an error if it is invalid', () => {
    expect(() => createFetchHandler(withDocument('query A {'))).toThrow('selector-invalid-document')
  })
})

it('says once for each fault of the connection that it is not exact', async () => {
  const log: string[] = []
  const write = (text: string) => void log.push(text)
  const faults = ['reset', 'malformed', 'truncated'] as const
  const routes = faults.map((fault) => ({ path: `/${fault}`, response: { body: { a: 1 }, fault } }))
  const handler = createFetchHandler(routes, { logger: { info: write, warn: write, error: write } })
  for (const fault of [...faults, ...faults]) {
    const response = await handler(new Request(`http://localhost/${fault}`))
    await expect(response!.text()).rejects.toThrow()
  }
  expect(log.map((text) => text.match(/The fault "\w+"/)?.[0])).toEqual([
    'The fault "reset"',
    'The fault "malformed"',
  ])
})

it('each handler remembers what was written, for everyone and for each client', async () => {
  const routes: Fixture = [{ path: '/orders', collection: { items: [{ id: 1 }] } }]
  const [handler, other] = [createFetchHandler(routes), createFetchHandler(routes)]
  const ask = async (one: FetchHandler, init?: RequestInit) =>
    (await one(new Request('http://localhost/orders', init)))!.json() as Promise<unknown>
  const create = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }
  expect(await ask(handler, create)).toEqual({ id: 2 })
  expect(await ask(handler, { ...create, headers: { ...create.headers, 'x-mock-client': 'a' } })).toEqual({
    id: 3,
  })
  expect(await ask(handler)).toEqual([{ id: 1 }, { id: 2 }])
  expect(await ask(other)).toEqual([{ id: 1 }])
  handler.reset({ client: 'a' })
  expect(await ask(handler, { headers: { 'x-mock-client': 'a' } })).toEqual([{ id: 1 }, { id: 2 }])
  handler.reset()
  expect(await ask(handler)).toEqual([{ id: 1 }])
})
