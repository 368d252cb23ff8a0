/* CORS and the host check on servers that have neither. */
import { createServer } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { createMiddleware } from '../../src/connect.ts'
import type { OriginOptions } from '../../src/core/options/options.ts'
import type { Fixture } from '../../src/fetch.ts'
import type { Send } from '../contract.ts'
import { sendTo } from '../http.ts'
import { fetchRuntimes } from './fetch-runtimes.ts'
import { nodeHosts } from './node-hosts.ts'
import { closeServer, echo, listen } from './serve.ts'
import { createTestProject } from './test-project.ts'

interface Running {
  send: Send
  close: () => Promise<void>
}
type Options = OriginOptions & { unmatched?: 'passthrough' }

const routes: Fixture = [
  { path: '/a', response: { body: 'a' } },
  { path: '/a', method: 'PUT', response: { body: 'put' } },
  { path: '/mine', method: 'POST', when: { body: { a: 1 } }, response: { body: 'mine' } },
  { path: '/graphql', response: { body: { data: {} } } },
]

const ways = [
  ...nodeHosts.map(({ name, start }) => ({
    name,
    start: async (options: Options): Promise<Running> => {
      const project = createTestProject({ 'fixtures/a.json': JSON.stringify(routes) })
      const { origin, close } = await start(project, { options })
      return { send: sendTo(origin), close: () => close().finally(() => project.close()) }
    },
  })),
  ...fetchRuntimes
    .filter(({ name }) => !name.startsWith('workerd')) // has its own test below: it starts slowly
    .map(({ name, start }) => ({ name, start: (options: Options) => start(routes, options) })),
]

const page = 'http://localhost:5173'
const foreign = 'https://app.example.com'
const preflight = (url: string, origin: string, method = 'PUT') => ({
  method: 'OPTIONS',
  url,
  headers: { origin, 'access-control-request-method': method, 'access-control-request-headers': 'x-a' },
})

describe.each(ways)('$name', ({ name, start }) => {
  let running: Running
  afterEach(() => running.close())

  it('lets pages of this machine read the answer, and no others', async () => {
    running = await start({})
    const { send } = running
    const answered = await send({ url: '/a', headers: { origin: page } })
    expect([answered.status, answered.text]).toEqual([200, 'a'])
    expect(answered.headers).toMatchObject({
      'access-control-allow-origin': page,
      'access-control-allow-credentials': 'true',
      vary: 'Origin',
    })
    expect((await send({ url: '/a' })).headers).not.toHaveProperty('access-control-allow-origin')

    const refused = await send({ url: '/a', headers: { origin: foreign } })
    expect(refused.status).toBe(403)
    expect(refused.headers).not.toHaveProperty('access-control-allow-origin')
    expect(JSON.parse(refused.text)).toMatchObject({
      error: { code: 'origin-refused', fix: expect.stringContaining(`["${foreign}"]`) as string },
    })
    const graphql = await send({ method: 'POST', url: '/graphql', headers: { origin: foreign }, body: '{}' })
    expect(JSON.parse(graphql.text)).toMatchObject({ errors: [{ extensions: { code: 'origin-refused' } }] })
  })

  // Next.js calls a handler for the methods that it exports, and OPTIONS is not among them in this test.
  it.skipIf(name.includes('Next.js'))('answers the preflights of those pages, and no other', async () => {
    running = await start({})
    const { send } = running
    const allowed = await send(preflight('/a', page))
    expect([allowed.status, allowed.text]).toEqual([204, ''])
    expect(allowed.headers).toMatchObject({
      'access-control-allow-origin': page,
      'access-control-allow-methods': 'GET, PUT',
      'access-control-allow-headers': 'x-a',
    })
    expect((await send(preflight('/a', foreign))).status).toBe(403)
    for (const request of [preflight('/other', page), preflight('/a', page, 'DELETE')]) {
      const passedOn = await send(request)
      expect(passedOn.headers).toHaveProperty('x-passed-on')
      expect(passedOn.headers).not.toHaveProperty('access-control-allow-origin')
    }
  })

  it('refuses host names of other machines', async () => {
    running = await start({})
    const refused = await running.send({ url: '/a', headers: { host: 'evil.example:3000' } })
    expect(refused.status).toBe(403)
    expect(JSON.parse(refused.text)).toMatchObject({ error: { code: 'host-refused' } })
  })

  it('does not touch requests that no route matches', async () => {
    running = await start({})
    const headers = { origin: foreign, host: 'evil.example' }
    const passedOn = await running.send({ method: 'POST', url: '/other', headers, body: 'x' })
    expect([passedOn.headers['x-passed-on'] !== undefined, passedOn.text]).toEqual([true, 'x'])
    expect(passedOn.headers).not.toHaveProperty('access-control-allow-origin')
    expect(passedOn.headers).not.toHaveProperty('vary')
  })

  it.each<[options: Options, origin: string | undefined]>([
    [{ cors: [foreign], allowedHosts: ['.example'] }, foreign],
    [{ cors: true, allowedHosts: true }, '*'],
    [{ cors: false, allowedHosts: true }, undefined],
  ])('allows other origins and hosts with the option %j', async (options, origin) => {
    running = await start(options)
    const headers = { origin: foreign, host: 'evil.example' }
    const answered = await running.send({ url: '/a', headers })
    expect([answered.status, answered.headers['access-control-allow-origin']]).toEqual([200, origin])
  })

  it('with unmatched: passthrough passes on refused and unmatched requests unchanged', async () => {
    running = await start({ unmatched: 'passthrough' })
    const request = { method: 'POST', url: '/mine', body: '{"a":1}' }
    expect((await running.send({ ...request, headers: { origin: page } })).text).toBe('mine')
    for (const passedOn of [
      await running.send({ ...request, headers: { origin: foreign } }),
      await running.send({ ...request, headers: { host: 'evil.example' } }),
      await running.send({ ...request, headers: { origin: page }, body: '{"a":2}' }),
    ]) {
      expect(passedOn.text).toMatch(/^\{"a":[12]\}$/)
      expect(passedOn.headers).not.toHaveProperty('access-control-allow-origin')
    }
  })
})

