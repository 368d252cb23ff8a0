import { get, type IncomingMessage } from 'node:http'
import { createClient } from 'graphql-sse'
import { describe, expect, it, vi } from 'vitest'
import { createFetchHandler } from '../../../src/fetch.ts'
import type { Fixture } from '../../../src/core/schema/schema.ts'
import { apiServerOnce } from '../../inspector/server/api-server.ts'
import { isThorough } from '../../sampling.ts'
import { readUntil } from './read-stream.ts'

/* The single connection mode of graphql-sse. */

const fixture = `
- path: /graphql
  when: { operationType: subscription, operationName: OrderChanged }
  response: { stream: [{ data: { orderChanged: { id: '7' } } }, { data: { orderChanged: { id: '8' } } }], end: complete }
- { path: /graphql, when: { operationName: Pushed }, response: { stream: [], on: { push: orders } } }
- { path: /graphql, when: { operationName: Broken }, response: { stream: [{ data: { broken: 1 }, fault: reset }] } }
- { path: /graphql, when: { operationName: Rename }, response: { body: { data: { rename: { id: '7' } } }, delay: 1 } }
- { path: /graphql, when: { operationName: Text }, response: { status: 500, body: down } }
- { path: /other/graphql, method: PUT, response: { body: own } }
`

const server = apiServerOnce({ 'fixtures/a.yaml': fixture })

const client = (options: object = {}) =>
  createClient({ url: `${server.origin}/graphql`, singleConnection: true, retryAttempts: 0, ...options })

function results(of: ReturnType<typeof client>, query: string): Promise<unknown[]> {
  const values: unknown[] = []
  return new Promise((resolve, reject) => {
    of.subscribe(
      { query },
      { next: (value) => values.push(value), error: reject, complete: () => resolve(values) },
    )
  })
}

const changed = ['7', '8'].map((id) => ({ data: { orderChanged: { id } } }))

describe('the client of graphql-sse', () => {
  it('gets the results of operations at the same time', async () => {
    const one = client()
    const answers = await Promise.all([
      results(one, 'subscription OrderChanged { orderChanged { id } }'),
      results(one, 'mutation Rename { rename { id } }'),
      results(one, 'subscription OrderChanged { orderChanged { id } }'),
      results(one, 'query Text { a }'),
    ])
    const failed = { errors: [{ message: 'The mock API answered with the status 500 and no result.' }] }
    expect(answers).toEqual([changed, [{ data: { rename: { id: '7' } } }], changed, [failed]])
    one.dispose()
  })

  it('ends one operation', async () => {
    const one = client({ lazy: false })
    const push = (data: number) => server.call('POST', 'push', { channel: 'orders', data })
    const pushed = (data: number, streams: number) =>
      vi.waitUntil(async () => (await push(data)).body['streams'] === streams, { timeout: 30_000 })
    const seen: unknown[] = []
    const { promise: isReceived, resolve } = withResolvers()
    const stop = one.subscribe({ query: 'subscription Pushed { orders }' }, { next: (value) => resolve(seen.push(value)), error: resolve, complete() {} })
    await pushed(1, 1)
    expect([await isReceived, seen]).toEqual([1, [{ data: { orders: 1 } }]])
    stop()
    await pushed(2, 0)
    one.dispose()
  }) // prettier-ignore

  it('is told when the connection breaks', async () => {
    await expect(results(client(), 'subscription Broken { broken }')).rejects.toThrow()
  })
})

function withResolvers() {
  let resolve: (value: unknown) => void = () => {}
  const promise = new Promise((done) => (resolve = done))
  return { promise, resolve }
}

async function reserve(): Promise<string> {
  const response = await server.send('/graphql', { method: 'PUT' })
  expect([response.status, response.headers.get('content-type')]).toEqual([201, 'text/plain; charset=utf-8'])
  return response.text()
}

const operation = (query: string, operationId?: unknown) => ({ query, extensions: { operationId } })
const token = (value: string) => ({ 'x-graphql-event-stream-token': value })

