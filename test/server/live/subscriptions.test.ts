import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client'
import { cacheExchange, Client, fetchExchange } from '@urql/core'
import { createClient } from 'graphql-sse'
import { describe, expect, it } from 'vitest'
import { init, subscribe, talk } from '../../websocket.ts'
import { type ApiServer, apiServerOnce } from '../../inspector/server/api-server.ts'

/* Clients of subscriptions, as they are without any configuration. */

const fixture = `
- path: /graphql
  when: { operationType: subscription, operationName: OrderChanged }
  response:
    stream:
      - { data: { orderChanged: { id: '7', state: open, secret: 1 } } }
      - { delay: 1, data: { orderChanged: null }, errors: [{ message: Lost., path: [orderChanged] }] }
      - { delay: 1, data: { orderChanged: { id: '7', state: paid } } }
    end: complete
- path: /graphql
  when: { operationName: Rename }
  response: { body: { data: { rename: { id: '7' } } } }
- { path: /graphql, when: { operationName: Broken }, response: { stream: [{ data: { broken: 1 } }], end: reset } }
- { path: /graphql, when: { operationName: Lacking }, response: { body: { data: { lacking: 1 } } } }
`

const schema = `
type Query { a: Int }
type Mutation { rename: Order }
type Order { id: ID! state: String }
type Subscription { orderChanged: Order broken: Int }
`

const server = apiServerOnce({ 'fixtures/a.yaml': fixture })
const checked = apiServerOnce({ 'fixtures/a.yaml': fixture, 'schema.graphql': schema }, { graphql: { schema: 'schema.graphql' } }) // prettier-ignore

const query = 'subscription OrderChanged { orderChanged { id now: state } }'
const open = { data: { orderChanged: { id: '7', now: 'open' } } }
const paid = { data: { orderChanged: { id: '7', now: 'paid' } } }
const lost = {
  data: { orderChanged: null },
  errors: [{ message: 'Lost.', locations: [{ line: 1, column: 29 }], path: ['orderChanged'] }],
}

function collect<T>(
  subscribe: (sink: {
    next: (value: T) => void
    error: (error: unknown) => void
    complete: () => void
  }) => unknown,
): Promise<T[]> {
  const values: T[] = []
  return new Promise((resolve, reject) => {
    subscribe({ next: (value) => values.push(value), error: reject, complete: () => resolve(values) })
  })
}

it('graphql-sse, in distinct connections', async () => {
  const client = createClient({ url: `${server.origin}/graphql`, retryAttempts: 0 })
  expect(await collect((sink) => client.subscribe({ query }, sink))).toEqual([open, lost, paid])
  const rename = 'mutation Rename { rename { id } }'
  expect(await collect((sink) => client.subscribe({ query: rename }, sink))).toEqual([{ data: { rename: { id: '7' } } }])
  await expect(collect((sink) => client.subscribe({ query: 'subscription Broken { broken }' }, sink))).rejects.toThrow()
}) // prettier-ignore

it('Apollo Client, by multipart', async () => {
  const link = new HttpLink({ uri: `${server.origin}/graphql` })
  const client = new ApolloClient({ link, cache: new InMemoryCache() })
  const results = await collect<{ data?: unknown; error?: { message: string } }>((sink) =>
    client.subscribe({ query: gql(query), errorPolicy: 'all' }).subscribe(sink),
  )
  expect(results.map(({ data, error }) => error?.message ?? data)).toEqual([
    { orderChanged: { id: '7', now: 'open' } },
    'Lost.',
    { orderChanged: { id: '7', now: 'paid' } },
  ])
  client.stop()
})

it('urql, by server-sent events', async () => {
  const exchanges = [cacheExchange, fetchExchange]
  const client = new Client({ url: `${server.origin}/graphql`, exchanges, fetchSubscriptions: true, preferGetMethod: false })
  const results: unknown[] = []
  await new Promise<void>((resolve) => {
    client.subscription(query, {}).subscribe(({ data, error }) => {
      results.push([data, error?.graphQLErrors[0]?.message]) // it keeps errors of earlier events
      if (results.length === 3) resolve()
    })
  })
  expect(results).toEqual([[open.data, undefined], [lost.data, 'Lost.'], [paid.data, 'Lost.']])
}) // prettier-ignore

