import { describe, expect, it } from 'vitest'
import type { RouteTable } from '../../../src/core/table/route-table.ts'
import { defaultGraphQL } from '../../../src/core/graphql/settings.ts'
import type { Fixture } from '../../../src/core/schema/schema.ts'
import { FileBody } from '../../../src/core/response/prepare-response.ts'
import { routesOf, send } from '../send.ts'
import { compileRoutes } from '../../../src/core/table/compile-routes.ts'
import { isThorough } from '../../sampling.ts'

const compile = (fixture: Fixture, ...paths: string[]) =>
  compileRoutes(routesOf(fixture), {
    graphql: { ...defaultGraphQL, ...(paths.length > 0 && { paths }) },
  })
const endpoints = ({ endpoints }: RouteTable) => endpoints.map(({ method, path }) => `${method} ${path}`)
const codes = (fixture: Fixture) => compile(fixture).diagnostics.map(({ code }) => code)

it('compiles what was compiled before by the settings of now', () => {
  const routes = routesOf([
    { path: '/a' },
    { path: '/a', when: { query: { b: 1 } } },
    { path: '/c' },
    { path: '/c' },
  ])
  const settings = { graphql: defaultGraphQL }
  const first = compileRoutes(routes, settings)
  const again = compileRoutes(routes, settings)
  expect(again.diagnostics).toEqual(first.diagnostics)
  const added = compileRoutes([...routes, ...routesOf([{ path: '/a', when: { query: { b: 2 } } }])], settings)
  expect(added.table.endpoints.map(({ routes }) => routes.length)).toEqual([3, 1])
  expect(added.diagnostics.map(({ code }) => code)).toEqual(['default-route-duplicate'])
  const passing = compileRoutes(routes, { ...settings, navigation: 'passthrough' })
  expect(passing.table.endpoints[0]!.defaultRoute!.navigation).toBe('passthrough')
  const graphql = { ...defaultGraphQL, paths: ['/a'] }
  expect(compileRoutes(routes, { graphql }).table.endpoints[0]!.graphql).toBeDefined()
})

it('groups routes by method and path, and names those without a name', () => {
  const { table, diagnostics } = compile([
    { path: '/a' },
    { path: '/b', method: 'post', name: 'mine' },
    { path: '/a/', when: { query: { x: 1 } } },
    { path: '/b', method: 'POST', when: { query: { x: 1 } } },
    { path: '/graphql' },
    { path: '/graphql', method: 'GET' },
  ])
  expect(diagnostics).toEqual([])
  expect(endpoints(table)).toEqual(['GET /a', 'POST /b', 'POST /graphql', 'GET /graphql'])
  expect(table.endpoints.map(({ routes }) => routes.map(({ name, order }) => [name, order]))).toEqual([
    [['GET /a #1', 0], ['GET /a #2', 1]],
    [['mine', 0], ['POST /b #2', 1]],
    [['POST /graphql #1', 0]],
    [['GET /graphql #1', 0]],
  ]) // prettier-ignore
  expect(table.endpoints.map(({ graphql }) => graphql !== undefined)).toEqual([false, false, true, true])
  expect(table.endpoints.map(({ defaultRoute }) => defaultRoute?.name)).toEqual([
    'GET /a #1',
    'mine',
    'POST /graphql #1',
    'GET /graphql #1',
  ])
  expect([table.routeCount, Object.isFrozen(table)]).toEqual([6, true])
})

it('a route of several methods is in several endpoints; * is one for the methods that no other route has', () => {
  const { table, diagnostics } = compile([
    { path: '/a', method: ['get', 'POST'] },
    { path: '/a', method: '*' },
    { path: '/a', method: 'POST', when: { query: { x: 1 } } },
  ])
  expect(diagnostics).toEqual([])
  expect(table.endpoints.map(({ routes }) => routes.map(({ name }) => name))).toEqual([
    ['GET /a #1'],
    ['POST /a #1', 'POST /a #2'],
    ['* /a #1'],
  ])
})

