import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { serve, serveOnce } from '../../hosts/of-test.ts'
import { talk } from '../../websocket.ts'

const fixture = `
- path: /news
  websocket: { open: [{ send: hello }, { delay: 5, send: { n: 2 } }, { bytes: AQID }] }
- path: /chat
  websocket:
    open: { send: hello }
    messages:
      - { when: { type: ping }, send: { type: pong, at: { $from: body.at }, room: { $from: query.room } } }
      - { when: { n: { $gt: 5 } }, send: large }
      - { when: quit, send: bye, close: { code: 4001, reason: You left. } }
      - { when: { bytes: AQID }, bytes: BAUG }
      - { when: { type: list }, send: one, then: [{ delay: 5, send: two }, { send: [3, 4] }] }
      - { when: { type: die }, fault: reset }
      - { when: { type: half }, fault: truncated }
      - { when: { type: wrong }, fault: malformed }
      - { when: { type: stop }, fault: stalled, send: last }
      - { when: { type: echo }, send: { $from: body } }
      - { when: { id: 1234567890123456789 }, send: { id: 1234567890123456789, asked: { $from: body.id } } }
      - { when: { over: { $gt: 1234567890123456789 } }, send: 1234567890123456789 }
      - { when: { ids: { $size: 1 } }, send: one, then: [{ send: { $from: body.ids.0 } }] }
- path: /rooms/:room
  when: { query: { token: '1' } }
  websocket: { protocol: [v2, v1], open: { send: { room: { $from: params.room } } } }
- { path: /closes, websocket: { open: { send: hi }, close: 4000 } }
- { path: /late, websocket: { open: { send: hi }, close: { code: 4002, reason: Idle., after: 5 } } }
- { path: /refuses, websocket: { status: 401 } }
- { path: /resets, websocket: { fault: reset } }
- { path: /empty, websocket: { fault: empty } }
- { path: /never, websocket: { fault: silent } }
- { path: /slow, websocket: { delay: 5, open: { send: hi } } }
- { path: /limited, websocket: { open: { send: hi } }, rateLimit: { requests: 1, per: 60000 } }
- { path: /both, websocket: { open: { send: socket } } }
- { path: /both, response: { body: http } }
- { path: /scene, scenario: busy, websocket: { close: 1013 } }
- { path: /scene, websocket: { open: { send: calm } } }
- { path: /orders, response: { body: [] } }
`

