/* Random bytes that are nearly HTTP, sent to a live server: it survives, and answers what it can. */
import { createServer, type Server } from 'node:http'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMiddleware, type MockMiddleware } from '../../src/connect.ts'
import { openRaw, type RawResponse } from '../hosts/raw.ts'
import { fixtures } from '../hosts/requests/fixtures.ts'
import { plain } from '../hosts/requests/row.ts'
import { closeServer, echo, listen, recorder } from '../hosts/serve.ts'
import { createTestProject } from '../hosts/test-project.ts'
import { cutAt, cuts, damaged, framed, validRequest, type ValidRequest } from './raw-http-arbitraries.ts'
import { patience, sampling } from '../sampling.ts'

/** The statuses that random bytes may get. 500 is not one of them: it would be our mistake. */
const possible = [100, 200, 204, 400, 403, 404, 405, 406, 408, 413, 415, 417, 431]

/** Bytes that have crashed this package or a similar one. */
const found: { why: string; bytes: string }[] = [
  { why: 'an asterisk is no path', bytes: 'OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n' },
  {
    why: 'an origin alone has no path either',
    bytes: 'GET http://localhost HTTP/1.1\r\nHost: localhost\r\n\r\n',
  },
  {
    why: 'lists in lists, deeper than the stack',
    bytes: `POST /select HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60010\r\n\r\n{"lists":${'['.repeat(30_000)}${']'.repeat(30_000)}}`,
  },
  {
    why: 'an encoding that is named like a part of every object',
    bytes:
      'POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Encoding: __proto__, constructor\r\nContent-Length: 2\r\n\r\n{}',
  },
]

const project = createTestProject(fixtures)
const uncaught: unknown[] = []
const note = (error: unknown) => void uncaught.push(error)

beforeAll(() => {
  process.on('uncaughtException', note).on('unhandledRejection', note)
})
afterAll(() => {
  process.off('uncaughtException', note).off('unhandledRejection', note)
  project.close()
})

describe.each(['error', 'passthrough'] as const)('with unmatched: %s', (unmatched) => {
  const { log, logger } = recorder()
  let middleware: MockMiddleware
  let server: Server
  let origin: string
  beforeAll(async () => {
    middleware = createMiddleware({ root: project.root, logger, unmatched, watch: false })
    await middleware.ready
    server = createServer((req, res) => middleware(req, res, () => echo(req, res)))
    origin = await listen(server)
  })
  afterAll(async () => {
    await middleware.close()
    await closeServer(server)
  })

  async function expectAlive(): Promise<void> {
    const connection = await openRaw(origin)
    connection.write(plain)
    expect(await connection.next()).toMatchObject({ status: 200, text: 'plain' })
    connection.reset()
    expect(uncaught).toEqual([])
    expect(log.filter((line) => line.includes('[function-failed]'))).toEqual([])
    log.length = 0
  }

  /** The statuses of all answers. (Which of them have a body depends on the request.) */
  async function statusesOf(pieces: readonly Uint8Array[], leave: 'end' | 'reset'): Promise<number[]> {
    const connection = await openRaw(origin)
    for (const piece of pieces) {
      connection.write(piece)
      await new Promise((resolve) => setImmediate(resolve))
    }
    await new Promise((resolve) => setImmediate(resolve)) // so that complete requests are answered
    connection[leave]()
    const answers = await connection.rest()
    await connection.closed
    return [...answers.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
  }

  it(
    'valid requests are answered correctly and in order, however their bytes are split',
    async () => {
      const property = fc.asyncProperty(
        fc.array(validRequest, { minLength: 1, maxLength: 5 }),
        cuts,
        async (requests, places) => {
          const connection = await openRaw(origin)
          const whole = Buffer.concat(requests.map(({ bytes }) => bytes))
          for (const piece of cutAt(whole, places)) {
            connection.write(piece)
            await new Promise((resolve) => setImmediate(resolve))
          }
          for (const request of requests) expectAnswer(await connection.next(), request, unmatched)
          connection.reset()
        },
      )
      await fc.assert(property, sampling(7))
      await expectAlive()
    },
    patience,
  )

  it(
    'a correctly framed request is answered once, whatever it contains',
    async () => {
      const property = fc.asyncProperty(framed, cuts, async (bytes, places) => {
        const connection = await openRaw(origin)
        for (const piece of cutAt(bytes, places)) {
          connection.write(piece)
          await new Promise((resolve) => setImmediate(resolve))
        }
        let response = await connection.next()
        if (response?.status === 100) response = await connection.next()
        expect(possible).toContain(response?.status)
        connection.write(plain)
        expect(await connection.next()).toMatchObject({ status: 200, text: 'plain' })
        connection.reset()
      })
      await fc.assert(property, sampling(10))
      await expectAlive()
    },
    patience,
  )

  it(
    'any bytes: the server keeps running, and answers the next request',
    async () => {
      const leave = fc.constantFrom<('end' | 'reset')[]>('end', 'end', 'reset')
      const property = fc.asyncProperty(damaged, cuts, leave, async (bytes, places, how) => {
        for (const status of await statusesOf(cutAt(bytes, places), how)) expect(possible).toContain(status)
        await expectAlive()
      })
      await fc.assert(property, sampling(13))
    },
    patience,
  )

  it.each(found)('found before: $why', async ({ bytes }) => {
    for (const status of await statusesOf([Buffer.from(bytes, 'latin1')], 'end'))
      expect(possible).toContain(status)
    await expectAlive()
  })
})

function expectAnswer(
  response: RawResponse | undefined,
  { expected, bytes }: ValidRequest,
  unmatched: string,
): void {
  if (expected.status === 404 && unmatched === 'passthrough') {
    const body = Buffer.from(bytes).subarray(Buffer.from(bytes).indexOf('\r\n\r\n') + 4)
    return expect(response).toMatchObject({ status: 200, text: body.toString() })
  }
  expect(response?.status).toBe(expected.status)
  if (expected.text !== undefined) expect(response?.text).toBe(expected.text)
  if (expected.read !== undefined) expect(JSON.parse(response!.text)).toMatchObject({ read: expected.read })
}
