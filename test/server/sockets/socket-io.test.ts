import { createServer } from 'node:http'
import { Server } from 'socket.io'
import { io, type Socket } from 'socket.io-client'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { serveFiles, type Served } from '../../hosts/of-test.ts'
import { listen } from '../../hosts/serve.ts'
import { WebSocket } from 'ws'

const fixture = `
- path: /socket.io
  websocket:
    protocol: socket.io
    open: { send: { event: hello, data: { room: { $from: query.room }, as: { $from: body.token } } } }
    messages:
      - { when: { event: say }, send: { event: said, args: [{ $from: body.data.text }, 2] } }
      - { when: { event: save, data: { n: 1234567890123456789 } }, send: { ack: { id: 1234567890123456789 } } }
      - { when: { event: save }, send: { ack: [null, { id: { $from: body.args.1 } }] } }
      - { when: { event: message }, send: { $from: body.data } }
      - { when: { event: pay }, then: { scenario: { add: paid } }, send: { ack: paid } }
      - { when: { event: leave }, close: 1000 }
      - { when: { event: break }, fault: reset }
    on: { push: news }
    namespaces:
      /admin:
        open: { send: { event: welcome } }
        messages: [{ when: { event: who }, send: { ack: admin } }]
- { path: /paid, scenario: paid, response: { body: yes } }
- { path: /paid, response: { status: 402 } }
- { path: /closed/socket.io, websocket: { protocol: socket.io, status: 401 } }
`

function serveReal(port: ReturnType<typeof createServer>): Server {
  const real = new Server(port)
  real.on('connection', (socket) => {
    const { query, auth } = socket.handshake
    socket.emit('hello', { room: query['room'] ?? null, as: (auth as { token?: string }).token ?? null })
    socket.on('say', ({ text }: { text: string }) => socket.emit('said', text, 2))
    socket.on('save', (_: unknown, id: number, done: (...given: unknown[]) => void) => done(null, { id }))
    socket.on('message', (data: unknown) => socket.send(data))
    socket.on('leave', () => socket.disconnect())
  })
  real.of('/admin').on('connection', (socket) => {
    socket.emit('welcome')
    socket.on('who', (done: (who: string) => void) => done('admin'))
  })
  return real
}

let mocked: Served
let real: string
beforeAll(async () => {
  mocked = await serveFiles({ 'fixtures/chat.yaml': fixture }, { watch: true })
  const server = createServer()
  const io = serveReal(server)
  real = await listen(server)
  return async () => {
    await mocked.close()
    await io.close()
  }
})

const connect = (origin: string, options: Parameters<typeof io>[1] = {}) => {
  const socket = io(origin, { forceNew: true, reconnectionDelay: 10, reconnectionDelayMax: 20, ...options })
  onTestFinished(() => void socket.disconnect())
  return socket
}
const next = (socket: Socket, event: string) =>
  new Promise<unknown[]>((resolve, reject) => {
    socket.once(event, (...given) => resolve(given))
    if (event !== 'connect_error') socket.once('connect_error', reject)
  })

/** What a session has sent and received, with the ids of sessions left out. */
async function framesOf(origin: string, transports: string[]): Promise<string[]> {
  const socket = connect(origin, { transports, query: { room: '7' }, auth: { token: 'ada' } })
  const frames: string[] = []
  const { engine } = socket.io
  const note = (way: string) => ({ type, data }: { type: string; data?: unknown }) =>
    frames.push(`${way} ${type} ${String(data ?? '').replace(/"sid":"[^"]+"/, '"sid":"…"')}`)
  engine.on('packet', note('<'))
  engine.on('packetCreate', note('>'))
  await next(socket, 'hello')
  if (transports.length > 1) await expect.poll(() => engine.transport.name).toBe('websocket')
  socket.emit('say', { text: 'hi' })
  await next(socket, 'said')
  await socket.emitWithAck('save', {}, 7).catch((error: unknown) => error)
  socket.send('text')
  await next(socket, 'message')
  const admin = socket.io.socket('/admin')
  await next(admin, 'welcome')
  expect(await admin.emitWithAck('who')).toBe('admin')
  const unknown = socket.io.socket('/unknown')
  const [error] = (await next(unknown, 'connect_error')) as [Error]
  expect(error.message).toBe('Invalid namespace')
  socket.emit('leave')
  expect((await next(socket, 'disconnect'))[0]).toBe('io server disconnect')
  return frames
} // prettier-ignore

