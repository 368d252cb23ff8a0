import type { RequestListener } from 'node:http'
import { createServer } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { createMiddleware, type MiddlewareOptions } from '../src/connect.ts'
import { serve as serveFiles, projectOfTest } from './hosts/of-test.ts'
import { openHttp2 } from './hosts/raw-http2.ts'

/* The middleware as the whole server: nothing comes after it, so there is no `next`. */

const fixture = `
- { path: /orders/:id, response: { body: { id: 7 } } }
- { path: /search, when: { query: { q: a } }, response: { body: [] } }
`
const files = { 'fixtures/a.yaml': fixture }
const serve = (options: MiddlewareOptions = {}, shown: Record<string, string> = files) =>
  serveFiles(shown, options, (middleware) => middleware)

const notFound = (request: string, endpoints = ['GET /orders/:id', 'GET /search']) => ({
  error: {
    message: `No route answers ${request}.`,
    code: 'route-not-found',
    fix: 'Correct the method or the path, or add a route for it to a fixture file.',
    endpoints,
  },
})

it('answers from the fixtures, and everything else with a 404 in JSON', async () => {
  const { send } = await serve()
  const found = await send({ url: '/orders/7' })
  expect([found.status, JSON.parse(found.text)]).toEqual([200, { id: 7 }])
  const missing = await send({ url: '/other?token=secret' })
  expect([missing.status, missing.headers['content-type']]).toEqual([404, 'application/json; charset=utf-8'])
  expect(JSON.parse(missing.text)).toEqual(notFound('GET /other'))
  const besideTheInspector = await send({ url: '/__mock-api-other' })
  expect(JSON.parse(besideTheInspector.text)).toEqual(notFound('GET /__mock-api-other'))
  expect((await send({ url: '/orders/7', method: 'DELETE' })).status).toBe(404)
  expect(await send({ url: '/other', method: 'HEAD' })).toMatchObject({ status: 404, text: '' })
})

it.each<[string, MiddlewareOptions, url: string, expected: object]>([
  ['`unmatched: passthrough`', { unmatched: 'passthrough' }, '/search?q=b', notFound('GET /search')],
  ['`enabled: false`', { enabled: false }, '/orders/7', notFound('GET /orders/7', [])],
])('finishes requests that %s passes on', async (_, options, url, expected) => {
  const { status, text } = await (await serve(options)).send({ url })
  expect([status, JSON.parse(text)]).toEqual([404, expected])
})

it('says how a backend is set, of which a route has to change the answer', async () => {
  const { send } = await serve({}, { 'fixtures/a.yaml': '- { path: /a, response: { from: backend } }' })
  const { status, text } = await send({ url: '/a' })
  const { code, fix } = (JSON.parse(text) as { error: { code: string; fix: string } }).error
  expect([status, code]).toEqual([502, 'backend-unknown'])
  expect(fix).toContain('Set the option "record" to { target: ')
})

it('lists 20 endpoints at most', async () => {
  const paths = Array.from({ length: 25 }, (_, index) => `- { path: /${index}, response: {} }`)
  const { send } = await serve({}, { 'fixtures/a.yaml': paths.join('\n') })
  const { error } = JSON.parse((await send({ url: '/other' })).text) as ReturnType<typeof notFound>
  expect(error).toMatchObject({ more: 5 })
  expect(error.endpoints).toHaveLength(20)
})

