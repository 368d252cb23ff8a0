/* The cases of graphql-ws's own tests of its server that graphql-ws-cases.test.ts lacks, and what is ours: routes, faults, clients, limits. */
import { ApolloClient, gql, InMemoryCache } from '@apollo/client'
import { GraphQLWsLink } from '@apollo/client/link/subscriptions'
import { once } from 'node:events'
import { createClient } from 'graphql-ws'
import { describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { serve, serveOnce } from '../../hosts/of-test.ts'
import { ack, init, subscribe, talk } from '../../websocket.ts'

const fixture = `
- path: /graphql
  when: { operationName: Hero }
  response: { body: { data: { hero: { name: R2-D2 } } } }
- path: /graphql
  when: { operationName: Later }
  response: { delay: 5, body: { data: { later: true } } }
- path: /graphql
  when: { operationName: Partial }
  response: { body: { data: { hero: null }, errors: [{ message: Slow., path: [hero] }], extensions: { cost: 1 } } }
- path: /graphql
  when: { operationName: Refused }
  response: { body: { errors: [{ message: Sign in., extensions: { code: UNAUTHENTICATED } }] } }
- path: /graphql
  when: { operationName: Down }
  response: { status: 503, body: down }
- path: /graphql
  when: { operationName: Cut }
  response: { fault: reset }
- path: /graphql
  when: { operationName: Rename, variables: { name: Ada } }
  response: { body: { data: { rename: { name: { $from: variables.name } } } } }
- path: /graphql
  when: { operationName: Digits, variables: { id: 1234567890123456789 } }
  response: { body: { data: { digits: { $from: variables.id } } } }
- path: /graphql
  when: { operationName: Digits }
  response: { body: { data: { digits: none } } }
- path: /graphql
  when: { operationName: OnDigits }
  response: { stream: [{ data: { digits: 1234567890123456789 } }] }
- path: /graphql
  when: { operationName: Turn }
  response: [{ body: { data: { turn: 1 } } }, { body: { data: { turn: 2 } } }]
- path: /graphql
  when: { operationName: Who, headers: { authorization: Bearer 7 } }
  response: { body: { data: { who: seven } } }
- path: /graphql
  when: { operationName: Who }
  response: { body: { data: { who: { $from: headers.x-mock-client, else: everyone } } } }
`

const protocols = ['graphql-transport-ws']
const hero = subscribe('query Hero { hero { name } }')
const digits = (id: string) =>
  subscribe('query Digits { digits }', '1', { variables: { id: 0 } }).replace('"id":0', `"id":${id}`)
const next = (payload: object, id = '1') => JSON.stringify({ id, type: 'next', payload })
const complete = '{"id":"1","type":"complete"}'
const exact = '{"id":"1","type":"next","payload":{"data":{"digits":1234567890123456789}}}'
const r2d2 = { hero: { name: 'R2-D2' } }
const run = (query: string, more = {}) => [init, subscribe(query, '1', more)]
const answered = (data: object, more = {}) => [ack, next({ data, ...more }), complete]
const invalid = 'close 4400 Invalid message received'
const tooMany = 'close 4429 Too many initialisation requests'
const error = (...payload: object[]) => JSON.stringify({ id: '1', type: 'error', payload })

describe('graphql-transport-ws', () => {
  const served = serveOnce({ 'fixtures/graphql.yaml': fixture })

  it.each<[what: string, say: (string | Uint8Array)[], seen: string[]]>([
    ['an acknowledgement', [init], [ack]],
    ['an acknowledgement without the payload', ['{"type":"connection_init","payload":{"a":1}}'], [ack]],
    ['a pong', ['{"type":"ping"}', init], ['{"type":"pong"}', ack]],
    ['a pong with the payload', ['{"type":"ping","payload":{"a":1}}'], ['{"type":"pong","payload":{"a":1}}']],
    ['nothing to a pong', [init, '{"type":"pong"}', '{"type":"ping"}'], [ack, '{"type":"pong"}']],
    ['a number with all of its digits', [init, digits('1234567890123456789')], [ack, exact, complete]],
    ['a number with another last digit', [init, digits('1234567890123456788')], answered({ digits: 'none' })],
    ['an event with all digits', run('subscription OnDigits { digits }'), [ack, exact]],
    ['a query', [init, hero], answered(r2d2)],
    ['a query from its bytes', [init, Buffer.from(hero)], answered(r2d2)],
    ['a slow query', run('query Later { later }'), answered({ later: true })],
    [
      'a mutation with variables',
      run('mutation Rename($name: String) { rename(name: $name) { name } }', { variables: { name: 'Ada' } }),
      answered({ rename: { name: 'Ada' } }),
    ],
    [
      'partial data, locations and extensions',
      run('query Partial { hero }'),
      answered(
        { hero: null },
        {
          errors: [{ message: 'Slow.', locations: [{ line: 1, column: 17 }], path: ['hero'] }],
          extensions: { cost: 1 },
        },
      ),
    ],
    [
      'errors alone',
      run('query Refused { me }'),
      [ack, error({ message: 'Sign in.', extensions: { code: 'UNAUTHENTICATED' } })],
    ],
    [
      'another answer',
      run('query Down { a }'),
      [ack, error({ message: 'The mock API answered with the status 503 and no result.' })],
    ],
    ['the fault of a route', run('query Cut { a }'), [ack, 'close 1006']],
    ['no JSON', ['{'], [invalid]],
    ['no object', ['5'], [invalid]],
    ['an unknown type', ['{"type":"iWantToSubscribe"}'], [invalid]],
    ['a payload that is no object', ['{"type":"connection_init","payload":[]}'], [invalid]],
    ['no id', [init, '{"type":"subscribe","payload":{"query":"{a}"}}'], [ack, invalid]],
    ['no query', [init, '{"id":"1","type":"subscribe","payload":{}}'], [ack, invalid]],
    [
      'a message of servers',
      [init, '{"id":"1","type":"next","payload":{}}'],
      [ack, 'close 4500 Internal server error'],
    ],
    ['no connection_init before', [hero], ['close 4401 Unauthorized']],
    ['a flood of connection_inits', Array.from({ length: 500 }, () => init), [ack, tooMany]],
    [
      'a prototype',
      [init, '{"id":"__proto__","type":"subscribe","payload":{"query":"query Hero { a }"}}'],
      [ack, next({ data: r2d2 }, '__proto__')],
    ],
    ['a message over the limit', [Buffer.alloc(1_048_577)], ['close 1009']],
    ['text that is no UTF-8', [Buffer.from([0xff])], [invalid]],
  ])('%s', async (_, say, seen) => {
    const options = { protocols, say, waits: true }
    expect(await talk(served.origin, '/graphql', options, seen.length + 1)).toEqual([
      'open graphql-transport-ws',
      ...seen,
    ])
  })

  it('an endpoint without subscriptions takes WebSockets, too', async () => {
    const { origin } = await serve({ 'fixtures/graphql.yaml': '- path: /graphql\n' })
    const seen = await talk(origin, '/graphql', { protocols, say: [init], waits: true }, 2)
    expect(seen).toEqual(['open graphql-transport-ws', ack])
  })

  it('a query that can not be parsed gets the error of HTTP, with its place', async () => {
    const seen = await talk(
      served.origin,
      '/graphql',
      { protocols, say: [init, subscribe('query {')], waits: true },
      3,
    )
    expect(JSON.parse(seen[2]!)).toMatchObject({
      id: '1',
      type: 'error',
      payload: [{ message: expect.stringContaining('Syntax Error') as string }],
    })
  })

  it.each([
    ['the old protocol', { protocols: ['graphql-ws'] }, 'refused 501', '[subscriptions-legacy]'],
    ['no protocol', {}, 'refused 426', undefined],
    ['a foreign page', { protocols, origin: 'https://evil.example' }, 'refused 403', '[origin-refused]'],
    ['a rebinding name', { protocols, headers: { host: 'evil.example' } }, 'refused 403', '[host-refused]'],
  ])('refuses %s', async (_, options, seen, told) => {
    const { origin, log } = await serve(
      { 'fixtures/graphql.yaml': fixture },
      {},
      (middleware) => (req, res) => middleware(req, res, () => res.writeHead(426).end()),
    )
    expect(await talk(origin, '/graphql', options, 1)).toEqual([seen])
    if (told) expect(log.filter((line) => line.includes(told))).toHaveLength(1)
  })

  it('a client is named by its header, its cookie or its connection_init', async () => {
    const who = async (name: object | undefined, headers = {}, query = 'query Turn { turn }') => {
      const say = [JSON.stringify({ type: 'connection_init', payload: name }), subscribe(query)]
      const seen = await talk(served.origin, '/graphql', { protocols, headers, say, waits: true }, 3)
      return (JSON.parse(seen[2]!) as { payload: unknown }).payload
    }
    expect(await who({ 'x-mock-client': 'a' })).toEqual({ data: { turn: 1 } })
    expect(await who({ 'x-mock-client': 'a' })).toEqual({ data: { turn: 2 } })
    expect(await who({ headers: { 'X-Mock-Client': 'b' } })).toEqual({ data: { turn: 1 } })
    expect(await who(undefined, { 'x-mock-client': 'c' })).toEqual({ data: { turn: 1 } })
    expect(await who(undefined, { cookie: 'mock-client=c' })).toEqual({ data: { turn: 2 } })
    expect(await who({ Authorization: 'Bearer 7' }, {}, 'query Who { who }')).toEqual({
      data: { who: 'seven' },
    })
    expect(await who({ __proto__: { a: 1 }, host: 5 }, {}, 'query Who { who }')).toEqual({
      data: { who: 'everyone' },
    })
  })
})

describe('clients', () => {
  it("graphql-ws's client", async () => {
    const { origin } = await serve({ 'fixtures/graphql.yaml': fixture })
    const client = createClient({ url: `${origin.replace('http', 'ws')}/graphql`, webSocketImpl: WebSocket })
    onTestFinished(() => client.dispose())
    const results = []
    for await (const result of client.iterate({ query: 'query Hero { hero { name } }' })) results.push(result)
    expect(results).toEqual([{ data: { hero: { name: 'R2-D2' } } }])
    await expect(client.iterate({ query: 'query Refused { me }' }).next()).rejects.toMatchObject([
      { message: 'Sign in.' },
    ])
  })

  it("Apollo Client's GraphQLWsLink", async () => {
    const { origin } = await serve({ 'fixtures/graphql.yaml': fixture })
    const socket = createClient({ url: `${origin.replace('http', 'ws')}/graphql`, webSocketImpl: WebSocket })
    const client = new ApolloClient({ link: new GraphQLWsLink(socket), cache: new InMemoryCache() })
    onTestFinished(() => {
      client.stop()
      return socket.dispose()
    })
    const query = gql`
      query Hero {
        hero {
          name
        }
      }
    `
    expect((await client.query({ query })).data).toEqual({ hero: { name: 'R2-D2' } })
  })
})

const subscriptions = `
- path: /graphql
  when: { operationType: subscription, operationName: Ticks }
  response: { stream: [{ data: { tick: { n: 1, more: true } } }, { delay: 5, data: { tick: { n: 2, more: true } } }], end: complete }
- path: /graphql
  when: { operationType: subscription, operationName: Endless }
  response: { stream: [{ data: { tick: { n: 1 } } }] }
- path: /graphql
  when: { operationType: subscription, operationName: Breaks }
  response: { stream: [{ data: { tick: { n: 1 } }, fault: reset }] }
- path: /graphql
  when: { operationType: subscription, operationName: Renamed }
  response: { stream: [], on: { mutation: Rename } }
- path: /graphql
  when: { operationName: Rename }
  response: { body: { data: { rename: { name: { $from: variables.name } } } } }
- path: /room
  websocket: { open: { send: hi }, on: { mutation: Rename } }
`

describe('subscriptions', () => {
  const served = serveOnce({ 'fixtures/graphql.yaml': subscriptions }, { graphql: { shape: true } })
  const connect = () => {
    const client = createClient({
      url: `${served.origin.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      retryAttempts: 0,
    })
    onTestFinished(() => client.dispose())
    return client
  }

  it('sends each event as a result, cut to the query, and completes', async () => {
    const results = []
    for await (const { data } of connect().iterate({ query: 'subscription Ticks { tick { n } }' }))
      results.push(data)
    expect(results).toEqual([{ tick: { n: 1 } }, { tick: { n: 2 } }])
  })

  it('ends when its client completes it, while it waits for an event', async () => {
    const results = connect().iterate({ query: 'subscription Endless { tick { n } }' })
    expect((await results.next()).value).toEqual({ data: { tick: { n: 1 } } })
    await results.return!()
    const again = await talk(
      served.origin,
      '/graphql',
      {
        protocols,
        waits: true,
        say: [init, subscribe('subscription Endless { tick { n } }'), complete, '{"type":"ping"}'],
      },
      3,
    )
    expect(again.at(-1)).toBe('{"type":"pong"}')
  })

  it('breaks as a fault says', async () => {
    const results = connect().iterate({ query: 'subscription Breaks { tick { n } }' })
    expect((await results.next()).value).toEqual({ data: { tick: { n: 1 } } })
    await expect(results.next()).rejects.toMatchObject({ code: 1006 })
  })

  it('a mutation over the socket triggers events of subscriptions and of WebSocket routes', async () => {
    const client = connect()
    const renamed = client.iterate({ query: 'subscription Renamed { renamed { name } }' })
    const first = renamed.next()
    const room = new WebSocket(`${served.origin.replace('http', 'ws')}/room`)
    onTestFinished(() => room.terminate())
    const [hi] = (await once(room, 'message')) as [Buffer]
    expect(hi.toString()).toBe('hi')
    const told = once(room, 'message') as Promise<[Buffer]>
    const query = 'mutation Rename($name: String) { rename(name: $name) { name } }'
    await client.iterate({ query, variables: { name: 'Ada' } }).next()
    expect((await first).value).toEqual({ data: { renamed: { name: 'Ada' } } })
    expect((await told)[0].toString()).toBe('{"rename":{"name":"Ada"}}')
    await renamed.return!()
  })
})
