import { canonicalBase } from '../../../src/core/http/path.ts'
import { resolveGraphQL } from '../../../src/core/options/resolve-options.ts'
import { describe, expect, it } from 'vitest'
import { matchEndpoint, selectRoute } from '../../../src/core/table/match.ts'
import type { Fixture } from '../../../src/core/schema/schema.ts'
import { parsedRequest, send, tableOf } from '../send.ts'

const fixture: Fixture = [
  { path: '/' },
  { path: '/items' },
  { path: '/items', method: 'POST' },
  { path: '/items', method: 'DELETE' },
  { path: '/orders/:id' },
  { path: '/orders/new', method: 'POST' },
  { path: '/orders/open' },
  { path: '/orders/**:rest' },
  { path: '/orders/:id/lines/:line' },
  { path: '/files/**' },
  { path: '/docs/*' },
  { path: '/img/*.png' },
  { path: '/img/:name.gif' },
  { path: '/café' },
  { path: '/a b' },
  { path: '/x^y' },
  { path: '/__proto__/:__proto__/:constructor' },
  { path: '/head', method: 'HEAD' },
  { path: '/head' },
  { path: '/graphql' },
]

describe('matchEndpoint', () => {
  const table = tableOf(fixture)
  const match = (target: string, bases = ['']) => {
    const [method, url] = target.split(' ') as [string, string]
    const found = matchEndpoint(table, method, url, bases)
    return found && [`${found.endpoint.method} ${found.endpoint.path}`, { ...found.params }]
  }

  it.each<[target: string, endpoint?: string | undefined, params?: object]>([
    ['GET /', 'GET /'],
    ['GET /?a=1', 'GET /'],
    ['GET /items', 'GET /items'],
    ['GET /items/', 'GET /items'],
    ['GET /items?page=2', 'GET /items'],
    ['GET /items?', 'GET /items'],
    ['GET /items?next=/a?b', 'GET /items'],
    ['GET /%69tems', 'GET /items'],
    ['GET /itemsets'],
    ['GET /item'],
    ['GET /Items'],
    ['GET //items'],
    ['GET /items//'],
    ['GET /items/7'],
    ['GET /x/items'],
    ['GET /items%2F'],
    ['POST /items', 'POST /items'],
    ['DELETE /items', 'DELETE /items'],
    ['PUT /items'],
    ['OPTIONS /items'],
    ['get /items'],
    ['__proto__ /items'],
    ['OPTIONS *'],
    ['HEAD /items', 'GET /items'],
    ['HEAD /head', 'HEAD /head'],
    ['HEAD /orders/7', 'GET /orders/:id', { id: '7' }],
    ['HEAD /nothing'],
    ['GET /orders/7', 'GET /orders/:id', { id: '7' }],
    ['GET /orders/7/', 'GET /orders/:id', { id: '7' }],
    ['GET /orders/open', 'GET /orders/open'],
    ['GET /orders/new', 'GET /orders/:id', { id: 'new' }],
    ['POST /orders/new', 'POST /orders/new'],
    ['POST /orders/7'],
    ['GET /orders/7/lines/8', 'GET /orders/:id/lines/:line', { id: '7', line: '8' }],
    ['GET /orders/7/other/8', 'GET /orders/**:rest', { rest: '7/other/8' }],
    ['GET /orders/open/x', 'GET /orders/**:rest', { rest: 'open/x' }],
    ['GET /orders/a%2Fb', 'GET /orders/:id', { id: 'a/b' }],
    ['GET /orders/a%2fb%252F', 'GET /orders/:id', { id: 'a/b%2F' }],
    ['GET /orders/%C3%BC%20+', 'GET /orders/:id', { id: 'ü +' }],
    ['GET /orders/:id', 'GET /orders/:id', { id: ':id' }],
    ['GET /orders/%', undefined],
    ['GET /orders/%zz', undefined],
    ['GET /orders/%FF', undefined],
    ['GET /files/a/b', 'GET /files/**', { 0: 'a/b', _: 'a/b' }],
    ['GET /files', 'GET /files/**'],
    ['GET /filesystem'],
    ['GET /docs', 'GET /docs/*'],
    ['GET /docs/a', 'GET /docs/*', { 0: 'a' }],
    ['GET /docs/a/b', 'GET /docs/*', { 0: 'a/b' }],
    ['GET /docsets'],
    ['GET /img/b/c.png', 'GET /img/*.png', { 0: 'b/c' }],
    ['GET /img/a.gif', 'GET /img/:name.gif', { name: 'a' }],
    ['GET /img/b/c.gif'],
    ['GET /caf%C3%A9', 'GET /café'],
    ['GET /caf%c3%a9', 'GET /café'],
    ['GET /a%20b', 'GET /a b'],
    ['GET /other'],
    ['GET /x^y', 'GET /x^y'],
    ['GET /x%5Ey', 'GET /x^y'],
    ['GET /constructor'],
    ['GET http://localhost:5173/items?page=2', 'GET /items'],
    ['GET HTTP://user@[::1]/orders/7', 'GET /orders/:id', { id: '7' }],
    ['GET http://localhost', 'GET /'],
    ['GET http://localhost?a=/items', 'GET /'],
    ['POST /graphql', 'POST /graphql'],
    ['POST /graphql/', 'POST /graphql'],
    ['GET /graphql?query=%7Ba%7D', 'POST /graphql'],
    ['GET /graphql?operationName=A', 'POST /graphql'],
    ['GET /graphql?documentId=a', 'POST /graphql'],
    ['GET /graphql/?query=%7Ba%7D', 'POST /graphql'],
    ['GET /%67raphql?query=', 'POST /graphql'],
    ['HEAD /graphql?query=%7Ba%7D', 'POST /graphql'],
    ['GET /graphql'],
    ['GET /graphql?Query=a&x=query'],
    ['GET /items?query=a', 'GET /items'],
    ['PUT /graphql?query=a'],
  ])('%s is for %s with %j', (target, ...[endpoint, params = {}]) => {
    expect(match(target)).toEqual(endpoint && [endpoint, params])
  })

  it('treats names of object members like any other parameter name', () => {
    const found = matchEndpoint(table, 'GET', '/__proto__/1/2', [''])
    expect(Object.entries(found!.params)).toEqual([
      ['__proto__', '1'],
      ['constructor', '2'],
    ])
    expect(Object.getPrototypeOf(found!.params)).toBeNull()
  })

  it.each<[target: string, bases: string[], endpoint?: string]>([
    ['GET /api/items', ['/api'], 'GET /items'],
    ['GET /api/items/', ['/api'], 'GET /items'],
    ['GET /api/', ['/api'], 'GET /'],
    ['GET /items', ['/api']],
    ['GET /apis/items', ['/api']],
    ['GET /apiitems', ['/api']],
    ['GET /api/api/items', ['/api']],
    ['GET /app/api/items', ['/app/api', '/api'], 'GET /items'],
    ['GET /api/items', ['/app/api', '/api'], 'GET /items'],
    ['GET /app/items', ['/app/api', '/api']],
    ['GET /app/items', ['/app', ''], 'GET /items'],
    ['GET /items', ['/app', ''], 'GET /items'],
    ['GET /orders/items', ['/orders', ''], 'GET /items'],
    ['GET /orders/7', ['/orders', ''], 'GET /orders/:id'],
    ['GET http://h/api/items', ['/api'], 'GET /items'],
    ['GET /items', []],
    ['GET /api', ['/api'], 'GET /'],
    ['GET /api?x=1', ['/api'], 'GET /'],
    ['GET /%61pi/items', ['/api'], 'GET /items'],
    ['GET /caf%C3%A9/items', [canonicalBase('/café')], 'GET /items'],
    ['GET /caf%c3%a9/items', [canonicalBase('/caf%C3%A9/')], 'GET /items'],
    ['GET /caf%C3%A9/items', [canonicalBase('/café'), ''], 'GET /items'],
    ['GET /caf%C3%A9', [canonicalBase('/café')], 'GET /'],
    ['GET /caf%C3%A8/items', [canonicalBase('/café')]],
  ])('%s below %j is for %s', (target, bases, endpoint) => {
    expect(match(target, bases)?.[0]).toBe(endpoint)
  })
})