describe('the id of a route', () => {
  const a = { path: '/a' }
  const page = { ...a, when: { query: { page: 2 } } }
  const others: Fixture = [
    { ...a, scenario: 'down' },
    { ...page, scenario: 'down' },
    { ...a, when: () => true },
    { ...a, when: ({ query }) => query['x'] === '1' },
    { ...a, when: { query: { page: { $gt: 2 } } } },
    { ...a, name: 'sold out', when: { query: { page: 3 } } },
  ]
  const idsOf = (fixture: Fixture) => compile(fixture).table.endpoints[0]!.routes.map(({ id }) => id)

  it('does not depend on the other routes', () => {
    const ids = idsOf([...others, page, a])
    expect(new Set(ids).size).toBe(8)
    expect(idsOf([a, page, ...others])).toEqual([...ids.slice(-2).reverse(), ...ids.slice(0, -2)])
    expect([ids.at(-1), ids.at(-3)]).toEqual(['GET /a #default', 'GET /a #sold out'])
  })

  it('has a number where nothing else tells them apart', () => {
    const twice = { ...a, name: 'n', when: { query: { x: 1 } } }
    expect(idsOf([twice, twice])).toEqual(['GET /a #n', 'GET /a #n (2)'])
  })

  it('has no secret in it', () => {
    const by = (token: string) => idsOf([{ ...a, when: { headers: { authorization: token } } }])
    expect(by('Bearer a')).toEqual(by('Bearer b'))
  })
})

it('uses the default route at any position', () => {
  const { table } = compile([
    { path: '/a', when: { query: { x: 1 } } },
    { path: '/a', name: 'default' },
  ])
  expect(table.endpoints[0]!.defaultRoute?.name).toBe('default')
})

describe('conflicts', () => {
  it('names both places of two default routes, and lets the first answer', () => {
    const routes = routesOf([
      { path: '/a', name: 'first' },
      { path: '/a/', name: 'second' },
    ])
    routes[0]!.source = { file: 'x.yaml', line: 3, column: 5 }
    routes[1]!.source = { file: 'y.yaml', line: 7, column: 1 }
    const { table, diagnostics } = compileRoutes(routes, { graphql: defaultGraphQL })
    const message = 'GET /a has two default routes: this one and the one at x.yaml:3:5, which answers.'
    expect(diagnostics).toMatchObject([{ code: 'default-route-duplicate', message, file: 'y.yaml', line: 7 }])
    expect([table.routeCount, table.endpoints[0]!.defaultRoute?.name]).toEqual([1, 'first'])
  })

  it('warns of a route that never answers', () => {
    const when = { query: { x: 1 } }
    const { diagnostics } = compile([
      { path: '/a', when, name: 'first' },
      { path: '/a', when },
    ])
    const message = expect.stringContaining('"first" (fixtures/a.ts:1:1) has the same selector') as string
    expect(diagnostics).toMatchObject([
      { code: 'selector-duplicate', severity: 'warning', message, pointer: '/1' },
    ])
  })

  it('refuses one endpoint with differently written parameters', async () => {
    const { table, diagnostics } = compile([
      { path: '/o/:id' },
      { path: '/o/:key', when: { query: { x: 1 } } },
    ])
    const message = expect.stringContaining('"/o/:key" and "/o/:id" (fixtures/a.ts:1:1)') as string
    expect(diagnostics).toMatchObject([
      { code: 'path-parameter-conflict', severity: 'error', message, pointer: '/1' },
    ])
    expect(endpoints(table)).toEqual(['GET /o/:id'])
    expect(table.endpoints[0]!.routes.map(({ response }) => response.kind)).toEqual(['static', 'broken'])
    const refused = { status: 500, body: { error: { code: 'path-parameter-conflict', message } } }
    expect(await send(table, 'GET /o/7')).toMatchObject({ status: 200 })
    expect(await send(table, 'GET /o/7?x=1')).toMatchObject(refused)
    const { table: swapped } = compile([{ path: '/o/:key', when: { query: { x: 1 } } }, { path: '/o/:id' }])
    expect([(await send(swapped, 'GET /o/7')).status, (await send(swapped, 'GET /o/7?x=1')).status]).toEqual([
      500, 200,
    ])
  })

  it.each<[name: string, fixture: Fixture, codes: string[]]>([
    ['another method', [{ path: '/o/:id' }, { path: '/o/:key', method: 'PUT' }], []],
    ['another place', [{ path: '/o/:id' }, { path: '/o/:id/:key' }], []],
    ['static beside parameter', [{ path: '/o/:id' }, { path: '/o/new' }], []],
    ['wildcards', [{ path: '/o/**:a' }, { path: '/o/**:b' }], ['path-parameter-conflict']],
    ['one path, two spellings', [{ path: '/café' }, { path: '/caf%C3%A9' }], ['default-route-duplicate']],
    ['one path, two slashes', [{ path: '/o/:id' }, { path: '/o/:id/' }], ['default-route-duplicate']],
    ['two methods', [{ path: '/a' }, { path: '/a', method: 'POST' }], []],
  ])('%s', (_, fixture, expected) => {
    expect(codes(fixture)).toEqual(expected)
  })

  it.each<[name: string, body: () => unknown]>([
    ['a BigInt', () => ({ a: 1n })],
    ['a circle', () => { const a: unknown[] = []; a.push(a); return a }], // prettier-ignore
    ['a function', () => () => 1],
    ['a symbol', () => Symbol('s')],
  ])('refuses %s as a body', (_, body) => {
    const { table, diagnostics } = compile([{ path: '/a', response: { body: body() } }])
    expect(diagnostics).toMatchObject([
      { code: 'body-not-json', severity: 'error', file: 'fixtures/a.ts', pointer: '/0' },
    ])
    expect(table.routeCount).toBe(0)
  })
})

