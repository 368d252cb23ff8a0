import { expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { createClient } from '../../../src/client.ts'
import type { RequestDetails } from '../../../src/inspector/api/api.ts'
import { apiServerOnce, startApiServer } from '../../inspector/server/api-server.ts'
import { readUntil } from './read-stream.ts'

/* What is sent while a stream is open: by triggers, tests and the inspector. */

const fixture = `
- { name: alerts, path: /alerts, response: { stream: [{ data: first }], on: [{ push: alerts, event: alert }, { route: order }] } }
- { path: /chat, websocket: { open: { send: hello }, messages: [{ when: { type: ping }, send: pong }] } }
- { name: order, path: /order, response: { body: { id: 7 } } }
- { name: failed, path: /failed, response: { status: 500, body: { id: 8 } } }
- { path: /of-failed, response: { stream: [], on: { route: failed } } }
- { path: /graphql, when: { operationName: Rename }, response: { body: { data: { rename: { id: '7', name: New, secret: 1 } } } } }
- { path: /graphql, when: { operationName: Renamed }, response: { stream: [], on: [{ mutation: Rename }, { push: names }] } }
`

const server = apiServerOnce({ 'fixtures/a.yaml': fixture })

const open = async (path: string, init: RequestInit = {}) => {
  const leave = new AbortController()
  const response = await fetch(server.origin + path, { ...init, signal: leave.signal })
  return { response, until: readUntil(response), leave: () => leave.abort() }
}
const graphql = (query: string, accept = 'text/event-stream') => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', accept },
  body: JSON.stringify({ query }),
})

it('an event reaches the streams of its client, or all, in order', async () => {
  const one = await open('/alerts', { headers: { 'x-mock-client': 'one' } })
  const two = await open('/alerts', { headers: { cookie: 'mock-client=two' } })
  await Promise.all([one.until('first'), two.until('first')])
  const ofOne = createClient(server.origin, { client: 'one' })
  expect(await ofOne.push('alerts', { n: 1 })).toBe(1)
  expect(await createClient(server.origin).push('alerts', 'all', 'own')).toBe(2)
  await server.send('/order')
  expect(await one.until('"id":7')).toBe(
    ':\n\ndata: first\n\nevent: alert\ndata: {"n":1}\n\nevent: alert\ndata: all\n\ndata: {"id":7}\n\n',
  )
  expect(await two.until('"id":7')).toBe(':\n\ndata: first\n\nevent: alert\ndata: all\n\ndata: {"id":7}\n\n')
  one.leave()
  two.leave()
})

it.each([
  ['complete', 'close 1000', 'complete'],
  ['reset', 'close 1006', 'broken'],
])('a WebSocket is one row, which is pushed to and ended: %s', async (end, seen, state) => {
  const client = new WebSocket(`${server.origin.replace('http', 'ws')}/chat`)
  const messages: string[] = []
  client.on('message', (data: Buffer) => messages.push(data.toString()))
  client.on('close', (code) => messages.push(`close ${code}`)).on('error', () => {})
  await expect.poll(() => messages).toEqual(['hello'])
  client.send('{"type":"ping"}')
  await expect.poll(() => messages.at(-1)).toBe('pong')
  const { id } = await server.last()
  await server.call('POST', 'push', { request: id, data: { n: 1 } })
  await server.call('POST', 'push', { request: id, end })
  await expect.poll(() => messages.slice(2)).toEqual(['{"n":1}', seen])
  const row = async () => (await server.call<RequestDetails>('GET', `requests/${id}`)).body
  await expect.poll(async () => (await row()).stream).toEqual({ state, frames: 4 })
  expect((await row()).frames).toMatchObject([
    { direction: 'sent', text: 'hello', size: 5 },
    { direction: 'received', text: '{"type":"ping"}' },
    { direction: 'sent', text: 'pong' },
    { direction: 'sent', text: '{"n":1}' },
  ])
})

it('an answer that has failed triggers nothing', async () => {
  const { until, leave } = await open('/of-failed')
  await until(':')
  await server.send('/failed')
  await server.call('POST', 'push', { route: 'GET /of-failed #1', data: 'end' })
  expect(await until('end')).toBe(':\n\ndata: end\n\n')
  leave()
})

it.each([
  ['text/event-stream', 'event: next\ndata: {"data":{"renamed":{"title":"New"}}}\n\n'],
  ['multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/json', '{"payload":{"data":{"renamed":{"title":"New"}}}}\r\n--graphql'],
])('a mutation fills a subscription over %s', async (accept, frame) => {
  const { until, leave } = await open('/graphql', graphql('subscription Renamed { renamed { title: name } }', accept))
  await server.post('/graphql', { query: 'mutation Rename { rename { id name } }' })
  expect(await until('New')).toContain(frame)
  await createClient(server.origin).push('names', { name: 'Pushed' })
  expect(await until('Pushed')).toContain('{"data":{"renamed":{"title":"Pushed"}}}')
  await createClient(server.origin).push('names', { data: null, errors: [{ message: 'Lost.', path: ['renamed'] }] })
  expect(await until('Lost.')).toContain('"locations":[{"line":1,"column":24}]')
  leave()
}) // prettier-ignore

