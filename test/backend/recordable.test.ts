import type { IncomingMessage } from 'node:http'
import { expect, it } from 'vitest'
import { Recording } from '../../src/backend/recording.ts'
import { resolveOptions } from '../../src/core/options/resolve-options.ts'
import { createRecordability, isOfHost, toExchange, whyNotRecorded } from '../../src/backend/recordable.ts'

const page = {
  accept: 'text/html,application/xhtml+xml',
  'sec-fetch-dest': 'document',
  'sec-fetch-mode': 'navigate',
}
const script = { 'sec-fetch-dest': 'script' }
const fetched = { 'sec-fetch-dest': 'empty', accept: '*/*' }

it.each<[request: string, headers: Record<string, string>, options: object, expected: string]>([
  ['GET /items', fetched, {}, 'host-first'],
  ['GET /items', {}, {}, 'host-first'],
  ['HEAD /items', fetched, {}, 'host-first'],
  ['POST /items', fetched, {}, 'backend'],
  ['DELETE /items/1', fetched, {}, 'backend'],
  ['OPTIONS /items', {}, {}, 'backend'],
  ['GET /orders', page, {}, 'host'],
  ['GET /main.js', script, {}, 'host'],
  ['GET /logo.png', { 'sec-fetch-dest': 'image' }, {}, 'host'],
  ['GET /@vite/client', fetched, {}, 'host'],
  ['GET /', {}, {}, 'host'],
  ['GET /index.html', fetched, {}, 'host'],
  ['GET /__vite_ping', fetched, {}, 'host'],
  ['GET /main.0a1b.hot-update.json', fetched, {}, 'host'],
  ['GET /.well-known/appspecific/com.chrome.devtools.json', fetched, {}, 'host'],
  ['GET /socket', { upgrade: 'websocket' }, {}, 'host'],
  ['TRACE /items', {}, {}, 'host'],
  ['GET /api/items?page=2', fetched, { include: ['/api/**'] }, 'backend'],
  ['GET /api/logo.png', { 'sec-fetch-dest': 'image' }, { include: ['/api/**'] }, 'backend'],
  ['GET /api/report', page, { include: ['/api/**'] }, 'backend'],
  ['GET /items', fetched, { include: ['/api/**'] }, 'host'],
  ['POST /api/login', fetched, { include: ['/api/**'], exclude: ['/api/login'] }, 'host'],
  ['POST /log', fetched, { exclude: ['/log'] }, 'host'],
])('%s %j with %j: %s', (request, headers, options, expected) => {
  const [method, url] = request.split(' ') as [string, string]
  const decide = createRecordability({ include: [], exclude: [], ...options })
  expect(decide({ method, url, headers } as unknown as IncomingMessage, url)).toBe(expected)
})

it.each([
  [404, 'application/json', false],
  [200, 'text/html; charset=utf-8', false],
  [200, 'text/javascript', true],
  [304, '', true],
])('an answer with %i and %j is of the dev server: %s', (status, type, expected) => {
  expect(isOfHost({ status, reason: '', headers: { 'content-type': type } })).toBe(expected)
})

const target = 'http://backend.test:8080'

it.each<[location: string, proxy: unknown, expected: string]>([
  ['/orders/7', undefined, '/orders/7'],
  ['http://localhost:5173/orders/7?a=1#b', undefined, '/orders/7?a=1#b'],
  [`${target}/orders/7`, undefined, `${target}/orders/7`],
  [`${target}/orders/7`, { '/orders': target }, '/orders/7'],
  [`${target}/orders/7`, { '/orders': { target: new URL(target), changeOrigin: true } }, '/orders/7'],
  [`${target}/orders/7`, [{ context: '/orders', target }], '/orders/7'],
  [`${target}/orders/7`, { '/api': { target, rewrite: String } }, '/api/orders/7'],
  [`${target}/orders/7`, { '/api': { target, rewrite: String }, '/orders': target }, '/api/orders/7'],
  [`${target}//evil.test/7`, { '/orders': target }, `${target}//evil.test/7`],
  [`${target}/v1/orders/7`, { '/orders': `${target}/v1/` }, '/orders/7'],
  [
    'https://login.test/',
    { '/orders': target, '/a': {}, '/b': { target: { port: 1 } } },
    'https://login.test/',
  ],
])('a redirect to %s with the proxy %j is recorded as %s', (location, proxy, expected) => {
  const req = {
    method: 'POST',
    url: '/api/a',
    headers: { host: 'localhost:5173' },
    socket: {},
  } as IncomingMessage
  const answer = { treatment: 'copy', status: 302, reason: '', headers: { location }, body: Buffer.alloc(0), end: 'complete' } as const // prettier-ignore
  expect(toExchange(req, '/orders', undefined, answer, { proxy })).toMatchObject({
    responseHeaders: [['location', expected]],
  })
})

it('an answer to HEAD is recorded, though it has the coding of GET and no body', () => {
  const req = { method: 'HEAD', url: '/a', headers: {}, socket: {} } as IncomingMessage
  const answer = { treatment: 'copy', status: 200, reason: '', headers: { 'content-encoding': 'gzip' }, body: Buffer.alloc(0), end: 'complete' } as const // prettier-ignore
  expect(whyNotRecorded(req, answer)).toBeUndefined()
  expect(toExchange(req, '/a', undefined, answer)).toMatchObject({ method: 'HEAD', status: 200 })
})

it('a redirect to the own server is recorded as a path, also over HTTP/2', () => {
  const socket = new Proxy({ encrypted: true }, { has: () => false }) // as that of HTTP/2
  const req = { method: 'GET', url: '/a', headers: { ':authority': 'localhost:5173' }, socket } as never
  const answer = { treatment: 'copy', status: 302, reason: '', headers: { location: 'https://localhost:5173/b' }, body: Buffer.alloc(0), end: 'complete' } as const // prettier-ignore
  expect(toExchange(req, '/a', undefined, answer, {})).toMatchObject({
    responseHeaders: [['location', '/b']],
  })
})

it.each<[record: object, proxy: unknown, nextIsBackend: boolean, isTold: boolean]>([
  [{}, undefined, false, true],
  [{}, {}, false, true],
  [{}, [], false, true],
  [{}, { '/api': 'http://127.0.0.1:1' }, false, false],
  [{}, undefined, true, false],
  [{ include: '/api/**' }, undefined, false, false],
  [{ target: 'http://127.0.0.1:1' }, undefined, false, false],
])('a recording that has nothing to ask says so: %j, proxy %j, %s: %s', (given, proxy, nextIsBackend, isTold) => {
  const log = { info() {}, warn() {}, error() {} }
  const options = resolveOptions({ record: { ...given, enabled: false } }, { root: import.meta.dirname, logger: log })
  const codes: string[] = []
  const recording = new Recording(options, options.record, ({ code }) => void codes.push(code))
  const req = { method: 'GET', url: '/', headers: page } as unknown as IncomingMessage // a page, which no backend is asked for
  let passed = 0
  recording.pass({ req, res: {} as never, next: () => void passed++ }, { proxy, hostBase: '', nextIsBackend, hasPages: true, report: () => {} })
  expect([passed, codes]).toEqual([1, isTold ? ['record-without-backend'] : []])
}) // prettier-ignore
