import { createServer, get, type IncomingMessage } from 'node:http'
import { Agent, get as getSecure, type RequestOptions } from 'node:https'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createMiddleware, type MockMiddleware } from '../../../src/connect.ts'
import { createTestProject } from '../../hosts/test-project.ts'
import { closeServer, listen } from '../../hosts/serve.ts'

const real = createServer((req, res) =>
  res.end(
    JSON.stringify({
      real: req.url,
      cookie: req.headers.cookie,
      authorization: req.headers.authorization,
      kept: req.headers['x-kept'],
    }),
  ),
)
const app = createServer()
const project = createTestProject()
let middleware: MockMiddleware
/** Another mock server of this process, which was there before. */
let former: MockMiddleware
let origin = ''
let elsewhere = ''

const routes = (id: string) => `
origin: https://api.stripe.example
routes:
  - { path: /v1/charges/:id, response: { body: { id: ${id} } } }
  - { path: /v1/charges/:id, scenario: down, response: { status: 503 } }
  - { path: /v1/charges, method: POST, when: { body: { amount: 5 } }, response: { status: 201, body: { made: true } } }
  - { path: /v1/turns, response: [{ body: 1 }, { body: 2 }] }
  - { path: /v1/silent, response: { fault: silent } }
  - { path: /v1/reset, response: { fault: reset } }
  - { path: /v1/old, response: { status: 302, headers: { location: /v1/charges/1 } } }
  - { path: /v1/away, response: { status: 307, headers: { location: '${elsewhere}/landed' } } }
  - { path: /v1/zipped, response: { headers: { content-encoding: 'x-gzip, identity, BR' }, file: zipped.bin } }
  - { path: /v1/corrupt, response: { headers: { content-encoding: gzip }, body: no } }
  - { path: /v1/unknown, response: { headers: { content-encoding: own }, body: '1' } }
  - { url: 'https://bücher.example/known', response: { body: { known: true } } }
  - { url: 'http://[::1]:9/known', response: { body: { known: true } } }
  - { url: '${elsewhere}/known', response: { body: { known: true } } }
  - { url: '${elsewhere}/changed', response: { from: backend, patch: { changed: true } } }
`

beforeAll(async () => {
  elsewhere = await listen(real)
  project.write('fixtures/stripe.yaml', routes('ch_1'))
  writeFileSync(join(project.root, 'fixtures/zipped.bin'), brotliCompressSync(gzipSync('{"zipped":true}')))
  project.write(
    'former/a.yaml',
    "- { url: 'https://api.stripe.example/v1/turns', response: { body: former } }",
  )
  former = createMiddleware({ root: project.root, fixtures: 'former', outgoing: true, logLevel: 'silent' })
  await former.ready
  middleware = createMiddleware({ root: project.root, outgoing: true, logLevel: 'silent' })
  await middleware.ready
  app.on('request', (req: IncomingMessage, res) =>
    middleware(req, res, () => {
      // What an application does for a request: it asks the third party itself.
      const host = req.url === '/elsewhere' ? 'other' : 'stripe'
      void fetch(`https://api.${host}.example${req.url!}`).then(async (answer) =>
        res.writeHead(answer.status).end(await answer.text()),
      )
    }),
  )
  origin = await listen(app)
})
afterAll(async () => {
  await Promise.all([middleware.close(), former.close()])
  await Promise.all([closeServer(app), closeServer(real)])
  project.close()
})

const json = async (input: string | URL): Promise<unknown> => (await fetch(input)).json()
const stripe = 'https://api.stripe.example/v1'
const byNode = (url: string, options: RequestOptions = {}) =>
  new Promise<string>((resolve, reject) => {
    const send = url.startsWith('https') ? getSecure : get
    const sent = send(url, options, (answer) => {
      let text = ''
      answer.on('data', (chunk: Buffer) => (text += String(chunk))).on('end', () => resolve(text))
    })
    sent.on('error', reject).on('timeout', () => sent.destroy(new Error('given up')))
  })

