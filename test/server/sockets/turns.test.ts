/* Bursts of messages: read in their order, and in turns with other work of the process. Turns are counted, not milliseconds. */
import type { Socket } from 'node:net'
import { once } from 'node:events'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'
import { createFetchHandler } from '../../../src/fetch.ts'
import type { Fixture } from '../../../src/fixture.ts'
import { serve } from '../../hosts/of-test.ts'
import { ack, init, subscribe } from '../../websocket.ts'

/** The numbers of the messages, as the fixture reads them. */
let read: number[]
/** How many it has read in the longest turn. */
let most: number
let ofTurn: number
beforeEach(() => {
  ;[read, most, ofTurn] = [[], 0, 0]
})

function note(n: number): void {
  read.push(n)
  most = Math.max(most, ++ofTurn)
  if (ofTurn === 1) setImmediate(() => (ofTurn = 0))
}

const routes: Fixture = [
  {
    path: '/chat',
    websocket: {
      on: { push: 'news' },
      messages: [
        { when: 'close', close: { code: 4001 } },
        { when: 'stall', fault: 'stalled' },
        { when: 'wait', delay: 100_000, send: 'late' },
        (message) => {
          const { n } = message as { n: number }
          note(n)
          return { send: `${n}` }
        },
      ],
    },
  },
  { path: '/io', websocket: { protocol: 'socket.io' } },
  {
    path: '/graphql',
    when: { operationName: 'Read' },
    response({ variables }) {
      note(variables!['n'] as number)
      return { body: { data: { n: 1 } } }
    },
  },
  {
    path: '/graphql',
    when: { operationName: 'Endless' },
    response: { stream: [], on: { push: 'news' } },
  },
]

interface Client {
  answers: string[]
  /** Sends all at once. */
  say: (messages: string[], parts?: number) => void
  /** After the messages; `gone` without a closing handshake. */
  leave: (how: 'closed' | 'gone') => void
  /** To how many clients it was sent. */
  push: () => Promise<number>
}

type Open = (path: string) => Promise<Client>

/** The frames of a short message, with a mask of zeros; all but the first have a space. */
function inParts(text: string, parts: number): Buffer {
  const [first, next, last] = [0x01, 0x00, 0x80]
  const frame = (start: number, payload: string) =>
    Buffer.from([start, 0x80 | payload.length, 0, 0, 0, 0, ...Buffer.from(payload)])
  const others = Array.from({ length: parts - 1 }, (_, n) => frame(n === parts - 2 ? last : next, ' '))
  return Buffer.concat([frame(first, text), ...others])
}

async function openNode(path: string): Promise<Client> {
  vi.stubGlobal('routesOfTest', routes)
  const { origin, send } = await serve({ 'fixtures/a.js': 'export default [...globalThis.routesOfTest]' })
  vi.unstubAllGlobals()
  const client = new WebSocket(origin.replace('http', 'ws') + path, ['graphql-transport-ws'])
  onTestFinished(() => client.terminate())
  const answers: string[] = []
  client.on('message', (data: Buffer) => answers.push(data.toString()))
  await once(client, 'open')
  const { _socket: socket } = client as unknown as { _socket: Socket }
  return {
    answers,
    say(messages, parts = 1) {
      socket.cork()
      for (const message of messages)
        if (parts === 1) client.send(message)
        else socket.write(inParts(message, parts))
      socket.uncork()
    },
    leave: (how) => (how === 'closed' ? client.close() : client.terminate()),
    async push() {
      const headers = { 'x-mock-api': '1', 'content-type': 'application/json' }
      const body = JSON.stringify({ channel: 'news', data: 1 })
      const { text } = await send({ method: 'POST', url: '/__mock-api/api/push', headers, body })
      return (JSON.parse(text) as { streams: number }).streams
    },
  }
}

/** As Deno has it. */
class FakeSocket extends EventTarget {
  readonly readyState = 1
  readonly answers: string[] = []
  readonly closed: (number | undefined)[] = []
  send = (data: string) => this.answers.push(data)
  close = (code?: number) => void this.closed.push(code)
}

async function openWeb(path: string): Promise<Client & { socket: FakeSocket }> {
  const handler = createFetchHandler(routes)
  const socket = new FakeSocket()
  const upgradeWebSocket = () => ({ socket, response: new Response() })
  vi.stubGlobal('Deno', { upgradeWebSocket })
  const headers = {
    connection: 'upgrade',
    upgrade: 'websocket',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    'sec-websocket-version': '13',
    'sec-websocket-protocol': 'graphql-transport-ws',
  }
  await handler(new Request(`http://localhost${path}`, { headers }))
  vi.unstubAllGlobals()
  return {
    socket,
    answers: socket.answers,
    say: (messages) =>
      messages.forEach((data) => socket.dispatchEvent(new MessageEvent('message', { data }))),
    leave: () => socket.dispatchEvent(Object.assign(new Event('close'), { code: 1000, reason: '' })),
    push: () => Promise.resolve(handler.push('news', 1)),
  }
}

