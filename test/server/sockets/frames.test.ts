/* Frames that break the protocol, floods, and clients that come and go: closed with the right code, and the server lives. */
import type { Socket } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { serveFiles, serveOnce } from '../../hosts/of-test.ts'
import { openWire } from '../../hosts/wire.ts'
import { init, subscribe, talk } from '../../websocket.ts'

const fixture = `
- path: /chat
  websocket: { open: { send: hello }, messages: [{ when: wait, delay: 100000, send: late }, { send: answered }] }
- path: /graphql
  when: { operationType: subscription, operationName: Endless }
  response: { stream: [] }
`
const text = 0x1
const binary = 0x2
const more = 0x0
const ping = 0x9
const closing = 0x8
const last = 0x80

/** A frame as clients send it, with a mask of zeros. */
function frame(
  first: number,
  payload: string | Buffer = '',
  { announced = 0, isMasked = true } = {},
): Buffer {
  const bytes = Buffer.from(payload)
  const length = announced || bytes.length
  const mask = isMasked ? 0x80 : 0
  const size = Buffer.alloc(length < 126 ? 1 : length < 65_536 ? 3 : 9)
  size[0] = mask | (length < 126 ? length : length < 65_536 ? 126 : 127)
  if (size.length === 3) size.writeUInt16BE(length, 1)
  if (size.length === 9) size.writeBigUInt64BE(BigInt(length), 1)
  return Buffer.concat([Buffer.from([first]), size, Buffer.alloc(isMasked ? 4 : 0), bytes])
}

const handshake = (path: string, protocol: string) =>
  [
    `GET ${path} HTTP/1.1`,
    'host: localhost',
    'connection: Upgrade',
    'upgrade: websocket',
    'sec-websocket-version: 13',
    'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
    `sec-websocket-protocol: ${protocol}`,
    '',
    '',
  ].join('\r\n')

/** The code of the close frame that the server sends. */
async function closeCode(origin: string, path: string, frames: Buffer[]): Promise<number | undefined> {
  const wire = openWire(origin, handshake(path, 'graphql-transport-ws'))
  await wire.seen('\r\n\r\n')
  wire.socket.write(Buffer.concat(frames))
  const code = await wire.find((received) => {
    const start = received.indexOf(Buffer.from([last | closing]), received.indexOf('\r\n\r\n'))
    return start === -1 || received.length < start + 4 ? undefined : received.readUInt16BE(start + 2)
  })
  wire.socket.destroy()
  return code
}

const served = serveOnce({ 'fixtures/live.yaml': fixture }, { bodyLimit: 1000 })

describe.each(['/chat', '/graphql'])('a frame to %s', (path) => {
  it.each<[what: string, code: number, ...frames: Buffer[]]>([
    ['of more than the limit', 1009, frame(last | text, 'x'.repeat(1001))],
    ['that announces more than the limit', 1009, frame(last | binary, 'x', { announced: 2 ** 40 })],
    ['that announces more than a number holds', 1009, frame(last | binary, 'x', { announced: 2 ** 60 })],
    ['in parts that are together too large', 1009, ...Array.from({ length: 11 }, (_, n) => frame(n ? more : text, 'x'.repeat(100)))],
    ['in more than 1000 parts', 1008, ...Array.from({ length: 1001 }, (_, n) => frame(n ? more : text))],
    ['with reserved bits', 1002, frame(0xf0 | text)],
    ['of an unknown kind', 1002, frame(last | 0x3)],
    ['without a mask', 1002, frame(last | text, 'x', { isMasked: false })],
    ['that goes on with nothing', 1002, frame(last | more, 'x')],
    ['that starts in another message', 1002, frame(text, 'a'), frame(last | text, 'b')],
    ['ping in parts', 1002, frame(ping, 'x')],
    ['ping of 126 bytes', 1002, frame(last | ping, 'x'.repeat(126))],
    ['close with half a code', 1002, frame(last | closing, 'x')],
    ['close with a reserved code', 1002, frame(last | closing, Buffer.from([0x03, 0xed]))],
    ['text that is no UTF-8', 1007, frame(last | text, Buffer.from([0xc3, 0x28]))],
  ])('%s is closed with %i', async (_, code, ...frames) => {
    expect(await closeCode(served.origin, path, frames)).toBe(code)
  }) // prettier-ignore
})

it('a message in parts, with a ping between them, is read as one', async () => {
  const wire = openWire(served.origin, handshake('/chat', 'a'))
  await wire.seen('hello')
  wire.socket.write(Buffer.concat([frame(text, 'on'), frame(last | ping, 'p'), frame(last | more, 'e')]))
  await wire.seen('answered')
  wire.socket.destroy()
})

const endless = (id: number) => subscribe('subscription Endless { a }', `${id}`)

it.each([
  ['answers that wait', '/chat', Array<string>(1001).fill('wait'), 'close 1008 Too many messages.'],
  [
    'subscriptions without end',
    '/graphql',
    [init, ...Array.from({ length: 2002 }, (_, id) => endless(id))],
    'close 1008 Too many operations.',
  ],
])('a flood of %s', async (_, path, say, seen) => {
  const protocols = ['graphql-transport-ws']
  expect((await talk(served.origin, path, { say, protocols, waits: true }, 3))[2]).toBe(seen)
})

it('nothing is left of clients that come and go', async () => {
  const counts = () => {
    const kinds = process.getActiveResourcesInfo()
    return ['TCPSocketWrap', 'Timeout'].map((kind) => kinds.filter((one) => one === kind).length)
  }
  const comeAndGo = async (path: string, say: string[]) => {
    const client = new WebSocket(served.origin.replace('http', 'ws') + path, ['graphql-transport-ws'])
    const [first, ...others] = say
    client.once('open', () => first !== undefined && client.send(first))
    await new Promise((resolve) => client.once('message', resolve))
    for (const message of others) client.send(message)
    const closed = new Promise((resolve) => client.once('close', resolve))
    client.terminate()
    await closed
  }
  await comeAndGo('/chat', [])
  const before = counts()
  for (let round = 0; round < 3; round++)
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        n % 2 ? comeAndGo('/chat', ['wait']) : comeAndGo('/graphql', [init, endless(1)]),
      ),
    )
  // The test itself has a few timers.
  await expect.poll(() => counts().every((count, kind) => count < before[kind]! + 10)).toBe(true)
  expect((await served.send({ url: '/__mock-api/api/routes' })).status).toBe(200)
})

it('the memory of a closed connection is freed where the server has no listener of upgrades', async () => {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as () => void
  const connections: WeakRef<Socket>[] = []
  const own = await serveFiles({ 'fixtures/live.yaml': fixture }, {}, (middleware) => (req, res) => {
    connections.push(new WeakRef(req.socket))
    middleware(req, res, () => res.end())
  })
  for (let n = 0; n < 20; n++) await talk(own.origin, '/chat', {}, 2)
  expect(connections).toHaveLength(20)
  const kept = () => {
    gc()
    return connections.filter((one) => one.deref()).length
  }
  await expect.poll(kept, { timeout: 30_000 }).toBeLessThan(10) // the last ones may be in use
  await own.close()
})
