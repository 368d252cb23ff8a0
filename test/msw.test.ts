import nodeHttp from 'node:http'
import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createFetchHandler, type Fixture } from '../src/fetch.ts'
import { toHandlers } from '../src/msw.ts'
import { testContract, type ContractRequest } from './contract.ts'
import { sendThrough, starterRoutes } from './hosts/fetch-runtimes.ts'
import { recorder } from './hosts/serve.ts'

const origin = 'http://localhost:3000'
const { log, logger } = recorder()

const own: Fixture = [
  { path: '/orders/:id', when: { params: { id: 404 } }, response: { status: 404, body: { code: 'gone' } } },
  { path: '/orders/:id', when: { headers: { 'x-tenant': 'a' } }, response: { body: { id: 7 } } },
  { path: '/late', response: { delay: 30, body: 'late' } },
  { path: '/reset', response: { fault: 'reset', body: 'x' } },
  { path: '/empty', response: { fault: 'empty' } },
  { path: '/half', response: { fault: 'truncated', body: 'abcdef' } },
  { path: '/login', response: { headers: { 'set-cookie': ['s=1', 't=2; Path=/'] }, body: 'in' } },
  { path: '/me', when: { cookies: { s: '1' } }, response: { body: 'me' } },
  { path: '/me', response: { status: 401 } },
  { path: '/turns', response: [{ body: '1' }, { body: '2' }] },
  { path: '/turns', scenario: 'down', response: { status: 503 } },
  { path: '/tickets', collection: { items: [{ id: 1 }] } },
]
const handlers = toHandlers([...own, ...starterRoutes], { logger, allowedHosts: ['api.example.com'] })
const unhandled: string[] = []
const server = setupServer(
  ...handlers,
  http.get('*/orders/:id/lines', () => HttpResponse.text('of another handler')),
  http.post('*/late', () => HttpResponse.text('another method')),
)

beforeAll(() =>
  server.listen({ onUnhandledRequest: ({ method, url }) => void unhandled.push(`${method} ${url}`) }),
)
beforeEach(() => {
  handlers.reset()
  unhandled.length = log.length = 0
})
afterEach(() => server.resetHandlers())
afterAll(() => server.close())

const sendByFetch = sendThrough((request) => fetch(request))
const send = ({ url, ...request }: ContractRequest) =>
  sendByFetch({ ...request, url: new URL(url, origin).href })

describe('the contract, by fetch', () => testContract(send))

it('a near miss is that of the fetch handler, which is that of the dev server', async () => {
  const url = `${origin}/orders/8`
  const expected = await createFetchHandler(own, { logLevel: 'silent' })(new Request(url))
  const { status, text } = await send({ url })
  expect([status, text]).toEqual([404, await expected!.text()])
  expect(log).toEqual([expect.stringContaining('No route matched GET /orders/8. ')])
  expect(unhandled).toEqual([])
})

it('what no route has is left to the other handlers, and to onUnhandledRequest', async () => {
  expect((await send({ url: '/orders/7/lines' })).text).toBe('of another handler')
  expect((await send({ url: '/late', method: 'POST' })).text).toBe('another method')
  expect(unhandled).toEqual([])
  await expect(send({ url: 'http://localhost:1/nothing' })).rejects.toThrow()
  expect(unhandled).toEqual(['GET http://localhost:1/nothing'])
})

it('other hosts are left alone, which is said once, unless they are allowed', async () => {
  const ask = () => send({ url: 'http://other.invalid/items' })
  await expect(ask()).rejects.toThrow()
  await expect(ask()).rejects.toThrow()
  expect(unhandled).toEqual(['GET http://other.invalid/items', 'GET http://other.invalid/items'])
  expect(log).toEqual([expect.stringContaining('GET /items of "other.invalid" is not answered')])
  expect((await send({ url: 'https://api.example.com/late' })).text).toBe('late')
})

it('faults: a network error, and a body that breaks off', async () => {
  await expect(send({ url: '/reset' })).rejects.toThrow(TypeError)
  await expect(send({ url: '/empty' })).rejects.toThrow(TypeError)
  const { status, body } = await fetch(`${origin}/half`)
  expect(status).toBe(200)
  await expect(new Response(body).text()).rejects.toThrow('truncated')
})

it('a delay, cookies, sequences and scenarios', async () => {
  const start = performance.now()
  expect((await send({ url: '/late' })).text).toBe('late')
  expect(performance.now() - start).toBeGreaterThan(25)

  expect((await send({ url: '/me' })).status).toBe(401)
  const response = await fetch(`${origin}/login`)
  expect(response.headers.getSetCookie()).toEqual(['s=1', 't=2; Path=/'])
  expect((await send({ url: '/me', headers: { cookie: 's=1' } })).text).toBe('me')

  expect([(await send({ url: '/turns' })).text, (await send({ url: '/turns' })).text]).toEqual(['1', '2'])
  handlers.setScenario('down')
  expect((await send({ url: '/turns' })).status).toBe(503)
  handlers.reset()
  expect((await send({ url: '/turns' })).text).toBe('1')
  expect(() => handlers.setScenario('don')).toThrow('Did you mean "down"?')
})

it('node:http is answered too, as by any handler of MSW', async () => {
  const text = await new Promise<string>((resolve, reject) => {
    nodeHttp
      .get(`${origin}/late`, (answer) => {
        let all = ''
        answer.setEncoding('utf8').on('data', (part: string) => (all += part))
        answer.on('end', () => resolve(all))
      })
      .on('error', reject)
  })
  expect(text).toBe('late')
})

it('remembers what was written, until a reset', async () => {
  const created = await send({
    method: 'POST',
    url: '/tickets',
    headers: { 'content-type': 'application/json' },
    body: '{"a":1}',
  })
  expect([created.status, created.headers['location']]).toEqual([201, '/tickets/2'])
  expect((await send({ method: 'DELETE', url: '/tickets/1' })).status).toBe(204)
  expect((await send({ url: '/tickets' })).text).toBe('[{"a":1,"id":2}]')
  handlers.reset()
  expect((await send({ url: '/tickets' })).text).toBe('[{"id":1}]')
})
