import { buildSchema as parseSchema, execute, parse } from 'graphql/index.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BackendAnswer } from '../../../src/core/answer/decision.ts'
import { createChecker } from '../../../src/core/graphql-schema/create-checker.ts'
import { defaultGraphQL } from '../../../src/core/graphql/settings.ts'
import { MockState } from '../../../src/core/state/mock-state.ts'
import type { Fixture } from '../../../src/core/schema/schema.ts'
import { compileRoutes } from '../../../src/core/table/compile-routes.ts'
import { routesOf, send, tableOf } from '../send.ts'
import { sampling } from '../../sampling.ts'

type Response = Exclude<Fixture[0]['response'], readonly unknown[] | ((...given: never[]) => unknown)>
const json = { 'content-type': 'application/json' }

function answers(
  body: unknown,
  given: { status?: number; headers?: Record<string, string | string[]> } = {},
) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const bytes = new TextEncoder().encode(text)
  return (): BackendAnswer => ({ kind: 'complete', status: 200, headers: json, ...given, body: bytes })
}

const fromBackend = (response: object, path = '/orders') => [
  { path, response: { from: 'backend' as const, ...response } as Response },
]

describe('an answer of the backend', () => {
  const order = {
    id: 7,
    lines: [
      { sku: 'a', price: 1 },
      { sku: 'b', price: 2 },
    ],
    customer: { name: 'Ann' },
  }

  it.each<[name: string, response: object, body: unknown]>([
    ['is passed on', {}, order],
    ['has a value in the place of another', { patch: { id: 8 } }, { ...order, id: 8 }],
    ['has a value of an entry of a list', { patch: { 'lines.1.price': null } }, { ...order, lines: [order.lines[0], { sku: 'b', price: null }] }],
    ['has a value of each entry', { patch: { 'lines.*.price': 0 } }, { ...order, lines: order.lines.map((line) => ({ ...line, price: 0 })) }],
    ['has a new key', { patch: { 'customer.vip': true } }, { ...order, customer: { name: 'Ann', vip: true } }],
    ['lacks a key', { patch: { customer: { $unset: true } } }, { id: 7, lines: order.lines }],
    ['lacks an entry', { patch: { 'lines.0': { $unset: true } } }, { ...order, lines: [order.lines[1]] }],
    ['has no entries', { patch: { 'lines.*': { $unset: true } } }, { ...order, lines: [] }],
    ['has several changes, in their order', { patch: { customer: {}, 'customer.name': 'Bob' } }, { ...order, customer: { name: 'Bob' } }],
    ['has a whole object', { patch: { lines: [{ sku: 'c' }] } }, { ...order, lines: [{ sku: 'c' }] }],
    ['has errors', { errors: [{ message: 'late' }] }, { errors: [{ message: 'late' }], ...order }],
  ])('%s', async (_, response, body) => {
    const sent = await send(tableOf(fromBackend(response)), 'GET /orders', { backend: answers(order) })
    expect([sent.kind, sent.status, sent.body, sent.diagnostic]).toEqual(['answered', 200, body, undefined])
  }) // prettier-ignore

  it('keeps status and headers, but those of the transfer, of other origins and of other bytes', async () => {
    const headers = { ...json, etag: '"1"', 'content-encoding': 'gzip', 'content-length': '999', connection: 'close', 'x-total': '3', 'set-cookie': ['a=1', 'b=2'], 'access-control-allow-origin': 'https://app.example' } // prettier-ignore
    const backend = answers(order, { status: 201, headers })
    const plain = await send(tableOf(fromBackend({})), 'GET /orders', { backend })
    const length = String(JSON.stringify(order).length)
    const kept = {
      'content-type': 'application/json',
      'x-total': '3',
      'set-cookie': 'b=2',
      'content-length': length,
    }
    expect(plain.status).toBe(201)
    expect(plain.headers).toEqual({ ...own, ...kept, etag: '"1"' })
    const changed = await send(tableOf(fromBackend({ patch: { id: 8 } })), 'GET /orders', { backend })
    expect(changed.headers).toEqual({ ...own, ...kept })
  })

  const own = {
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-mock-route': 'GET /orders #1',
  }

  it('has the status, headers, delay and fault of the fixture', async () => {
    const response = { status: 503, headers: { 'X-Total': 0 }, delay: 20, fault: 'truncated' as const }
    const backend = answers(order, { headers: { ...json, 'x-total': '3' } })
    const sent = await send(tableOf(fromBackend(response)), 'GET /orders', { backend })
    expect([sent.status, sent.headers['x-total'], sent.delay, sent.fault]).toEqual([
      503,
      '0',
      20,
      'truncated',
    ])
  })

  it('may be one of a sequence', async () => {
    const table = tableOf([{ path: '/a', response: [{ status: 503 }, { from: 'backend', patch: { a: 2 } }] }])
    const running = { state: new MockState(), backend: answers({ a: 1 }) }
    const first = await send(table, 'GET /a', running)
    const second = await send(table, 'GET /a', running)
    expect([first.status, second.body]).toEqual([503, { a: 2 }])
  })

  it('without a body is not changed', async () => {
    const table = tableOf(fromBackend({ patch: { id: 8 } }))
    const none = await send(table, 'GET /orders', { backend: answers('', { status: 204 }) })
    expect([none.status, none.body]).toEqual([204, ''])
  })

  const tagged = {
    ...json,
    'content-length': '7',
    etag: '"1"',
    'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT',
  }
  it.each<[fixture: Parameters<typeof tableOf>[0], headers: Record<string, string>, length: string | undefined, etag: string | undefined]>([
    [fromBackend({}), tagged, '7', '"1"'],
    [fromBackend({}), { ...tagged, 'content-encoding': 'gzip' }, undefined, '"1"'],
    [fromBackend({ patch: { id: 8 } }), tagged, undefined, undefined],
    [[{ method: 'HEAD', path: '/orders', response: { headers: { 'Content-Length': '999' } } }], {}, '999', undefined],
    [[{ path: '/orders', response: { body: 'abc' } }], {}, '3', undefined],
    [[{ path: '/orders', response: { body: 'abc', headers: { 'content-length': '9' } } }], {}, '3', undefined],
    [[{ path: '/orders', response: { status: 204, headers: { 'content-length': '9' } } }], {}, undefined, undefined],
  ])('to HEAD has the headers of GET: %j %j', async (fixture, headers, length, etag) => {
    const sent = await send(tableOf(fixture), 'HEAD /orders', { backend: answers('', { headers }) })
    expect([sent.headers['content-length'], sent.headers['etag']]).toEqual([length, etag])
  }) // prettier-ignore

  it.each([204, 205, 304])(
    'a status %i of the route drops the body and its type, and keeps all other headers',
    async (status) => {
      const headers = { ...json, etag: '"1"', 'x-total': '3' }
      const sent = await send(tableOf(fromBackend({ status })), 'GET /orders', {
        backend: answers(order, { headers }),
      })
      const { 'content-type': type, etag, 'x-total': total } = sent.headers
      expect([sent.status, sent.body, type, etag, total]).toEqual([status, '', undefined, '"1"', '3'])
    },
  )

  it.each<[status: number, patchErrors: boolean | undefined, total: number]>([
    [200, undefined, 0],
    [302, undefined, 0],
    [404, undefined, 9],
    [500, false, 9],
    [404, true, 0],
  ])('with the status %i and patchErrors: %j, the total is %i', async (status, patchErrors, total) => {
    const response = { patch: { total: 0 }, ...(patchErrors !== undefined && { patchErrors }) }
    const backend = answers({ total: 9 }, { status })
    const sent = await send(tableOf(fromBackend(response)), 'GET /orders', { backend })
    expect([sent.status, sent.body, sent.diagnostic]).toEqual([status, { total }, undefined])
  })

  it('leaves a change whose place is not there, and says so', async () => {
    const patch = { 'lnes.0.price': 0, 'lines.7.price': 0, id: 8 }
    const { body, diagnostic } = await send(tableOf(fromBackend({ patch })), 'GET /orders', {
      backend: answers(order),
    })
    expect(body).toEqual({ ...order, id: 8 })
    expect(diagnostic).toMatchObject({
      code: 'patch-path-missing',
      severity: 'warning',
      message: 'The answer of the backend to GET /orders has no "lnes", so route "GET /orders #1" did not change "lnes.0.price", nor 1 more.',
      fix: expect.stringContaining('Did you mean "lines"?') as string,
    }) // prettier-ignore
  })

  it.each<[name: string, answer: BackendAnswer, code: string, message: string]>([
    ['no backend', { kind: 'unknown' }, 'backend-unknown', 'it is not known where the backend is'],
    ['a page of the dev server', { kind: 'unknown', instead: 'page' }, 'backend-unknown', 'no proxy of the dev server has the path, and the dev server itself has only a page of the application there.'],
    ['a 404 of the dev server', { kind: 'unknown', instead: 'nothing' }, 'backend-unknown', 'and the dev server itself has nothing there.'],
    ['one that is down', { kind: 'unreachable', target: 'http://localhost:4', reason: 'connect ECONNREFUSED' }, 'backend-unreachable', 'The backend http://localhost:4 did not answer GET /orders for route "GET /orders #1": connect ECONNREFUSED.'],
    ['an answer that is too large', { kind: 'unreadable', reason: 'it is larger than 32 MiB' }, 'backend-answer-unreadable', 'it is larger than 32 MiB'],
    ['a page', answers('<!doctype html>', { headers: { 'content-type': 'text/html; charset=utf-8' } })(), 'backend-answer-not-json', 'its body of the type text/html begins with "<!doctype html>"'],
    ['an empty body', answers('')(), 'backend-answer-not-json', 'its body is empty'],
  ])('%s is a 502 that says so', async (_, answer, code, message) => {
    const table = tableOf(fromBackend({ patch: { id: 8 } }))
    const sent = await send(table, 'GET /orders', { backend: () => answer })
    expect(sent).toMatchObject({ status: 502, diagnostic: { code, file: 'fixtures/a.ts', line: 1 } })
    expect(sent.body).toMatchObject({ error: { code, message: expect.stringContaining(message) as string } })
  }) // prettier-ignore
})

