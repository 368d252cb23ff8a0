import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { startServing, type ServeOptions } from '../../../src/cli/commands/serve.ts'
import { UsageError } from '../../../src/cli/terminal.ts'
import { blocksOf } from '../../docs/pages.ts'
import { talk } from '../../websocket.ts'
import { folderWith } from '../test-terminal.ts'

const command = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url))
const orders = '- { path: /orders, response: { body: [1] } }\n'

async function start(cwd: string, place?: string, given: Partial<ServeOptions> = {}) {
  const [printed, noted]: [string[], string[]] = [[], []]
  const terminal = {
    ...{ cwd, isInteractive: false, style: (_: unknown, text: string) => text },
    print: (text: string) => void printed.push(text),
    note: (text: string) => void noted.push(text),
    confirm: () => Promise.resolve(false),
  }
  const served = await startServing(terminal, place, { port: 0, ...given })
  onTestFinished(served.close)
  const get = async (path: string, init?: RequestInit) => {
    const answer = await fetch(served.origin + path, init)
    return [answer.status, await answer.text()] as const
  }
  return { ...served, printed, noted, get }
}

describe('serve', () => {
  it('passes on what no route answers, with WebSockets, and pages get the badge', async () => {
    const page = '<!doctype html><head></head>'
    const other = createServer((req, res) => {
      res.setHeader('content-type', req.url === '/' ? 'text/html' : 'text/plain')
      res.end(req.url === '/' ? page : `${req.method} ${req.url}`)
    }).listen(0, '127.0.0.1')
    const sockets = new WebSocketServer({ server: other })
    sockets.on('connection', (socket) => socket.send('hello'))
    await once(other, 'listening')
    onTestFinished(() => void sockets.close(() => other.close()))
    const cwd = folderWith({ 'fixtures/orders.yaml': orders })
    const passOn = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
    const { get, origin } = await start(cwd, undefined, { passOn })
    expect(await get('/orders')).toEqual([200, '[1]'])
    expect(await get('/other', { method: 'POST', body: 'a' })).toEqual([200, 'POST /other'])
    const [, text] = await get('/', { headers: { accept: 'text/html', 'sec-fetch-dest': 'document' } })
    expect(text).toBe(page.replace('<head>', '<head><script src="/__mock-api/badge.js"></script>'))
    const socket = new WebSocket(origin.replace('http', 'ws'))
    expect(String((await once(socket, 'message'))[0])).toBe('hello')
    socket.close()
    await expect(start(cwd, undefined, { passOn: 'localhost' })).rejects.toThrow(
      '--pass-on needs the address',
    )
  })

  it.each([
    ['a folder', { 'mocks/orders.yaml': orders }, 'mocks', '1 route from mocks/orders.yaml'],
    ['a file', { 'orders.yaml': orders }, 'orders.yaml', '1 route from orders.yaml'],
    ['the usual folder', { 'fixtures/orders.yaml': orders }, undefined, '1 route from fixtures/orders.yaml'],
    [
      'the folder of the config',
      {
        'vite.config.js':
          "import mockApi from 'unplugin-mock-api/vite'\nexport default { plugins: [mockApi({ fixtures: 'mocks', overlay: false })] }\n",
        'mocks/orders.yaml': orders,
      },
      undefined,
      '1 route from mocks/orders.yaml',
    ],
  ])('answers from %s, and prints its address', async (_, files, place, summary) => {
    const { get, origin, printed, noted } = await start(folderWith(files), place)
    expect(await get('/orders')).toEqual([200, '[1]'])
    expect(noted).toEqual([summary, 'Press Ctrl-C to stop it.'])
    expect(printed).toEqual([`Mock API:  ${origin}/`, `Inspector: ${origin}/__mock-api/`])
    expect((await get('/__mock-api/api/routes'))[0]).toBe(200)
  })

  it('answers from a folder of another project, with its body files', async () => {
    const other = folderWith({
      'mocks/a.yaml': '- { path: /a, response: { file: a.json } }\n',
      'mocks/a.json': '{}',
    })
    const { get } = await start(folderWith(), join(other, 'mocks'))
    expect(await get('/a')).toEqual([200, '{}'])
  })

  it('says what no route has, and answers from a saved file', async () => {
    const root = folderWith({ 'mocks/orders.yaml': orders })
    const { get } = await start(root, 'mocks')
    expect(await get('/users')).toEqual([404, expect.stringContaining('GET /orders')])
    writeFileSync(join(root, 'mocks/orders.yaml'), orders.replace('[1]', '[2]'))
    await expect.poll(() => get('/orders')).toEqual([200, '[2]'])
  })

  it('records only from a target', async () => {
    const { get } = await start(folderWith({ 'fixtures/a.yaml': orders }))
    const headers = { 'x-mock-api': '1', 'content-type': 'application/json' }
    const put = (body: object) =>
      get('/__mock-api/api/record', { method: 'PUT', headers, body: JSON.stringify(body) })
    expect(await put({ recording: true })).toEqual([400, expect.stringContaining('"api-target-missing"')])
    expect((await put({ recording: true, target: 'http://127.0.0.1:9' }))[0]).toBe(200)
    expect((await put({ recording: false }))[0]).toBe(200)
  })

  it('answers WebSockets, also to the first request, and closes them when it ends', async () => {
    const chat = '- { path: /chat, websocket: { messages: [{ when: ping, send: pong }] } }\n'
    const { origin, close } = await start(folderWith({ 'mocks/chat.yaml': chat }), 'mocks')
    expect(await talk(origin, '/chat', { say: ['ping'] }, 2)).toEqual(['open', 'pong'])
    expect(await talk(origin, '/nothing', {}, 1)).toEqual(['refused 404'])
    const headers = { origin: 'https://shop.example' }
    expect(await talk(origin, '/chat', { headers }, 1)).toEqual(['refused 403'])
    const client = new WebSocket(`${origin.replace('http', 'ws')}/chat`)
    await once(client, 'open')
    const [closed] = await Promise.all([once(client, 'close'), close()])
    expect(closed[0]).toBe(1001)
  })

  it('--base and --scenario stand before those of the config', async () => {
    const root = folderWith({
      'mocks/orders.yaml': `${orders}- { path: /orders, scenario: none, response: { body: [] } }\n`,
    })
    const { get, printed, origin } = await start(root, 'mocks', { base: '/api', scenario: 'none' })
    expect(await get('/api/orders')).toEqual([200, '[]'])
    expect(printed[0]).toBe(`Mock API:  ${origin}/api/`)
  })

  it('pages and names of other machines need --cors and --allowed-hosts', async () => {
    const root = folderWith({ 'mocks/orders.yaml': orders })
    const origin = 'https://shop.example'
    const closed = await start(root, 'mocks')
    expect(await closed.get('/orders', { headers: { origin } })).toEqual([
      403,
      expect.stringContaining('--cors'),
    ])
    const open = await start(root, 'mocks', { cors: [origin], allowedHosts: ['mock-api'] })
    expect((await open.get('/orders', { headers: { origin } }))[0]).toBe(200)
    const every = await start(root, 'mocks', { cors: ['*'] })
    expect((await every.get('/orders', { headers: { origin: 'https://any.example' } }))[0]).toBe(200)
  })

  describe('db.json', () => {
    const database = {
      posts: [{ id: 1, title: 'a' }],
      comments: [{ id: 7, postId: 1 }],
      profile: { name: 'Ada' },
      words: ['a', 'b'],
    }
    const post = (body: string) => ({ method: 'POST', headers: { 'content-type': 'application/json' }, body })

    it('works at once: lists remember, with their relations, and the file stays', async () => {
      const text = JSON.stringify(database)
      const root = folderWith({ 'db.json': text })
      const { get } = await start(root, 'db.json')
      expect(await get('/posts', post('{"title":"b"}'))).toEqual([201, '{"title":"b","id":2}'])
      expect(await get('/posts')).toEqual([200, '[{"id":1,"title":"a"},{"title":"b","id":2}]'])
      expect(await get('/posts/1/comments')).toEqual([200, '[{"id":7,"postId":1}]'])
      expect(await get('/comments/7?_expand=post')).toEqual([
        200,
        '{"id":7,"postId":1,"post":{"id":1,"title":"a"}}',
      ])
      expect(await get('/posts/2', { method: 'DELETE' })).toEqual([200, '{"title":"b","id":2}'])
      expect(await get('/profile')).toEqual([200, '{"name":"Ada"}'])
      expect(await get('/words')).toEqual([200, '["a","b"]'])
      expect(readFileSync(join(root, 'db.json'), 'utf8')).toBe(text)
      writeFileSync(join(root, 'db.json'), text.replace('"title":"a"', '"title":"c"'))
      await expect.poll(() => get('/posts')).toEqual([200, '[{"id":1,"title":"c"}]'])
    })

    it.each([
      ['equal ids', '{\n  "a": [\n    { "id": 1 },\n    { "id": 1 }\n  ]\n}', 'db.json:4:5'],
      ['an item without an id', '{\n  "a": [{ "id": 1 },\n    {}]\n}', 'db.json:3:5'],
    ])('says where %s are', async (_, text, place) => {
      const { noted } = await start(folderWith({ 'db.json': text }), 'db.json')
      expect(noted.join('\n')).toContain(place)
    })

    it.each([
      ['a resource called __proto__', '{ "__proto__": [{ "id": 1 }] }', '/__proto__', 200],
      ['a path that has to be encoded', '{ "a b/c": [{ "id": 1 }] }', '/a%20b%2Fc', 200],
      ['a path with a parameter', '{ ":id": [{ "id": 1 }] }', '/x', 404],
    ])('%s', async (_, text, path, status) => {
      const { get } = await start(folderWith({ 'db.json': text }), 'db.json')
      expect((await get(path))[0]).toBe(status)
    })

    it('in a folder is test data, as before', async () => {
      const { get } = await start(
        folderWith({ 'mocks/db.json': JSON.stringify(database), 'mocks/orders.yaml': orders }),
        'mocks',
      )
      expect((await get('/posts'))[0]).toBe(404)
    })
  })

  it('prints what docs/without-dev-server.md shows', async () => {
    const { noted, printed, origin } = await start(folderWith({ 'mocks/orders.yaml': orders }), 'mocks')
    const lines = [noted[0], ...printed, noted[1], ''].join('\n')
    const shown = blocksOf('docs/without-dev-server.md').find(({ language }) => language === 'text')!
    expect(lines.replaceAll(origin, 'http://localhost:3000')).toBe(shown.text)
  })

  it.each(['SIGINT', 'SIGTERM'] as const)('%s ends the command with the exit code 0', async (signal) => {
    const cwd = folderWith({ 'mocks/slow.yaml': '- { path: /slow, response: { delay: 600000 } }\n' })
    const child = spawn(process.execPath, [command, 'serve', 'mocks', '--port', '0'], { cwd })
    onTestFinished(() => void child.kill('SIGKILL'))
    const ended = once(child, 'exit')
    const [first] = (await once(child.stdout, 'data')) as [Buffer]
    const origin = /http:\S+(?=\/\n)/.exec(String(first))![0]
    // An answer that is waited for does not keep the process alive.
    const waiting = fetch(`${origin}/slow`).catch(() => 'closed')
    await expect
      .poll(async () => (await fetch(`${origin}/__mock-api/api/requests`)).text())
      .toContain('/slow')
    child.kill(signal)
    expect(await ended).toEqual([0, null])
    expect(await waiting).toBe('closed')
  })

  it('names a port that is in use', async () => {
    const taken = createServer().listen(0, 'localhost')
    await once(taken, 'listening')
    onTestFinished(() => void taken.close())
    const { port } = taken.address() as AddressInfo
    await expect(start(folderWith(), undefined, { port })).rejects.toThrow(
      `Port ${port} is in use. Name another one, such as --port ${port + 1}.`,
    )
  })

  it('names a place that is missing', async () => {
    const root = folderWith()
    await expect(start(root, 'mocks')).rejects.toThrow(
      new UsageError(`There is no folder or file ${join(root, 'mocks')}.`),
    )
  })
})
