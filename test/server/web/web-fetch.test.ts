import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { resolveFetchOptions } from '../../../src/core/options/resolve-options.ts'
import { createFetchHandler, type FetchOptions, type Fixture } from '../../../src/fetch.ts'
import { recorder } from '../../hosts/serve.ts'
import { serveRoutes } from '../../../src/server/web/serve-routes.ts'

const routes: Fixture = [
  {
    path: '/orders/:id',
    response: ({ params, query, cookies }) => ({
      body: { id: params['id'], q: query['q'], s: cookies['s'] },
    }),
  },
  { path: '/twice', response: { headers: { 'x-a': ['1', '2'], 'set-cookie': ['a=1', 'b=2'] }, body: 'é' } },
  { path: '/none', response: { status: 204 } },
  { path: '/bare' },
  { path: '/never', response: { delay: 2_000_000_000 } },
  { method: 'POST', path: '/mine', when: { body: { a: 1 } }, response: { body: 'mine' } },
  { method: 'POST', path: '/blind', response: { body: 'not read' } },
]

function handlerFor(options: FetchOptions = {}) {
  const { log, logger } = recorder()
  return { handle: createFetchHandler(routes, { logger, ...options }), log }
}

const post = (path: string, body: BodyInit) =>
  new Request(`http://localhost${path}`, { method: 'POST', body, duplex: 'half' } as RequestInit)

/** A body that counts how much of it was asked for. */
function countedBody(chunk: Uint8Array<ArrayBuffer>, times: number) {
  const seen = { pulls: 0 }
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull(controller) {
        if (seen.pulls++ < times) controller.enqueue(chunk)
        else controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  return { stream, seen }
}

describe('answers', () => {
  const { handle } = handlerFor()
  const get = async (url: string, init?: RequestInit) => (await handle(new Request(url, init)))!

  it('with what the request carries', async () => {
    const response = await get('http://localhost/orders/a%2Fb?q=1+2&q=3#hash', { headers: { cookie: 's=x' } })
    expect(await response.json()).toEqual({ id: 'a/b', q: '1 2', s: 'x' })
  })

  it('with a header as often as the fixture lists it', async () => {
    const { headers } = await get('http://localhost/twice')
    expect(headers.get('x-a')).toBe('1, 2')
    expect(headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    expect(headers.get('content-length')).toBe('2')
  })

  it('answers HEAD without a body, with the content-length of GET', async () => {
    const response = await get('http://localhost/twice', { method: 'HEAD' })
    expect([response.body, response.headers.get('content-length')]).toEqual([null, '2'])
  })

  it.each([
    ['/none', 204, null],
    ['/bare', 200, '0'],
  ])('%s without a body and a content type', async (path, status, length) => {
    const response = await get(`http://localhost${path}`)
    expect([response.status, response.body, response.headers.get('content-length')]).toEqual([
      status,
      null,
      length,
    ])
    expect(response.headers.get('content-type')).toBeNull()
  })

  it('no client that has disconnected, and stops waiting', async () => {
    const controller = new AbortController()
    const answer = get('http://localhost/never', { signal: controller.signal })
    await new Promise((resolve) => setTimeout(resolve))
    controller.abort()
    expect((await answer).status).toBe(200)
  })
})

describe('a body', () => {
  it('is not read where no selector looks at it', async () => {
    const { stream, seen } = countedBody(new Uint8Array(10), 10)
    const request = post('/blind', stream)
    expect(await (await handlerFor().handle(request))!.text()).toBe('not read')
    expect([seen.pulls, request.bodyUsed]).toEqual([0, false])
  })

  it.each(['/other', '/orders/1', '/mine/x'])(
    'of a request that is not ours stays unread: POST %s',
    async (path) => {
      const { stream, seen } = countedBody(new Uint8Array(10), 1)
      const request = post(path, stream)
      expect(await handlerFor().handle(request)).toBeUndefined()
      expect([seen.pulls, request.bodyUsed, request.body?.locked]).toEqual([0, false, false])
      expect((await request.arrayBuffer()).byteLength).toBe(10)
    },
  )

  it('over the limit is refused, and not kept', async () => {
    const { handle } = handlerFor({ bodyLimit: 1000 })
    const { stream, seen } = countedBody(new Uint8Array(1_000_000), 300)
    const before = process.memoryUsage().arrayBuffers
    const response = (await handle(post('/mine', stream)))!
    expect(response.status).toBe(413)
    expect(await response.json()).toMatchObject({ error: { code: 'request-body-too-large' } })
    expect(seen.pulls).toBe(301)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100_000_000)
  })

  it('over the limit is left to whoever may own it, who gets all of it', async () => {
    const { handle, log } = handlerFor({ unmatched: 'passthrough', bodyLimit: 1000 })
    const { stream, seen } = countedBody(new Uint8Array(10_000), 30)
    const request = post('/mine', stream)
    expect(await handle(request)).toBeUndefined()
    expect(seen.pulls).toBeLessThan(5)
    expect((await request.arrayBuffer()).byteLength).toBe(300_000)
    expect(log).toEqual([])
  })

  it('of exactly the limit is taken', async () => {
    const { handle } = handlerFor({ bodyLimit: 7 })
    expect((await handle(post('/mine', '{"a":1}')))!.status).toBe(200)
    expect((await handle(post('/mine', '{"a":1} ')))!.status).toBe(413)
  })

  it.each<[name: string, use: (request: Request) => unknown]>([
    ['read', (request) => request.text()],
    ['locked', (request) => request.body!.getReader()],
  ])('a problem found before: %s', async (_, use) => {
    const { handle, log } = handlerFor()
    const request = post('/mine', '{"a":1}')
    await use(request)
    const response = (await handle(request))!
    expect(response.status).toBe(500)
    expect(await response.json()).toMatchObject({ error: { code: 'request-body-used' } })
    expect(log).toEqual([expect.stringContaining('The body of POST /mine has been read before') as string])
  })

  it('whose client leaves is no error', async () => {
    const { handle, log } = handlerFor()
    const stream = new ReadableStream({
      pull(controller) {
        controller.error(new Error('the client left'))
      },
    })
    expect((await handle(post('/mine', stream)))!.status).toBe(400)
    expect(log).toEqual([])
  })
})

it('the options base and enabled', async () => {
  const bare = (path: string) => new Request(`http://localhost${path}`)
  const { handle } = handlerFor({ base: '/api/' })
  expect([await handle(bare('/bare')), (await handle(bare('/api/bare')))!.status]).toEqual([undefined, 200])
  expect(await handlerFor({ enabled: false }).handle(bare('/bare'))).toBeUndefined()
})

it('the option logLevel, and the console by default', async () => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => {})
  for (const options of [{}, { logLevel: 'silent' as const }])
    await createFetchHandler(routes, options)(post('/mine', '{}'))
  expect(error.mock.calls).toEqual([[expect.stringContaining('No route matched POST /mine')]])
  error.mockRestore()
})

