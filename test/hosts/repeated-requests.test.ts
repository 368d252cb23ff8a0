import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createMiddleware } from '../../src/connect.ts'
import { exchange } from '../http.ts'
import { closeServer, listen } from './serve.ts'
import { createTestProject } from './test-project.ts'

/*
 * What was decided about a request is used again for an equal one: from the second request for a URL, for the third. Here,
 * equal requests must get different answers.
 */

const fixture = `
let calls = 0
export default [
  { path: '/fixed', response: { body: 'fixed' } },
  { path: '/function', response: () => ({ body: String(++calls) }) },
  { path: '/predicate', when: () => ++calls % 2 === 0, response: { body: 'even' } },
  { path: '/predicate', response: { body: 'odd' } },
  { path: '/sequence', response: [{ body: 'one' }, { body: 'two' }, { body: 'three' }] },
  { path: '/limited', rateLimit: { requests: 3, per: 600000 }, response: { body: 'first' } },
  { path: '/by-header', when: { headers: { 'x-tenant': 'a' } }, response: { body: 'a' } },
  { path: '/by-header', response: { body: 'other' } },
  { path: '/by-method', response: { body: 'got' } },
  { path: '/by-method', method: 'DELETE', response: { body: 'deleted' } },
  { path: '/by-body', method: 'POST', when: { body: { a: 1 } }, response: { body: 'one' } },
  { path: '/by-body', method: 'POST', response: { body: 'other' } },
]
`

const project = createTestProject({ 'fixtures/a.ts': fixture })
const middleware = createMiddleware({ root: project.root, watch: false, logLevel: 'silent' })
const server = createServer((req, res) => {
  const allowed = req.headers['x-allow']?.toString()
  delete req.headers['x-allow']
  if (allowed !== undefined) res.setHeader('access-control-allow-origin', allowed)
  middleware(req, res)
})
let origin: string
beforeAll(async () => {
  origin = await listen(server)
})
afterAll(async () => {
  await middleware.close()
  await closeServer(server)
  project.close()
})

async function send(url: string, headers: Record<string, string> = {}, body?: string, method = 'GET') {
  const { response, bytes } = await exchange(origin, { url, method, headers, ...(body && { body }) })
  return { status: response.statusCode, headers: response.headers, text: bytes.toString() }
}

async function control(method: string, path: string, body?: object) {
  const headers = { 'x-mock-api': '1', 'content-type': 'application/json' }
  const answer = await send(`/__mock-api/api${path}`, headers, body && JSON.stringify(body), method)
  return JSON.parse(answer.text) as Record<string, unknown>
}

it.each<[path: string, texts: (string | undefined)[]]>([
  ['/fixed', ['fixed', 'fixed', 'fixed']],
  ['/function', ['1', '2', '3']],
  ['/predicate', ['even', 'odd', 'even']],
  ['/sequence', ['one', 'two', 'three', 'three']],
])('%s: equal requests get %j', async (path, texts) => {
  for (const text of texts) expect((await send(path)).text).toBe(text)
})

it('counts equal requests against a rate limit', async () => {
  for (const status of [200, 200, 200, 429]) expect((await send('/limited')).status).toBe(status)
})

it('tells requests apart by a header, the method and the body', async () => {
  for (let round = 0; round < 3; round++) {
    expect((await send('/by-header', { 'x-tenant': 'a' })).text).toBe('a')
    expect((await send('/by-header', { 'x-tenant': 'b' })).text).toBe('other')
    expect((await send('/by-header')).text).toBe('other')
    expect((await send('/by-method')).text).toBe('got')
    expect((await send('/by-method', {}, undefined, 'HEAD')).text).toBe('')
    expect((await send('/by-method', {}, undefined, 'DELETE')).text).toBe('deleted')
    expect((await send('/by-body', {}, '{"a":1}', 'POST')).text).toBe('one')
    expect((await send('/by-body', {}, '{"a":2}', 'POST')).text).toBe('other')
  }
})

it('decides again for another host, another page, and what an earlier middleware has allowed', async () => {
  const page = 'https://app.example.com'
  for (let round = 0; round < 3; round++) {
    expect((await send('/fixed')).status).toBe(200)
    expect((await send('/fixed', { host: 'evil.example.com' })).status).toBe(403)
    expect((await send('/fixed', { origin: page })).status).toBe(403)
    expect((await send('/fixed', { origin: page, 'x-allow': page })).status).toBe(200)
    const local = await send('/fixed', { origin: 'http://localhost:1234' })
    expect([local.status, local.headers['access-control-allow-origin']]).toEqual([
      200,
      'http://localhost:1234',
    ])
  }
})

it('follows the overrides of the control API', async () => {
  for (let round = 0; round < 3; round++) expect((await send('/fixed')).status).toBe(200)
  await control('PUT', '/overrides', { failNext: { count: 1, status: 503 } })
  expect((await send('/fixed')).status).toBe(503)
  expect((await send('/fixed')).status).toBe(200)
})

it('records each of them', async () => {
  for (let round = 0; round < 3; round++) await send('/fixed', { 'x-round': 'same' })
  const { requests } = (await control('GET', '/requests')) as { requests: { id: number; url: string }[] }
  const [last, ...others] = requests
  expect(requests.slice(0, 3).map(({ url }) => url)).toEqual(['/fixed', '/fixed', '/fixed'])
  expect(others.slice(0, 2).map(({ id }) => last!.id - id)).toEqual([1, 2])
})
