/*
 * WebSockets on every host: those of routes and of GraphQL are answered by exactly one party, beside hot reload and beside a proxy that
 * takes WebSockets of the same paths. What nobody claims stays as the host leaves it.
 */
import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { io } from 'socket.io-client'
import { WebSocket, WebSocketServer } from 'ws'
import { ack, init, subscribe, talk } from '../websocket.ts'
import { hosts, startOnce, type Host, type RunningHost } from './hosts.ts'
import { closeServer, listen } from './serve.ts'
import { inThisRun } from './this-run.ts'
import { tlsHosts } from './tls-hosts.ts'
import { openWire, requestText } from './wire.ts'

const files = {
  'fixtures/live.yaml': `
- path: /chat
  websocket: { open: { send: hello }, messages: [{ when: { type: ping }, send: { type: pong } }] }
- path: /graphql
  when: { operationName: Hero }
  response: { body: { data: { hero: { name: R2-D2 } } } }
- path: /graphql
  when: { operationType: subscription, operationName: Ticks }
  response: { stream: [{ data: { tick: 1 } }, { data: { tick: 2 }, delay: 1 }], end: complete }
- path: /till
  websocket:
    messages:
      - { when: pay, send: thanks, then: { scenario: { add: paid } } }
      - { send: again, then: [{ scenario: { remove: paid } }, { send: open }] }
- path: /socket.io
  websocket:
    protocol: socket.io
    open: { send: { event: hello, data: { $from: body.token } } }
    messages: [{ when: { event: save }, send: { ack: { $from: body.args } } }]
- path: /graphql
  when: { operationName: Pay }
  then: { scenario: { add: paid } }
  response: { body: { data: { hero: null } } }
- path: /graphql
  when: { operationName: Hero }
  scenario: paid
  response: { body: { data: { hero: { name: C-3PO } } } }
- path: /orders
  response: { body: paid }
  scenario: paid
- path: /orders
  response: { body: [] }
`,
}

const ping = '{"type":"ping"}'
const conversation = ['open', 'hello', '{"type":"pong"}']
const operations = [
  init,
  subscribe('query Hero { hero { name } }'),
  subscribe('subscription Ticks { tick }', '2'),
]
const results = [
  'open graphql-transport-ws',
  ack,
  '{"id":"1","type":"next","payload":{"data":{"hero":{"name":"R2-D2"}}}}',
  '{"id":"1","type":"complete"}',
  '{"id":"2","type":"next","payload":{"data":{"tick":1}}}',
  '{"id":"2","type":"next","payload":{"data":{"tick":2}}}',
  '{"id":"2","type":"complete"}',
]
const patience = { timeout: 9_000 }

/** Accepts every WebSocket, as a backend behind a proxy. */
const backend = createServer()
const seen: string[] = []
const backendSockets = new WebSocketServer({ noServer: true })
backend.on('upgrade', (req, socket, head) => {
  seen.push(req.url!)
  backendSockets.handleUpgrade(req, socket, head, (ws) => ws.send('theirs'))
})
let sockets: string
beforeAll(async () => {
  sockets = await listen(backend)
})
afterAll(() => closeServer(backend))

async function openHotReload({ origin, hotReload }: RunningHost): Promise<string[]> {
  const messages: string[] = []
  const { path, protocol } = hotReload!
  const url = origin.replace('http', 'ws') + path
  const client = new WebSocket(url, protocol ?? [], { rejectUnauthorized: false, origin })
  onTestFinished(() => client.terminate())
  client.on('message', (data: Buffer) => messages.push(data.toString()))
  await new Promise((resolve, reject) => client.once('open', resolve).once('error', reject))
  return messages
}

const withTls = inThisRun<Host>({ quick: tlsHosts, slow: [] })

