import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client'
import { Defer20220824Handler, GraphQL17Alpha9Handler } from '@apollo/client/incremental'
import { Client, fetchExchange } from '@urql/core'
import {
  type ConcreteRequest,
  createOperationDescriptor,
  Environment,
  type GraphQLResponse,
  Network,
  Observable,
  RecordSource,
  Store,
} from 'relay-runtime'
import { describe, expect, it } from 'vitest'
import { Budget } from '../../../src/core/graphql/budget.ts'
import { documentReaderOf } from '../../../src/core/graphql/document.ts'
import { GraphQLParams } from '../../../src/core/graphql/params.ts'
import { putOff } from '../../../src/core/graphql/put-off.ts'
import { defaultGraphQL } from '../../../src/core/graphql/settings.ts'
import { apiServerOnce } from '../../inspector/server/api-server.ts'
import { compileWithRelay } from '../../relay.ts'

/* `@defer` and `@stream`: the parts of an answer, and what clients make of them. */

const fixture = `
- path: /graphql
  when: { operationName: { $regex: '^Product' } }
  response:
    body:
      data:
        product:
          __typename: Product
          id: '1'
          name: Lamp
          price: 10
          seller: { __typename: Seller, id: s, name: Ann, city: Rome }
          reviews:
            - { __typename: Review, id: a, text: Good }
            - { __typename: Review, id: b, text: Bad }
            - { __typename: Review, id: c, text: null }
      errors: [{ message: Lost., path: [product, reviews, 2, text] }]
      extensions: { cost: 1 }
    incremental:
      labels:
        Late: { delay: 2 }
        Slow: { delay: 1, errors: [{ message: Slow., path: [product, price] }] }
        SlowList: { errors: [{ message: Slow. }] }
        OneByOne: { delay: 1 }
- path: /graphql
  when: { operationName: Plain }
  response: { body: { data: { product: { __typename: Product, id: '1', name: Lamp } } } }
- path: /graphql
  when: { operationName: Broken }
  response: { body: { data: { a: 1 } }, fault: truncated }
`

const many = Array.from({ length: 1000 }, (_, id) => ({
  id,
  a: 1,
  b: 1,
  c: 1,
  d: 1,
  e: 1,
  f: 1,
  g: 1,
  h: 1,
  i: 1,
}))
const large = [{ path: '/graphql', when: { operationName: 'Many' }, response: { body: { data: { many } } } }]

const server = apiServerOnce({ 'fixtures/a.yaml': fixture, 'fixtures/b.json': JSON.stringify(large) })

