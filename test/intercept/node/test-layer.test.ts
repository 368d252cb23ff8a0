import nodeHttp from 'node:http'
import http2 from 'node:http2'
import { Server as SecureServer } from 'node:https'
import net from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createClient } from '../../../src/client.ts'
import { createNodeLayer } from '../../../src/intercept/node/test-layer.ts'
import { describeUnmatched, type TestLayer } from '../../../src/intercept/test-layer.ts'
import { testContract, type ContractRequest } from '../../contract.ts'
import { closeServer, listen, recorder } from '../../hosts/serve.ts'
import { createTestProject } from '../../hosts/test-project.ts'

/* The setup file for Vitest, without Vitest: what it puts in the place of fetch and of connections. */

const project = createTestProject({
  'fixtures/a.yaml': `
- path: /turns
  response: [{ body: '1' }, { body: '2' }]
- path: /turns
  scenario: down
  response: { status: 503 }
- { path: /tickets, collection: { items: [{ id: 1 }] } }
- { path: /page, when: { query: { page: 2 } }, response: { body: 2 } }
- { path: /moved, response: { status: 302, headers: { location: '/page?page=2' } } }
- { method: POST, path: /posted, response: { status: 303, headers: { location: '/page?page=2' } } }
- { path: /circle, response: { status: 307, headers: { location: /circle } } }
- { path: /reset, response: { fault: reset } }
- { path: /half, response: { fault: truncated, body: abcdef } }
- { path: /pieces, response: { body: abcdef, fault: { dribble: 10 } } }
- { path: /never, response: { fault: silent } }
- { url: 'https://pay.example/v1/charges/:id', response: { body: { id: { $from: params.id } } } }
- { path: /cookies, response: { headers: { set-cookie: [a=1, b=2] } } }
- { method: PUT, path: /echo, when: { body: { a: 1 } }, response: { status: 204 } }
`,
})
const { log, logger } = recorder()
/** Stands in for undici's dispatcher, which jsdom uses: nobody listens where it sends requests. */
const refusing = {
  asked: [] as unknown[],
  dispatch(target: object, handler: { onResponseError: (controller: unknown, error: Error) => void }) {
    refusing.asked.push(target)
    handler.onResponseError({}, Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }))
    return true
  },
}
const dispatcherKey = Symbol('undici.globalDispatcher.test')
const realFetch = globalThis.fetch
/** The error of the fetch that was there before, in place of its answers. */
let refusal: Error | undefined
let layer: TestLayer
let unmatched: 'error' | 'fail' = 'fail'
const client = () =>
  createClient(layer.origin, { fetch: layer.ask, ...(layer.test() && { client: layer.test() }) })
beforeAll(() => {
  globalThis.fetch = (input, init) =>
    String(input).endsWith('/ask')
      ? realFetch(input, init)
      : refusal
        ? Promise.reject(refusal)
        : Promise.resolve(new Response(`real: ${input instanceof Request ? input.url : input}`))
  Object.assign(globalThis, { [dispatcherKey]: refusing })
  layer = createNodeLayer(() => ({ logger, fixtures: ['fixtures', 'templates'], unmatched }), {
    entry: 'unplugin-mock-api/vitest',
    root: project.root,
  })
  return layer.start()
})
afterAll(() => {
  globalThis.fetch = realFetch
  Reflect.deleteProperty(globalThis, dispatcherKey)
  project.close()
})

async function send({ url, method = 'GET', headers = {}, body }: ContractRequest) {
  const bytes = body === undefined ? {} : { body: new TextEncoder().encode(body) }
  const response = await fetch(url, { method, headers, ...bytes })
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    text: await response.text(),
  }
}

function sendOverHttp(
  { url, method = 'GET', headers = {}, body }: ContractRequest,
  origin = 'http://localhost:3000',
) {
  return new Promise<Awaited<ReturnType<typeof send>>>((resolve, reject) => {
    const sent = nodeHttp.request(`${origin}${url}`, { method, headers }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (part: string) => (text += part))
      answer.on('end', () =>
        resolve({ status: answer.statusCode!, headers: answer.headers as Record<string, string>, text }),
      )
    })
    sent.on('error', reject).end(body)
  })
}

describe('the contract, by fetch with relative URLs', () => testContract(send))
describe('the contract, by node:http', () => testContract((request) => sendOverHttp(request)))

const textOf = async (url: string, init?: RequestInit) => (await fetch(url, init)).text()

it('a body that is cancelled while it arrives takes nothing more', async () => {
  const uncaught: unknown[] = []
  const keep = (error: unknown) => void uncaught.push(error)
  process.on('uncaughtException', keep)
  const reader = (await fetch('/pieces')).body!.getReader()
  expect(await textOf('/pieces')).toBe('abcdef') // now the first one has arrived too
  await reader.read()
  void reader.read()
  await reader.cancel()
  await new Promise((resolve) => setImmediate(resolve))
  process.off('uncaughtException', keep)
  expect(uncaught).toEqual([])
})