describe('answers', () => {
  const kinds = (fixture: Fixture) =>
    compile(fixture).table.endpoints[0]!.routes.map(({ response }) => response.kind)
  const error = { message: 'm', path: ['a'] }

  it.each<[name: string, fixture: Fixture, kind: string]>([
    ['a body', [{ path: '/a', response: { body: 1 } }], 'static'],
    ['no response', [{ path: '/a' }], 'static'],
    ['a function', [{ path: '/a', response: () => ({}) }], 'function'],
    ['errors without locations', [{ path: '/graphql', response: { body: { errors: [error] } } }], 'result'],
    ['errors elsewhere', [{ path: '/a', response: { body: { errors: [error] } } }], 'static'],
    ['errors with locations', [{ path: '/graphql', response: { body: { errors: [{ ...error, locations: [] }] } } }], 'static'], // prettier-ignore
    ['errors without a path', [{ path: '/graphql', response: { body: { errors: [{ message: 'm' }] } } }], 'static'], // prettier-ignore
  ])('%s', (_, fixture, kind) => {
    expect(kinds(fixture)).toEqual([kind])
  })
})

it.each<[fixture: Fixture, needed: boolean]>([
  [[{ path: '/a' }], false],
  [[{ path: '/a', when: { query: { a: 1 }, cookies: { a: 1 } } }], false],
  [[{ path: '/a' }, { path: '/a', when: { body: { a: 1 } } }], true],
  [[{ path: '/a', when: () => true }], true],
  [[{ path: '/a', response: () => ({}) }], true],
  [[{ path: '/graphql' }], true],
])('%j needs the body: %s', (fixture, needed) => {
  expect(compile(fixture).table.endpoints[0]!.needsBody).toBe(needed)
})

it.runIf(isThorough)('never throws, however many routes never answer', () => {
  const [route] = routesOf([{ path: '/a', when: { query: { x: 1 } } }])
  const routes = Array.from({ length: 150_000 }, () => route!)
  expect(compileRoutes(routes, { graphql: defaultGraphQL }).diagnostics).toHaveLength(149_999)
})