async function ask(query: string, accept: string, variables?: object, { origin } = server) {
  const response = await fetch(`${origin}/graphql`, {
    method: 'POST',
    headers: { accept, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  })
  const { status, headers } = response
  return {
    status,
    type: headers.get('content-type'),
    cache: headers.get('cache-control'),
    text: await response.text(),
  }
}

const v02 = 'multipart/mixed;incrementalSpec=v0.2,application/json'
const old = 'multipart/mixed;deferSpec=20220824,application/json'

/** The payloads of a multipart answer, or of server-sent events. */
async function payloads(query: string, accept: string, variables?: object, of = server): Promise<unknown[]> {
  const { text, type } = await ask(query, accept, variables, of)
  if (!/multipart|event-stream/.test(type!)) return [JSON.parse(text) as unknown]
  return [...text.matchAll(/^(?:data: )?(\{.*\})\r?$/gm)].map(([, json]) => JSON.parse(json!) as unknown)
}

const everything = `query Product {
  product {
    id
    ... @defer(label: "Late") { seller { city } name }
    ... @defer { seller { id ... on Seller @defer(label: "Inner") { name } } }
    ... @defer(label: "Slow") { price }
    reviews @stream(initialCount: 1, label: "R") { id text }
  }
}`
const lost = {
  message: 'Lost.',
  locations: [{ line: 7, column: 55 }],
  path: ['product', 'reviews', 2, 'text'],
}
const slow = { message: 'Slow.', locations: [{ line: 6, column: 33 }], path: ['product', 'price'] }
const initial = {
  data: { product: { id: '1', reviews: [{ id: 'a', text: 'Good' }] } },
  extensions: { cost: 1 },
}
const rest = [{ id: 'b', text: 'Bad' }, { id: 'c', text: null }] // prettier-ignore
const product = ['product']

describe('the formats', () => {
  it('incrementalSpec=v0.2: nothing is sent twice', async () => {
    expect(await payloads(everything, v02)).toEqual([
      {
        ...initial,
        pending: [
          { id: '0', path: product, label: 'Late' },
          { id: '1', path: product },
          { id: '2', path: product, label: 'Slow' },
          { id: '3', path: ['product', 'reviews'], label: 'R' },
        ],
        hasNext: true,
      },
      {
        pending: [{ id: '4', path: ['product', 'seller'], label: 'Inner' }],
        incremental: [
          { id: '1', data: { seller: { id: 's' } } },
          { id: '3', items: rest, errors: [lost] },
          { id: '4', data: { name: 'Ann' } },
        ],
        completed: [{ id: '1' }, { id: '3' }, { id: '4' }],
        hasNext: true,
      },
      { completed: [{ id: '2', errors: [slow] }], hasNext: true },
      {
        incremental: [{ id: '0', data: { name: 'Lamp' } }, { id: '0', subPath: ['seller'], data: { city: 'Rome' } }],
        completed: [{ id: '0' }],
        hasNext: false,
      },
    ])
  }) // prettier-ignore

  it('deferSpec=20220824: each part has all of its fields', async () => {
    expect(await payloads(everything, old)).toEqual([
      { ...initial, hasNext: true },
      {
        incremental: [
          { path: product, data: { seller: { id: 's' } } },
          { path: ['product', 'reviews', 1], label: 'R', items: rest, errors: [lost] },
          { path: ['product', 'seller'], label: 'Inner', data: { name: 'Ann' } },
        ],
        hasNext: true,
      },
      { incremental: [{ path: product, label: 'Slow', data: null, errors: [slow] }], hasNext: true },
      { incremental: [{ path: product, label: 'Late', data: { seller: { city: 'Rome' }, name: 'Lamp' } }], hasNext: false },
    ])
  }) // prettier-ignore

  it.each(['multipart/mixed', 'application/json, text/event-stream, multipart/mixed', 'multipart/mixed;deferSpec=other'])(
    '%s: a payload for each part and each item',
    async (accept) => {
      expect(await payloads(everything, accept)).toEqual([
        { ...initial, hasNext: true },
        { path: product, data: { seller: { id: 's' } }, hasNext: true },
        { path: ['product', 'reviews', 1], label: 'R', data: rest[0], hasNext: true },
        { path: ['product', 'reviews', 2], label: 'R', data: rest[1], errors: [lost], hasNext: true },
        { path: ['product', 'seller'], label: 'Inner', data: { name: 'Ann' }, hasNext: true },
        { path: product, label: 'Slow', data: null, errors: [slow], hasNext: true },
        { path: product, label: 'Late', data: { seller: { city: 'Rome' }, name: 'Lamp' }, hasNext: false },
      ])
    },
  ) // prettier-ignore

  it('is what the client asks for, uncompressed and unchanged by proxies', async () => {
    expect(await ask('query Plain { ... @defer { product { id } } }', v02)).toEqual({
      status: 200,
      type: 'multipart/mixed; boundary="graphql"; incrementalSpec=v0.2',
      cache: 'no-cache, no-transform',
      text:
        '\r\n--graphql\r\ncontent-type: application/json; charset=utf-8\r\n\r\n' +
        '{"data":{},"pending":[{"id":"0","path":[]}],"hasNext":true}' +
        '\r\n--graphql\r\ncontent-type: application/json; charset=utf-8\r\n\r\n' +
        '{"incremental":[{"id":"0","data":{"product":{"id":"1"}}}],"completed":[{"id":"0"}],"hasNext":false}' +
        '\r\n--graphql--\r\n',
    })
    expect(await ask('query Plain { ... @defer { product { id } } }', 'text/event-stream')).toMatchObject({
      type: 'text/event-stream; charset=utf-8',
      text: expect.stringMatching(
        /\nevent: next\ndata: .*"hasNext":false}\n\nevent: complete\ndata:\n\n$/,
      ) as string,
    })
  })
})

