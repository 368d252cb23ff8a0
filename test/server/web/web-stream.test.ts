import { expect, it } from 'vitest'
import { resolveFetchOptions } from '../../../src/core/options/resolve-options.ts'
import type { Fixture } from '../../../src/fetch.ts'
import { serveRoutes } from '../../../src/server/web/serve-routes.ts'
import { recorder } from '../../hosts/serve.ts'
import { readUntil } from '../live/read-stream.ts'

/* Streams where there is no connection: ./fetch, workers, service workers and MSW. */

const routes: Fixture = [
  { path: '/events', response: { stream: [{ data: 1 }], on: [{ push: 'a' }, { route: 'order' }] } },
  { path: '/lines', response: { stream: { as: 'ndjson', events: [{ data: 1 }, { data: 2, delay: 1 }] } } },
  { path: '/reset', response: { stream: [{ data: 1 }], end: 'reset' } },
  { path: '/stalled', response: { stream: [{ data: 1, fault: 'stalled' }, { data: 2 }] } },
  { name: 'order', path: '/order', response: { body: { id: 7 } } },
  {
    path: '/graphql',
    response: { stream: [{ data: { a: 1, b: 2 } }], end: 'complete' },
  },
]
const served = serveRoutes(routes, resolveFetchOptions({ logger: recorder().logger }, console))
const get = async (path: string, init?: RequestInit) =>
  (await served.answer(new Request(`http://localhost${path}`, init)))!

it('sends events, what is pushed, and what an answer triggers, until the client leaves', async () => {
  const leave = new AbortController()
  const response = await get('/events', { signal: leave.signal })
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  const until = readUntil(response)
  await until('data: 1')
  expect(served.hub.push({ channel: 'a', data: 2 }, '')).toBe(1)
  await get('/order')
  expect(await until('"id":7')).toBe(':\n\ndata: 1\n\ndata: 2\n\ndata: {"id":7}\n\n')
  const next = until('more')
  leave.abort()
  await expect(next).rejects.toThrow('The stream has ended')
  expect(served.hub.held.size).toBe(0)
})

it('a body that is cancelled ends its stream', async () => {
  const { body } = await get('/events')
  const reader = body!.getReader()
  await reader.read()
  expect(served.hub.held.size).toBe(1)
  await reader.cancel()
  await expect.poll(() => served.hub.held.size).toBe(0)
})

it.each([
  ['/lines', {}, '1\n2\n'],
  ['/graphql', { method: 'POST', body: '{"query":"subscription { a }"}', headers: { accept: 'multipart/mixed' } }, '\r\n--graphql\r\ncontent-type: application/json; charset=utf-8\r\n\r\n{"payload":{"data":{"a":1}}}\r\n--graphql--\r\n'],
])('%s', async (path, init, text) => {
  expect(await (await get(path, init)).text()).toBe(text)
}) // prettier-ignore

it('a fault breaks the body, and HEAD has none', async () => {
  await expect((await get('/reset')).text()).rejects.toThrow(
    'the fixture\'s fault "reset" broke the body off',
  )
  const stalled = (await get('/stalled')).body!.getReader()
  expect([(await stalled.read()).done, (await stalled.read()).done]).toEqual([false, false])
  void stalled.read()
  await stalled.cancel()
  expect((await get('/events', { method: 'HEAD' })).body).toBeNull()
})
