import { describe, expect, it } from 'vitest'
import { parseFixture } from '../../../src/core/fixture/parse-fixture.ts'
import { resolveGraphQL } from '../../../src/core/options/resolve-options.ts'
import { matchEndpoint } from '../../../src/core/table/match.ts'
import type { Fixture } from '../../../src/core/schema/schema.ts'
import { file, tableOf } from '../send.ts'

const fixture: Fixture = [
  { path: '/v1/charges/:id' },
  { url: 'https://api.stripe.com/v1/charges/:id' },
  { url: 'https://api.stripe.com/v1/charges/:id', method: 'POST' },
  { url: 'HTTPS://API.Example.com:443/caf%C3%A9/:id.json' },
  { url: 'https://*.example.com/orders' },
  { url: 'https://eu.example.com/orders' },
  { url: 'http://localhost:8080/**' },
  { url: 'https://root.example' },
  { url: 'https://api.github.com/graphql' },
]

describe('a request names its origin by a whole URL', () => {
  const table = tableOf(fixture, resolveGraphQL({ path: ['/graphql', 'https://api.github.com/graphql/'] }))

  it.each<[target: string, endpoint?: string, params?: object]>([
    ['GET /v1/charges/7', 'GET /v1/charges/:id', { id: '7' }],
    ['GET https://api.stripe.com/v1/charges/7?expand=a', 'GET https://api.stripe.com/v1/charges/:id', { id: '7' }],
    ['POST https://API.stripe.com:443/v1/charges/7', 'POST https://api.stripe.com/v1/charges/:id', { id: '7' }],
    ['GET https://api.stripe.com/v1/customers'],
    ['GET http://api.stripe.com/v1/charges/7', 'GET /v1/charges/:id', { id: '7' }], // as a proxy's client sends it
    ['GET https://api.stripe.com.evil.example/v1/charges/7', 'GET /v1/charges/:id', { id: '7' }],
    ['GET https://user@api.stripe.com/v1/charges/7', 'GET /v1/charges/:id', { id: '7' }],
    ['GET /https%3A%2F%2Fapi.stripe.com/v1/charges/7'],
    ['GET /https:%2F%2Fapi.stripe.com/v1/charges/7'],
    ['GET https://api.example.com/caf%c3%a9/a%20b.json', 'GET https://api.example.com/caf%C3%A9/:id.json', { id: 'a b' }],
    ['GET https://api.example.com/orders', 'GET https://*.example.com/orders'],
    ['GET https://a.b.example.com/orders/', 'GET https://*.example.com/orders'],
    ['GET https://eu.example.com/orders', 'GET https://eu.example.com/orders'],
    ['GET https://example.com/orders'],
    ['GET https://badexample.com/orders'],
    ['GET http://localhost:8080/a/b', 'GET http://localhost:8080/**', { 0: 'a/b', _: 'a/b' }],
    ['GET http://localhost:8081/a/b'],
    ['GET https://root.example/', 'GET https://root.example/'],
    ['GET https://root.example', 'GET https://root.example/'],
    ['GET https://root.example/__proto__'],
    ['GET https://__proto__/a'],
    ['POST https://api.github.com/graphql', 'POST https://api.github.com/graphql'],
  ])('%s', (target, endpoint, params = {}) => {
    const [method, url] = target.split(' ') as [string, string]
    const found = matchEndpoint(table, method, url, ['/base', ''])
    expect(found && `${found.endpoint.method} ${found.endpoint.path}`).toBe(endpoint)
    if (endpoint) expect({ ...found!.params }).toEqual(params)
  })

  it('and other requests are ruled out by their first segment', () => {
    expect([...table.firstSegments!]).toEqual(['v1'])
    expect(table.origins).toEqual([
      'https://api.stripe.com',
      'https://api.example.com',
      'https://eu.example.com',
      'http://localhost:8080',
      'https://root.example',
      'https://api.github.com',
      'https://*.example.com',
    ])
  })

  it('a GraphQL endpoint may have one', () => {
    const found = matchEndpoint(table, 'POST', 'https://api.github.com/graphql', [''])
    expect(found?.endpoint.graphql).toBeDefined()
    expect(matchEndpoint(table, 'POST', 'https://api.stripe.com/graphql', [''])).toBeUndefined()
  })
}) // prettier-ignore