describe('one JSON', () => {
  const deferred = 'query Product($if: Boolean) { product { id ... @defer(if: $if) { name } } }'
  it.each<[why: string, query: string, accept: string, variables?: object]>([
    ['where no other format is accepted', deferred, 'application/json'],
    ['where nothing is put off, for a client that accepts only parts', 'query Product { product { id } }', 'multipart/mixed'],
    ['for a client that accepts anything', deferred, '*/*'],
    ['if a variable says so', deferred, v02, { if: false }],
    ['if the default value says so', deferred.replace('Boolean', 'Boolean = false'), v02],
    ['if the list is not longer', 'query Product { product { reviews @stream(initialCount: 3) { id } } }', v02],
    ['if nothing is left for the parts', 'query Product { product { id name ... @defer { id } ...F @defer } } fragment F on Product { id ... @defer { name } }', v02],
    ['if no object is of the type', 'query Product { product { id ... on Seller @defer { name } } }', v02],
  ])('%s', async (_, query, accept, variables) => {
    expect(await ask(query, accept, variables)).toMatchObject({ status: 200, type: 'application/json; charset=utf-8' })
  }) // prettier-ignore

  it('in a batch', async () => {
    const body = JSON.stringify([{ query: 'query Product { ... @defer { product { id } } }' }])
    const headers = { accept: v02, 'content-type': 'application/json' }
    const response = await fetch(`${server.origin}/graphql`, { method: 'POST', headers, body })
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(await response.json()).toMatchObject([{ data: { product: { id: '1' } } }])
  })
})

describe('a list', () => {
  const stream = (args: string) => `query Product($n: Int) { product { reviews @stream${args} { id } } }`
  const items = ['a', 'b', 'c'].map((id) => ({ id }))
  it.each<[args: string, variables: object, first: number]>([
    ['', {}, 0],
    ['(initialCount: 2)', {}, 2],
    ['(initialCount: $n)', { n: 1 }, 1],
    ['(initialCount: $n)', { n: -1 }, 0],
    ['(initialCount: $n)', { n: 'x' }, 0],
  ])('%s %j begins with %i items', async (args, variables, first) => {
    const [one, two] = await payloads(stream(args), v02, variables)
    expect(one).toMatchObject({ data: { product: { reviews: items.slice(0, first) } } })
    expect(two).toMatchObject({ incremental: [{ items: items.slice(first) }], hasNext: false })
  })

  it('comes item by item with a delay', async () => {
    const answers = await payloads(stream('(initialCount: 1, label: "OneByOne")'), v02)
    expect(answers.slice(1)).toEqual([
      { incremental: [{ id: '0', items: [{ id: 'b' }] }], hasNext: true },
      { incremental: [{ id: '0', items: [{ id: 'c' }], errors: undefined }], completed: [{ id: '0' }], hasNext: false },
    ])
  }) // prettier-ignore

  it('fails as a whole', async () => {
    const query = stream('(initialCount: 1, label: "SlowList")')
    const errors = [{ message: 'Slow.' }]
    expect((await payloads(query, v02))[1]).toEqual({ completed: [{ id: '0', errors }], hasNext: false })
    const path = ['product', 'reviews', 1]
    const part = { path, label: 'SlowList', errors }
    expect((await payloads(query, old))[1]).toEqual({
      incremental: [{ ...part, items: null }],
      hasNext: false,
    })
    expect((await payloads(query, 'multipart/mixed'))[1]).toEqual({ ...part, data: null, hasNext: false })
  })
})