it.each([[['websocket']], [['polling']], [['polling', 'websocket']]])(
  'the same frames as a real server over %j',
  async (transports) => {
    const seen = await framesOf(mocked.origin, transports)
    expect(seen.length).toBeGreaterThan(12)
    expect(seen).toEqual(await framesOf(real, transports))
  },
  20_000,
)

it('all digits, pushes, scenarios of the client, and what is not acknowledged', async () => {
  const headers = { 'x-mock-client': 'ada' }
  const socket = connect(mocked.origin, { auth: headers })
  await next(socket, 'hello')
  const frames: string[] = []
  socket.io.engine.on('packet', ({ data }) => frames.push(String(data)))
  const save = '2["save",{"n":1234567890123456789}]'.replace('2[', '29[')
  socket.io.engine.write(save)
  await expect.poll(() => frames).toContain('39[{"id":1234567890123456789}]')
  socket.emit('save', {}, 1) // asks for no acknowledgement
  const pushed = next(socket, 'news')
  await fetch(`${mocked.origin}/__mock-api/api/push`, {
    method: 'POST',
    headers: { 'x-mock-api': '1', 'content-type': 'application/json' },
    body: '{"channel":"news","data":{"n":1},"event":"news"}',
  })
  expect(await pushed).toEqual([{ n: 1 }])
  expect(await socket.emitWithAck('pay')).toBe('paid')
  const paid = async (given: Record<string, string>) =>
    (await fetch(`${mocked.origin}/paid`, { headers: given })).status
  expect([await paid(headers), await paid({})]).toEqual([200, 402])
})

it.each([['websocket'], ['polling']])('a broken connection is opened again over %s', async (transport) => {
  const socket = connect(mocked.origin, { transports: [transport] })
  await next(socket, 'hello')
  socket.emit('break')
  expect((await next(socket, 'disconnect'))[0]).toMatch(/^transport (close|error)$/)
  await next(socket, 'hello')
})

it('a saved file makes clients connect again', async () => {
  const socket = connect(mocked.origin, { transports: ['websocket'] })
  await next(socket, 'hello')
  const again = next(socket, 'greetings')
  mocked.project.write('fixtures/chat.yaml', fixture.replace('event: hello', 'event: greetings'))
  await again
  mocked.project.write('fixtures/chat.yaml', fixture)
  await next(socket, 'hello')
})

it('refuses: a status, an unknown session, an old version; binary is left out', async () => {
  const closed = connect(mocked.origin, { path: '/closed/socket.io' })
  expect(await next(closed, 'connect_error')).toMatchObject([{ message: 'xhr poll error' }])
  const ask = async (query: string) => {
    const answer = await fetch(`${mocked.origin}/socket.io/?transport=polling&${query}`)
    return [answer.status, (await answer.json()) as unknown]
  }
  expect(await ask('EIO=4&sid=gone')).toEqual([400, { code: 1, message: 'Session ID unknown' }])
  expect(await ask('EIO=3')).toEqual([400, { code: 5, message: 'Unsupported protocol version' }])
  const socket = connect(mocked.origin)
  await next(socket, 'hello')
  socket.emit('say', { text: 'x' }, new Uint8Array([1]))
  socket.emit('say', { text: 'after' })
  expect(await next(socket, 'said')).toEqual(['after', 2])
  expect(mocked.log.join('\n')).toContain('A binary message of Socket.IO was left out.')
  expect(mocked.log.join('\n')).toContain('it is older than version 3')
})

it('ends the session of a client that answers no ping', async () => {
  const ws = new WebSocket(`${mocked.origin.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`)
  const [first] = (await new Promise<unknown[]>((resolve) => ws.once('message', (...given) => resolve(given)))) as [Buffer]
  expect(JSON.parse(first.toString().slice(1))).toMatchObject({ upgrades: [], pingInterval: 25000 })
  ws.send('1')
  await new Promise((resolve) => ws.once('close', resolve))
}) // prettier-ignore