it('what no route has is left to what was there before', async () => {
  unmatched = 'error'
  onTestFinished(() => void (unmatched = 'fail'))
  expect(await textOf('/nothing')).toBe('real: http://localhost/nothing')
  expect(await textOf('https://other.example/x')).toBe('real: https://other.example/x')
  expect(log.join()).not.toContain('other.example')
  expect(await textOf('https://api.example/page?page=2')).toBe('real: https://api.example/page?page=2')
  expect(log.filter((line) => line.includes('host-not-own'))).toEqual([
    expect.stringContaining('GET /page of "api.example" is not answered'),
  ])
})

it("with unmatched: 'fail', no request leaves this machine", async () => {
  await layer.within('sealed', async () => {
    expect(await textOf('https://pay.example/v1/charges/7')).toBe('{"id":"7"}')
    for (const url of [
      'https://pay.example/v1/other?token=secret',
      'https://other.example/page?page=2',
      'http://8.8.8.8/',
    ])
      expect(JSON.parse(await textOf(url))).toMatchObject({ error: { code: 'origin-unmatched' } })
    const { status, text } = await sendOverHttp({ url: '/a' }, 'http://other.example')
    expect([status, text]).toEqual([404, expect.stringContaining('GET http://other.example/a')])
    expect(await textOf('/nothing')).toBe('real: http://localhost/nothing')
  })
  expect(await describeUnmatched(layer, 'sealed')).toEqual(
    [
      'https://pay.example/v1/other',
      'https://other.example/page',
      'http://8.8.8.8/',
      'http://other.example/a',
    ].map(
      (url) =>
        expect.stringContaining(
          `No route answers GET ${url}, and with unmatched: 'fail' no request leaves this machine.`,
        ) as string,
    ),
  )
})

it('the terminal names the route that was probably meant, once, when nothing else answers', async () => {
  const { port } = await new Promise<net.AddressInfo>((resolve) => {
    const server = net.createServer().listen(0, '127.0.0.1', () => {
      const address = server.address() as net.AddressInfo
      server.close(() => resolve(address))
    })
  })
  const origin = `http://127.0.0.1:${port}`
  const similar = () =>
    log.filter((line) => line.includes('route-similar')).map((line) => line.match(/ No route .*/)?.[0])
  await expect(sendOverHttp({ url: '/tuns' }, origin)).rejects.toThrow('ECONNREFUSED')
  await expect(sendOverHttp({ url: '/tuns' }, origin)).rejects.toThrow('ECONNREFUSED')
  await expect(sendOverHttp({ url: '/nothing-like-it' }, origin)).rejects.toThrow('ECONNREFUSED')
  refusal = Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } })
  await expect(fetch('/api/turns')).rejects.toThrow('No route answers GET /api/turns')
  refusal = new TypeError('fetch failed')
  await expect(fetch('/api/posted')).rejects.toThrow('fetch failed')
  refusal = undefined
  const handler = new (class {
    #error = ''
    onResponseError(_: unknown, { message }: Error) {
      this.#error = message
    }
    error() {
      return this.#error
    }
  })()
  refusing.dispatch({ origin, path: '/pag', method: 'GET' }, handler)
  expect(handler.error()).toBe('refused')
  expect(similar()).toEqual([
    ' No route answers GET /tuns. Did you mean GET /turns (fixtures/a.yaml:2:3)?',
    ' No route answers GET /api/turns. Did you mean GET /turns (fixtures/a.yaml:2:3)?',
    ' No route answers GET /pag. Did you mean GET /page (fixtures/a.yaml:8:3)?',
  ])
})

it('redirects are followed as fetch does', async () => {
  for (const [url, method] of [
    ['/moved', 'GET'],
    ['/posted', 'POST'],
  ]) {
    const response = await fetch(url!, { method: method! })
    expect([response.redirected, response.url, await response.text()]).toEqual([
      true,
      'http://localhost/page?page=2',
      '2',
    ])
  }
  expect((await fetch('/moved', { redirect: 'manual' })).status).toBe(302)
  await expect(fetch('/moved', { redirect: 'error' })).rejects.toThrow(TypeError)
  await expect(fetch('/circle')).rejects.toThrow(TypeError)
})

