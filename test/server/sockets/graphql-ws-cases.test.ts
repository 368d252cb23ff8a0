/*
 * Cases of graphql-ws's own tests of its server, written anew. Of its 52, 30 are about options of that library (parse, validate, context,
 * roots, hooks), and 22 about the protocol: 10 are here, the others in operations.test.ts and frames.test.ts.
 */
import { describe, expect, it } from 'vitest'
import { type Served, serveOnce } from '../../hosts/of-test.ts'
import { ack, init, subscribe, talk } from '../../websocket.ts'

const fixtures = {
  'schema.graphql': 'type Query { hero: String } type Subscription { tick: Int }',
  'fixtures/a.yaml': `
- { path: /graphql, when: { operationName: Hero }, response: { body: { data: { hero: R2-D2 } } } }
- { path: /graphql, when: { operationName: Late }, response: { delay: 100000, body: { data: { hero: late } } } }
- { path: /graphql, when: { operationName: Ticks }, response: { stream: [{ data: { tick: 1 } }, { delay: 1, data: { tick: 2 } }], end: complete } }
- { path: /graphql, when: { operationName: Endless }, response: { stream: [{ data: { tick: 1 } }], on: { mutation: Go } } }
- { path: /checked, when: { operationName: Hero }, response: { body: { data: { hero: R2-D2 } } } }
`,
  'fixtures/b.js': `export default [{
    path: '/graphql',
    when: { operationName: 'Throws' },
    response: async function* () {
      yield { data: { tick: 1 } }
      throw new Error('no')
    },
  }]`,
}
const served = serveOnce(fixtures)
const checked = serveOnce(fixtures, { graphql: { schema: 'schema.graphql' } })

const next = (data: object, id = '1') => JSON.stringify({ id, type: 'next', payload: { data } })
const complete = (id = '1') => JSON.stringify({ id, type: 'complete' })
const ping = '{"type":"ping"}'
const pong = '{"type":"pong"}'
const ticks = subscribe('subscription Ticks { tick }')
const endless = subscribe('subscription Endless { tick }')
const late = subscribe('query Late { hero }')

describe('the cases of graphql-ws', () => {
  const speak = async (server: Served, say: string[], count: number) =>
    (
      await talk(
        server.origin,
        '/graphql',
        { protocols: ['graphql-transport-ws'], say, waits: true },
        count + 1,
      )
    ).slice(1)

  it.each<[what: string, say: string[], seen: string[]]>([
    ['executes a subscription and sends what is published', [init, ticks], [ack, next({ tick: 1 }), next({ tick: 2 }), complete()]],
    ['completes a long running query before the result becomes available', [init, late, complete(), ping], [ack, pong]],
    ['does not send a complete message back if the client has sent it', [init, endless, complete(), ping, ping], [ack, pong, pong]],
    ['respects a completed operation while it is being prepared', [init, late, complete(), subscribe('query Hero { hero }')], [ack, next({ hero: 'R2-D2' }), complete()]],
    ['closes the socket on duplicate operations, even if one is still preparing', [init, late, late], [ack, 'close 4409 Subscriber for 1 already exists']],
    // graphql-ws sends an error; here, the connection breaks, as that of every stream whose function throws.
    ['sends nothing after a subscription has thrown', [init, subscribe('subscription Throws { tick }')], [ack, next({ tick: 1 }), 'close 1006']],
    ['answers persisted queries by their name', [init, subscribe('', '1', { operationName: 'Hero', extensions: { persistedQuery: { version: 1, sha256Hash: 'x' } } })], [ack, next({ hero: 'R2-D2' }), complete()]],
    ['closes the socket when a second connection_init arrives while one is pending', [`${init}`, init], [ack, 'close 4429 Too many initialisation requests']],
  ])('%s', async (_, say, seen) => {
    expect(await speak(served, say, seen.length)).toEqual(seen)
  }) // prettier-ignore

  it('sends an error for what the schema does not have, and goes on', async () => {
    const say = [init, subscribe('query Hero { villain }'), ping]
    const seen = (await speak(checked, say, 3)).toSorted()
    expect(seen).toContain(pong)
    expect(JSON.parse(seen.find((text) => text.includes('"error"'))!)).toMatchObject({
      id: '1',
      type: 'error',
      payload: [
        { message: 'Cannot query field "villain" on type "Query".', locations: [{ line: 1, column: 14 }] },
      ],
    })
  })

  it('closes the socket of a client that sends no connection_init for three seconds', async () => {
    expect(await speak(served, [], 1)).toEqual(['close 4408 Connection initialisation timeout'])
  })
})
