/* Clients that leave, connections that fail, and requests that come before the answer to the last one. */
import { bigText, faultBody } from '../project.mjs'
import { answers, json, post, request } from './http.mjs'

const order = Buffer.from(JSON.stringify({ filter: { state: 'open' }, filler: 'x'.repeat(3_000) }))
const partialOrder = (path, random, headers) =>
  request('POST', path, { headers: { ...json, ...headers, 'content-length': order.length }, body: undefined })

/** The number of clients that wait for an answer that never comes, until the next checkpoint. */
const maxParked = 60

/**
 * @typedef {object} Tools
 * @property {(mode: string) => Promise<import('../connection.mjs').Connection>} open a connection for this request alone
 * @property {import('../connection.mjs').Connection[]} parked connections that are closed at the next checkpoint
 * @type {import('./index.mjs').SpecialKind[]}
 */
export const connectionKinds = [
  leaving('in a body', 3, async (connection, random) => {
    const path = random.pick(['/orders/search', '/only', '/graphql', '/echo'])
    await connection.flushed(partialOrder(path, random))
    await connection.flushed(order.subarray(0, random.below(order.length)))
  }),
  leaving(
    'in a body that is passed on',
    2,
    async (connection, random) => {
      await connection.flushed(partialOrder(random.pick(['/only', '/echo']), random))
      await connection.flushed(order.subarray(0, random.below(order.length)))
    },
    'still',
  ),
  leaving('in a body that was waited for', 2, async (connection, random) => {
    connection.write(partialOrder('/orders/search', random, { expect: '100-continue' }))
    const { status } = await connection.next()
    if (status !== 100) return `status 100 expected, not ${status}`
    await connection.flushed(order.subarray(0, 1 + random.below(order.length - 1)))
    return undefined
  }),
  leaving('in an answer', 3, async (connection, random) => {
    connection.write(request('GET', '/big'))
    const beginning = await connection.beginning(1 + random.below(100_000))
    return beginning.startsWith('HTTP/1.1 200') ? undefined : 'a big answer expected'
  }),
  leaving('before a delayed answer', 2, afterAPage('/late')),
  leaving('before no answer', 2, afterAPage('/fault/silent')),
  leaving('before a function has settled', 1, afterAPage('/functions/never')),
  leaving('in a stalled answer', 2, stalled),
  leaving('in a dribbled answer', 1, async (connection) => {
    connection.write(request('GET', '/fault/dribble'))
    const beginning = await connection.beginning(1)
    return beginning.startsWith('HTTP/1.1 200') ? undefined : 'a piece expected'
  }),

  {
    name: 'waiting for ever',
    weight: 0.5,
    mode: 'plain',
    async run({ open, parked }, random) {
      if (parked.length >= maxParked) return { outcome: 'left' }
      const connection = await open('plain')
      parked.push(connection)
      const wait = random.pick([afterAPage('/late'), afterAPage('/fault/silent'), stalled])
      return { outcome: 'left', problem: await wait(connection) }
    },
  },

  fault('reset', 2, ({ closed, received }) =>
    closed === 'reset' && received === '' ? undefined : 'a reset expected',
  ),
  fault('empty', 2, ({ closed, received }) =>
    closed === 'end' && received === '' ? undefined : 'nothing expected',
  ),
  fault('truncated', 2, ({ closed, received }) => {
    const body = received.split('\r\n\r\n')[1]
    const isHalf = closed === 'end' && body === faultBody.slice(0, Math.floor(faultBody.length / 2))
    return isHalf ? undefined : 'half of the body expected'
  }),
  fault('malformed', 2, ({ closed, received }) =>
    closed === 'end' && received.endsWith('this is no chunk\r\n') ? undefined : 'a malformed chunk expected',
  ),
  {
    name: 'fault: dribble',
    weight: 0.5,
    mode: 'plain',
    async run({ open }) {
      const connection = await open('plain')
      connection.write(request('GET', '/fault/dribble'))
      const answer = await connection.next()
      connection.leave()
      return {
        outcome: answer.status,
        problem: answer.closed ? 'an answer expected' : answers(200, faultBody)(answer),
      }
    },
  },
  {
    name: 'big answer',
    weight: 1,
    mode: 'plain',
    async run({ open }) {
      const connection = await open('plain')
      connection.write(request('GET', '/big'))
      const answer = await connection.next()
      connection.leave()
      return {
        outcome: answer.status,
        problem: answer.text === bigText ? undefined : 'the whole text expected',
      }
    },
  },
  {
    name: 'HTTP/1.0',
    weight: 1,
    mode: 'plain',
    async run({ open }) {
      const connection = await open('plain')
      connection.write(request('GET', '/orders/7', { version: '1.0' }))
      const answer = await connection.next()
      await connection.gone
      return { outcome: answer.status, problem: answers(200, { id: 7, state: 'open' })(answer) }
    },
  },
  {
    name: 'upload byte by byte',
    weight: 0.5,
    mode: 'plain',
    async run({ open }) {
      const connection = await open('plain')
      for (const byte of post('/only', { a: 1 })) await connection.flushed(Buffer.of(byte))
      const answer = await connection.next()
      connection.leave()
      return { outcome: answer.status, problem: answers(201, { created: true })(answer) }
    },
  },
]

/** Sent behind another request on the same connection, whose answer shows that the server has read this one. */
function afterAPage(path) {
  return async (connection) => {
    connection.write(Buffer.concat([request('GET', '/orders/7'), request('GET', path)]))
    const { status } = await connection.next()
    return status === 200 ? undefined : `status 200 expected, not ${status}`
  }
}

async function stalled(connection) {
  connection.write(request('GET', '/fault/stalled'))
  const beginning = await connection.beginning(1)
  return beginning.startsWith('HTTP/1.1 200') ? undefined : 'the beginning of an answer expected'
}

function leaving(name, weight, run, mode = 'plain') {
  return {
    name: `leaving ${name}`,
    weight,
    mode,
    async run({ open }, random) {
      const connection = await open(mode)
      const problem = await run(connection, random)
      connection.leave(random.pick(['reset', 'end']))
      return { outcome: 'left', problem }
    },
  }
}

function fault(name, weight, check) {
  return {
    name: `fault: ${name}`,
    weight,
    mode: 'plain',
    async run({ open }) {
      const connection = await open('plain')
      connection.write(request('GET', `/fault/${name}`))
      const closed = await connection.next()
      await connection.gone
      return {
        outcome: 'broken',
        problem: check(closed.status ? { closed: 'answered', received: '' } : closed),
      }
    },
  }
}