it('faults, an abort, cookies and bodies', async () => {
  await expect(fetch('/reset')).rejects.toMatchObject({
    name: 'TypeError',
    cause: { code: 'ECONNRESET' },
  })
  await expect(textOf('/half')).rejects.toThrow(TypeError)
  const abort = new AbortController()
  const pending = fetch('/never', { signal: abort.signal })
  setImmediate(() => abort.abort(new Error('enough')))
  await expect(pending).rejects.toThrow('enough')
  expect((await fetch('/cookies')).headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  const request = new Request('http://localhost/echo', { method: 'PUT', body: '{"a":1}' })
  expect((await fetch(request)).status).toBe(204)
})

it('each test is a client of its own, at the same time too', async () => {
  await client().setScenario('down')
  expect((await fetch('/turns')).status).toBe(503)
  await client().setScenario()
  const both = ['one', 'two'].map((id) =>
    layer.within(id, async () => {
      if (id === 'one') await client().setScenario('down')
      const first = await fetch('/turns')
      await new Promise(setImmediate)
      const own = await sendOverHttp({ url: '/turns' })
      return [first.status, own.status, (await client().requests({ path: '/turns' })).length]
    }),
  )
  expect(await Promise.all(both)).toEqual([
    [503, 503, 2],
    [200, 200, 2],
  ])
  const again = await layer.within('one', () => textOf('/turns'))
  expect(again).toBe('1')
  await expect(client().setScenario('don')).rejects.toThrow('Did you mean "down"?')
})

it('each test begins with the items of the file', async () => {
  const ids = async () => ((await (await fetch('/tickets')).json()) as { id: number }[]).map(({ id }) => id)
  const run = (id: string, method: string, path: string) =>
    layer.within(id, async () => {
      expect((await fetch(path, { method, body: method === 'POST' ? '{}' : null })).ok).toBe(true)
      await new Promise(setImmediate)
      return ids()
    })
  expect(
    await Promise.all([run('adds', 'POST', '/tickets'), run('deletes', 'DELETE', '/tickets/1')]),
  ).toEqual([[1, 2], []])
  expect(await layer.within('adds', ids)).toEqual([1])
  expect(await ids()).toEqual([1])
})

it('a server in the process asks for the test whose request it answers', async () => {
  unmatched = 'error'
  onTestFinished(() => void (unmatched = 'fail'))
  const backend = nodeHttp.createServer((_, res) => {
    void fetch('/turns').then(({ status }) => res.end(String(status)))
  })
  const url = `${await listen(backend)}/ask`
  const overHttp = () =>
    new Promise<string>((done) => {
      nodeHttp.get(url, (res) => void res.on('data', (data) => done(String(data))))
    })
  const both = ['three', 'four'].map((id) =>
    layer.within(id, async () => {
      if (id === 'three') await client().setScenario('down')
      await new Promise(setImmediate)
      return [await (await fetch(url)).text(), await overHttp()]
    }),
  )
  expect(await Promise.all(both)).toEqual([
    ['503', '503'],
    ['200', '200'],
  ])
  await closeServer(backend)
  const secure = new SecureServer((_, res) => {
    void fetch('/turns').then(({ status }) => void res.end(String(status)))
  })
  const answered = new Promise((done) =>
    secure.emit('request', { headers: { 'x-mock-client': 'three' } }, { end: done }),
  )
  expect(await answered).toBe('503')
  const overHttp2 = http2.createServer((_, res) => {
    void fetch('/turns').then(({ status }) => void res.end(String(status)))
  })
  const session = http2.connect(await listen(overHttp2 as unknown as nodeHttp.Server))
  const ask = (headers?: object) => text(session.request(headers as http2.OutgoingHttpHeaders))
  expect(await ask({ ':path': '/ask', 'x-mock-client': 'three' })).toBe('503')
  const asked = layer.within('http2', async () => {
    await client().setScenario('down')
    await new Promise(setImmediate)
    return [await ask({ ':path': '/ask' }), await ask()]
  })
  expect([await layer.within('other', () => ask()), await asked]).toEqual(['200', ['503', '503']])
  session.close()
  await new Promise((done) => overHttp2.close(done))
  const target = { origin: 'http://localhost:1', path: '/ask', method: 'GET' }
  const handler = { onResponseError: () => {} }
  await layer.within('five', async () => {
    refusing.dispatch(target, handler)
    refusing.dispatch({ ...target, headers: ['a', 'b'] }, handler)
    refusing.dispatch({ ...target, origin: 'http://example.com' }, handler)
    await new Promise(setImmediate)
  })
  expect(refusing.asked.slice(-3)).toEqual([
    { ...target, headers: { 'x-mock-client': 'five' } },
    { ...target, headers: ['a', 'b', 'x-mock-client', 'five'] },
    { ...target, origin: 'http://example.com' },
  ])
})

it('says which requests of a test no route matches, in the words of the terminal', async () => {
  log.length = 0
  await layer.within('unmatched', () => textOf('/page?page=9'))
  const [text] = await describeUnmatched(layer, 'unmatched')
  expect(text).toContain('wants query.page to be the string "2", not the string "9"')
  expect(log.join()).toContain(text!.split('\n')[0])
  expect(await describeUnmatched(layer, 'one')).toEqual([])
})

it('a test is told of its misses and of those outside of tests, each once', async () => {
  await layer.takeMisses('before')
  await textOf('/page?page=8')
  refusal = Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } })
  onTestFinished(() => void (refusal = undefined))
  const miss = () => fetch('/tuns').catch(() => {})
  await layer.within('told', () => Promise.all([miss(), miss(), textOf('/page?page=9')]))
  expect(await layer.takeMisses('told')).toEqual([
    expect.stringMatching(/^Outside of tests, as in beforeAll: .*"8"/),
    expect.stringContaining('"9"'),
    expect.stringContaining('No route answers GET /tuns'),
  ])
  expect(await layer.takeMisses('told')).toEqual([])
})