it.each([
  ['connect ECONNREFUSED 127.0.0.1:4', 'Start the backend'],
  ['self-signed certificate', '`secure: false` in the option "record"'],
  ['unable to verify the first certificate', '`secure: false` in the option "record"'],
  ["Hostname/IP does not match certificate's altnames", '`secure: false` in the option "record"'],
])('the 502 for "%s" says: %s', async (reason, fix) => {
  const backend = () => ({ kind: 'unreachable', target: 'https://localhost:4', reason }) as const
  const { body } = await send(tableOf(fromBackend({ patch: { id: 8 } })), 'GET /orders', { backend })
  expect(body).toMatchObject({ error: { fix: expect.stringContaining(fix) as string } })
})

const sdl = `
  type Query { hero: Hero, strict: Hero!, all: [Hero!]!, node: Node }
  interface Node { id: ID! }
  type Hero implements Node { id: ID!, name: String!, nick: String, friends: [Hero!], pals: [Hero] }
`

/** A GraphQL endpoint whose schema is known. */
function graphqlTable(response: object, schema?: string) {
  const { checker } = schema ? createChecker([{ file: 'a.graphql', text: schema }], { scalars: {} }) : {}
  const routes = routesOf([{ path: '/graphql', ...fromBackend(response)[0], method: 'POST' }].map((route) => ({ ...route, path: '/graphql' })))
  return compileRoutes(routes, { graphql: defaultGraphQL, checker }).table
} // prettier-ignore

