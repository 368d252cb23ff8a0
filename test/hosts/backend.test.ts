/* Answers of the backend: the proxies of the hosts, what comes back through them, and recordings of it. */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Options } from '../../src/core/options/options.ts'
import { allHosts, hosts, startFor } from './hosts.ts'
import { serve } from './of-test.ts'
import { closeServer, echo, listen } from './serve.ts'
import { inThisRun } from './this-run.ts'

const fixture = `
- { method: POST, path: /upstream/orders, when: { body: { id: 7 } }, response: { from: backend, patch: { id: 8 }, status: 201 } }
- { method: POST, path: /upstream/orders, response: { from: backend } }
- { path: /upstream/broken, response: { from: backend } }
- { path: /upstream/coded, response: { from: backend, patch: { list.0: null }, headers: { x-more: yes } } }
- { path: /elsewhere, response: { from: backend } }
- { path: /graphql, when: { operationName: Mocked }, response: { body: { data: { a: mocked } } } }
- { path: /graphql, response: { from: backend, patch: { query: patched } } }
`
const json = { 'content-type': 'application/json' }

/** Answers POST with the request's body, and GET with JSON in the coding that is asked for. */
function answer(req: IncomingMessage, res: ServerResponse): void {
  if (req.url === '/api/gone') {
    res.writeHead(404, json)
    return void res.end('{"code":"gone"}')
  }
  if (req.url === '/upstream/switch')
    return void req.socket.write(
      'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
    )
  if (req.url === '/upstream/busy') {
    res.writeHead(503, { 'content-type': 'text/plain', 'retry-after': '7' })
    return void res.end('busy')
  }
  if (req.url === '/upstream/broken') {
    res.writeHead(200, { ...json, 'content-length': 20 })
    return void res.write('{"a":1', () => res.destroy())
  }
  if (/^\/(?:api|upstream)\/list/.test(req.url!)) {
    res.writeHead(200, json)
    const self = req.url!.startsWith('/upstream') ? `http://${req.headers.host}${req.url}` : undefined
    return void res.end(JSON.stringify({ url: req.url, self }))
  }
  if (req.method === 'POST') {
    res.setHeader('content-type', 'application/json')
    return echo(req, res)
  }
  const coding = new URL(req.url!, 'http://a').searchParams.get('coding') ?? ''
  const text = JSON.stringify({
    list: [1, 2],
    accepts: req.headers['accept-encoding'],
    range: req.headers.range,
  })
  const encode =
    { gzip: gzipSync, br: brotliCompressSync, deflate: deflateSync }[coding] ??
    ((given: string) => Buffer.from(given))
  res.writeHead(200, { ...json, etag: '"1"', ...(coding && { 'content-encoding': coding }) })
  const bytes = encode(text)
  for (let at = 0; at < bytes.length; at += 10) res.write(bytes.subarray(at, at + 10))
  res.end()
}

let stopBackend: () => Promise<void>
async function startBackend(): Promise<string> {
  const backend = createServer(answer)
  let stopped: Promise<void> | undefined
  stopBackend = () => (stopped ??= closeServer(backend))
  onTestFinished(stopBackend)
  return listen(backend)
}
const files = { 'fixtures/a.yaml': fixture }

const onFirstPages = `
- { path: /upstream/list, when: { query: { page: '1' } }, response: { body: { url: 1, self: null } } }
- { path: /upstream/items, when: { query: { page: '1' } }, response: { body: { list: [a, b], accepts: a } } }
`

