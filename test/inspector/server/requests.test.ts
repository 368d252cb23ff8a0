import { afterEach, beforeEach, expect, it } from 'vitest'
import { startApiServer, type ApiServer } from './api-server.ts'

let server: ApiServer
beforeEach(async () => {
  server = await startApiServer({ 'fixtures/a.yaml': '- { path: /a, response: { body: a } }\n' })
})
afterEach(() => server.close())

/** The events so far, without comments. */
async function openStream(query = '', headers: Record<string, string> = {}) {
  const stop = new AbortController()
  const response = await fetch(`${server.origin}/__mock-api/api/requests/stream${query}`, {
    headers,
    signal: stop.signal,
  })
  let text = ''
  let isClosed = false
  const read = async () => {
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) text += chunk
  }
  void read()
    .catch(() => {})
    .finally(() => (isClosed = true))
  return {
    headers: Object.fromEntries(response.headers),
    get events() {
      return text.split('\n\n').flatMap((block) => {
        const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? ''
        const data = () => JSON.parse(field('data')) as { id?: number; url?: string }
        return field('event') ? [{ event: field('event'), id: field('id'), data: data() }] : []
      })
    },
    isClosed: () => isClosed,
    leave: () => stop.abort(),
  }
}

const urls = ({ events }: Awaited<ReturnType<typeof openStream>>) =>
  events.flatMap(({ event, data }) => (event === 'request' ? data.url : []))

it('sends requests, reloads and changes of the state as they happen', async () => {
  const stream = await openStream()
  expect(stream.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
  })
  await expect
    .poll(() => stream.events)
    .toEqual([{ event: 'state', id: '', data: { scenario: [], overrides: {} } }])
  await server.send('/a?1')
  await expect
    .poll(() => stream.events.at(-1))
    .toMatchObject({ event: 'request', id: '1', data: { id: 1, url: '/a?1' } })
  await server.call('PUT', 'overrides', { offline: true })
  await expect
    .poll(() => stream.events.at(-1))
    .toMatchObject({ event: 'state', data: { overrides: { offline: true } } })
  server.project.write('fixtures/b.yaml', '- { path: /b, response: {} }\n')
  await expect
    .poll(() => stream.events.at(-1))
    .toEqual({ event: 'reload', id: '', data: { routeCount: 2, errors: 0 } })
})

it('goes on after the last event that the client has seen', async () => {
  for (const query of ['?1', '?2', '?3']) await server.send(`/a${query}`)
  const resumed = await openStream('', { 'last-event-id': '1' })
  await expect.poll(() => urls(resumed)).toEqual(['/a?2', '/a?3'])
  const fromQuery = await openStream('?after=2')
  await expect.poll(() => urls(fromQuery)).toEqual(['/a?3'])
  const afterRestart = await openStream('', { 'last-event-id': '99' })
  await expect.poll(() => urls(afterRestart)).toEqual(['/a?1', '/a?2', '/a?3'])
})

it.each(['', '1.5', '-1', 'x'])('replays nothing for the id "%s", which is not one', async (id) => {
  for (const query of ['?1', '?2']) await server.send(`/a${query}`)
  const stream = await openStream('', { 'last-event-id': id })
  await expect.poll(() => stream.events.length).toBeGreaterThan(0)
  await server.send('/a?3')
  await expect.poll(() => urls(stream)).toEqual(['/a?3'])
  const withQuery = await openStream('?after=2', { 'last-event-id': id })
  await expect.poll(() => urls(withQuery)).toEqual(['/a?3'])
})

it('sends the requests of one client, and what is passed on only when asked', async () => {
  const one = await openStream('?client=one')
  const all = await openStream('?passed=true')
  await expect.poll(() => [one.events.length, all.events.length]).toEqual([1, 1])
  await server.send('/a', { headers: { 'x-mock-client': 'one' } })
  await server.send('/a')
  await server.send('/other')
  await expect.poll(() => urls(all)).toEqual(['/a', '/a', '/other'])
  expect(urls(one)).toEqual(['/a'])
  all.leave()
})

it('has at most 100 clients', async () => {
  const streams = []
  for (let count = 0; count < 100; count++) streams.push(await openStream())
  expect((await server.call('GET', 'requests/stream')).status).toBe(409)
  streams[0]!.leave()
  await expect.poll(async () => (await openStream()).headers['content-type']).toContain('text/event-stream')
})

it('ends with the server', async () => {
  const stream = await openStream()
  await server.close()
  await expect.poll(stream.isClosed).toBe(true)
  server = await startApiServer()
})

it.each([
  ['a page that a script has not asked for', 'text/html', '*/*', ['/order/7']],
  ['a page', 'text/html', 'text/html,*/*', []],
  ['JSON', 'application/json', '*/*', []],
])('lists what is passed on and gets %s', async (_, type, accept, listed) => {
  const own = await startApiServer({}, {}, (_req, res) => res.setHeader('content-type', type).end('{}'))
  await own.send('/order/7', { headers: { accept } })
  const requests = await own.requests()
  await own.close()
  expect(requests.map(({ url }) => url)).toEqual(listed)
  expect(requests.every(({ isUnanswered }) => isUnanswered)).toBe(true)
})

it('records what is passed on for as long as a client asks for it', async () => {
  const lastId = async () =>
    (await server.call<{ lastRequest: number }>('POST', 'reset', {})).body.lastRequest
  const recorded = async () => {
    const before = await lastId()
    await server.send('/other.js')
    return (await lastId()) - before
  }
  expect(await recorded()).toBe(0)
  const stream = await openStream('?passed=true')
  await expect.poll(() => stream.events.length).toBeGreaterThan(0)
  expect(await recorded()).toBe(1)
  stream.leave()
  await expect.poll(recorded).toBe(0)
})

it('finds a text in headers and bodies, as they are shown', async () => {
  const body = JSON.stringify({ cart: 'C-17', password: 'hunter2' })
  const headers = {
    'content-type': 'application/json',
    'x-tenant': 'blue',
    authorization: 'Bearer opensesame',
  }
  server.project.write(
    'fixtures/b.yaml',
    '- { method: POST, path: /b, when: { body: { cart: C-17 } }, response: { body: ok } }\n',
  )
  await expect.poll(async () => (await server.send('/b', { method: 'POST', headers, body })).status).toBe(200)
  await server.send('/a')
  const found: Record<string, string[]> = {}
  for (const text of ['c-17', 'X-Tenant', 'blue', 'ok', 'hunter2', 'opensesame'])
    found[text] = (await server.requests(`?search=${text}&limit=1`)).map(({ url }) => url)
  expect(found).toEqual({
    'c-17': ['/b'],
    'X-Tenant': ['/b'],
    blue: ['/b'],
    ok: ['/b'],
    hunter2: [],
    opensesame: [],
  })
})