it('gives path and search', () => {
  const found = matchEndpoint(tableOf(fixture), 'GET', '/api/%6frders/a%2fb?x=%20&y=1?2', ['/api'])
  expect([found?.path, found?.search]).toEqual(['/orders/a%2Fb', 'x=%20&y=1?2'])
})

it.each<[path: string, matched: string[], not: string[]]>([
  ['/%3Aliteral', ['/:literal', '/%3aliteral'], ['/other']],
  ['/%2A%2A', ['/**', '/%2a*'], ['/other', '/a/b']],
  ['/a%28b%29', ['/a(b)'], ['/ab']],
  ['/:id%2B', ['/x+', '/x%2B'], ['/x/y']],
  ['/%7Bid%7D', ['/%7bid%7D', '/{id}'], ['/id']],
  ['/what%3F', ['/what%3f'], ['/wha']],
])('treats percent-encoding in the fixture path %s as the encoded character', (path, matched, not) => {
  const table = tableOf([{ path }])
  const found = (url: string) => matchEndpoint(table, 'GET', url, ['']) !== undefined
  expect([matched.filter(found), not.filter(found)]).toEqual([matched, []])
})

it('prefers the GraphQL endpoint to a wildcard', () => {
  const table = tableOf([{ path: '/graphql' }, { path: '/**' }])
  expect(matchEndpoint(table, 'GET', '/graphql?query=x', [''])?.endpoint.path).toBe('/graphql')
  expect(matchEndpoint(table, 'GET', '/graphql', [''])?.endpoint.path).toBe('/**')
})