it.each<[route: object, code: string, pointer: string, message: string, fix: string]>([
  [{ url: '/orders' }, 'url-invalid', '/0/url', 'The address "/orders" can\'t be matched: it has no scheme.', 'Write path: /orders.'],
  [{ url: 'api.example.com/a' }, 'url-invalid', '/0/url', 'it has no scheme.', 'Write url: https://api.example.com/a.'],
  [{ url: '//api.example.com/a' }, 'url-invalid', '/0/url', 'it has no scheme.', ''],
  [{ url: 'https://me:secret@api.example.com/a' }, 'url-invalid', '/0/url', 'it has credentials', 'https://api.example.com/a'],
  [{ url: 'file:///etc/passwd' }, 'url-invalid', '/0/url', 'file: is not http or https', ''],
  [{ url: 'wss://api.example.com/a' }, 'url-invalid', '/0/url', 'WebSockets to other origins are not answered', ''],
  [{ url: 'https:///a' }, 'url-invalid', '/0/url', '"" is not a host.', '"*."'],
  [{ url: 'https://*/a' }, 'url-invalid', '/0/url', '"*" is not a host.', '"*."'],
  [{ url: 'https://*.com/a' }, 'url-invalid', '/0/url', '"*.com" is not a host.', '"*."'],
  [{ url: 'https://a.*.example/a' }, 'url-invalid', '/0/url', '"a.*.example" is not a host.', '"*."'],
  [{ url: 'https://a.example/b?c=1' }, 'path-invalid', '/0/url', 'a path has no query', 'when: { query: { c: 1 } }'],
  [{ url: 'https://a.example/b', path: '/b' }, 'fixture-conflicting-keys', '/0/url', '"path" and "url"', ''],
  [{ url: 7 }, 'fixture-invalid', '/0/url', '"url" must be a string', ''],
  [{ response: {} }, 'fixture-missing-key', '/0', 'The key "path" is missing.', '"/orders"'],
])('%j: %s', (route, code, pointer, message, fix) => {
  const { diagnostics } = parseFixture([route], file)
  expect(diagnostics).toEqual([expect.objectContaining({ code, pointer })])
  expect([diagnostics[0]!.message, diagnostics[0]!.fix]).toEqual([
    expect.stringContaining(message),
    expect.stringContaining(fix),
  ])
}) // prettier-ignore

describe('the origin of a file', () => {
  const paths = (content: object) => {
    const { routes, diagnostics } = parseFixture({ routes: [{ path: '/a/:id' }, { url: 'https://b.example/b' }], ...content }, file)
    return { paths: routes.map(({ path }) => path), codes: diagnostics.map(({ code, pointer }) => `${code} ${pointer}`) }
  } // prettier-ignore

  it.each<[origin: unknown, first: string, codes?: string[]]>([
    [undefined, '/a/:id'],
    ['https://api.example.com', 'https://api.example.com/a/:id'],
    ['https://API.example.com:443/', 'https://api.example.com/a/:id'],
    ['api.example.com', 'https://origin.invalid/a/:id', ['url-invalid /origin']],
    ['https://api.example.com/v1', 'https://origin.invalid/a/:id', ['url-invalid /origin']],
    [{}, 'https://origin.invalid/a/:id', ['url-invalid /origin']],
  ])('%j', (origin, first, codes = []) => {
    expect(paths({ origin })).toEqual({ paths: [first, 'https://b.example/b'], codes })
  })

  it('is that of a broken route, too', () => {
    const content = { origin: 'https://api.example.com', routes: [{ path: '/a', response: { status: 1 } }] }
    const [route] = parseFixture(content, file).routes
    expect(route).toMatchObject({ path: 'https://api.example.com/a', error: { code: 'fixture-invalid' } })
  })
})