describe.each([...hosts, ...withTls])('$name', (host) => {
  const started = startOnce(host, files, () => ({ sockets, ...(host.hasBase && { hostBase: '/app/' }) }))
  const isTls = host.name.includes('HTTPS')
  const bases = host.hasBase ? ['', '/app'] : ['']

  it('answers the WebSockets of routes and of GraphQL, and leaves the others and hot reload alone', async () => {
    const { origin, project } = started
    await openWire(origin, requestText('GET', '/orders')).seen('[]') // a dev server in middleware mode does not know its server before
    const hot = started.hotReload && (await openHotReload(started))
    seen.length = 0
    for (const base of bases) {
      expect(await talk(origin, `${base}/chat`, { say: [ping] }, 3)).toEqual(conversation)
      const protocols = ['graphql-transport-ws']
      const asked = { protocols, say: operations, waits: true }
      expect((await talk(origin, `${base}/graphql`, asked, 7)).toSorted()).toEqual(results.toSorted())
    }
    if (host.hasSocketProxy !== false)
      expect(await talk(origin, '/theirs', { origin }, 2)).toEqual(['open', 'theirs'])
    expect(seen.filter((url) => url !== '/theirs')).toEqual([])
    if (!hot) return
    const before = hot.length
    project.write('main.js', 'document.body.append("changed")\n')
    project.write('index.html', '<!doctype html><title>changed</title>')
    await expect.poll(() => hot.length, patience).toBeGreaterThan(before)
    await openHotReload(started)
  })

  it.each([['websocket'], ['polling']])('a client of Socket.IO that begins with %s', async (first) => {
    const { origin } = started
    await openWire(origin, requestText('GET', '/orders')).seen('[]')
    const transports = [first, 'websocket']
    const options = { transports, auth: { token: 'ada' }, forceNew: true, rejectUnauthorized: false }
    const socket = io(origin, options)
    onTestFinished(() => void socket.disconnect())
    const greeting = await new Promise((resolve, reject) => {
      socket.once('hello', resolve).once('connect_error', reject)
    })
    expect(greeting).toBe('ada')
    await expect.poll(() => socket.io.engine.transport.name, patience).toBe('websocket')
    expect(await socket.emitWithAck('save', 1, [2])).toBe(1)
  })

  it.skipIf(isTls)('a message, or an operation, changes what follows for its client', async () => {
    const { origin, send } = started
    const orders = async (client: string) =>
      (await send({ url: '/orders', headers: { 'x-mock-client': client } })).text
    const headers = { 'x-mock-client': 'till' }
    expect(await talk(origin, '/till', { say: ['pay'], headers }, 2)).toEqual(['open', 'thanks'])
    expect([await orders('till'), await orders('other')]).toEqual(['paid', '[]'])
    const more = { say: ['more'], headers }
    expect(await talk(origin, '/till', more, 3)).toEqual(['open', 'again', 'open'])
    expect(await orders('till')).toBe('[]')
    const say = [
      init,
      subscribe('mutation Pay { hero { name } }'),
      subscribe('query Hero { hero { name } }', '2'),
    ]
    const protocols = ['graphql-transport-ws']
    const seen = await talk(origin, '/graphql', { protocols, say, waits: true, headers }, 6)
    expect(seen.join()).toContain('C-3PO')
    expect(await orders('till')).toBe('paid')
  })

  it('refuses other sites and rebinding names, and names the route that a mistyped path has missed', async () => {
    const { origin, log } = started
    const foreign = { origin: 'https://evil.example' }
    expect(await talk(origin, '/chat', foreign, 1)).toEqual(['refused 403'])
    const rebinding = { headers: { host: 'evil.example' }, origin: 'http://evil.example' }
    if (!isTls) expect(await talk(origin, '/chat', rebinding, 1)).toEqual(['refused 403']) // a certificate proves the name
    const head = 'connection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13'
    const key = 'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ=='
    const { host: address } = new URL(origin)
    const wire = openWire(
      origin,
      `GET /cha HTTP/1.1\r\nhost: ${address}\r\norigin: ${origin}\r\n${head}\r\n${key}\r\n\r\n`,
    )
    onTestFinished(() => void wire.socket.destroy())
    const notices = () => log.join('\n').match(/WEBSOCKET \/cha.* Did you mean WEBSOCKET \S*\/chat /g)
    await expect.poll(notices, patience).toHaveLength(1)
    if (isTls || host.name.includes('preview')) return // a preview has no inspector
    const { text } = await started.send({ url: '/__mock-api/api/requests' })
    const { requests } = JSON.parse(text) as { requests: object[] }
    expect(requests[0]).toMatchObject({ method: 'WEBSOCKET', url: '/cha', isUnanswered: true })
  })
})