it('workerd refuses and allows as the others do', async () => {
  const { start } = fetchRuntimes.find(({ name }) => name === 'workerd')!
  const { send, close } = await start(routes)
  expect((await send({ url: '/a', headers: { origin: page } })).text).toBe('a')
  expect((await send(preflight('/a', page))).headers).toMatchObject({ 'access-control-allow-origin': page })
  for (const request of [preflight('/a', foreign), { url: '/a', headers: { origin: foreign } }])
    expect((await send(request)).status).toBe(403)
  const passedOn = await send({ method: 'POST', url: '/other', headers: { origin: foreign }, body: 'x' })
  expect([passedOn.headers['x-passed-on'] !== undefined, passedOn.text]).toEqual([true, 'x'])
  await close()
})

it('keeps the headers of a CORS middleware in front', async () => {
  const log: string[] = []
  const project = createTestProject({ 'fixtures/a.json': JSON.stringify(routes) })
  const warn = (message: string) => void log.push(message)
  const middleware = createMiddleware({ root: project.root, logger: { info() {}, warn, error: warn } })
  const server = createServer((req, res) => {
    res.setHeader('vary', 'Accept')
    if (req.url === '/a') res.setHeader('access-control-allow-origin', foreign)
    middleware(req, res, () => echo(req, res))
  })
  const send = sendTo(await listen(server))
  const decided = await send({ url: '/a', headers: { origin: foreign } })
  expect([decided.status, decided.headers['access-control-allow-origin']]).toEqual([200, foreign])
  const ours = { method: 'POST', url: '/graphql', body: '{}' }
  expect((await send({ ...ours, headers: { origin: page } })).headers['vary']).toBe('Accept, Origin')
  expect(log).toEqual([])

  for (let times = 0; times < 2; times++) await send({ ...ours, headers: { origin: foreign } })
  expect(log).toEqual([
    expect.stringContaining(`Pages of the origin "${foreign}" are not answered`) as string,
  ])
  await middleware.close()
  await closeServer(server)
  project.close()
})