it('lists nothing for a foreign page or a foreign host name, and lets pages of this machine read the 404', async () => {
  const { send } = await serve()
  for (const headers of [
    { host: 'evil.test' },
    { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' },
  ] as Record<string, string>[]) {
    const { status, text } = await send({ url: '/other', headers })
    expect([status, text.includes('/orders')]).toEqual([403, false])
  }
  const own = await send({ url: '/other', headers: { origin: 'http://localhost:5173' } })
  expect([own.status, own.headers['access-control-allow-origin']]).toEqual([404, 'http://localhost:5173'])
})

it('the starter template moves with the option graphql.path', async () => {
  const { send } = await serve({ graphql: { path: '/api/gql' } }, {})
  const failing = { method: 'POST', body: '{"operationName":"FailingQuery"}' }
  const { headers } = await send({ ...failing, url: '/api/gql' })
  expect(headers['x-mock-route']).toBe('failing query')
  expect((await send({ ...failing, url: '/graphql' })).status).toBe(404)
})

it('a scenario that no route has is reported once, though the request is passed on', async () => {
  const routes = '- { path: /stock, scenario: orders down, response: { body: none } }'
  const { send, log } = await serve({}, { 'fixtures/a.yaml': routes })
  for (const url of ['/stock', '/stock', '/nothing'])
    expect((await send({ url, headers: { 'x-mock-scenario': 'orders dwn' } })).status).toBe(404)
  expect(log.filter((line) => line.includes('[scenario-unknown]'))).toEqual([
    expect.stringContaining('Did you mean "orders down"?'),
  ])
  expect((await send({ url: '/stock', headers: { 'x-mock-scenario': 'orders down' } })).text).toBe('none')
})

it('a scenario that another middleware has is not reported', async () => {
  const dark = await serve({}, { 'fixtures/a.yaml': '- { path: /a, scenario: dark }' })
  const { send, log } = await serve()
  for (const name of ['dark', 'typo']) await send({ url: '/orders/7', headers: { 'x-mock-scenario': name } })
  const reported = () => log.filter((line) => line.includes('scenario-unknown'))
  expect(reported()).toEqual([expect.stringContaining('"typo"')])
  await dark.close()
  await send({ url: '/orders/7', headers: { 'x-mock-scenario': 'dark' } })
  expect(reported()).toHaveLength(2)
})

it.each([
  [undefined, 1],
  [false, 0],
  [true, 0],
])('routes of another origin with outgoing: %s are warned of %d times', async (outgoing, times) => {
  const { log } = await serve(outgoing === undefined ? {} : { outgoing }, {
    'fixtures/pay.yaml': '- { url: https://pay.example/charges, response: { body: 1 } }',
  })
  expect(log.filter((line) => line.includes('[outgoing-off]'))).toHaveLength(times)
})

it.each([undefined, false])('says that it answers no other origin, with inspector: %s', async (inspector) => {
  const pay = '- { url: https://pay.example/charges, response: { body: 1 } }'
  const { origin, log } = await serve(
    { outgoing: false, inspector, logLevel: 'warn' },
    { 'fixtures/pay.yaml': pay },
  )
  await serve({ outgoing: origin }, { 'fixtures/pay.yaml': pay })
  const answer = await fetch('https://pay.example/charges?key=secret')
  expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining('"outgoing-elsewhere"')])
  expect(log).toEqual([
    expect.stringContaining('asks this server for GET https://pay.example/charges, by its option "outgoing"'),
  ])
})

it.each([true, false])('graphql.graphiql: %s', async (graphiql) => {
  const { send } = await serve({ graphql: { graphiql } }, {})
  const page = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
  const data = 'application/json; charset=utf-8'
  const shown = graphiql ? 'text/html; charset=utf-8' : data
  for (const [headers, type] of [
    [page, shown],
    [{ accept: 'application/json' }, data],
    [{}, data],
  ] as [Record<string, string>, string][]) {
    const { status, text, ...response } = await send({ url: '/graphql?query={hero{name}}', headers })
    expect([status, response.headers['content-type']]).toEqual([200, type])
    expect(text.includes('GraphiQL')).toBe(type !== data)
  }
  const head = await send({ method: 'HEAD', url: '/graphql', headers: page })
  expect([head.headers['content-type'], head.text]).toEqual([shown, ''])
})

it('is a listener of HTTP/2 too', async () => {
  const { root } = projectOfTest(files)
  const middleware = createMiddleware({ root, watch: false, logLevel: 'silent' })
  const server = createServer(middleware)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const connection = openHttp2(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  onTestFinished(async () => {
    await connection.close()
    await middleware.close()
    await new Promise((resolve) => server.close(resolve))
  })
  expect(await connection.send({ target: '/orders/7' })).toMatchObject({ status: 200, text: '{"id":7}' })
  const headers = { accept: 'text/html' }
  const page = await connection.send({ target: '/other?mock-scenario=payment-down', headers })
  expect([page?.status, JSON.parse(page!.text)]).toEqual([404, notFound('GET /other')])
  expect(page?.headers['set-cookie']).toBe('mock-scenario=payment-down; Path=/; SameSite=Lax')
})

it('tells the address of the inspector once, as the client names the server', async () => {
  const { send, log } = await serve({}, {})
  for (const url of ['/items', '/graphql']) await send({ url })
  expect(log.filter((line) => line.includes('inspector: '))).toEqual([
    expect.stringMatching(/inspector: http:\/\/127\.0\.0\.1:\d+\/__mock-api\/$/),
  ])
})

it.each([
  [true, '<head><script src="/__mock-api/badge.js"></script>'],
  [undefined, '<head>'],
])('pages of later handlers have the badge: %s', async (badge, head) => {
  const page: RequestListener = (_, res) =>
    void res.setHeader('content-type', 'text/html').end('<!doctype html><head></head>')
  const { send } = await serveFiles(
    {},
    { badge },
    (middleware) => (req, res) => middleware(req, res, () => page(req, res)),
  )
  const headers = { accept: 'text/html', 'sec-fetch-dest': 'document' }
  expect((await send({ url: '/', headers })).text).toBe(`<!doctype html>${head}</head>`)
  expect((await send({ url: '/__mock-api/badge.js' })).headers['content-type']).toContain('javascript')
})