it('a mutation whose answer comes in parts triggers with all of its data', async () => {
  const { until, leave } = await open('/graphql', graphql('subscription Renamed { renamed { name } }'))
  const query = 'mutation Rename { rename { id ... @defer { name } } }'
  const answer = await fetch(`${server.origin}/graphql`, graphql(query, 'multipart/mixed;deferSpec=20220824'))
  expect(await answer.text()).toContain('"incremental":[{"data":{"name":"New"}')
  expect(await until('New')).toContain('data: {"data":{"renamed":{"name":"New"}}}')
  leave()
})

it('a stream of the inspector: its state, its frames, a push, a break', async () => {
  const stream = await open('/alerts')
  await stream.until('first')
  const { id } = await server.last()
  const details = async () => (await server.call<RequestDetails>('GET', `requests/${id}`)).body
  expect(await details()).toMatchObject({
    status: 200,
    size: 5,
    stream: { state: 'open', frames: 1 },
    frames: [{ direction: 'sent', size: 5, text: 'first' }],
  })
  expect(await server.call('POST', 'push', { request: id, data: { password: 'x' }, event: 'mine' })).toMatchObject({ body: { streams: 1 } })
  expect(await stream.until('"x"')).toContain('event: mine\ndata: {"password":"x"}\n\n')
  await server.call('POST', 'push', { request: id, end: 'reset' })
  await expect(stream.until('more')).rejects.toThrow()
  await expect.poll(details).toMatchObject({
    size: 21,
    stream: { state: 'broken', frames: 2 },
    frames: [{ text: 'first' }, { event: 'mine', text: '{"password":"…"}' }],
  })
}) // prettier-ignore

it.each([
  [{}, 'A push needs one of "channel", "route" and "request".'],
  [{ channel: 'a', route: 'b' }, 'A push needs one of "channel", "route" and "request".'],
  [{ channel: 'a', end: 'complete' }, 'A channel has no end: only streams have one.'],
  [
    { channel: 'a', event: 'a\ndata: b' },
    '"event" must be a text without line breaks, not the string "a\\ndata: b".',
  ],
  [{ channel: 'a', dat: 1 }, 'Unknown key "dat".'],
])('refuses %j', async (body, message) => {
  expect(await server.call('POST', 'push', body)).toMatchObject({ status: 400, body: { error: { message } } })
})

it.each([
  [{ channel: 'alert' }, 'api-channel-unknown', 'Nothing listens to the channel "alert".', 'Did you mean "alerts"? Channels: alerts, names.'],
  [{ route: 'alert' }, 'api-route-unknown', 'There is no route "alert".', expect.stringMatching(/^Did you mean "alerts"\? There are: alerts, /)],
  [{ request: 99_999 }, 'api-request-unknown', 'No recorded request has the id 99999.', expect.anything()],
])('says that %j is not there', async (body, code, message, fix: unknown) => {
  expect(await server.call('POST', 'push', { ...body, data: 1 })).toMatchObject({ status: 404, body: { error: { code, message, fix } } })
}) // prettier-ignore

it('says nothing where a fixture would listen', async () => {
  for (const body of [{ channel: 'names' }, { route: 'order' }])
    expect(await server.call('POST', 'push', body)).toMatchObject({ status: 200, body: { streams: 0 } })
})

it('refuses a push of another site', async () => {
  const headers = { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' }
  expect(await server.call('POST', 'push', { channel: 'alerts', data: 1 }, headers)).toMatchObject({
    status: 403,
  })
  const body = JSON.stringify({ channel: 'alerts', data: 1 })
  const init = { method: 'POST', body, headers: { 'content-type': 'application/json' } }
  expect((await fetch(`${server.origin}/__mock-api/api/push`, init)).status).toBe(403)
})

it('a collection tells what is created, updated and deleted', async () => {
  const own = await startApiServer({
    'fixtures/a.yaml': `
- { path: /orders, collection: { items: [{ id: 1, state: open }] } }
- { path: /feed, response: { stream: [], on: { collection: orders } } }
`,
  })
  const until = readUntil(await own.send('/feed'))
  await until(':')
  await own.post('/orders', { state: 'new' })
  await own.send('/orders/1', { method: 'DELETE' })
  expect(await until('deleted')).toMatch(
    /^:\n\nevent: created\ndata: \{.*"state":"new".*\}\n\nevent: deleted\n/,
  )
  await own.close()
})
