import type { ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import { isOfDevServer } from '../../../src/server/first-urls.ts'
import { serve } from '../../hosts/of-test.ts'
import { exchange } from '../../http.ts'

type Next = (res: ServerResponse) => void
const asJson = { 'content-type': 'application/json' }
const asHtml = { 'content-type': 'text/html; charset=utf-8' }
const notFound: Next = (res) => res.writeHead(404).end()
const fallbackPage: Next = (res) => res.writeHead(200, asHtml).end('<p>')
const fallbackPageBySetHeader: Next = (res) => {
  res.setHeader('content-type', 'text/html')
  res.end('<p>')
}
const proxied: Next = (res) => {
  res.setHeader('content-type', 'application/json')
  res.statusCode = 201
  res.end('{}')
}
const manifest: Next = (res) => res.writeHead(200, { ...asJson, 'expo-protocol-version': '0' }).end('{}')
const routed =
  (path: string): Next =>
  (res) => {
    Object.assign(res.req, { route: { path } })
    fallbackPage(res)
  }
const failing: Next = (res) => res.writeHead(502).end()

it.each<[name: string, next: Next, accept: string, isNoticed: boolean]>([
  ['a 404', notFound, '*/*', true],
  ['a page, to a client that asked for none', fallbackPageBySetHeader, '*/*', true],
  ['a page, to a browser that opens it', fallbackPage, 'text/html,*/*', false],
  ['the manifest of an Expo app', manifest, '*/*', true],
  ['the answer of a proxy', proxied, '*/*', false],
  ['a proxy whose backend is down', failing, '*/*', false],
])('a request that almost matches a route and ends in %s', async (_, next, accept, isNoticed) => {
  const files = { 'fixtures/a.yaml': '- { path: /api/users, response: { body: [] } }' }
  const { send, log } = await serve(
    files,
    {},
    (middleware) => (req, res) => middleware(req, res, () => next(res)),
  )
  for (let times = 0; times < 2; times++) {
    await send({ method: 'POST', url: '/api/users', headers: { accept } })
    await send({ url: '/api/user', headers: { accept } })
    await send({ method: 'PUT', url: '/api/user', headers: { accept } })
  }
  await send({ url: '/api/users' }) // answered after the notices
  const notices = log.filter((line) => line.includes('Did you mean GET /api/users'))
  expect(notices).toHaveLength(isNoticed ? 3 : 0)
})

const asked = { accept: '*/*' }
const missing = 'No route answers GET /api/bills, so the dev server answered with'
const toWrite = 'Add a route to a fixture file: path: /bills.'
it.each<[name: string, headers: Record<string, string>, next: Next, told: string | undefined]>([
  ['fetch that ends in a page', { ...asked, 'sec-fetch-dest': 'empty' }, fallbackPage, `${missing} a page.`],
  ['program that gets a page', asked, fallbackPageBySetHeader, `${missing} a page.`],
  ['fetch that ends in an empty 404', asked, notFound, `${missing} nothing but a 404.`],
  [
    'fetch of JSON that a backend does not have',
    asked,
    (res) => res.writeHead(404, asJson).end('{}'),
    undefined,
  ],
  ['fetch that a proxy answers', asked, proxied, undefined],
  ['fetch that a route of Express answers', asked, routed('/bills'), undefined],
  ['fetch that a route for every path answers', asked, routed('/{*all}'), `${missing} a page.`],
  ['fetch of a page', { accept: 'text/html' }, fallbackPage, undefined],
  ['navigation', { accept: 'text/html,*/*', 'sec-fetch-dest': 'document' }, fallbackPage, undefined],
  ['frame', { ...asked, 'sec-fetch-dest': 'iframe' }, fallbackPage, undefined],
  ['image', { ...asked, 'sec-fetch-dest': 'image' }, fallbackPage, undefined],
  ['script', { ...asked, 'sec-fetch-dest': 'script' }, fallbackPage, undefined],
  ['prefetch', { ...asked, 'sec-fetch-dest': 'empty', 'sec-purpose': 'prefetch' }, fallbackPage, undefined],
  ['part of a page for htmx', { ...asked, 'hx-request': 'true' }, fallbackPage, undefined],
])('a %s, without a route', async (_, headers, next, told) => {
  const { send, log } = await serve(
    { 'fixtures/a.yaml': '- { path: /orders, response: { body: [] } }' },
    { base: '/api' },
    (middleware) => (req, res) => middleware(req, res, () => next(res)),
  )
  for (let times = 0; times < 2; times++) await send({ url: '/api/bills', headers })
  await send({ url: '/api/orders' }) // answered after the notices
  const texts = told === undefined ? [] : [expect.stringContaining(`${told}\n  Fix: ${toWrite}`)]
  expect(log.filter((line) => line.includes('/bills'))).toEqual(texts)
})

it.each([
  ['GET', '/favicon.ico'],
  ['GET', '/main.ts.map'],
  ['GET', '/@vite/client'],
  ['GET', '/'],
])('%s %s is for the dev server', async (method, url) => {
  const { send, log } = await serve(
    { 'fixtures/a.yaml': '- { path: /orders }' },
    {},
    (middleware) => (req, res) => middleware(req, res, () => fallbackPage(res)),
  )
  await send({ method, url, headers: asked })
  await send({ url: '/orders' })
  expect(log.filter((line) => line.includes('No route'))).toEqual([])
})

it.each(['/app/', '/app/?theme=dark'])('a program that waits for the page %s gets it', async (url) => {
  const { origin, log } = await serve(
    { 'fixtures/a.yaml': '- { path: /orders }' },
    {},
    (middleware) => (req, res) => middleware(req, res, () => fallbackPage(res)),
  )
  await exchange(origin, { url, headers: asked })
  await exchange(origin, { url: '/orders' })
  expect(log.filter((line) => line.includes('No route'))).toEqual([])
})

it('a request outside the base is told where the routes are', async () => {
  const files = { 'fixtures/a.yaml': '- { path: /orders }' }
  const { send, log } = await serve(
    files,
    { base: '/api' },
    (middleware) => (req, res) => middleware(req, res, () => fallbackPage(res)),
  )
  await send({ method: 'POST', url: '/bills', headers: asked })
  await send({ url: '/api/orders' })
  expect(log.join('\n')).toContain(
    'The routes are below the base "/api": ask there, or change the option "base".',
  )
})

it('a route for every path answers what is mistyped, and the path that was meant is said once', async () => {
  const down = "- { path: /**, method: '*', scenario: down, response: { status: 503 } }"
  const { send, log } = await serve({ 'fixtures/a.yaml': `- { path: /api/users }\n${down}` })
  const headers = { 'x-mock-scenario': 'down' }
  const urls = ['/api/user', '/api/user?again=1', '/api/users', '/elsewhere']
  for (const url of urls) expect((await send({ url, headers })).status).toBe(503)
  expect(log.filter((line) => line.includes('route-similar'))).toEqual([
    expect.stringContaining('Only the wildcard "* /**" answers GET /api/user. Did you mean GET /api/users ('),
  ])
}) // prettier-ignore

it.each([
  ['/src/main.ts', true],
  ['/src/App.vue?vue&type=style&index=0', true],
  ['/node_modules/.vite/deps/vue.js?v=1', true],
  ['/@vite/client', true],
  ['/@id/virtual:mock-api', true],
  ['http://localhost/orders', true],
  ['*', true],
  ['/orders', false],
  ['/', false],
  ['/api/v1.2/orders', false],
  ['/api/v1.2/orders?from=src/main.ts', false],
  ['/orders?price=1.25', false],
  ['/__mock-api/api/routes', true],
  ['/__mock-api', false],
])('%s is a file or module of the dev server: %s', (url, expected) => {
  expect(isOfDevServer(url)).toBe(expected)
})

it('a client of Socket.IO that finds no route is told once, however often it asks', async () => {
  const files = {
    'fixtures/a.yaml':
      '- { path: /chat.io, websocket: { protocol: socket.io } }\n- { path: /last, response: { body: 1 } }',
  }
  const { send, log } = await serve(
    files,
    {},
    (middleware) => (req, res) => middleware(req, res, () => notFound(res)),
  )
  const ask = (url: string) => send({ url, headers: { accept: '*/*' } })
  for (const path of ['/live/', '/chatt.io/'])
    for (const t of [1, 2, 3]) await ask(`${path}?EIO=4&transport=polling&t=${t}`)
  await ask('/last') // answered after the notices
  const told = (text: string) => log.filter((line) => line.includes(text))
  expect(told('no route with protocol: socket.io has the path /live/')).toHaveLength(1)
  expect(told('Did you mean WEBSOCKET /chat.io')).toHaveLength(1)
})