describe('what only GraphQL endpoints have, at another path', () => {
  const at = (route: object) => ({ path: '/api', method: 'POST', ...route })
  it.each<[route: Fixture[number] | object, keys: string | undefined]>([
    [at({ when: { operationName: 'A' } }), '"when.operationName"'],
    [at({ when: { variables: { a: 1, b: { $gt: 2 } }, operationType: 'query' } }), '"when.variables" and "when.operationType"'],
    [at({ when: { query: '{ a }' } }), '"when.query"'],
    [at({ when: { query: { a: 1 }, body: { operationName: 'A' } } }), undefined],
    [at({ shape: true }), '"shape"'],
    [at({ paginate: { style: 'relay', items: [] } }), '"style: relay"'],
    [at({ paginate: { style: 'offset', items: [] } }), undefined],
    [at({ response: [{ body: { $from: 'variables.a' } }, { body: { $text: '{variables.a} {extensions.b}' } }] }), '"variables.a" and "extensions.b"'],
    [at({ paginate: { items: [{ $from: 'operationName' }] } }), '"operationName"'],
    [at({ response: { body: { $from: 'body.variables.a' } } }), undefined],
    [at({ path: '/b', response: { body: { data: { $from: 'variables.a' } } } }), undefined],
    [at({ path: '/b', shape: true, when: { operationName: 'A' } }), undefined],
  ])('%j: %s', (route, keys) => {
    const { table, diagnostics } = compile([route] as Fixture, '/a', '/b')
    expect(table.endpoints).toHaveLength(1)
    const message = `${keys} can't work at "/api": the GraphQL endpoint is "/a" and "/b".`
    const expected = { code: 'graphql-path-other', severity: 'warning', message }
    expect(diagnostics).toEqual(keys === undefined ? [] : [expect.objectContaining(expected)])
  }) // prettier-ignore

  const file = new FileBody(new TextEncoder().encode('{"me":1}'), 'application/json')
  it.each<[route: object, keys: string | undefined]>([
    [{ response: { body: { me: 1, you: 2 } } }, '"me", "you"'],
    [{ response: { body: file } }, '"me"'],
    [{ response: [{ body: { data: {} } }, { body: { me: 1 } }] }, '"me"'],
    [{ response: { from: 'backend', patch: { 'me.name': 1, 'data.me.name': 1 } } }, '"me"'],
    [{ response: { body: { user: {} } }, paginate: { style: 'relay', items: [] } }, '"user"'],
    [{ response: { body: { me: 1, errors: [{ message: 'no' }] } } }, undefined],
    [{ response: { status: 502, body: { message: 'Bad gateway' } } }, undefined],
    [{ response: { body: { extensions: {} } } }, undefined],
    [{ response: { body: '<p>not JSON' } }, undefined],
    [{ response: { body: { me: 1 } }, invalid: true }, undefined],
    [{ path: '/api', response: { body: { me: 1 } } }, undefined],
  ])('what no GraphQL client reads: %j: %s', (route, keys) => {
    const { diagnostics } = compile([{ path: '/a', name: 'n', ...route }] as Fixture, '/a')
    const message = `A GraphQL client finds no data in the answer of route "n": ${keys} must be in "data".`
    const expected = { code: 'graphql-data-missing', severity: 'warning', message }
    expect(diagnostics).toEqual(keys === undefined ? [] : [expect.objectContaining(expected)])
  }) // prettier-ignore

  it.each<[response: unknown, isTold: boolean]>([
    [{ body: { errors: ['nope'] } }, true],
    [{ body: { errors: { message: 'x' } } }, true],
    [{ body: { data: null, errors: [{ message: 'x' }, { extensions: {} }] } }, true],
    [{ body: { data: {}, errors: 'no' } }, true],
    [{ body: { errors: [{ path: ['a'] }] } }, true],
    [[{ body: { data: {} } }, { body: { errors: [1] } }], true],
    [{ body: { errors: [{ message: 'x' }] } }, false],
    [{ body: { data: {}, errors: null } }, false],
    [{ status: 502, body: { errors: { a: 1 } } }, false],
    [{ from: 'backend', patch: { errors: [] } }, false],
  ])('errors that no GraphQL client reads: %j: %s', (response, isTold) => {
    const route = { path: '/a', name: 'n', response }
    const { diagnostics } = compile([route] as Fixture, '/a')
    expect(diagnostics.map(({ code }) => code)).toEqual(isTold ? ['graphql-errors-unreadable'] : [])
    expect(compile([{ ...route, invalid: true }] as Fixture, '/a').diagnostics).toEqual([])
  }) // prettier-ignore

  it('every path of the option is a GraphQL endpoint', () => {
    const { table } = compile([{ path: '/a', shape: true }, { path: '/b/' }, { path: '/c' }], '/a', '/b')
    const graphql = table.endpoints.map(({ method, path, graphql }) => [method, path, graphql !== undefined])
    expect(graphql).toEqual([
      ['POST', '/a', true],
      ['POST', '/b', true],
      ['GET', '/c', false],
    ])
  })
})