const ask = (query: string, more: object = {}) => ({
  body: JSON.stringify({ query, ...more }),
  headers: json,
})
const hero = {
  id: '1',
  name: 'Luke',
  nick: null,
  friends: [
    { id: '2', name: 'Han' },
    { id: '3', name: 'Leia' },
  ],
}

describe('an answer to a GraphQL operation', () => {
  const query = '{\n  hero {\n    id\n    pals: friends { name }\n  }\n}'
  const data = { hero: { id: '1', pals: [{ name: 'Han' }, { name: 'Leia' }] } }

  it('gets errors with the positions of their fields, which become null', async () => {
    const table = graphqlTable({ errors: [{ message: 'gone', path: ['hero', 'pals', 1, 'name'], extensions: { code: 'GONE' } }] }) // prettier-ignore
    const sent = await send(table, 'POST /graphql', { ...ask(query), backend: answers({ data }) })
    expect(sent.body).toEqual({
      errors: [
        { message: 'gone', locations: [{ line: 4, column: 21 }], path: ['hero', 'pals', 1, 'name'], extensions: { code: 'GONE' } },
      ],
      data: { hero: { id: '1', pals: [{ name: 'Han' }, { name: null }] } },
    }) // prettier-ignore
  })

  it('keeps the errors of the backend as they are', async () => {
    const table = graphqlTable({ errors: [{ message: 'b' }] })
    const errors = [{ message: 'a', path: ['hero'] }]
    const sent = await send(table, 'POST /graphql', { ...ask(query), backend: answers({ errors, data: { hero: null } }) }) // prettier-ignore
    expect(sent.body).toEqual({ errors: [...errors, { message: 'b' }], data: { hero: null } })
  })

  it.each<[name: string, query: string, response: object, data: unknown, expected: unknown]>([
    ['is found through aliases and fragments', 'query { h: hero { ...F } } fragment F on Hero { n: name }', { patch: { 'data.h.n': null } }, { h: { n: 'L' } }, { h: null }],
    ['is found in fragments on a type of an interface', '{ node { ... on Hero { name } } }', { patch: { 'data.node.name': null } }, { node: { name: 'L' } }, { node: null }],
    ['comes with an error', '{ hero { name } }', { errors: [{ message: 'a', path: ['hero', 'name'] }] }, { hero: { name: 'L' } }, { hero: null }],
  ])('null %s', async (_, text, response, given, expected) => {
    const sent = await send(graphqlTable(response, sdl), 'POST /graphql', { ...ask(text), backend: answers({ data: given }) })
    expect((sent.body as { data: unknown }).data).toEqual(expected)
  }) // prettier-ignore

  it('spreads nulls as graphql-js does', async () => {
    const schema = parseSchema(sdl)
    const text =
      '{ hero { id name nick friends { id name } } strict { name pals { name } } all { name friends { nick name } } }'
    const full = { hero, strict: { name: 'a', pals: [{ name: 'b' }, { name: 'c' }] }, all: [{ name: 'd', friends: [{ nick: 'e', name: 'f' }] }] } // prettier-ignore
    const paths = pathsIn(full)
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), async (path) => {
        const rootValue = structuredClone(full)
        const parent = path.slice(0, -1).reduce<unknown>((value, key) => (value as never)[key], rootValue)
        ;(parent as Record<string, unknown>)[path.at(-1)!] = null
        const real = await execute({ schema, document: parse(text), rootValue })
        const table = graphqlTable({ patch: { [['data', ...path].join('.')]: null } }, sdl)
        const sent = await send(table, 'POST /graphql', { ...ask(text), backend: answers({ data: full }) })
        expect((sent.body as { data: unknown }).data).toEqual(JSON.parse(JSON.stringify(real.data)))
      }),
      sampling(15),
    )
  })

  function pathsIn(value: unknown, path: string[] = []): string[][] {
    if (typeof value !== 'object' || value === null) return path.length > 0 ? [path] : []
    const inner = Object.entries(value).flatMap(([key, part]) => pathsIn(part, [...path, key]))
    return path.length > 0 ? [path, ...inner] : inner
  }
})

