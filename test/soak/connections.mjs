/* Clients that leave, connections that break, and bytes that come slowly: each on a connection of its own. */
import { openRaw } from '../hosts/raw.ts'
import { openWire } from '../hosts/wire.ts'
import { bigText, faultBody } from './project.mjs'
import { answers, json, post, request } from './requests.mjs'

const order = Buffer.from(JSON.stringify({ filter: { state: 'open' }, filler: 'x'.repeat(3_000) }))
const partOf = (body, random) => body.subarray(0, random.below(body.length))
/** Announces a body. */
const head = (path, headers) => request('POST', path, { ...json, 'content-length': order.length, ...headers })
/** After another request, whose answer shows that the server has read this one. */
export const afterAPage = (path) => Buffer.concat([request('GET', '/orders/7'), request('GET', path)])

/** Clients that wait for an answer that never comes, until the next checkpoint. */
const maxParked = 60

/** @returns kinds with `run`, which returns what is wrong */
export const connectionKinds = [
  leaving(3, 'in a body', 'plain', (random) => {
    const path = random.pick(['/orders/search', '/only', '/graphql', '/echo'])
    return [Buffer.concat([head(path), partOf(order, random)])]
  }),
  leaving(2, 'in a body that is passed on', 'still', (random) => [
    Buffer.concat([head(random.pick(['/only', '/echo'])), partOf(order, random)]),
  ]),
  leaving(2, 'in a body that was waited for', 'plain', (random) => [
    head('/orders/search', { expect: '100-continue' }),
    'HTTP/1.1 100',
    partOf(order, random),
  ]),
  leaving(3, 'in an answer', 'plain', () => [request('GET', '/big'), 'Jack']),
  ...['/late', '/fault/silent', '/functions/never'].map((path) =>
    leaving(2, `before ${path}`, 'plain', () => [afterAPage(path), '"open"']),
  ),
  leaving(2, 'in a stalled answer', 'plain', () => [request('GET', '/fault/stalled'), 'Roads']),
  leaving(1, 'in a dribbled answer', 'plain', () => [request('GET', '/fault/dribble'), '\r\n\r\n']),
  {
    name: 'waiting for ever',
    weight: 0.5,
    mode: 'plain',
    async run({ origins, open, parked }, random) {
      if (parked.length >= maxParked) return
      const path = random.pick(['/late', '/fault/silent', '/fault/stalled'])
      const wire = open(openWire(origins.plain))
      parked.push(wire)
      wire.socket.write(afterAPage(path))
      await wire.seen('"open"')
    },
  },

  ...['reset', 'empty', 'truncated', 'malformed'].map((fault) => ({
    name: `fault: ${fault}`,
    weight: 2,
    mode: 'plain',
    async run({ origins, open }) {
      const wire = open(openWire(origins.plain))
      wire.socket.write(request('GET', `/fault/${fault}`))
      const how = await wire.ended
      const isRight = (how === 'reset') === (fault === 'reset') && !wire.received().includes(faultBody)
      return isRight ? undefined : `${how} after ${JSON.stringify(wire.received())}`
    },
  })),
  asking(0.5, 'dribble', request('GET', '/fault/dribble'), answers(200, faultBody)),
  asking(1, 'big answer', request('GET', '/big'), ({ text }) =>
    text === bigText ? '' : 'all of it expected',
  ),
  asking(
    1,
    'HTTP/1.0',
    Buffer.from('GET /orders/7 HTTP/1.0\r\n\r\n'),
    answers(200, { id: 7, state: 'open' }),
  ),
  asking(
    0.5,
    'byte by byte',
    [...post('/only', { a: 1 })].map((byte) => Buffer.of(byte)),
    answers(201, { created: true }),
  ),
]

/** @param make returns what is written, what is waited for, and what is written then */
function leaving(weight, name, mode, make) {
  return {
    name: `leaving ${name}`,
    weight,
    mode,
    async run({ origins, open }, random) {
      const [first, seen, second = ''] = make(random)
      const wire = open(openWire(origins[mode]))
      await flush(wire, first)
      if (seen !== undefined) await wire.seen(seen)
      await flush(wire, second)
      if (random.chance(0.5)) wire.reset()
      else wire.socket.destroy()
    },
  }
}

/** Resolves when it has left this process. */
function flush({ socket }, bytes) {
  return new Promise((resolve) => socket.write(bytes, resolve))
}

function asking(weight, name, bytes, check) {
  return {
    name,
    weight,
    mode: 'plain',
    async run({ origins, open }) {
      const connection = open(await openRaw(origins.plain))
      for (const part of [bytes].flat()) {
        connection.write(part)
        if (Array.isArray(bytes)) await new Promise(setImmediate)
      }
      const answer = await connection.next()
      connection.reset()
      return answer ? check(answer) : 'an answer expected'
    },
  }
}
