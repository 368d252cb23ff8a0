/* Bodies that a middleware in front has read, and bodies that a middleware behind has yet to read. */
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { gzipSync } from 'node:zlib'
import express from 'express'
import { afterEach, describe, expect, it } from 'vitest'
import { createMiddleware, type MiddlewareOptions } from '../../../src/connect.ts'
import { sendRaw } from '../../hosts/raw.ts'
import { chunked, toBytes, type Ask } from '../../hosts/requests/row.ts'
import { closeServer, echo, listen, recorder } from '../../hosts/serve.ts'
import { createTestProject } from '../../hosts/test-project.ts'

const fixture = `
- { method: POST, path: /search, when: { body: { a: é } }, response: { body: found } }
- { path: /graphql, when: { operationName: Mine }, response: { body: { data: {} } } }
`
const text = '{"a":"é"}'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** A server with a middleware in front of ours, and an echo behind it. */
async function serve(
  options: MiddlewareOptions,
  wrap: (middleware: ReturnType<typeof createMiddleware>) => RequestListener,
) {
  const project = createTestProject({ 'fixtures/a.yaml': fixture })
  const { log, logger } = recorder()
  const middleware = createMiddleware({ root: project.root, watch: false, logger, ...options })
  await middleware.ready
  log.length = 0
  const server = createServer(wrap(middleware))
  const origin = await listen(server)
  closers.push(async () => {
    await middleware.close()
    await closeServer(server)
    project.close()
  })
  const send = async (ask: Ask) => (await sendRaw(origin, toBytes(ask)))[0]!
  return { send, log }
}

const search = (body: string | Uint8Array, headers: Record<string, string> = {}): Ask => ({
  method: 'POST',
  target: '/search',
  headers: { 'Content-Type': 'application/json', ...headers },
  body,
})

describe('a body that another middleware has already parsed', () => {
  it.each<[name: string, parser: express.RequestHandler, ask: Ask]>([
    [
      'express.json(), which has decoded it',
      express.json(),
      search(gzipSync(text), { 'Content-Encoding': 'gzip' }),
    ],
    [
      'express.raw(), likewise',
      express.raw({ type: () => true }),
      search(gzipSync(text), { 'Content-Encoding': 'gzip' }),
    ],
    [
      'express.text(), which has read its charset',
      express.text({ type: () => true }),
      search(Buffer.from(text, 'utf16le'), { 'Content-Type': 'text/plain; charset=utf-16le' }),
    ],
  ])('by %s, receives the parsed body', async (_, parser, ask) => {
    const { send } = await serve(
      {},
      (middleware) => express().use(parser, middleware, echo) as RequestListener,
    )
    expect((await send(ask)).text).toBe('found')
  })

  const circle: Record<string, unknown> = {}
  circle['self'] = circle
  it.each<[name: string, body: unknown]>([
    ['nested too deep to be written', JSON.parse('['.repeat(100_000) + ']'.repeat(100_000))],
    ['a circle', circle],
    ['a BigInt', { a: 1n }],
  ])('to %s is refused, and the server keeps running', async (_, body) => {
    const { send, log } = await serve({}, (middleware) => (req, res) => {
      Object.assign(req as IncomingMessage & { body?: unknown }, { body })
      req.on('end', () => middleware(req, res, () => echo(req, res))).resume()
    })
    const response = await send(search(text))
    expect(response.status).toBe(400)
    expect(JSON.parse(response.text)).toMatchObject({ error: { code: 'request-body-malformed' } })
    expect(log).toEqual([expect.stringContaining("The body of POST /search can't be read: ") as string])
  })
})

it('drains a body that is too large and has no content-length', async () => {
  let isDrained = false
  const { send } = await serve({ bodyLimit: 1000 }, (middleware) => (req, res) => {
    req.once('end', () => (isDrained = true))
    middleware(req, res, () => {})
  })
  const body = chunked('é'.repeat(100_000), 999)
  expect((await send(search(body, { 'Transfer-Encoding': 'chunked' }))).status).toBe(413)
  await expect.poll(() => isDrained).toBe(true)
})

describe('a body that is passed on', () => {
  const boundary = 'x'
  const upload = (operationName: string) =>
    `--x\r\ncontent-disposition: form-data; name="operations"\r\n\r\n{"operationName":"${operationName}"}\r\n` +
    `--x\r\ncontent-disposition: form-data; name="0"; filename="a"\r\n\r\n${'é'.repeat(40_000)}\r\n--x--\r\n`
  const type = `multipart/form-data; boundary=${boundary}`
  const post = (body: string, headers = {}): Ask => ({
    method: 'POST',
    target: '/graphql',
    headers: { 'Content-Type': type, ...headers },
    body,
  })

  it('can be read completely after a while', async () => {
    const { send } = await serve({ unmatched: 'passthrough' }, (middleware) => (req, res) => {
      middleware(req, res, () => echo(req, res))
    })
    // An upload is read in later turns of the event loop.
    expect((await send(post(upload('Mine')))).text).toBe('{"data":{}}')
    const theirs = upload('Theirs')
    const response = await send(post(theirs))
    expect([response.status, response.text === theirs]).toEqual([200, true])
  })

  it('is complete when it is too large and has no content-length', async () => {
    const { send, log } = await serve(
      { unmatched: 'passthrough', bodyLimit: 1000 },
      (middleware) => (req, res) => {
        middleware(req, res, () => echo(req, res))
      },
    )
    const body = 'é'.repeat(100_000)
    const response = await send(search(chunked(body, 999), { 'Transfer-Encoding': 'chunked' }))
    expect([response.status, response.text === body]).toEqual([200, true])
    expect(log).toEqual([])
  })

  it('is unchanged when it is malformed', async () => {
    const { send, log } = await serve({ unmatched: 'passthrough' }, (middleware) => (req, res) => {
      middleware(req, res, () => echo(req, res))
    })
    for (const body of ['{"a":', '{{template}}']) expect((await send(search(body))).text).toBe(body)
    expect(log).toEqual([])
  })
})
