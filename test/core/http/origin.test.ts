import { describe, expect, it } from 'vitest'
import { decideOrigin, reflectOwnOrigins } from '../../../src/core/http/origin.ts'
import { type OriginOptions, resolveOrigins } from '../../../src/core/options/options.ts'
import { readResponse, tableOf } from '../send.ts'
import { matchPreflight } from '../../../src/core/answer/preflight.ts'
import { preflightResponse } from '../../../src/core/answer/preflight.ts'

const decide = (options: OriginOptions, headers: Record<string, string>, isSecure = false) =>
  decideOrigin(resolveOrigins(options), headers, { isSecure })

/** What a decision comes to: the headers it adds, or the code of what was refused. */
function outcome(options: OriginOptions, headers: Record<string, string>, isSecure = false): string {
  const decision = decide(options, headers, isSecure)
  if (decision.refused) return decision.refused.code
  const [name, value, ...more] = decision.headers
  if (name === undefined) return 'answered'
  expect(name).toBe('access-control-allow-origin')
  expect(more).toEqual(value === '*' ? [] : ['access-control-allow-credentials', 'true', 'vary', 'Origin'])
  return `allowed ${value}`
}

describe('the host name', () => {
  it.each<[host: string | undefined, options: OriginOptions, answered: boolean]>([
    [undefined, {}, true],
    ['localhost', {}, true],
    ['localhost:3000', {}, true],
    ['LocalHost:3000', {}, true],
    ['localhost.', {}, true],
    ['app.localhost:3000', {}, true],
    ['127.0.0.1:3000', {}, true],
    ['127.1.2.3', {}, true],
    ['[::1]:3000', {}, true],
    ['[::1]', {}, true],
    ['[fe80::1]:80', {}, true],
    ['192.168.1.5:3000', {}, true],
    ['0.0.0.0:3000', {}, true],
    ['example.com', {}, false],
    ['example.com:3000', {}, false],
    ['localhost.example.com', {}, false],
    ['notlocalhost', {}, false],
    ['127.0.0.1.example.com', {}, false],
    ['127.example.com', {}, false],
    ['1.2.3', {}, false],
    ['[::1].example.com', {}, false],
    ['[example.com]', {}, false],
    ['localhost@example.com', {}, false],
    ['', {}, false],
    ['mock-api:3000', {}, false],
    ['example.com', { allowedHosts: ['example.com'] }, true],
    ['EXAMPLE.com:80', { allowedHosts: ['Example.Com'] }, true],
    ['a.example.com', { allowedHosts: ['example.com'] }, false],
    ['a.example.com', { allowedHosts: ['.example.com'] }, true],
    ['example.com', { allowedHosts: ['.example.com'] }, true],
    ['badexample.com', { allowedHosts: ['.example.com'] }, false],
    ['example.com.evil.org', { allowedHosts: ['.example.com'] }, false],
    ['example.com', { allowedHosts: [] }, false],
    ['example.com', { allowedHosts: true }, true],
    ['example.com', { cors: true }, false],
    ['example.com', { cors: false }, false],
  ])('%s with %j is answered: %s', (host, options, answered) => {
    const headers = host === undefined ? {} : { host }
    expect(outcome(options, headers)).toBe(answered ? 'answered' : 'host-refused')
    expect(outcome(options, headers, true)).toBe('answered') // over TLS the certificate vouches for it
  })

  it('of HTTP/2 counts too', () => {
    expect(outcome({}, { ':authority': 'example.com' })).toBe('host-refused')
    expect(outcome({}, { ':authority': 'localhost:3000' })).toBe('answered')
  })

  it('that is refused is named, with the way to allow it', () => {
    expect(decide({}, { host: 'example.com:3000' }).refused).toMatchObject({
      message: expect.stringContaining('"example.com"') as string,
      fix: expect.stringContaining('"allowedHosts" to ["example.com"]') as string,
    })
  })
})

