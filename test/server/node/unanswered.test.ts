import type { ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import { isOfDevServer } from '../../../src/server/node/unanswered.ts'
import { serve } from '../../hosts/of-test.ts'

type Next = (res: ServerResponse) => void
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
const failing: Next = (res) => res.writeHead(502).end()

it.each<[name: string, next: Next, accept: string, isNoticed: boolean]>([
  ['a 404', notFound, '*/*', true],
  ['a page, to a client that asked for none', fallbackPageBySetHeader, '*/*', true],
  ['a page, to a browser that opens it', fallbackPage, 'text/html,*/*', false],
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
  }
  await send({ url: '/api/users' }) // answered after the notices
  const notices = log.filter((line) => line.includes('Did you mean GET /api/users'))
  expect(notices).toHaveLength(isNoticed ? 2 : 0)
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
])('%s is a file or module of the dev server: %s', (url, expected) => {
  expect(isOfDevServer(url)).toBe(expected)
})