describe('over HTTP', () => {
  const ask = async (to: ApiServer, sent: string, accept: string) => {
    const response = await to.post('/graphql', { query: sent }, { accept })
    return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
  }
  const refusal = (message: string, place?: object) => JSON.stringify({ errors: [{ message, ...place }] })
  const notAccepted = 'The events of a subscription are sent as text/event-stream or multipart/mixed: "accept" must allow one.'
  const multipart = 'multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/json'
  const frames = [open, lost, paid].map((result) => JSON.stringify(result))

  it.each([
    ['text/event-stream', 'text/event-stream; charset=utf-8', `:\n\n${frames.map((frame) => `event: next\ndata: ${frame}\n\n`).join('')}event: complete\ndata:\n\n`],
    ['*/*', 'text/event-stream; charset=utf-8', `:\n\n${frames.map((frame) => `event: next\ndata: ${frame}\n\n`).join('')}event: complete\ndata:\n\n`],
    [multipart, 'multipart/mixed; boundary=graphql; subscriptionSpec=1.0', `\r\n--graphql${frames.map((frame) => `\r\ncontent-type: application/json; charset=utf-8\r\n\r\n{"payload":${frame}}\r\n--graphql`).join('')}--\r\n`],
    ['application/json', 'application/json; charset=utf-8', refusal(notAccepted)],
  ])('accept: %s', async (accept, type, text) => {
    expect(await ask(server, query, accept)).toEqual({ status: 200, type, text })
  })

  it('is checked by the schema', async () => {
    expect((await ask(checked, 'subscription OrderChanged { other }', 'text/event-stream')).text).toContain('Cannot query field \\"other\\"')
    expect((await ask(checked, query, 'text/event-stream')).text).toContain(`data: ${JSON.stringify(open)}`)
  })

  const unknownName = {
    message: expect.stringMatching(/Closest: "POST \/graphql #1" .* wants operationName to be the string "OrderChanged", not the string "OrderChangd"\.$/) as string,
    extensions: { code: 'route-unmatched', routes: [{ route: 'POST /graphql #1' }, { route: 'POST /graphql #3' }] },
  }

  it('needs a route with a stream', async () => {
    const message = 'Subscriptions are not served here: no route with a "stream" matches.'
    const { text } = await ask(server, 'subscription Lacking { lacking }', 'application/json')
    expect(text).toBe(refusal(message, { locations: [{ line: 1, column: 1 }] }))
  })

  it.each([
    ['text/event-stream', 200, /^:\n\nevent: next\ndata: (.*)\n\nevent: complete\ndata:\n\n$/],
    [multipart, 404, /^(.*)$/],
    ['application/json', 404, /^(.*)$/],
  ])('a name that no route has lists the routes: %s', async (accept, status, pattern) => {
    const answer = await ask(server, 'subscription OrderChangd { orderChanged { id } }', accept)
    const result = JSON.parse(pattern.exec(answer.text)![1]!) as { errors: [object] }
    expect({ status: answer.status, result }).toMatchObject({ status, result: { errors: [unknownName] } })
  })

  it('a name that no route has, over a WebSocket', async () => {
    const protocols = ['graphql-transport-ws']
    const say = [init, subscribe('subscription OrderChangd { orderChanged { id } }')]
    const seen = await talk(server.origin, '/graphql', { protocols, say, waits: true }, 3)
    expect(JSON.parse(seen[2]!)).toMatchObject({ id: '1', type: 'error', payload: [unknownName] })
  })

  it('is no part of a batch', async () => {
    const response = await server.post('/graphql', [{ query }, { query: 'mutation Rename { rename { id } }' }])
    expect(await response.json()).toMatchObject([{ errors: [{}] }, { data: { rename: { id: '7' } } }])
  })
}) // prettier-ignore
