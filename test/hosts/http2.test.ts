import { connect, createServer, type Http2Server, type OutgoingHttpHeaders } from 'node:http2'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createMiddleware } from '../../src/connect.ts'
import { createTestProject } from './test-project.ts'

/* A dev server with https speaks HTTP/2, whose requests look like Node's own but are not quite. */

const fixture = `
- path: /mine
  method: POST
  when: { body: { a: 1 } }
  response: { body: mine, headers: { set-cookie: [a=1, b=2] } }
`
const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function start(unmatched: 'error' | 'passthrough'): Promise<string> {
  const project = createTestProject({ 'fixtures/a.yaml': fixture })
  const logger = { info() {}, warn() {}, error() {} }
  const middleware = createMiddleware({ root: project.root, logger, unmatched, watch: false })
  const server: Http2Server = createServer((req, res) =>
    middleware(req as unknown as IncomingMessage, res as unknown as ServerResponse, () => req.pipe(res)),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(async () => {
    await middleware.close()
    await new Promise((resolve) => server.close(resolve))
    project.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function post(origin: string, body: string) {
  return ask(origin, { ':method': 'POST', ':path': '/mine', 'content-type': 'application/json' }, body)
}

function ask(origin: string, asked: OutgoingHttpHeaders, body?: string) {
  return new Promise<{ status: number; text: string; cookies: unknown }>((resolve, reject) => {
    const session = connect(origin)
    const stream = session.request(asked)
    let status = 0
    let cookies: unknown
    let text = ''
    stream.setEncoding('utf8')
    stream.on('response', (headers) => {
      status = headers[':status']!
      cookies = headers['set-cookie']
    })
    stream.on('data', (chunk: string) => (text += chunk)).on('error', reject)
    stream.on('end', () => {
      session.close()
      resolve({ status, text, cookies })
    })
    stream.end(body)
  })
}

describe.each(['error', 'passthrough'] as const)('HTTP/2 with unmatched: %s', (unmatched) => {
  it('answers by the body, with repeated headers', async () => {
    const response = await post(await start(unmatched), '{"a":1}')
    expect(response).toEqual({ status: 200, text: 'mine', cookies: ['a=1', 'b=2'] })
  })

  it.each([0, 10, 300_000])('what fits no route, with a body of %i bytes', async (size) => {
    const body = size === 0 ? '' : JSON.stringify('x'.repeat(size - 2))
    const { status, text } = await post(await start(unmatched), body)
    if (unmatched === 'error') expect([status, text.includes('route-unmatched')]).toEqual([404, true])
    else expect([status, text === body]).toEqual([200, true])
  })
})

it('a page that is opened with ?mock-scenario= sets the cookie over HTTP/2, too', async () => {
  const page = { ':path': '/?mock-scenario=payment-down', accept: 'text/html' }
  const cookies = ['mock-scenario=payment-down; Path=/; SameSite=Lax']
  expect(await ask(await start('error'), page)).toMatchObject({ status: 200, cookies })
})
