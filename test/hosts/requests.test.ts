/* Tests every row of docs/requests.md, and generates that page. */
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { format, resolveConfig } from 'prettier'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFetchHandler, type FetchOptions } from '../../src/fetch.ts'
import { hostsNamed, startOnce, type Host, type RunningHost } from './hosts.ts'
import { openRaw, type RawResponse } from './raw.ts'
import { openHttp2 } from './raw-http2.ts'
import { fixtures, routes } from './requests/fixtures.ts'
import { pageOf } from './requests/page.ts'
import { plain, toBytes, type Ask, type Expected, type Row, type TestedServer } from './requests/row.ts'
import { bodies } from './requests/bodies.ts'
import { encodings, passthrough } from './requests/encodings.ts'
import { framing } from './requests/framing.ts'
import { graphql } from './requests/graphql.ts'
import { pages } from './requests/pages.ts'
import { targets } from './requests/targets.ts'
import { http2 } from './requests/http2.ts'
import { closeServer, echo, listen, recorder } from './serve.ts'
import { inThisRun } from './this-run.ts'
import { tlsHosts } from './tls-hosts.ts'

interface TestedHost extends Host {
  speaksHttp2?: boolean
  /** Whether every row is tested over HTTP/1.1; otherwise only those that depend on the host. Over HTTP/2, all are. */
  inFull?: boolean
}

const groups = [framing, http2, targets, pages, bodies, encodings, graphql, passthrough]
const rows: Row[] = groups.flatMap((group) => group.rows)
const ofHosts = [targets, pages, bodies].flatMap((group) => group.rows).filter(({ run }) => !run)
const [viteOverTls, ...othersOverTls] = tlsHosts as [TestedHost, ...TestedHost[]]
const testedHosts = inThisRun<TestedHost>({
  quick: [
    ...hostsNamed('node:http').map((host) => ({ ...host, inFull: true })),
    ...hostsNamed('Vite 8 dev', 'webpack-dev-server 6, Node API', 'Rspack dev', 'Rsbuild dev'),
    viteOverTls,
  ],
  slow: [{ ...viteOverTls, inFull: true }, ...othersOverTls],
})
const asked = rows.filter(({ asks }) => asks)
const passing = rows.filter(({ passedOn }) => passedOn)

it('docs/requests.md is generated from the rows', async () => {
  const page = fileURLToPath(new URL('../../docs/requests.md', import.meta.url))
  const options = { ...(await resolveConfig(page)), parser: 'markdown' }
  await expect(await format(pageOf(groups), options)).toMatchFileSnapshot(page)
})

describe.each(testedHosts)('$name', (host) => {
  const upstream = createServer(echo)
  let upstreamOrigin: string
  beforeAll(async () => {
    upstreamOrigin = await listen(upstream)
  })
  afterAll(() => closeServer(upstream))
  const running = startOnce(host, fixtures)

  const tried = host.inFull ? rows : ofHosts
  const own = tried.filter(({ not }) => !(host.speaksHttp2 && not?.includes('http2 server')))
  it.each(own.filter(({ bytes, asks, run }) => bytes ?? asks ?? run))('$request', async (row) => {
    const server = testedServer(running)
    await row.run?.(server)
    const all = [...(row.asks ?? []).map(toBytes), ...(row.bytes ?? [])]
    for (const bytes of all) await tryBytes(server, bytes, row)
    await expectAlive(server, row, all.length)
  })

  if (host.speaksHttp2) {
    it.each(rows.filter(({ asks, not }) => asks && !not?.includes('http2')))(
      '$request, over HTTP/2',
      async (row) => {
        const server = testedServer(running)
        const connection = openHttp2(running.origin)
        for (const ask of row.asks!) expectAnswer(await connection.send(ask), row.expected![0]!)
        expect((await connection.send({ target: '/plain' }))?.text).toBe('plain')
        await connection.close()
        await expectAlive(server, row, row.asks!.length)
      },
    )
    it.each(http2.rows)('$request', (row) =>
      row.runHttp2(() => openHttp2(running.origin), testedServer(running)),
    )
  }

  describe('with unmatched: passthrough', () => {
    const running = startOnce(host, fixtures, () => ({
      options: { unmatched: 'passthrough' },
      upstream: upstreamOrigin,
    }))

    it.each(passing)('$request', async ({ passedOn }) => {
      const server = testedServer(running)
      for (const ask of passedOn!) {
        const connection = await server.open()
        connection.write(toBytes(ask))
        expectSame(await connection.next(), ask)
        connection.reset()
      }
      expect(server.logged()).toEqual([])
    })

    if (host.speaksHttp2) {
      it.each(passing)('$request, over HTTP/2', async ({ passedOn }) => {
        const connection = openHttp2(running.origin)
        for (const ask of passedOn!) expectSame(await connection.send(ask), ask)
        await connection.close()
        expect(testedServer(running).logged()).toEqual([])
      })
    }
  })
})

