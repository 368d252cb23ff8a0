/* WebSockets that MSW intercepts: those of `globalThis.WebSocket`, which Node has from version 22 on. */
import { setupServer } from 'msw/node'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { WebSocket as NodeWebSocket, WebSocketServer } from 'ws'
import type { Fixture } from '../../src/fetch.ts'
import { toHandlers } from '../../src/msw.ts'
import { recorder } from '../hosts/serve.ts'

const routes: Fixture = [
  {
    path: '/chat/:room',
    websocket: {
      open: [{ send: { hello: { $from: 'params.room' } } }, { bytes: 'AQID' }],
      messages: [
        { when: { type: 'ping' }, send: { type: 'pong' } },
        { when: { bytes: 'BAUG' }, send: 'bytes' },
        { when: 'quit', close: { code: 4001, reason: 'You left.' } },
        { when: 'break', fault: 'reset' },
      ],
      on: { push: 'news' },
    },
  },
  { path: '/refused', websocket: { status: 401 } },
  { path: '/breaks', websocket: { fault: 'reset' } },
  {
    path: '/graphql',
    when: { operationType: 'subscription', operationName: 'Ticks' },
    response: { stream: [{ data: { tick: 1 } }], end: 'complete' },
  },
]
const handlers = toHandlers(routes, { logger: recorder().logger })
const server = setupServer(...handlers)

beforeAll(() => {
  vi.stubGlobal('WebSocket', NodeWebSocket)
  server.listen({ onUnhandledRequest: 'bypass' })
})
afterAll(() => {
  server.close()
  vi.unstubAllGlobals()
})

async function talk(
  url: string,
  say: (string | Uint8Array<ArrayBuffer>)[],
  count: number,
  protocols?: string[],
) {
  const socket = new WebSocket(url, protocols)
  socket.binaryType = 'arraybuffer'
  const seen: string[] = []
  await new Promise<void>((resolve) => {
    const see = (what: string) => seen.push(what) >= count && resolve()
    socket.addEventListener('open', () => {
      see(`open ${socket.protocol}`.trim())
      for (const message of say) socket.send(message)
    })
    socket.addEventListener('message', ({ data }) =>
      see(typeof data === 'string' ? data : `bytes ${Buffer.from(data as ArrayBuffer).toString('base64')}`),
    )
    socket.addEventListener('close', ({ code, reason }) => {
      see(`close ${code} ${reason}`.trim())
      resolve()
    })
  })
  socket.close()
  return seen.slice(0, count)
}

const opened = ['open', '{"hello":"7"}', 'bytes AQID']
const operation = '{"id":"1","type":"subscribe","payload":{"query":"subscription Ticks { tick }"}}'
it.each([
  ['/chat/7', ['{"type":"ping"}'], [...opened, '{"type":"pong"}']],
  ['/chat/7', [Uint8Array.of(4, 5, 6)], [...opened, 'bytes']],
  ['/chat/7', ['quit'], [...opened, 'close 4001 You left.']],
  ['/chat/7', ['break'], [...opened, `close 1011 The fixture's fault "reset"`]],
  ['/refused', [], ['close 1006']],
  ['/breaks', [], ['close 1006']],
])('%s %j', async (path, say, seen) => {
  expect((await talk(`ws://localhost:3000${path}`, say, seen.length)).toSorted()).toEqual(seen.toSorted())
})

it('answers graphql-transport-ws', async () => {
  const say = ['{"type":"connection_init"}', operation]
  expect(await talk('ws://localhost:3000/graphql', say, 4, ['graphql-transport-ws'])).toEqual([
    'open graphql-transport-ws',
    '{"type":"connection_ack"}',
    '{"id":"1","type":"next","payload":{"data":{"tick":1}}}',
    '{"id":"1","type":"complete"}',
  ])
})

it('push reaches what is open, and nothing is left when it has closed', async () => {
  const pushed: unknown[] = []
  const socket = new WebSocket('ws://localhost:3000/chat/7')
  await new Promise<void>((resolve) => {
    socket.addEventListener('message', ({ data }) => {
      if (data === '{"id":7}') resolve()
      else if (typeof data === 'string') pushed.push(handlers.push('news', { id: 7 }))
    })
  })
  expect(pushed).toEqual([1])
  const closed = new Promise((resolve) => socket.addEventListener('close', resolve))
  socket.close()
  await closed
  expect(handlers.push('news', 1)).toBe(0)
})

it('leaves WebSockets of other paths and hosts to the network', async () => {
  const network = new WebSocketServer({ port: 0 })
  network.on('connection', (client) => client.send('network'))
  const { port } = network.address() as { port: number }
  expect(await talk(`ws://localhost:${port}/other`, [], 2)).toEqual(['open', 'network'])
  network.close()
})