describe('the origin', () => {
  const app = 'https://app.example.com'
  const refused = 'origin-refused'
  it.each<[origin: string, options: OriginOptions, expected: string]>([
    ['http://localhost:5173', {}, 'allowed http://localhost:5173'],
    ['https://localhost', {}, 'allowed https://localhost'],
    ['http://app.localhost:5173', {}, 'allowed http://app.localhost:5173'],
    ['http://127.0.0.1:5173', {}, 'allowed http://127.0.0.1:5173'],
    ['http://127.9.9.9', {}, 'allowed http://127.9.9.9'],
    ['http://[::1]:5173', {}, 'allowed http://[::1]:5173'],
    ['capacitor://localhost', {}, 'allowed capacitor://localhost'],
    ['http://192.168.1.5:5173', {}, 'allowed http://192.168.1.5:5173'],
    ['https://192.168.1.5', {}, 'allowed https://192.168.1.5'],
    ['http://192.168.1.6:5173', {}, refused],
    ['https://example.com', {}, refused],
    ['http://localhost.example.com', {}, refused],
    ['http://127.0.0.1.example.com', {}, refused],
    ['http://localhost@example.com', {}, refused],
    ['http://example.com/localhost', {}, refused],
    ['null', {}, refused],
    ['', {}, refused],
    ['localhost', {}, refused],
    [app, { cors: [app] }, `allowed ${app}`],
    [app, { cors: ['HTTPS://APP.example.com'] }, `allowed ${app}`],
    [`${app}:8443`, { cors: [app] }, refused],
    ['http://app.example.com', { cors: [app] }, refused],
    ['http://localhost:5173', { cors: [app] }, 'allowed http://localhost:5173'],
    ['null', { cors: ['null'] }, 'allowed null'],
    [app, { cors: [] }, refused],
    [app, { cors: true }, 'allowed *'],
    ['null', { cors: true }, 'allowed *'],
    ['http://localhost:5173', { cors: true }, 'allowed http://localhost:5173'],
    [app, { cors: false }, 'answered'],
    [app, { allowedHosts: true }, refused],
  ])('%s with %j: %s', (origin, options, expected) => {
    expect(outcome(options, { host: '192.168.1.5:3000', origin })).toBe(expected)
  })

  it('of a page of the same host, wherever that is', () => {
    const headers = { host: 'preview.example.com', origin: 'https://preview.example.com' }
    expect(outcome({ allowedHosts: ['.example.com'] }, headers)).toBe('allowed https://preview.example.com')
    expect(outcome({}, headers)).toBe('host-refused')
    expect(outcome({}, { origin: 'http://localhost:1' })).toBe('allowed http://localhost:1')
  })

  it('that is refused is named, with the way to allow it', () => {
    expect(decide({}, { host: 'localhost', origin: app }).refused).toMatchObject({
      severity: 'warning',
      fix: `Set the option "cors" to ["${app}"], or to true to answer every page.`,
    })
  })
})

describe('a preflight', () => {
  const table = tableOf([
    { path: '/orders/:id' },
    { path: '/orders/:id', method: 'PUT' },
    { path: '/graphql' },
    { path: '/own', method: 'OPTIONS' },
    { path: '/own' },
  ])
  const origin = 'http://localhost:5173'
  const match = (url: string, headers: Record<string, string>, options: OriginOptions = {}) =>
    matchPreflight(resolveOrigins(options), table, url, headers, ['/api', ''])

  it.each<[url: string, asked: string, path: string | undefined]>([
    ['/orders/7', 'PUT', '/orders/:id'],
    ['/api/orders/7?a=1', 'GET', '/orders/:id'],
    ['/graphql', 'POST', '/graphql'],
    ['/orders/7', 'DELETE', undefined],
    ['/other', 'GET', undefined],
  ])('%s asking for %s is for %s', (url, asked, path) => {
    expect(match(url, { origin, 'access-control-request-method': asked })?.endpoint.path).toBe(path)
  })

  it.each<[name: string, headers: Record<string, string>, options?: OriginOptions]>([
    ['no origin', { 'access-control-request-method': 'PUT' }],
    ['no method asked for', { origin }],
    ['cors: false', { origin, 'access-control-request-method': 'PUT' }, { cors: false }],
  ])('is not seen with %s', (_, headers, options) => {
    expect(match('/orders/7', headers, options)).toBeUndefined()
  })

  it('is answered with the methods of the path, and the headers it asks for', () => {
    const headers = {
      origin,
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'x-a, x-b',
    }
    const { endpoint } = match('/orders/7', headers)!
    expect(readResponse(preflightResponse(table, endpoint, headers))).toMatchObject({
      status: 204,
      body: '',
      headers: { 'access-control-allow-methods': 'GET, PUT', 'access-control-allow-headers': 'x-a, x-b' },
    })
    expect(readResponse(preflightResponse(table, endpoint, {})).headers).not.toHaveProperty(
      'access-control-allow-headers',
    )
  })
})

it.each([
  ['http://localhost:3000', 'http://localhost:3000'],
  ['http://app.example:8080', 'http://app.example:8080'], // the host itself
  ['https://evil.example', undefined],
])('beside the checks of a host of its own, %s gets %s and nobody is refused', (origin, allowed) => {
  const { headers, refused } = decideOrigin(
    reflectOwnOrigins,
    { host: 'app.example', origin },
    { isSecure: false },
  )
  expect(refused).toBeUndefined()
  expect(headers![headers!.indexOf('access-control-allow-origin') + 1]).toBe(allowed)
})