describe('a batch', () => {
  const routes: Fixture = [
    { path: '/graphql', when: { operationName: 'Mocked' }, response: { body: { data: { a: 'mocked' } } } },
    { path: '/graphql', response: { from: 'backend', patch: { 'data.a': 'patched' } } },
  ]
  const batch = ['Mocked', 'One', 'Two'].map((name) => ({
    query: `query ${name} { a }`,
    operationName: name,
  }))

  it('asks the backend for the operations that need it, and puts the answers in order', async () => {
    let asked = ''
    const backend = (sent: string) => {
      asked = sent
      return answers([{ data: { a: 1, n: 1 } }, { data: { a: 2, n: 2 } }])()
    }
    const sent = await send(tableOf(routes), 'POST /graphql', {
      body: JSON.stringify(batch),
      headers: json,
      backend,
    })
    expect(JSON.parse(asked)).toEqual(batch.slice(1))
    expect(sent.body).toEqual([
      { data: { a: 'mocked' } },
      { data: { a: 'patched', n: 1 } },
      { data: { a: 'patched', n: 2 } },
    ])
  })

  it('that the backend refuses as a whole has its errors for each operation', async () => {
    const backend = answers({ errors: [{ message: 'no batches' }], data: { a: 1 } }, { status: 400 })
    const sent = await send(tableOf(routes), 'POST /graphql', {
      body: JSON.stringify(batch),
      headers: json,
      backend,
    })
    const refused = { errors: [{ message: 'no batches' }], data: { a: 1 } }
    expect([sent.status, sent.body]).toEqual([200, [{ data: { a: 'mocked' } }, refused, refused]])
  })

  it('that is not for the backend does not ask it', async () => {
    const body = JSON.stringify(batch.slice(0, 1))
    const sent = await send(tableOf(routes), 'POST /graphql', { body, headers: json })
    expect([sent.kind, sent.body]).toEqual(['answered', [{ data: { a: 'mocked' } }]])
  })
})

describe('an override', () => {
  it.each<[name: string, overrides: object, expected: unknown]>([
    ['fails before the backend is asked', { failNext: { count: 1, status: 503 } }, [503, undefined]],
    ['breaks the answer of the backend', { failNext: { count: 1, fault: 'truncated' } }, [200, 'truncated']],
  ])('%s', async (_, overrides, expected) => {
    const state = new MockState()
    state.overrides.set(overrides)
    const sent = await send(tableOf(fromBackend({})), 'GET /orders', { state, backend: answers({}) })
    expect([sent.status, sent.fault]).toEqual(expected)
  })
})