const hosts: [name: string, open: Open][] = [
  ['node', openNode],
  ['web', openWeb],
]
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n)
const message = (n: number) => `{"n":${n}}`
const operation = (n: number) => subscribe('query Read($n: Int) { n }', `${n}`, { variables: { n } })
async function start({ say, answers }: Client, path: string): Promise<void> {
  if (path !== '/graphql') return
  say([init])
  await expect.poll(() => answers).toEqual([ack])
}
const patience = { timeout: 30_000 }

/** `limit`: so many in one turn. */
type Burst = [
  what: string,
  path: string,
  count: number,
  say: (n: number) => string[],
  limit: number,
  parts?: number,
]
const bursts: Burst[] = [
    ['messages of a route', '/chat', 500, (n) => [message(n)], 100],
    ['long messages of a route', '/chat', 60, (n) => [message(n).padEnd(10_000)], 20],
    ['messages in a thousand parts', '/chat', 60, (n) => [message(n)], 20, 1000],
    ['operations', '/graphql', 300, (n) => [operation(n)], 100],
    ['operations between pings', '/graphql', 60, (n) => [...Array<string>(9).fill('{"type":"ping"}'), operation(n)], 15],
] // prettier-ignore

describe.each(hosts)('%s', (host, open) => {
  const sent = bursts.filter(([, , , , , parts]) => host === 'node' || parts === undefined)
  it.each(sent)('a burst of %s', async (_, path, count, say, limit, parts) => {
    const client = await open(path)
    await start(client, path)
    client.say(upTo(count).flatMap(say), parts)
    await expect.poll(() => read.length, patience).toBe(count)
    expect(read).toEqual(upTo(count))
    expect(most).toBeLessThanOrEqual(limit)
    const answered = () => client.answers.filter((answer) => /^\d+$|"complete"/.test(answer)).map((answer) => Number(/\d+/.exec(answer)))
    await expect.poll(() => answered().length, patience).toBe(count)
    expect(answered()).toEqual(upTo(count))
  }) // prettier-ignore

  it('what was sent before the client closes is answered, and nothing is left', async () => {
    const client = await open('/chat')
    expect(await client.push()).toBe(1)
    client.say(upTo(500).map(message))
    client.leave('closed')
    await expect.poll(client.push, patience).toBe(0)
    expect(read).toEqual(upTo(500))
    // Elsewhere it has closed, also for answers.
    if (host === 'node') await expect.poll(() => client.answers, patience).toContain('499')
  })

  it('nothing is left of a client that is gone in the middle', async () => {
    const client = await open('/chat')
    client.say(upTo(300).flatMap((n) => [message(n), 'wait']))
    await expect.poll(() => read.length, patience).toBeGreaterThan(0)
    client.leave('gone')
    await expect.poll(client.push, patience).toBe(0)
    expect(read).toEqual(upTo(read.length))
  })

  it.each(['close', 'stall'])('after %s, what waits is not read', async (end) => {
    const client = await open('/chat')
    client.say([...upTo(150).map(message), end, ...upTo(150).map(message)])
    await expect.poll(() => read.length, patience).toBe(150)
    for (let turn = 0; turn < 10; turn++) await new Promise((done) => setImmediate(done))
    expect(read).toEqual(upTo(150))
  })

  it('operations are completed in the order of their messages', async () => {
    const client = await open('/graphql')
    await start(client, '/graphql')
    const both = (n: number) => [subscribe('subscription Endless { n }', `${n}`), `{"id":"${n}","type":"complete"}`]
    client.say([...upTo(100).flatMap(both), operation(100)])
    await expect.poll(() => read, patience).toEqual([100])
    expect(await client.push()).toBe(0)
  }) // prettier-ignore
})

it('a client of Socket.IO that says that it leaves is closed', async () => {
  const { socket, say } = await openWeb('/io?EIO=4&transport=websocket')
  say(['1'])
  await expect.poll(() => socket.closed).toEqual([1000])
})

it('a client that nothing makes wait is cut off at 100 000 messages', async () => {
  const { socket, say } = await openWeb('/chat')
  say(upTo(100_200).map(message))
  await expect.poll(() => socket.closed, patience).toEqual([1008])
  expect(read).toEqual(upTo(read.length))
  expect(read.length).toBeLessThan(101)
})
