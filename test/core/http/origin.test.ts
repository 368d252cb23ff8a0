import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { decideOrigin, type Connection, type OriginPolicy } from '../../../src/core/http/origin.ts'
import { rsbuildOrigins, viteOrigins, webpackOrigins } from '../../../src/server/origin-policies.ts'
import type { OriginOptions } from '../../../src/core/options/options.ts'
import { resolveOrigins } from '../../../src/core/options/resolve-options.ts'
import { readResponse, tableOf } from '../send.ts'
import { matchPreflight, preflightResponse } from '../../../src/core/answer/receive.ts'
import { sampling } from '../../sampling.ts'

const decide = (options: OriginOptions, headers: Record<string, string>, isSecure = false) =>
  decideOrigin(resolveOrigins(options), { method: 'GET', headers }, { isSecure })

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
    ['LOCALHOST.:80', {}, true],
    ['127.0.0.1.', {}, true],
    ['[0:0:0:0:0:0:0:1]', {}, true],
    ['999.999.999.999', {}, false],
    ['127.0.0.256', {}, false],
    ['[::1', {}, false],
    ['evil.com\\.localhost', {}, false],
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
    ['1.2.3', {}, false],
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

  it('names a refused host, and how to allow it', () => {
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
    ['http://LOCALHOST:5173', {}, 'allowed http://LOCALHOST:5173'],
    ['http://localhost.:5173', {}, 'allowed http://localhost.:5173'],
    ['http://127.0.0.1.:5173', {}, 'allowed http://127.0.0.1.:5173'],
    ['tauri://localhost', {}, 'allowed tauri://localhost'],
    ['x://localhost', {}, refused],
    ['file://localhost', {}, refused],
    ['http://[::1]:5173', {}, 'allowed http://[::1]:5173'],
    ['capacitor://localhost', {}, 'allowed capacitor://localhost'],
    ['http://192.168.1.5:5173', {}, 'allowed http://192.168.1.5:5173'],
    ['https://192.168.1.5', {}, 'allowed https://192.168.1.5'],
    ['http://192.168.1.6:5173', {}, refused],
    ['https://example.com', {}, refused],
    ['http://localhost.example.com', {}, refused],
    ['null', {}, refused],
    ['', {}, refused],
    ['localhost', {}, refused],
    [app, { cors: [app] }, `allowed ${app}`],
    [app, { cors: ['HTTPS://APP.example.com'] }, `allowed ${app}`],
    [`${app}:8443`, { cors: [app] }, refused],
    ['http://app.example.com', { cors: [app] }, refused],
    ['http://localhost:5173', { cors: [app] }, 'allowed http://localhost:5173'],
    ['null', { cors: ['null'] }, 'allowed null'],
    [`${app}:443`, { cors: [app] }, `allowed ${app}:443`],
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

  it('names a refused host, and how to allow it', () => {
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

/** A request that a browser sends for a page, with the header `sec-fetch-site` that it adds. */
interface Sent {
  method?: string
  site?: 'cross-site' | 'same-site' | 'same-origin' | 'none'
  mode?: 'navigate' | 'no-cors' | 'cors'
  origin?: string
  referer?: string
}

function ask(policy: OriginPolicy, sent: Sent, connection: Partial<Connection> = {}) {
  const { method = 'GET', site, mode, origin, referer } = sent
  const headers = {
    host: 'localhost:5173',
    ...(site && { 'sec-fetch-site': site }),
    ...(mode && { 'sec-fetch-mode': mode }),
    ...(origin !== undefined && { origin }),
    ...(referer !== undefined && { referer }),
  }
  const decision = decideOrigin(policy, { method, headers }, { isSecure: false, ...connection })
  return decision.refused ? 'refused' : decision.headers.includes(origin ?? '') ? 'allowed' : 'answered'
}

const evil = 'https://evil.example'
const dev = 'http://localhost:3000'
const policies: [name: string, policy: OriginPolicy, trusted: string][] = [
  ['Vite', viteOrigins, 'answered'],
  ['Rsbuild', rsbuildOrigins(), 'answered'],
  ['webpack', webpackOrigins('auto'), 'allowed'],
  ['createMiddleware', resolveOrigins({}), 'allowed'],
]

describe.each(policies)('a page, under the policy of %s', (name, policy, trusted) => {
  it.each<[what: string, sent: Sent, expected: string]>([
    ['a script of a foreign page', { method: 'POST', origin: evil, site: 'cross-site', mode: 'no-cors' }, 'refused'],
    ['a form of a foreign page', { method: 'POST', origin: evil, site: 'cross-site', mode: 'navigate' }, 'refused'],
    ['a form of a page without origin', { method: 'POST', origin: 'null', site: 'cross-site', mode: 'navigate' }, 'refused'],
    ['an old browser', { method: 'POST', origin: evil }, 'refused'],
    ['an image of a foreign page', { site: 'cross-site', mode: 'no-cors' }, 'refused'],
    ['an image, with its referrer', { site: 'cross-site', mode: 'no-cors', referer: `${evil}/` }, 'refused'],
    ['a link of a foreign page', { site: 'cross-site', mode: 'navigate', referer: `${evil}/` }, 'answered'],
    ['a sandboxed frame', { origin: 'null', site: 'cross-site', mode: 'cors' }, 'refused'],
    ['the address bar', { site: 'none', mode: 'navigate' }, 'answered'],
    ['its own script', { site: 'same-origin', mode: 'cors' }, 'answered'],
    ['its own POST', { method: 'POST', site: 'same-origin', mode: 'cors', origin: 'http://localhost:5173' }, trusted],
    ['its own form without a referrer', { method: 'POST', site: 'same-origin', mode: 'navigate', origin: 'null' }, 'answered'],
    ['its own POST behind a proxy', { method: 'POST', site: 'same-origin', mode: 'cors', origin: 'https://app.test' }, 'answered'],
    ['a page on another port', { method: 'POST', site: 'same-site', mode: 'cors', origin: dev }, trusted],
    ['a page of 127.0.0.1', { method: 'POST', site: 'cross-site', mode: 'cors', origin: 'http://127.0.0.1:3000' }, trusted],
    ['an image of 127.0.0.1', { site: 'cross-site', mode: 'no-cors', referer: 'http://127.0.0.1:3000/a' }, 'answered'],
    ['no browser', { method: 'POST' }, 'answered'],
  ])('%s: %j', (_, sent, expected) => {
    expect(ask(policy, sent)).toBe(expected)
  }) // prettier-ignore

  it.each<[allowedOrigin: string, sent: Sent, expected: string]>([
    ['*', { method: 'POST', origin: evil, site: 'cross-site' }, 'answered'],
    ['*', { site: 'cross-site', mode: 'no-cors' }, 'answered'],
    [evil, { method: 'POST', origin: evil, site: 'cross-site' }, 'answered'],
    ['https://app.example', { method: 'POST', origin: evil, site: 'cross-site' }, 'refused'],
    ['https://app.example', { method: 'POST', origin: dev }, 'answered'],
  ])('that the server has allowed with %s: %j', (allowedOrigin, sent, expected) => {
    expect(ask(policy, sent, { allowedOrigin })).toBe(expected)
  })

  it('names the option that allows a refused origin', () => {
    const request = { method: 'POST', headers: { host: 'localhost', origin: evil } }
    const option =
      { Vite: 'server.cors', Rsbuild: 'server.cors', webpack: 'devServer.headers' }[name] ?? 'cors'
    const { refused } = decideOrigin(policy, request, { isSecure: false })
    expect(refused).toMatchObject({ code: 'origin-refused', fix: expect.stringContaining(option) as string })
  })
})

it.each<[options: OriginOptions, sent: Sent, expected: string]>([
  [{ cors: true }, { site: 'cross-site', mode: 'no-cors' }, 'answered'],
  [{ cors: false }, { site: 'cross-site', mode: 'no-cors' }, 'answered'],
  [{ cors: [evil] }, { site: 'cross-site', mode: 'no-cors', referer: `${evil}/a` }, 'answered'],
  [{ cors: [evil] }, { site: 'cross-site', mode: 'no-cors', referer: 'https://other.example/' }, 'refused'],
])('%j widens the option for %j', (options, sent, expected) => {
  expect(ask(resolveOrigins(options), sent)).toBe(expected)
})

it('webpack with allowedHosts: all lets every page through, without CORS headers for it', () => {
  expect(ask(webpackOrigins('all'), { method: 'POST', origin: evil, site: 'cross-site' })).toBe('answered')
  expect(ask(webpackOrigins('all'), { method: 'POST', origin: dev })).toBe('allowed')
})

it.each<[server: Parameters<typeof rsbuildOrigins>[0], host: string, answered: boolean]>([
  [undefined, 'evil.example', false],
  [{}, 'localhost:3000', true],
  [{}, '192.168.1.5:3000', true],
  [{ host: '0.0.0.0' }, 'evil.example', false],
  [{ host: 'Mine.test' }, 'mine.test:3000', true],
  [{ allowedHosts: true }, 'evil.example', true],
  [{ allowedHosts: ['.mine.test'] }, 'a.mine.test', true], // Rsbuild has checked it
])('Rsbuild with %j answers %s: %s', (server, host, answered) => {
  const request = { method: 'GET', headers: { host } }
  expect(decideOrigin(rsbuildOrigins(server), request, { isSecure: false }).refused === undefined).toBe(
    answered,
  )
})

describe('hostile texts', () => {
  const part = fc.constantFrom('localhost', '127.0.0.1', '[::1]', 'evil.com', '.', ':', '/', '?', '#', '@', '\\', ' ', '%2e', '1', '0x7f', '://', 'http', 'x', '\u0130', '\uFF0E') // prettier-ignore
  const text = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''))

  it('an origin is trusted only where a browser that opens it asks this machine', () => {
    fc.assert(
      fc.property(fc.constantFrom('http', 'https', 'x'), text, (scheme, rest) => {
        const origin = `${scheme}://${rest}`
        const trusted = ask(resolveOrigins({}), { origin }) === 'allowed'
        if (!trusted) return
        const { hostname, protocol, pathname, search, hash, username } = new URL(origin)
        expect(['http:', 'https:']).toContain(protocol)
        expect(hostname.replace(/\.$/, '')).toMatch(/^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/)
        expect([pathname, search, hash, username]).toEqual(['/', '', '', ''])
      }),
      sampling(150),
    )
  })

  it('a host name is answered only where no page can have it as its own', () => {
    fc.assert(
      fc.property(text, (host) => {
        if (outcome({}, { host }) === 'host-refused') return
        const { hostname } = new URL(`http://${host}`)
        expect(hostname).toMatch(/^(?:(?:.+\.)?localhost\.?|\d+(?:\.\d+){3}\.?|\[[\da-f:]+\])$/)
      }),
      sampling(150),
    )
  })
})