describe('the fetch handler', () => {
  function handler(options: FetchOptions = {}) {
    const { log, logger } = recorder()
    return { handle: createFetchHandler(routes, { logger, ...options }), log }
  }
  const toRequest = ({ method = 'GET', target, headers = {}, body }: Ask) =>
    new Request(`http://localhost${target}`, {
      method,
      headers,
      ...(body !== undefined && { body: Buffer.from(body) }),
    })

  it.each(asked.filter(({ not }) => !not?.includes('fetch')))('$request', async (row) => {
    const { handle, log } = handler()
    for (const ask of row.asks!) {
      const response = (await handle(toRequest(ask)))!
      const { status, headers } = response
      const answer = { status, headers: Object.fromEntries(headers), text: await response.text() }
      expectAnswer(answer, row.expected![0]!)
    }
    expectLogged(log, row, row.asks!.length)
  })

  it.each(passing)('$request', async ({ passedOn }) => {
    const { handle, log } = handler({ unmatched: 'passthrough' })
    for (const ask of passedOn!) {
      const request = toRequest(ask)
      expect(await handle(request)).toBeUndefined()
      expectSame({ bytes: Buffer.from(await request.arrayBuffer()) }, ask)
    }
    expect(log).toEqual([])
  })
})

function testedServer({ origin, log }: RunningHost): TestedServer {
  const before = log.length
  return {
    open: () => openRaw(origin),
    async isAlive() {
      const connection = await openRaw(origin)
      connection.write(plain)
      const response = await connection.next()
      connection.reset()
      return response?.text === 'plain'
    },
    logged: () =>
      log
        .slice(before)
        .filter(
          (line) =>
            / Fix: .* \[[a-z-]+\]/.test(line) && !/\[(?:route-similar|request-path-malformed)\]/.test(line),
        ),
  }
}

async function tryBytes(server: TestedServer, bytes: string | Uint8Array, row: Row): Promise<void> {
  const connection = await server.open()
  connection.write(bytes)
  for (const expected of row.expected!) expectAnswer(await connection.next(), expected)
  // The server continues at the right byte: the next request on the connection is answered correctly.
  if (!row.closes) connection.write(plain)
  const next = await connection.next()
  expect(next?.text).toBe(row.closes ? undefined : 'plain')
  connection.reset()
}

function expectAnswer(answer: Omit<RawResponse, 'bytes'> | undefined, expected: Expected): void {
  if (expected.status === 'host') return expect(answer?.headers['x-mock-route']).toBeUndefined()
  expect(answer?.status).toBe(expected.status)
  const { text, headers } = answer!
  if (expected.without !== undefined) expect(text).not.toContain(expected.without)
  if (typeof expected.body === 'string') expect(text).toBe(expected.body)
  else if (expected.body) expect(JSON.parse(text)).toMatchObject(expected.body)
  for (const [name, value] of Object.entries(expected.headers ?? {})) {
    if (value instanceof RegExp) expect(headers[name]).toMatch(value)
    else expect(headers[name]).toBe(value)
  }
}

async function expectAlive(server: TestedServer, row: Row, count: number): Promise<void> {
  expect(await server.isAlive()).toBe(true)
  expectLogged(server.logged(), row, count)
}

function expectLogged(log: string[], { logged, expected }: Row, count: number): void {
  for (const { without } of expected ?? [])
    if (without !== undefined) expect(log.join()).not.toContain(without)
  const lines = Array.from(
    { length: logged ? count : 0 },
    () => expect.stringContaining(`[${logged}]`) as string,
  )
  // That a host answers with a page is said for what no route answers.
  expect(log.filter((line) => !line.includes('[request-unanswered]'))).toEqual(lines)
}

function expectSame(answer: { bytes: Buffer } | undefined, { body }: Ask): void {
  expect(answer?.bytes.equals(Buffer.from(body!))).toBe(true) // toEqual can't print a difference of this size
}
