/* Bodies that a middleware in front has read, and bodies that a middleware behind has yet to read. */
import type { IncomingMessage, RequestListener } from 'node:http'
import { gzipSync } from 'node:zlib'
import express from 'express'
import { describe, expect, it } from 'vitest'
import type { MiddlewareOptions } from '../../../src/connect.ts'
import { sendRaw } from '../../hosts/raw.ts'
import { chunked, toBytes, type Ask } from '../../hosts/requests/row.ts'
import { serve } from '../../hosts/of-test.ts'
import { echo } from '../../hosts/serve.ts'

const fixture = `
- { method: POST, path: /search, when: { body: { a: é } }, response: { body: found } }
- { path: /graphql, when: { operationName: Mine }, response: { body: { data: {} } } }
`
const text = '{"a":"é"}'

/** A server with a middleware in front of ours. */
async function serveBodies(options: MiddlewareOptions = {}, wrap?: Parameters<typeof serve>[2]) {
  const { origin, log } = await serve({ 'fixtures/a.yaml': fixture }, options, wrap)
  log.length = 0
  const told = () => log.filter((line) => !line.includes('inspector:'))
  return { told, send: async (ask: Ask) => (await sendRaw(origin, toBytes(ask)))[0]! }
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
  ])('by %s, receives the parsed body, mounted below a path too', async (_, parser, ask) => {
    const { send } = await serveBodies(
      {},
      (middleware) => express().use(parser).use('/api', middleware).use(middleware, echo) as RequestListener,
    )
    expect((await send(ask)).text).toBe('found')
    expect((await send({ ...ask, target: '/api/search?x=1' })).text).toBe('found')
  })

  const circle: Record<string, unknown> = {}
  circle['self'] = circle
  it.each<[name: string, body: unknown]>([
    ['nested too deep to be written', JSON.parse('['.repeat(100_000) + ']'.repeat(100_000))],
    ['a circle', circle],
    ['a BigInt', { a: 1n }],
  ])('to %s is refused, and the server keeps running', async (_, body) => {
    const { send, told } = await serveBodies({}, (middleware) => (req, res) => {
      Object.assign(req as IncomingMessage & { body?: unknown }, { body })
      req.on('end', () => middleware(req, res, () => echo(req, res))).resume()
    })
    const response = await send(search(text))
    expect(response.status).toBe(400)
    expect(JSON.parse(response.text)).toMatchObject({ error: { code: 'request-body-malformed' } })
    expect(told()).toEqual([expect.stringContaining('[request-body-malformed]')])
  })
})

it('drains a body that is too large and has no content-length', async () => {
  let isDrained = false
  const { send } = await serveBodies({ bodyLimit: 1000 }, (middleware) => (req, res) => {
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
    const { send } = await serveBodies({ unmatched: 'passthrough' })
    // An upload is read in later turns of the event loop.
    expect((await send(post(upload('Mine')))).text).toBe('{"data":{}}')
    const theirs = upload('Theirs')
    const response = await send(post(theirs))
    expect([response.status, response.text === theirs]).toEqual([200, true])
  })

  it('is complete when it is too large and has no content-length', async () => {
    const { send, told } = await serveBodies({ unmatched: 'passthrough', bodyLimit: 1000 })
    const body = 'é'.repeat(100_000)
    const response = await send(search(chunked(body, 999), { 'Transfer-Encoding': 'chunked' }))
    expect([response.status, response.text === body]).toEqual([200, true])
    expect(told()).toEqual([])
  })

  it('is unchanged when it is malformed', async () => {
    const { send, told } = await serveBodies({ unmatched: 'passthrough' })
    for (const body of ['{"a":', '{{template}}']) expect((await send(search(body))).text).toBe(body)
    expect(told()).toEqual([])
  })
})