describe('the protocol', () => {
  it('frames, by the header and by the URL', async () => {
    const name = await reserve()
    const stream = await server.send(`/graphql?token=${name}`, { headers: { accept: 'text/event-stream' } })
    expect([stream.status, stream.headers.get('content-type')]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ])
    const read = readUntil(stream)
    const query = 'subscription OrderChanged { orderChanged { id } }'
    const headers = { ...token(name), accept: 'application/json' }
    const { status } = await server.post('/graphql', operation(query, 'a'), headers)
    expect(status).toBe(202)
    expect(await read('complete')).toContain(
      'event: next\ndata: {"id":"a","payload":{"data":{"orderChanged":{"id":"8"}}}}\n\nevent: complete\ndata: {"id":"a"}\n\n',
    )
    await stream.body!.cancel().catch(() => {})
  })

  it('refuses', async () => {
    const name = await reserve()
    const pushed = operation('subscription Pushed { orders }', 'a')
    const status = async (response: Promise<Response>) => (await response).status
    const open = await server.send('/graphql', { headers: { ...token(name), accept: 'text/event-stream' } })
    expect(await status(server.send('/graphql', { headers: token(name) }))).toBe(409)
    expect(await status(server.send('/graphql', { headers: token('other') }))).toBe(404)
    expect(
      await status(server.send('/graphql?operationId=a', { method: 'DELETE', headers: token('other') })),
    ).toBe(404)
    expect(
      await status(server.send('/graphql?operationId=none', { method: 'DELETE', headers: token(name) })),
    ).toBe(200)
    expect(await status(server.post('/graphql', pushed, token('other')))).toBe(404)
    expect(await status(server.post('/graphql', operation(pushed.query), token(name)))).toBe(400)
    expect(await status(server.post('/graphql', operation(pushed.query, { $gt: '' }), token(name)))).toBe(400)
    expect(await status(server.post('/graphql', pushed, token(name)))).toBe(202)
    expect(await status(server.post('/graphql', pushed, token(name)))).toBe(409)
    await open.body!.cancel().catch(() => {})
    await vi.waitUntil(async () => (await status(server.post('/graphql', pushed, token(name)))) === 404, {
      timeout: 30_000,
    })
  })

  it('leaves a token in the query of a POST alone', async () => {
    const response = await server.post('/graphql?token=jwt', { query: 'mutation Rename { rename { id } }' })
    expect([response.status, await response.json()]).toEqual([200, { data: { rename: { id: '7' } } }])
  })

  it('ends an operation that its client ends', async () => {
    const name = await reserve()
    const stream = await server.send(`/graphql?token=${name}`)
    await server.post('/graphql', operation('subscription Pushed { orders }', 'a'), token(name))
    expect((await server.send('/graphql', { method: 'DELETE', headers: token(name) })).status).toBe(400)
    await server.send('/graphql?operationId=a', { method: 'DELETE', headers: token(name) })
    expect(await readUntil(stream)('complete')).toBe(':\n\nevent: complete\ndata: {"id":"a"}\n\n')
    await stream.body!.cancel().catch(() => {})
  })

  it('leaves routes of its methods and other paths alone', async () => {
    expect(await (await server.send('/other/graphql', { method: 'PUT' })).text()).toBe('own')
    expect((await server.send('/other', { method: 'PUT' })).status).toBe(404)
    expect((await server.send('/graphql', { method: 'DELETE' })).status).toBe(404)
  })

  it('keeps 1000 reservations', async () => {
    const handle = createFetchHandler([{ path: '/graphql', response: { stream: [] } }])
    const ask = async (init: RequestInit) => (await handle(new Request('http://localhost/graphql', init)))!
    const first = await (await ask({ method: 'PUT' })).text()
    for (let n = 0; n < 1000; n++) await ask({ method: 'PUT' })
    expect((await ask({ headers: token(first) })).status).toBe(404)
  })

  it('refuses pages of other origins', async () => {
    const { status } = await server.send('/graphql', {
      method: 'PUT',
      headers: { origin: 'https://evil.example' },
    })
    expect(status).toBe(403)
    const headers = { origin: 'https://evil.example', 'access-control-request-method': 'PUT' }
    const preflight = await server.send('/graphql', { method: 'OPTIONS', headers })
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([403, null])
  })

  // The buffers of a connection have to be full, which takes most of the time of this file.
  it.runIf(isThorough)('cuts off a client that does not read', async () => {
    const name = await reserve()
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get(`${server.origin}/graphql?token=${name}`, resolve).on('error', reject)
    })
    response.on('error', () => {}).pause()
    await server.post('/graphql', operation('subscription Pushed { orders }', 'a'), token(name))
    let pushes = 0
    const push = async () => {
      const data = 'x'.repeat(pushes < 20 ? 900_000 : 1) // the first ones fill the buffers of the connection
      return (await server.call('POST', 'push', { channel: 'orders', data })).body['streams']
    }
    while ((await push()) === 1 && pushes < 3000) pushes++
    expect(pushes).toBeLessThan(3000)
    expect((await server.send('/graphql', { headers: token(name) })).status).toBe(404)
    response.destroy()
  })
})

describe.each(['http://localhost/graphql', 'https://api.example.com/graphql'])('createFetchHandler: %s', (url) => {
  const stream = [{ data: { changed: 1 } }, { data: { changed: 2 } }]
  const place = url.startsWith('https') ? { url } : { path: '/graphql' }
  const routes: Fixture = [
    { ...place, method: 'POST', when: { operationName: 'Changed' }, response: { stream, end: 'complete' } },
    { ...place, method: 'POST', when: { operationName: 'Pushed' }, response: { stream: [], on: { push: 'a' } } },
  ]
  const handler = createFetchHandler(routes, { allowedHosts: true, graphql: { path: ['/graphql', url] } })
  const one = createClient({
    url,
    singleConnection: true,
    retryAttempts: 0,
    fetchFn: async (input: string, init: RequestInit) => (await handler(new Request(input, init)))!,
  })
  const next = (query: string) =>
    new Promise((resolve, reject) => {
      const values: unknown[] = []
      one.subscribe({ query }, { next: (value) => values.push(value), error: reject, complete: () => resolve(values) })
    })

  it('answers the client of graphql-sse', async () => {
    const seen = await Promise.all([next('subscription Changed { changed }'), next('subscription Changed { b: changed }')])
    expect(seen).toEqual([
      [{ data: { changed: 1 } }, { data: { changed: 2 } }],
      [{ data: { b: 1 } }, { data: { b: 2 } }],
    ])
    one.dispose()
  })

  it('answers the preflights of pages', async () => {
    const headers = { origin: 'http://localhost:5173', 'access-control-request-headers': 'x-graphql-event-stream-token' }
    for (const method of ['PUT', 'DELETE', 'GET']) {
      const preflight = new Request(url, { method: 'OPTIONS', headers: { ...headers, 'access-control-request-method': method } })
      const answer = await handler(preflight)
      expect([answer?.status, answer?.headers.get('access-control-allow-methods')]).toEqual([204, 'POST, PUT, GET, DELETE'])
    }
    expect(await handler(new Request(url, { method: 'PATCH' }))).toBeUndefined()
  })
}) // prettier-ignore