it('a part waits from the one before it on', () => {
  const query = '{ a ... @defer(label: "50") { c } ... @defer(label: "20") { b } }'
  const { operation, document } = new GraphQLParams({ query }, documentReaderOf(defaultGraphQL)(query))
  const cut = { operation: operation!, fragments: document!.fragments, variables: {}, budget: new Budget() }
  const delays = {
    delayOf: ({ label }: { label?: string | undefined }) => Number(label),
    errorsOf: () => undefined,
  }
  const deliveries = putOff({ data: { a: 1, b: 2, c: 3 } }, { ...cut, isOnce: true, ...delays })
  expect(deliveries.map(({ delay }) => delay)).toEqual([0, 20, 30])
})

describe('with a schema', () => {
  const schema =
    'type Query { product: Product } type Product { id: ID! name: String! reviews: [Review!] } type Review { id: ID! text: String! }'
  const checked = apiServerOnce(
    { 'fixtures/a.yaml': fixture, 'schema.graphql': schema },
    { graphql: { schema: 'schema.graphql' } },
  )

  it('parts are what the schema makes of the fixture', async () => {
    const query = 'query Product { product { id ... @defer { reviews { text } } } other: product { filled: id @skip(if: true) id ... @defer { name } } }'
    expect(await payloads(query, v02, undefined, checked)).toEqual([
      { data: { product: { id: '1' }, other: { id: '1' } }, extensions: { cost: 1 }, pending: [{ id: '0', path: ['product'] }, { id: '1', path: ['other'] }], hasNext: true },
      {
        incremental: [
          { id: '0', data: { reviews: null }, errors: [{ message: 'Lost.', locations: [{ line: 1, column: 53 }], path: ['product', 'reviews', 2, 'text'] }] },
          { id: '1', data: { name: 'Lamp' } },
        ],
        completed: [{ id: '0' }, { id: '1' }],
        hasNext: false,
      },
    ])
  }) // prettier-ignore

  it('the directives need no definition', async () => {
    const [answer] = await payloads(
      'query Product { product { ... @defer { nmae } } }',
      v02,
      undefined,
      checked,
    )
    expect(answer).toMatchObject({
      errors: [{ message: expect.stringContaining('Cannot query field "nmae"') as string }],
    })
  })
})

it('a broken connection stays one', async () => {
  await expect(ask('query Broken { ... @defer { a } }', v02)).rejects.toThrow()
})

describe('what a request may cost', () => {
  const fields = [...'abcdefghi']
  const defers = (count: number, label = '') =>
    fields
      .slice(0, count)
      .map((key) => `... @defer(label: "${label}${key}") { ${key} }`)
      .join(' ')

  it('thousands of parts are one payload', async () => {
    const [first, second, ...others] = await payloads(`query Many { many { id ${defers(5)} } }`, v02)
    expect((first as { pending: unknown[] }).pending).toHaveLength(5000)
    expect((second as { incremental: unknown[] }).incremental).toHaveLength(5000)
    expect(others).toEqual([])
  })

  it.each([
    ['10 000 parts', `query Many { many { id ${defers(9)} ... @defer { id a } } }`],
    ['long labels', `query Many { many { ${defers(2, 'x'.repeat(100_000))} } }`],
    [
      'a fragment in each of its parts',
      `query Many { many { ${'... @defer { ...F } '.repeat(900)} } } fragment F on A { ${fields.join(' ')} }`,
    ],
  ])('%s: refused', async (_, query) => {
    for (const accept of [v02, old, 'text/event-stream']) {
      const [answer] = await payloads(query, accept)
      expect(answer).toMatchObject({
        errors: [{ message: expect.stringContaining('graphql.maxCost') as string }],
      })
    }
  })

  it('nested parts', async () => {
    const depth = 45
    const query = `query Plain { product { ${'... @defer { '.repeat(depth)} name ${'}'.repeat(depth)} } }`
    const answers = await payloads(query, 'multipart/mixed')
    expect(answers.at(-1)).toEqual({ data: { name: 'Lamp' }, path: ['product'], hasNext: false })
    expect(
      await payloads(
        query.replaceAll('defer', 'defer(if: $no)').replace('Plain', 'Plain($no: Boolean)'),
        v02,
        { no: false },
      ),
    ).toHaveLength(1)
  })

  it('names that objects inherit', async () => {
    const query =
      'query Plain { product { id ... @defer(label: "__proto__") { name constructor __proto__: name } } }'
    expect((await payloads(query, v02))[1]).toEqual({
      incremental: [
        { id: '0', data: JSON.parse('{"name":"Lamp","constructor":null,"__proto__":"Lamp"}') as unknown },
      ],
      completed: [{ id: '0' }],
      hasNext: false,
    })
  })
})