it('prefers a GET route of the GraphQL path', () => {
  const table = tableOf([{ path: '/graphql' }, { path: '/graphql', method: 'GET' }])
  for (const method of ['GET', 'HEAD'])
    expect(matchEndpoint(table, method, '/graphql?query=x', [''])?.endpoint.method).toBe('GET')
})

it('moves the GraphQL endpoint with its option', () => {
  const table = tableOf([{ path: '/api/gql/' }, { path: '/graphql' }], { paths: ['/other', '/api/gql'] })
  expect(matchEndpoint(table, 'GET', '/api/gql?query=x', [''])?.endpoint).toMatchObject({
    method: 'POST',
    graphql: { paths: ['/other', '/api/gql'] },
  })
  expect(matchEndpoint(table, 'GET', '/graphql', [''])?.endpoint.graphql).toBeUndefined()
})

it.each([
  ['x=1', 'first'],
  ['x=2', 'second'],
  ['x=3', 'default'],
  ['', 'default'],
])('selects for "%s" the route "%s"', (search, name) => {
  const table = tableOf([
    { path: '/a', name: 'default' },
    { path: '/a', name: 'first', when: { query: { x: 1 } } },
    { path: '/a', name: 'second', when: { query: { x: 2 } } },
  ])
  expect(selectRoute(table.endpoints[0]!, parsedRequest({ search }))?.name).toBe(name)
})

it('selects no route where none matches and there is no default', () => {
  const table = tableOf([{ path: '/a', when: { query: { x: 1 } } }])
  expect(selectRoute(table.endpoints[0]!, parsedRequest())).toBeUndefined()
})

it.each([
  ['/gräph', '/gräph'],
  ['/gräph', '/gr%C3%A4ph'],
  ['/gr%c3%a4ph', '/gräph/'],
])('a route of the path %s is on the GraphQL endpoint %s', async (path, option) => {
  const table = tableOf([{ path, response: { body: { data: null } } }], resolveGraphQL({ path: option }))
  const sent = await send(table, 'POST /gr%C3%A4ph', { body: '{"query":"{ a }"}' })
  expect([table.endpoints[0]!.method, sent.status]).toEqual(['POST', 200])
})

it('a wildcard without a name is the parameter 0', async () => {
  const table = tableOf([
    { path: '/files/**', when: { params: { 0: 'a/b' } }, response: { body: 'a/b' } },
    { path: '/files/**', when: { params: { 0: { $regex: 'png$' } } }, response: { body: 'image' } },
    { path: '/files/**', response: { body: 'default' } },
  ])
  for (const [path, body] of [['a/b', 'a/b'], ['c/d.png', 'image'], ['c', 'default']]) {
    expect((await send(table, `GET /files/${path}`)).body).toBe(body)
  }
}) // prettier-ignore
