/*
 * What `unplugin-mock-api bundle` writes, in Cloudflare's own runtime: three instances give the same answers as a server with
 * the same files, byte for byte. Needs `npm run build`, since a bundle is made of the built package.
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { Miniflare, type MiniflareOptions } from 'miniflare'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMiddleware } from '../../src/connect.ts'
import { sendTo } from '../http.ts'
import { closeServer, listen } from '../hosts/serve.ts'
import { createProjectInPackage, type TestProject } from '../hosts/test-project.ts'
import { askRows, byRow, fixtures, picture, rows } from '../installed/rows.ts'
import { runIn } from './test-terminal.ts'

let project: TestProject
const workers: Miniflare[] = []
const origins: string[] = []
const readScript = (file: string) => readFileSync(join(project.root, file), 'utf8')

async function startWorker(script: string, more: object = {}): Promise<string> {
  const options: object = { modules: true, script, compatibilityDate: '2026-03-01', port: 0, ...more }
  const worker = new Miniflare(options as MiniflareOptions)
  workers.push(worker)
  return (await worker.ready).origin
}

beforeAll(async () => {
  project = createProjectInPackage({ ...fixtures })
  project.write('fixtures/picture.png', picture)
  project.write('package.json', '{ "name": "@acme/Shop", "type": "module" }')
  const ran = await runIn(project.root, ['bundle', '--out', 'edge/worker.mjs'])
  expect([ran.stderr, ran.exitCode]).toEqual(['', 0])
  for (let instance = 0; instance < 3; instance++)
    origins.push(await startWorker(readScript('edge/worker.mjs')))
})
afterAll(async () => {
  for (const worker of workers) await worker.dispose()
  project?.close()
})

it('the config of wrangler names the worker, and is not replaced', async () => {
  const config = () => readScript('edge/wrangler.jsonc')
  expect(JSON.parse(config())).toEqual({
    name: 'acme-shop-mock-api',
    main: './worker.mjs',
    compatibility_date: '2026-03-01',
    no_bundle: true,
    durable_objects: { bindings: [{ name: 'MOCK_API_STATE', class_name: 'MockApiState' }] },
    migrations: [{ tag: 'v1', new_sqlite_classes: ['MockApiState'] }],
  })
  project.write('edge/wrangler.jsonc', '{ "name": "mine" }')
  const { stdout } = await runIn(project.root, ['bundle', '--out', 'edge/worker.mjs'])
  expect(stdout).toContain('stays as it is')
  expect(config()).toBe('{ "name": "mine" }')
})

it('three instances and a server give the same bytes', async () => {
  const options = { root: project.root, watch: false, logLevel: 'silent', inspector: false } as const
  const middleware = createMiddleware(options)
  const server = createServer((req, res) => middleware(req, res, () => res.writeHead(404).end()))
  const requests = rows.map(({ request }) => request)
  const answersAt = async (origin: string) =>
    byRow(await askRows(requests, (url, init) => fetch(origin + url, init)))
  const expected = await answersAt(await listen(server))
  for (const origin of origins) expect(await answersAt(origin)).toEqual(expected)
  await closeServer(server)
  await middleware.close()
})

it('a request that no route has is a JSON 404 that says why', async () => {
  const { status, headers, text } = await sendTo(origins[0]!)({ url: '/elsewhere' })
  expect([status, headers['content-type']]).toEqual([404, 'application/json'])
  expect(JSON.parse(text)).toEqual({
    error: {
      code: 'route-missing',
      message: 'No route of the mock API is for GET /elsewhere.',
      fix: 'Add a route with this method and path to a fixture file, bundle it again, and deploy it.',
    },
  })
})

it('files of the application answer what no route has', async () => {
  project.write('site/index.html', '<title>the app</title>')
  await runIn(project.root, ['bundle', '--out', 'with-files/worker.mjs', '--assets', 'site', '--no-minify'])
  expect(JSON.parse(readScript('with-files/wrangler.jsonc'))).toMatchObject({
    assets: { directory: '../site', binding: 'ASSETS', run_worker_first: true },
  })
  const ASSETS = () => new Response('<title>the app</title>') as never
  const send = sendTo(await startWorker(readScript('with-files/worker.mjs'), { serviceBindings: { ASSETS } }))
  expect((await send({ url: '/index.html' })).text).toBe('<title>the app</title>')
  expect((await send({ url: '/orders/404' })).status).toBe(404)
})

it('flags take precedence over the options of the plugin', async () => {
  project.write(
    'vite.config.ts',
    "import mockApi from 'unplugin-mock-api/vite'\nexport default { plugins: [mockApi({ base: '/api', scenario: 'payment-down' })] }",
  )
  const flags = ['--base', '/v2', '--cors', 'https://shop.example']
  await runIn(project.root, ['bundle', '--out', 'flags/worker.mjs', ...flags])
  const send = sendTo(await startWorker(readScript('flags/worker.mjs')))
  const headers = { origin: 'https://shop.example' }
  const { status, headers: sent } = await send({ method: 'POST', url: '/v2/orders', headers, body: '{}' })
  expect([status, sent['access-control-allow-origin']]).toEqual([503, 'https://shop.example'])
  project.remove('vite.config.ts')
})

it.each([
  [['--fixtures', 'nothing'], 'There is no fixture file in nothing below '],
  [['--out', 'fixtures'], 'fixtures is a folder. Name a file with --out.'],
])('%j is an error, and nothing is written', async (args, text) => {
  const { exitCode, stderr, stdout } = await runIn(project.root, ['bundle', ...args])
  expect([exitCode, stdout]).toEqual([2, ''])
  expect(stderr).toContain(text)
})

it('an invalid fixture is an error with its place, and nothing is written', async () => {
  project.write('fixtures/wrong.yaml', '- { path: /wrong, respnse: {} }')
  const { exitCode, stderr } = await runIn(project.root, ['bundle', '--out', 'wrong/worker.mjs'])
  expect(exitCode).toBe(1)
  expect(stderr).toMatch(/fixtures\/wrong\.yaml:1:\d+ .*respnse/)
  project.remove('fixtures/wrong.yaml')
})

interface Fetcher {
  fetch: typeof fetch
}

describe('three workers with one Durable Object for each client', () => {
  let shop: TestProject
  let cloud: Miniflare
  let options: never
  const restart = async () => {
    await cloud?.dispose()
    cloud = new Miniflare(options)
    await cloud.ready
  }
  const workerOf = async (index: number) =>
    (await cloud.getWorker(`worker-${index % 3}`)) as unknown as Fetcher
  const open = async (index: number, path: string, client?: string) => {
    const headers = { upgrade: 'websocket', ...(client !== undefined && { 'x-mock-client': client }) }
    const answer = await (await workerOf(index)).fetch(`http://mock.example${path}`, { headers })
    const { webSocket } = answer as unknown as { webSocket: WebSocket & { accept: () => void } }
    const seen: string[] = []
    webSocket.addEventListener('message', ({ data }) => seen.push(String(data)))
    webSocket.accept()
    return { webSocket, seen }
  }
  const ask = async (index: number, method: string, path: string, body?: unknown, client?: string) => {
    const answer = await (
      await workerOf(index)
    ).fetch(`http://mock.example${path}`, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(client !== undefined && { 'x-mock-client': client }),
        ...(path.startsWith('/__mock-api') && { 'x-mock-api': '1' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, body: text === '' ? undefined : (JSON.parse(text) as unknown) }
  }

  beforeAll(async () => {
    shop = createProjectInPackage({
      'fixtures/shop.yaml': `
- { path: /orders, collection: { items: [{ id: 1, state: open }] } }
- { path: /lines, collection: { items: [{ id: 1 }] } }
- { path: /turns, response: [{ body: 1 }, { body: 2 }, { body: 3 }] }
- { path: /large, collection: { items: [] } }
- { path: /lines, scenario: no-lines, collection: { items: [] } }
- { path: /orders, scenario: down, response: { status: 503, body: {} } }
- { path: /chat, websocket: { open: { send: hello }, on: [{ push: news }, { collection: orders }] } }
- { path: /feed, response: { stream: [], on: { push: news } } }
- { path: /login, method: POST, then: { scenario: { add: signed-in } }, response: { delay: 20 } }
- { path: /me, response: { status: 401 } }
- { path: /socket.io, websocket: { protocol: socket.io, open: { send: { event: hello } }, messages: [{ send: { ack: { $from: body.data } } }] } }
- { path: /flaky, response: { fail: { calls: [3], status: 503 } } }
- { path: /me, scenario: signed-in, response: { body: { name: Ada } } }
- { path: /paying, response: { stream: [{ data: paid, delay: 100, then: { scenario: { add: signed-in } } }] } }
- { path: /till, websocket: { messages: [{ send: thanks, then: { scenario: { add: signed-in } } }] } }
`,
    })
    const ran = await runIn(shop.root, ['bundle', '--out', 'edge/worker.mjs'])
    expect(ran.exitCode).toBe(0)
    const script = readFileSync(join(shop.root, 'edge/worker.mjs'), 'utf8')
    const worker = (index: number) => ({
      name: `worker-${index}`,
      ...{ modules: true, script, compatibilityDate: '2026-03-01' },
      durableObjects: {
        MOCK_API_STATE: { className: 'MockApiState', scriptName: 'worker-0', useSQLite: true },
      },
    })
    options = {
      workers: [worker(0), worker(1), worker(2)],
      durableObjectsPersist: join(shop.root, 'state'),
    } as never
    await restart()
  })
  afterAll(async () => {
    await cloud?.dispose()
    shop?.close()
  })

  it('agree about each write, in one order, and nothing is lost', async () => {
    const created = await Promise.all(
      Array.from({ length: 300 }, (_, index) => ask(index, 'POST', '/orders', { number: index })),
    )
    expect(created.every(({ status }) => status === 201)).toBe(true)
    const ids = created.map(({ body }) => (body as { id: number }).id)
    expect(ids.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 300 }, (_, index) => index + 2))
    const lists = await Promise.all([0, 1, 2].map((index) => ask(index, 'GET', '/orders')))
    expect(lists[0]!.body).toHaveLength(301)
    expect(lists[1]).toEqual(lists[0])
    expect(lists[2]).toEqual(lists[0])
  })

  it('take the turns of one sequence', async () => {
    const turns = [
      await ask(0, 'GET', '/turns'),
      await ask(1, 'GET', '/turns'),
      await ask(2, 'GET', '/turns'),
    ]
    expect(turns.map(({ body }) => body)).toEqual([1, 2, 3])
  })

  it('agree about the scenarios of everyone, and of a client', async () => {
    const set = (scenario: unknown, client?: string) =>
      ask(0, 'PUT', '/__mock-api/api/scenario', { scenario }, client)
    expect((await set('no-lines')).status).toBe(204)
    expect((await set(['down'], 'three')).status).toBe(204)
    expect(await ask(1, 'GET', '/lines')).toEqual({ status: 200, body: [] })
    expect((await ask(2, 'GET', '/orders', undefined, 'three')).status).toBe(503)
    expect((await ask(2, 'GET', '/orders')).status).toBe(200)
    for (const wrong of ['dwon', { __proto__: 1 }, 7]) expect((await set(wrong)).status).toBe(400)
    await restart()
    expect(await ask(2, 'GET', '/lines')).toEqual({ status: 200, body: [] })
    expect((await ask(1, 'GET', '/orders', undefined, 'three')).status).toBe(503)
    expect((await set([])).status).toBe(204)
    expect((await ask(1, 'GET', '/lines')).body).toEqual([{ id: 1 }])
  })

  it('push to the sockets and streams that another one has opened, those of the client', async () => {
    const [mine, other] = [await open(0, '/chat', 'mine'), await open(1, '/chat', 'other')]
    const headers = { 'x-mock-client': 'mine' }
    const feed = await (await workerOf(1)).fetch('http://mock.example/feed', { headers })
    const reader = feed.body!.getReader()
    await reader.read()
    const push = (body: unknown) => ask(2, 'POST', '/__mock-api/api/push', body, 'mine')
    const sent = { channel: 'news', data: { n: 1 }, event: 'told' }
    expect(await push(sent)).toEqual({ status: 200, body: { streams: 2 } })
    for (const wrong of [{ channel: 7 }, 7, null]) expect((await push(wrong)).status).toBe(400)
    await ask(1, 'POST', '/orders', { id: 'new' }, 'mine')
    await expect.poll(() => mine.seen).toEqual(['hello', '{"n":1}', '{"id":"new"}'])
    expect(other.seen).toEqual(['hello'])
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('event: told\ndata: {"n":1}\n\n')
    await reader.cancel()
    for (const { webSocket } of [mine, other]) webSocket.close()
  })

  it('remember what answers, events and messages have changed', async () => {
    expect((await ask(0, 'POST', '/login', undefined, 'by answer')).status).toBe(200)
    const headers = { 'x-mock-client': 'by event' }
    const paying = await (await workerOf(1)).fetch('http://mock.example/paying', { headers })
    const reader = paying.body!.getReader()
    while (!new TextDecoder().decode((await reader.read()).value).includes('paid'));
    const { webSocket, seen } = await open(1, '/till', 'by message')
    webSocket.send('pay')
    await expect.poll(() => seen).toEqual(['thanks'])
    await restart()
    for (const client of ['by answer', 'by event', 'by message'])
      expect((await ask(2, 'GET', '/me', undefined, client)).status, client).toBe(200)
    expect((await ask(2, 'GET', '/me')).status).toBe(401)
  })

  it('answer a client of Socket.IO', async () => {
    const { webSocket, seen } = await open(1, '/socket.io/?EIO=4&transport=websocket')
    webSocket.send('40')
    await expect.poll(() => seen.at(-1)).toBe('42["hello"]')
    webSocket.send('421["save",7]')
    await expect.poll(() => seen.at(-1)).toBe('431[7]')
    webSocket.close()
  })

  it('count for each client what fails sometimes, and go on when they start again', async () => {
    const flaky = async (at: number) => (await ask(at, 'GET', '/flaky', undefined, 'flaky')).status
    expect([await flaky(0), await flaky(1)]).toEqual([200, 200])
    await restart()
    expect([await flaky(2), await flaky(0)]).toEqual([503, 200])
  })

  it('keep clients apart', async () => {
    expect((await ask(0, 'DELETE', '/orders/1', undefined, 'one')).status).toBe(204)
    expect((await ask(1, 'GET', '/orders/1', undefined, 'one')).status).toBe(404)
    expect((await ask(2, 'GET', '/orders/1', undefined, 'two')).status).toBe(200)
    expect((await ask(1, 'GET', '/turns', undefined, 'two')).body).toBe(1)
  })

  it('know all of it after a restart, also what is larger than one stored value', async () => {
    await ask(0, 'POST', '/large', { text: 'x'.repeat(900_000) })
    expect((await ask(1, 'DELETE', '/lines/1')).status).toBe(204)
    await restart()
    expect((await ask(2, 'GET', '/orders')).body).toHaveLength(301)
    expect((await ask(1, 'GET', '/turns')).body).toBe(3)
    // A write to one collection loses nothing of one that nobody has asked for since.
    await ask(0, 'POST', '/orders', {})
    await restart()
    expect((await ask(0, 'GET', '/lines')).body).toEqual([])
    expect((await ask(0, 'GET', '/large')).body).toHaveLength(1)
  })

  it('go back to the files with a reset, of which no page of another site has the header', async () => {
    expect((await ask(0, 'POST', '/__mock-api/api/reset')).status).toBe(204)
    expect((await ask(1, 'GET', '/orders')).body).toEqual([{ id: 1, state: 'open' }])
    const answer = await (
      await workerOf(0)
    ).fetch('http://mock.example/__mock-api/api/reset', { method: 'POST' })
    expect(answer.status).toBe(404)
  })
})