describe('clients', () => {
  const query = `query Plain { product { __typename id ... @defer(label: "Late") { name } } }`

  it.each([
    ['Defer20220824Handler', new Defer20220824Handler()],
    ['GraphQL17Alpha9Handler', new GraphQL17Alpha9Handler()],
  ])('Apollo Client, %s', async (_, incrementalHandler) => {
    const link = new HttpLink({ uri: `${server.origin}/graphql` })
    const client = new ApolloClient({
      link,
      cache: new InMemoryCache(),
      incrementalHandler: incrementalHandler as Defer20220824Handler,
    })
    const seen: unknown[] = []
    await new Promise<void>((resolve) => {
      client.watchQuery({ query: gql(query), errorPolicy: 'all' }).subscribe({
        next({ data, dataState, error }) {
          expect(error).toBeUndefined()
          if (data) seen.push([dataState, data])
          if (dataState === 'complete') resolve()
        },
      })
    })
    const first = { __typename: 'Product', id: '1' }
    expect(seen).toEqual([
      ['streaming', { product: first }],
      ['complete', { product: { ...first, name: 'Lamp' } }],
    ])
    client.stop()
  })

  it('urql', async () => {
    const client = new Client({ url: `${server.origin}/graphql`, exchanges: [fetchExchange], preferGetMethod: false })
    const seen: unknown[] = []
    await new Promise<void>((resolve) => {
      client.query(everything, {}).subscribe(({ data, error, hasNext }) => {
        seen.push(data, error?.graphQLErrors.map(({ message }) => message))
        if (!hasNext) resolve()
      })
    })
    expect(seen.slice(0, 2)).toEqual([initial.data, undefined])
    expect(seen.slice(-2)).toEqual([
      { product: { id: '1', name: 'Lamp', seller: { id: 's', name: 'Ann', city: 'Rome' }, reviews: [{ id: 'a', text: 'Good' }, ...rest] } },
      ['Lost.', 'Slow.'],
    ])
  }) // prettier-ignore

  it('Relay', async () => {
    const schema = `
      directive @defer(label: String, if: Boolean = true) on FRAGMENT_SPREAD | INLINE_FRAGMENT
      type Query { product: Product }
      type Product { id: ID! name: String reviews: [Review] }
      type Review { id: ID! text: String }`
    const { ProductQuery } = compileWithRelay<ConcreteRequest, 'ProductQuery'>(
      schema,
      `graphql\`fragment App_late on Product { name reviews { text } }\`
      graphql\`query ProductQuery { product { id ...App_late @defer(label: "Late") } }\``,
      ['ProductQuery'],
    )
    const network = Network.create(({ text }) =>
      Observable.create((sink) => {
        payloads(text!, 'multipart/mixed').then(
          (all) => {
            for (const one of all) sink.next(one as GraphQLResponse)
            sink.complete()
          },
          (error: Error) => sink.error(error),
        )
      }),
    )
    const source = new RecordSource()
    const environment = new Environment({ network, store: new Store(source) })
    await environment.execute({ operation: createOperationDescriptor(ProductQuery, {}) }).toPromise()
    expect(source.get('1')).toMatchObject({ id: '1', name: 'Lamp' })
    expect(source.get('c')).toMatchObject({ id: 'c', text: null })
  })
})