describe.each(hosts)('$name', (host) => {
  it('compares fixtures with what the backend answers, asked and unasked', async () => {
    const upstream = await startBackend()
    // The proxy of the host says where the backend is.
    const record = { enabled: false, compare: true, ...(!host.hasHtmlFallback && { target: upstream }) }
    const options: Options = { inspector: { preview: true }, record, unmatched: 'passthrough' }
    const start = { upstream, options }
    const { send } = await startFor(host, { 'fixtures/a.yaml': onFirstPages }, start)
    expect((await send({ url: '/upstream/list?page=1' })).text).toBe('{"url":1,"self":null}')
    const passed = await send({ url: '/upstream/items?page=2&coding=br' })
    if (host.hasHtmlFallback) expect(passed.status).toBe(200)
    const found = async () => {
      const { text } = await send({ url: '/__mock-api/api/reality' })
      const { differences } = JSON.parse(text) as { differences: { id: string; severity: string }[] }
      return differences.flatMap(({ id, severity }) => (severity === 'error' ? id : []))
    }
    const throughProxy = host.hasHtmlFallback ? ['GET /upstream/items type list.*'] : []
    await expect
      .poll(async () => (await found()).sort())
      .toEqual([...throughProxy, 'GET /upstream/list type url'])
  })

  it('changes what the backend answers, and records it', async () => {
    const target = await startBackend()
    // Hosts without a proxy send to the target, and their next handler answers everything.
    const start = host.hasHtmlFallback
      ? { upstream: target, options: { inspector: { preview: true } } }
      : { options: { record: { target, enabled: false, include: ['/api/**', '/upstream/**'] } } }
    const { send } = await startFor(host, files, start)
    const post = (url: string, body: unknown) =>
      send({ method: 'POST', url, headers: json, body: JSON.stringify(body) })
    const changed = await post('/upstream/orders', { id: 7, name: 'Ångström' })
    expect([changed.status, JSON.parse(changed.text)]).toEqual([201, { id: 8, name: 'Ångström' }])
    const long = { id: 1, text: 'long '.repeat(50_000) }
    expect(JSON.parse((await post('/upstream/orders', long)).text)).toEqual(long)
    const broken = await send({ url: '/upstream/broken' })
    expect([broken.status, JSON.parse(broken.text)]).toMatchObject([502, { error: { code: 'backend-unreachable' } }]) // prettier-ignore
    if (host.hasHtmlFallback) {
      const elsewhere = await send({ url: '/elsewhere' })
      expect([elsewhere.status, JSON.parse(elsewhere.text)]).toMatchObject([
        502,
        { error: { code: 'backend-unknown', place: 'fixtures/a.yaml:6:3' } },
      ])
    }
    const coded = await send({
      url: '/upstream/coded?coding=br',
      headers: { 'if-none-match': '"1"', range: 'bytes=0-1' },
    })
    expect(JSON.parse(coded.text)).toMatchObject({ list: [null, 2] })
    expect(coded.headers).toMatchObject({ 'x-more': 'yes' })
    expect(coded.headers).not.toHaveProperty('etag')
    const batch = ['One', 'Mocked', 'Two'].map((name) => ({
      operationName: name,
      query: `query ${name} { a }`,
    }))
    expect(JSON.parse((await post('/graphql', batch)).text)).toEqual([
      { operationName: 'One', query: 'patched' },
      { data: { a: 'mocked' } },
      { operationName: 'Two', query: 'patched' },
    ])
    const control = (body: object) =>
        send({ method: 'PUT', url: '/__mock-api/api/record', headers: { ...json, 'x-mock-api': '1' }, body: JSON.stringify(body) }) // prettier-ignore
    const ask = async () => {
      const answers = [
        await send({ url: '/api/list?a=1' }),
        await send({ url: '/api/list?a=2' }),
        await post('/api/orders', { name: 'new' }),
        await post('/upstream/others', { name: 'proxied' }),
        await send({ url: '/api/gone' }),
      ]
      return answers.map(({ status, text }) => [status, text])
    }
    const own = await send({ url: '/main.js' })
    expect((await control({ recording: true, target })).status).toBe(200)
    const recorded = await ask()
    expect(recorded.map(([status]) => status)).toEqual([200, 200, 200, 200, 404])
    // The dev server's own files are not the backend's.
    if (own.text.includes('the app')) expect((await send({ url: '/main.js' })).text).toBe(own.text)
    const result = JSON.parse((await control({ recording: false })).text) as { files: string[] }
    const names = ['api-gone', 'api-list', 'api-orders.post', 'upstream-others.post']
    expect(result).toMatchObject({ recording: false, answers: 5, files: names.map((name) => `fixtures/recorded/${name}.yaml`) }) // prettier-ignore
    await stopBackend()
    expect(await ask()).toEqual(recorded)
    const down = await post('/upstream/orders', { id: 7 })
    expect([down.status, JSON.parse(down.text)]).toMatchObject([
      502,
      { error: { code: 'backend-unreachable' } },
    ])
  })
})