describe('WebSockets of routes', () => {
  const served = serveOnce({ 'fixtures/sockets.yaml': fixture })

  const opened = ['open', 'hello', '{"n":2}', 'bytes AQID']
  it.each<[what: string, path: string, options: Parameters<typeof talk>[2], seen: string[]]>([
    ['messages when it opens', '/news', {}, opened],
    ['JSON', '/chat?room=7', { say: ['{"type":"ping","at":1.50}'] }, ['open', 'hello', '{"type":"pong","at":1.5,"room":"7"}']],
    [
      'all digits of a number',
      '/chat',
      {
        say: [
          '{"id":1234567890123456788}',
          '{"id":1234567890123456789}',
          '{"over":1234567890123456789}',
          '{"over":1234567890123456790}',
          '{"ids":[1234567890123456791]}',
        ],
      },
      [
        'open',
        'hello',
        '{"id":1234567890123456789,"asked":1234567890123456789}',
        '1234567890123456789',
        'one',
        '1234567890123456791',
      ],
    ],
    ['an operator', '/chat', { say: ['{"n":6}'] }, ['open', 'hello', 'large']],
    ['no answer', '/chat', { say: ['{"n":1}', 'what', 'quit'] }, ['open', 'hello', 'bye']],
    ['text, and a close', '/chat', { say: ['quit'] }, ['open', 'hello', 'bye', 'close 4001 You left.']],
    ['bytes', '/chat', { say: [Uint8Array.of(1, 2, 3)] }, ['open', 'hello', 'bytes BAUG']],
    ['several', '/chat', { say: ['{"type":"echo"}', '{"type":"list"}'] }, ['open', 'hello', '{"type":"echo"}', 'one']],
    ['a reset', '/chat', { say: ['{"type":"die"}'] }, ['open', 'hello', 'close 1006']],
    ['half of a frame', '/chat', { say: ['{"type":"half"}'] }, ['open', 'hello', 'close 1006']],
    ['a malformed frame', '/chat', { say: ['{"type":"wrong"}'] }, ['open', 'hello', 'close 1006']],
    ['the prototype', '/chat', { say: ['{"__proto__":{"type":"ping"}}', 'quit'] }, ['open', 'hello', 'bye']],
    ['the preferred protocol', '/rooms/a%20b?token=1', { protocols: ['v1', 'v2'] }, ['open v2', '{"room":"a b"}']],
    ['the protocol of the client', '/chat', { protocols: ['x', 'y'] }, ['open x']],
    ['an unselected request', '/rooms/7', {}, ['refused 404']],
    ['a close', '/closes', {}, ['open', 'hi', 'close 4000']],
    ['a later close', '/late', {}, ['open', 'hi', 'close 4002 Idle.']],
    ['a refusal', '/refuses', {}, ['refused 401']],
    ['a reset handshake', '/resets', {}, ['close 1006']],
    ['an empty answer', '/empty', {}, ['close 1006']],
    ['a slow handshake', '/slow', {}, ['open', 'hi']],
    ['beside a route', '/both', {}, ['open', 'socket']],
    ['outside of a scenario', '/scene', {}, ['open', 'calm']],
    ['in a scenario', '/scene', { headers: { 'x-mock-scenario': 'busy' } }, ['open', 'close 1013']],
    ['a foreign page', '/chat', { origin: 'https://evil.example' }, ['refused 403']],
    ['its own page', '/both', { origin: 'http://localhost:3000' }, ['open', 'socket']],
    [
      'a rebinding name',
      '/chat',
      { headers: { host: 'evil.example' }, origin: 'http://evil.example' },
      ['refused 403'],
    ],
    ['a path over HTTP only', '/orders', {}, ['refused 501']],
  ])('%s', async (_, path, options, seen) => {
    expect(await talk(served.origin, path, options, seen.length)).toEqual(seen)
  }) // prettier-ignore

  it('one request is answered in a minute, the next one is refused', async () => {
    expect(await talk(served.origin, '/limited', {}, 2)).toEqual(['open', 'hi'])
    expect(await talk(served.origin, '/limited', {}, 1)).toEqual(['refused 429'])
  })

  it('the same path is answered over HTTP, and a path of WebSockets alone is not', async () => {
    expect(await served.send({ url: '/both' })).toMatchObject({ status: 200, text: 'http' })
    expect((await served.send({ url: '/chat' })).headers['x-passed-on']).toBe('GET')
  })

  it('a handshake that is never answered stays open, and ends with the server', async () => {
    const { origin, close } = await serve({
      'fixtures/a.yaml': '- { path: /never, websocket: { fault: silent } }',
    })
    const client = new WebSocket(`${origin.replace('http', 'ws')}/never`)
    const ended = once(client, 'error')
    await new Promise(
      (resolve) => client.once('upgrade', resolve).once('error', resolve) && setImmediate(resolve),
    )
    expect(client.readyState).toBe(WebSocket.CONNECTING)
    await close()
    await ended
  })

  it('open WebSockets end with the server', async () => {
    const { origin, close } = await serve({
      'fixtures/a.yaml': '- { path: /chat, websocket: { open: { send: hi } } }',
    })
    const client = new WebSocket(`${origin.replace('http', 'ws')}/chat`)
    await once(client, 'message')
    const closed = once(client, 'close')
    await close()
    expect((await closed)[0]).toBe(1001)
  })
})

it('a function answers the rest, and its failures close the WebSocket', async () => {
  const { origin, log } = await serve({
    'fixtures/a.js': `export default [{
      path: '/chat/:room',
      websocket: {
        messages: [
          { when: 'hi', send: 'hello' },
          async (message, request) => {
            if (message === 'throw') throw new Error('no')
            if (message === 'wrong') return 5
            if (message === 'silence') return undefined
            return [{ send: { message, room: request.params.room } }, { send: Uint8Array.of(1) }]
          },
        ],
      },
    }]`,
  })
  const say = (text: string, count: number) => talk(origin, '/chat/7', { say: [text] }, count)
  expect(await say('hi', 2)).toEqual(['open', 'hello'])
  expect(await say('{"a":1}', 3)).toEqual(['open', '{"message":{"a":1},"room":"7"}', 'bytes AQ=='])
  expect(await say('throw', 2)).toEqual(['open', 'close 1011 The function of the route failed.'])
  expect(await say('wrong', 2)).toEqual(['open', 'close 1011 The function of the route failed.'])
  expect(log.filter((line) => line.includes('[function-failed]'))).toHaveLength(2)
})

it('is one row of the journal, with its state', async () => {
  const { origin, send } = await serve({
    'fixtures/a.yaml': '- { path: /chat, websocket: { open: { send: hi } } }',
  })
  const rows = async () => {
    const { text } = await send({ url: '/__mock-api/api/requests' })
    return (JSON.parse(text) as { requests: Record<string, unknown>[] }).requests
  }
  const client = new WebSocket(`${origin.replace('http', 'ws')}/chat`)
  await once(client, 'message')
  const [row] = await rows()
  expect(row).toMatchObject({ method: 'WEBSOCKET', url: '/chat' })
  expect(row).not.toHaveProperty('duration')
  client.close()
  await once(client, 'close')
  await expect.poll(rows).toMatchObject([{ method: 'WEBSOCKET', url: '/chat', status: 101 }])
})
