import { createServer } from 'node:http'
import { createServer as createHttp2Server } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { createMiddleware, type MiddlewareOptions } from '../src/connect.ts'
import { openHttp2 } from './hosts/raw-http2.ts'
import { closeServer, listen } from './hosts/serve.ts'
import { createTestProject } from './hosts/test-project.ts'
import { sendTo } from './http.ts'

/* The middleware as the whole server: nothing comes after it, so there is no `next`. */

const fixture = `
- { path: /orders/:id, response: { body: { id: 7 } } }
- { path: /search, when: { query: { q: a } }, response: { body: [] } }
`

function start(options: MiddlewareOptions = {}, files = { 'fixtures/a.yaml': fixture }) {
  const project = createTestProject(files)
  const middleware = createMiddleware({ root: project.root, watch: false, logLevel: 'silent', ...options })
  onTestFinished(async () => {
    await middleware.close()
    project.close()
  })
  return middleware
}

async function serve(options?: MiddlewareOptions, files?: { 'fixtures/a.yaml': string }) {
  const server = createServer(start(options, files))
  const send = sendTo(await listen(server))
  onTestFinished(() => closeServer(server))
  return send
}

const notFound = (request: string, endpoints = ['GET /orders/:id', 'GET /search']) => ({
  error: {
    message: `No route answers ${request}.`,
    code: 'route-not-found',
    fix: 'Correct the method or the path, or add a route for it to a fixture file.',
    endpoints,
  },
})

it('answers from the fixtures, and everything else with a 404 in JSON', async () => {
  const send = await serve()
  const found = await send({ url: '/orders/7' })
  expect([found.status, JSON.parse(found.text)]).toEqual([200, { id: 7 }])
  const missing = await send({ url: '/other?token=secret' })
  expect([missing.status, missing.headers['content-type']]).toEqual([404, 'application/json; charset=utf-8'])
  expect(JSON.parse(missing.text)).toEqual(notFound('GET /other'))
  expect((await send({ url: '/orders/7', method: 'DELETE' })).status).toBe(404)
  expect(await send({ url: '/other', method: 'HEAD' })).toMatchObject({ status: 404, text: '' })
})

it('finishes requests that `unmatched: passthrough` passes on', async () => {
  const send = await serve({ unmatched: 'passthrough' })
  const { status, text } = await send({ url: '/search?q=b' })
  expect([status, JSON.parse(text)]).toEqual([404, notFound('GET /search')])
})

it('answers 404 where it is not enabled', async () => {
  const send = await serve({ enabled: false })
  const { status, text } = await send({ url: '/orders/7' })
  expect([status, JSON.parse(text)]).toEqual([404, notFound('GET /orders/7', [])])
})

it('lists 20 endpoints at most', async () => {
  const paths = Array.from({ length: 25 }, (_, index) => `- { path: /${index}, response: {} }`)
  const send = await serve({}, { 'fixtures/a.yaml': paths.join('\n') })
  const { error } = JSON.parse((await send({ url: '/other' })).text) as ReturnType<typeof notFound>
  expect(error).toMatchObject({ more: 5 })
  expect(error.endpoints).toHaveLength(20)
})

it('lists nothing for a foreign page or a foreign host name, and lets pages of this machine read the 404', async () => {
  const send = await serve()
  const rebound = await send({ url: '/other', headers: { host: 'evil.test' } })
  expect([rebound.status, rebound.text.includes('/orders')]).toEqual([403, false])
  const foreign = await send({
    url: '/other',
    headers: { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' },
  })
  expect([foreign.status, foreign.text.includes('/orders')]).toEqual([403, false])
  const own = await send({ url: '/other', headers: { origin: 'http://localhost:5173' } })
  expect([own.status, own.headers['access-control-allow-origin']]).toEqual([404, 'http://localhost:5173'])
})

it('is a listener of HTTP/2 too', async () => {
  const server = createHttp2Server(start())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const connection = openHttp2(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  onTestFinished(async () => {
    await connection.close()
    await new Promise((resolve) => server.close(resolve))
  })
  expect(await connection.send({ target: '/orders/7' })).toMatchObject({ status: 200, text: '{"id":7}' })
  const missing = await connection.send({ target: '/other' })
  expect([missing?.status, JSON.parse(missing!.text)]).toEqual([404, notFound('GET /other')])
})