/** Each request waits until the files have the one before, as requests of people do. */
const withProxy = allHosts.filter(({ hasHtmlFallback }) => hasHtmlFallback)
const newestDev = hosts.filter((host) => withProxy.includes(host) && !host.name.includes('preview'))
const others = withProxy.filter((host) => !newestDev.includes(host))
describe.each(inThisRun({ quick: newestDev, slow: others }))('the own proxy of $name', (host) => {
  it('gets operations whose answers go wrong', async () => {
    const { send } = await startFor(
      host,
      { 'fixtures/a.yaml': '- { path: /a, response: { body: {} } }' },
      { upstream: await startBackend(), options: { inspector: { preview: true } } },
    )
    const headers = { ...json, 'x-mock-api': '1' }
    const body = JSON.stringify({ query: 'query Hero { hero }', data: { hero: 'Luke' } })
    const ask = async () => JSON.parse((await send({ method: 'POST', url: '/graphql', headers: json, body })).text) as object // prettier-ignore
    await send({ url: '/__mock-api/api/requests?passed=true' })
    expect(await ask()).toHaveProperty('data.hero', 'Luke')
    const { text } = await send({ url: '/__mock-api/api/requests?passed=true' })
    const { requests } = JSON.parse(text) as { requests: object[] }
    expect(requests[0]).toMatchObject({ answeredBy: 'passed-on', operationName: 'Hero' })
    const override = JSON.stringify({ sadPath: 'POST /graphql Hero #null hero' })
    await send({ method: 'PUT', url: '/__mock-api/api/overrides', headers, body: override })
    expect(await ask()).toMatchObject({ data: { hero: null }, errors: [{ path: ['hero'] }] })
  })

  it('is recorded request by request, twice', async () => {
    const upstream = await startBackend()
    const { send, log, project, origin } = await startFor(
      host,
      {},
      { upstream, options: { inspector: { preview: true } } },
    )
    const control = async (recording: boolean) =>
      JSON.parse((await send({ method: 'PUT', url: '/__mock-api/api/record', headers: { ...json, 'x-mock-api': '1' }, body: JSON.stringify({ recording }) })).text) as object // prettier-ignore
    const pages = [1, 2, 3].map((page) => `/upstream/list?page=${page}`)
    const path = join(project.root, 'fixtures/recorded/upstream-list.yaml')
    const stored = () => existsSync(path) && readFileSync(path, 'utf8')
    const ask = async (url: string) => JSON.parse((await send({ url })).text) as unknown
    for (let again = 0; again < 2; again++) {
      await control(true)
      for (const url of pages) {
        expect(await ask(url)).toMatchObject({ url })
        await expect.poll(stored, { timeout: 5000 }).toContain(url)
      }
      const files = ['fixtures/recorded/upstream-list.yaml']
      expect(await control(false)).toMatchObject({ answers: 3, files })
    }
    await control(true)
    const busy = await send({ url: '/upstream/busy' })
    expect([busy.status, busy.text, busy.headers['retry-after']]).toEqual([503, 'busy', '7'])
    const unreachable = async (url: string) => {
      const { status, text } = await send({ url })
      expect([status, JSON.parse(text)], url).toMatchObject([502, { error: { code: 'backend-unreachable' } }])
    }
    await unreachable('/upstream/switch')
    await stopBackend()
    await unreachable('/upstream/other')
    expect(await control(false)).toMatchObject({ answers: 1 })
    for (const url of pages) expect(await ask(url)).toEqual({ url, self: origin + url })
    expect((await send({ url: '/upstream/list?page=4' })).status).toBe(404)
    expect(log.filter((line) => line.includes('not recorded'))).toEqual([])
  })
})

it.each(['gzip', 'br', 'deflate', ''])('an answer in the coding %j is changed', async (coding) => {
  const { send } = await serve(files, { record: { target: await startBackend(), enabled: false } })
  const { text } = await send({ url: `/upstream/coded?coding=${coding}` })
  const accepts: unknown = expect.stringContaining('gzip')
  expect(JSON.parse(text)).toMatchObject({ list: [null, 2], accepts })
})

it('a second recording takes the place of the first, and says so', async () => {
  const record = { target: await startBackend(), enabled: false, include: '/api/**' }
  const { send, log } = await serve(files, { record, watch: true })
  const headers = { 'content-type': 'application/json', 'x-mock-api': '1' }
  const switchTo = (recording: boolean) =>
    send({ method: 'PUT', url: '/__mock-api/api/record', headers, body: JSON.stringify({ recording }) })
  for (const url of ['/api/list?a=1', '/api/list?a=1', '/api/list?a=2']) {
    await switchTo(true)
    await send({ url })
    const foreign = await send({ url, headers: { origin: 'https://evil.example' } })
    expect(foreign.headers, 'a page of another site does not reach the backend').toHaveProperty('x-passed-on')
    await switchTo(false)
  }
  expect(log.flatMap((line) => /recorded fixtures.*/.exec(line)?.[0] ?? [])).toEqual([
    'recorded fixtures/recorded/api-list.yaml',
    'recorded fixtures/recorded/api-list.yaml, in place of the recording before',
  ])
})

it('records the rest where a file can not be written, says which, and tries it again', async () => {
  const record = { target: await startBackend(), enabled: false, include: '/api/**' }
  const { send, log, project } = await serve({ 'fixtures/recorded/api-list.yaml/a.txt': '' }, { record })
  const headers = { 'content-type': 'application/json', 'x-mock-api': '1' }
  const switchTo = async (recording: boolean) =>
    JSON.parse(
      (
        await send({
          method: 'PUT',
          url: '/__mock-api/api/record',
          headers,
          body: JSON.stringify({ recording }),
        })
      ).text,
    ) as { files: string[]; omitted: { where: string; why: string }[] }
  const names = ['a', 'list', 'z']
  const all = names.map((name) => `fixtures/recorded/api-${name}.yaml`)
  const record3 = async (isMended: boolean) => {
    await switchTo(true)
    for (const name of names) await send({ url: `/api/${name}` })
    await expect.poll(() => log.join('\n')).toContain('the file fixtures/recorded/api-list.yaml')
    if (isMended) rmSync(join(project.root, all[1]!), { recursive: true })
    return switchTo(false)
  }
  const { files, omitted } = await record3(false)
  expect(files).toEqual([all[0], all[2]])
  const why = expect.stringMatching(/^EISDIR.*\. Check the disk, the folder and its permissions\.$/) as string
  expect(omitted).toContainEqual(expect.objectContaining({ where: all[1], why }))
  expect(log.at(-1)).toMatch(/recorded 3 answers in 2 files, .*; 1 file could not be written$/)
  expect((await record3(true)).files).toEqual(all)
})