it.each([
  ['/app/orders?a=1', '/orders?a=1'],
  ['/orders', '/orders'],
  ['/apples/1', '/apples/1'],
])('the backend is asked for %s without the base of the host', async (path, asked) => {
  const backend = vi.spyOn(globalThis, 'fetch').mockResolvedValue(Response.json({}))
  onTestFinished(() => backend.mockRestore())
  const logger = { info() {}, warn() {}, error() {} }
  const options = { record: { target: 'http://backend' }, logger }
  const fromBackend: Fixture = ['/orders', '/apples/:id'].map((one) => ({ path: one, response: { from: 'backend' } })) // prettier-ignore
  const resolved = resolveFetchOptions(options, logger)
  const { answer } = serveRoutes(fromBackend, resolved, { hostBase: '/app' })
  expect((await answer(new Request(`http://localhost${path}`)))?.status).toBe(200)
  expect(backend.mock.calls.map(([url]) => url)).toEqual([`http://backend${asked}`])
})

describe('the backend', () => {
  const mebibyte = new Uint8Array(1_048_576)

  /** @param size of its answer, in MiB */
  function startBackend(size: number) {
    const seen = { requests: 0, pulled: 0, isCancelled: false }
    const body = new ReadableStream({
      pull(controller) {
        if (seen.pulled === size) return controller.close()
        seen.pulled++
        controller.enqueue(mebibyte)
      },
      cancel: () => void (seen.isCancelled = true),
    })
    const backend = vi.spyOn(globalThis, 'fetch').mockImplementation(() => {
      seen.requests++
      return Promise.resolve(new Response(body))
    })
    onTestFinished(() => backend.mockRestore())
    const logger = { info() {}, warn() {}, error() {} }
    const options = resolveFetchOptions({ record: { target: 'http://backend' }, logger }, logger)
    const route = { method: 'POST', path: '/file', response: { from: 'backend' } } as const
    return { seen, ...serveRoutes([route], options) }
  }

  it('of an answer of 32 MiB, all is sent', async () => {
    const { answer } = startBackend(32)
    const response = await answer(post('/file', ''))
    expect([response?.status, (await response!.arrayBuffer()).byteLength]).toEqual([200, 33_554_432])
  })

  it('a larger answer is not read to its end', async () => {
    const { answer, seen } = startBackend(1000)
    const response = await answer(post('/file', ''))
    expect(response?.status).toBe(502)
    expect(await response!.json()).toMatchObject({
      error: {
        code: 'backend-answer-unreadable',
        message: expect.stringContaining('larger than 32 MiB') as string,
      },
    })
    expect(seen).toEqual({ requests: 1, pulled: expect.any(Number) as number, isCancelled: true })
    expect(seen.pulled).toBeLessThan(40)
  })

  it('is not asked with an empty body in place of one that has been read before', async () => {
    const { answer, seen } = startBackend(0)
    const request = post('/file', 'text')
    await request.text()
    const response = await answer(request)
    expect(response?.status).toBe(502)
    expect(await response!.json()).toMatchObject({ error: { code: 'request-body-used' } })
    expect(seen.requests).toBe(0)
  })
})