it('a request that no route matches is told with the address of a server that listens, or without one', async () => {
  const own = createTestProject({
    'fixtures/a.yaml':
      "- { url: 'https://pay.example/charges', when: { query: { page: 1 } }, response: { body: 1 } }",
  })
  const mock = createMiddleware({ root: own.root, outgoing: true, unmatched: 'error', logLevel: 'silent' })
  const server = createServer((req, res) => mock(req, res))
  onTestFinished(() => Promise.all([mock.close(), closeServer(server)]).then(own.close))
  await mock.ready
  const ask = async () =>
    /"inspector":"([^"]*)"/.exec(await (await fetch('https://pay.example/charges')).text())?.[1]
  expect(await ask()).toBeUndefined()
  const listening = await listen(server)
  await fetch(`${listening}/other`)
  expect(await ask()).toContain(`${listening}/__mock-api/#/requests/`)
})

describe('what code of the server asks another origin', () => {
  it.each<[how: string, ask: () => Promise<unknown>, answer: unknown]>([
    ['fetch', () => json(`${stripe}/charges/7`), { id: 'ch_1' }],
    ['fetch with a URL', () => json(new URL(`${stripe}/charges/7`)), { id: 'ch_1' }],
    ['fetch with upper case', () => json('HTTPS://API.Stripe.Example/v1/charges/7'), { id: 'ch_1' }],
    ['fetch with a Request', async () => (await fetch(new Request(`${stripe}/charges`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"amount":5}' }))).status, 201],
    ['fetch that is redirected', async () => { const answer = await fetch(`${stripe}/old`); return [answer, answer.clone().clone()].map(({ url, redirected }) => [url, redirected]) }, Array(2).fill([`${stripe}/charges/1`, true])],
    ['fetch that is redirected to another origin, which is told no credentials', async () => JSON.parse(await (await fetch(`${stripe}/away`, { headers: { authorization: 'Bearer a', cookie: 'b=c', 'x-kept': 'yes' } })).text()) as unknown, { real: '/landed', kept: 'yes' }],
    ['fetch of a body that is encoded twice', () => json(`${stripe}/zipped`), { zipped: true }],
    ['fetch of a body in a coding that it does not know', () => json(`${stripe}/unknown`), 1],
    ['fetch of a host that is not ASCII', () => json('https://bücher.example/known'), { known: true }],
    ['node:http of an IPv6 address', async () => JSON.parse(await byNode('http://[::1]:9/known')) as unknown, { known: true }],
    ['node:https', async () => JSON.parse(await byNode(`${stripe}/charges/7`)) as unknown, { id: 'ch_1' }],
    ['node:http', async () => JSON.parse(await byNode(`${elsewhere}/known`)) as unknown, { known: true }],
    ['an origin with routes, but none for the path', async () => JSON.parse(await byNode(`${elsewhere}/other?a=1`)) as unknown, { real: '/other?a=1' }],
    ['the same with fetch', () => json(`${elsewhere}/other`), { real: '/other' }],
    ['from: backend asks the real one', () => json(`${elsewhere}/changed`), { real: '/changed', changed: true }],
  ])('%s', async (_, ask, answer) => {
    expect(await ask()).toEqual(answer)
  }) // prettier-ignore

  it('is aborted, and breaks, as on the network', async () => {
    const controller = new AbortController()
    const silent = fetch(`${stripe}/silent`, { signal: controller.signal })
    controller.abort()
    await expect(silent).rejects.toMatchObject({ name: 'AbortError' })
    await expect(fetch(`${stripe}/reset`)).rejects.toThrow('fetch failed')
    await expect(byNode(`${stripe}/reset`)).rejects.toMatchObject({ code: 'ECONNRESET' })
  })

  it.each<[how: string, options: RequestOptions]>([
    ['a request', { timeout: 50 }],
    ['an agent', { agent: new Agent({ timeout: 50 }) }],
  ])('%s gives up on an answer that does not come', async (_, options) => {
    await expect(byNode(`${stripe}/silent`, options)).rejects.toThrow('given up')
  })

  it('breaks where its body is not what its coding says', async () => {
    await expect(json(`${stripe}/corrupt`)).rejects.toThrow('terminated')
  })

  it('belongs to the client and to the scenarios of the request that it is sent for', async () => {
    const ask = async (path: string, headers: Record<string, string> = {}) => {
      const answer = await fetch(`${origin}${path}`, { headers })
      return [answer.status, await answer.text()]
    }
    expect(await ask('/v1/charges/7')).toEqual([200, '{"id":"ch_1"}'])
    expect((await ask('/v1/charges/7', { cookie: 'mock-scenario=down' }))[0]).toBe(503)
    expect((await ask('/v1/charges/7', { 'x-mock-scenario': 'down' }))[0]).toBe(503)
    const [a, b] = [{ 'x-mock-client': 'a' }, { cookie: 'mock-client=b' }]
    expect([await ask('/v1/turns', a), await ask('/v1/turns', a), await ask('/v1/turns', b)]).toEqual([
      [200, '1'],
      [200, '2'],
      [200, '1'],
    ])
  })

  it('does not leave this machine for a test, as its cookie or its header says', async () => {
    const ask = async (path: string, headers: Record<string, string>) => {
      const answer = await fetch(`${origin}${path}`, { headers: { 'x-mock-client': 'sealed', ...headers } })
      return [answer.status, await answer.text()]
    }
    const refused = [404, expect.stringContaining('"origin-unmatched"')]
    expect(await ask('/v1/charges/7', { cookie: 'mock-unmatched=fail' })).toEqual([200, '{"id":"ch_1"}'])
    expect(await ask('/v1/other', { cookie: 'mock-unmatched=fail' })).toEqual(refused)
    expect(await ask('/v1/other', { 'x-mock-unmatched': 'fail' })).toEqual(refused)
    expect(await ask('/elsewhere', { 'x-mock-unmatched': 'fail' })).toEqual(refused)
    const path = '/__mock-api/api/requests?client=sealed'
    const noted = async () =>
      ((await (await fetch(`${origin}${path}`)).json()) as { requests: object[] }).requests
    await expect.poll(noted).toContainEqual(
      expect.objectContaining({
        url: 'https://api.other.example/elsewhere',
        answeredBy: 'nothing',
        isServer: true,
        status: 404,
      }),
    )
  })

  it('is marked in the inspector', async () => {
    await fetch(`${stripe}/charges/marked`)
    const noted = async () =>
      ((await (await fetch(`${origin}/__mock-api/api/requests`)).json()) as { requests: object[] })
        .requests[0]
    await expect.poll(noted).toMatchObject({
      url: `${stripe}/charges/marked`,
      isServer: true,
      answeredBy: 'route',
    })
  })

  it('follows the fixtures', async () => {
    project.write('fixtures/stripe.yaml', routes('ch_2'))
    onTestFinished(() => project.write('fixtures/stripe.yaml', routes('ch_1')))
    await vi.waitFor(async () => expect(await json(`${stripe}/charges/7`)).toEqual({ id: 'ch_2' }), {
      timeout: 20_000,
    })
  })
})

it('without the option, and after the middleware is closed, nothing is answered', async () => {
  const own = createTestProject({ 'fixtures/a.yaml': `- { url: '${elsewhere}/a', response: { body: 1 } }` })
  const plain = createMiddleware({ root: own.root, logLevel: 'silent', watch: false })
  await plain.ready
  const ask = () => json(`${elsewhere}/a`)
  expect(await ask()).toEqual({ real: '/a' })
  const other = createMiddleware({ root: own.root, logLevel: 'silent', watch: false, outgoing: true })
  await other.ready
  expect(await ask()).toBe(1)
  await Promise.all([plain.close(), other.close()])
  expect(await ask()).toEqual({ real: '/a' })
  own.close()
})
