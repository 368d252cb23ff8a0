/*
 * What real GraphQL clients make of our answers: the developer must read our message in the application's own error, and the
 * normalised caches of Apollo Client and Relay warn of whatever does not fit a query.
 */
import { createHash } from 'node:crypto'
import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client'
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries'
import { Client, fetchExchange } from '@urql/core'
import { persistedExchange } from '@urql/exchange-persisted'
import { GraphQLClient } from 'graphql-request'
import {
  Environment,
  fetchQuery,
  Network,
  RecordSource,
  Store,
  type ConcreteRequest,
  type GraphQLResponse,
} from 'relay-runtime'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { compileWithRelay } from '../relay.ts'
import { hostsNamed, startOnce } from './hosts.ts'

const image = { __typename: 'Image', url: 'luke.png', width: 64 }
const luke = { __typename: 'Human', id: '1000', name: 'Luke', appearsIn: ['JEDI'], avatar: image }
const everything = {
  data: {
    humans: [luke, { ...luke, id: '1001', name: 'Leia', avatar: null }],
    search: [
      { __typename: 'Droid', id: '2001', name: 'R2-D2', appearsIn: ['JEDI'], primaryFunction: 'Astromech' },
      { __typename: 'Starship', id: '3000', title: 'Falcon', length: 34.4 },
      { __typename: 'Human', id: '1000', name: 'Luke' },
    ],
  },
}
const partial = {
  data: { humans: [{ ...luke, avatar: null }, null] },
  errors: [
    { message: 'no avatar', path: ['humans', 0, 'avatar'] },
    { message: 'no Leia', path: ['humans', 1] },
  ],
}
const rename = { __typename: 'RenamePayload', human: { ...luke, name: 'Luke Skywalker' } }
const hero = {
  name: 'R2-D2',
  __typename: 'Droid',
  height: 1.1,
  friends: [{ name: 'Luke', __typename: 'Human' }],
}
const path = '/graphql'
const routes = [
  { path, name: 'hero', when: { operationName: 'Hero' }, response: { body: { data: { hero } } } },
  { path, when: { operationName: 'Failing' }, response: { body: { data: { hero: null }, errors: [{ message: 'no hero', path: ['hero'] }] } } },
  { path, when: { operationName: 'Shaped' }, shape: true, response: { body: { data: { hero } } } },
  { path, when: { operationType: 'mutation' }, shape: true, response: { body: { data: { rename } } } },
  { path, when: { variables: { first: 1 } }, shape: true, response: { body: partial } },
  { path, when: { variables: { first: 2 } }, shape: true, response: { body: everything } },
  { path, when: { operationName: { $regex: '^Search' } }, shape: true, response: { body: everything } },
  { path, when: { operationName: { $in: ['Misspelt', 'MisspeltQuery'] } }, response: { body: everything } },
] // prettier-ignore

const [nodeHttp] = hostsNamed('node:http')
const started = startOnce(nodeHttp!, { 'fixtures/a.json': JSON.stringify(routes) })
const address = () => `${started.origin}/graphql`

interface Answer {
  data: unknown
  message: string | undefined
}

/** How each client sends a query, and what it reports for an error. */
const clients: { name: string; ask: (url: string, query: string) => Promise<Answer> }[] = [
  {
    name: 'Apollo Client',
    async ask(url, query) {
      const client = new ApolloClient({ link: new HttpLink({ uri: url }), cache: new InMemoryCache() })
      const { data, error } = await client.query({ query: gql(query), errorPolicy: 'all' })
      return { data, message: error?.message }
    },
  },
  ...[true, false].map((preferGetMethod) => ({
    name: `urql (over ${preferGetMethod ? 'GET, its default' : 'POST'})`,
    async ask(url: string, query: string) {
      const client = new Client({ url, exchanges: [fetchExchange], preferGetMethod })
      const { data, error } = await client.query<unknown>(query, {}).toPromise()
      return { data, message: error?.message }
    },
  })),
  {
    name: 'graphql-request',
    async ask(url, query) {
      try {
        return { data: await new GraphQLClient(url).request(query), message: undefined }
      } catch (error) {
        const { response } = error as { response: { data?: unknown } }
        return { data: response.data, message: (error as Error).message }
      }
    },
  },
]

describe.each(clients)('$name', ({ ask }) => {
  it('gets data', async () => {
    const { data, message } = await ask(address(), 'query Hero { hero { name __typename } }')
    expect(message).toBeUndefined()
    expect(data).toMatchObject({ hero: { name: 'R2-D2' } })
  })

  it('gets an error with partial data', async () => {
    const { data, message } = await ask(address(), 'query Failing { hero { name __typename } }')
    expect(message).toContain('no hero')
    expect(data).toEqual({ hero: null })
  })

  it('gets data in the shape of its query', async () => {
    const fragment = 'fragment F on Droid { friends { name __typename } }'
    const query = `query Shaped { r2: hero { title: name ...F __typename } } ${fragment}`
    const { data, message } = await ask(address(), query)
    expect(message).toBeUndefined()
    expect(data).toEqual({ r2: { title: 'R2-D2', __typename: 'Droid', friends: hero.friends } })
  })

  it('shows why no route matches', async () => {
    const { message } = await ask(address(), 'query Villain { villain { name } }')
    expect(message).toContain('No route matched')
    expect(message).toMatch(
      /Closest: "POST \/graphql #5" \(fixtures\/a\.json:\d+:\d+\) wants variables\.first to be the number 1, not nothing/,
    )
  })
})

describe('automatic persisted queries', () => {
  /** What a client sends: the text of the query, its hash, or both. */
  let sent: string[][]
  const record: typeof fetch = (input, init) => {
    const { query, extensions } = JSON.parse(init!.body as string) as Record<string, unknown>
    const hash = (extensions as { persistedQuery?: object } | undefined)?.persistedQuery
    sent.push([...(typeof query === 'string' ? ['text'] : []), ...(hash ? ['hash'] : [])])
    return fetch(input, init)
  }
  const query = gql('query Shaped { r2: hero { title: name } }')

  it.each<[name: string, ask: () => Promise<{ data?: unknown }>]>([
    [
      'Apollo’s link',
      () => {
        const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
        const link = new PersistedQueryLink({ sha256 }).concat(
          new HttpLink({ uri: address(), fetch: record }),
        )
        return new ApolloClient({ link, cache: new InMemoryCache() }).query({ query })
      },
    ],
    [
      'urql’s exchange',
      () => {
        const exchanges = [persistedExchange({ preferGetForPersistedQueries: false }), fetchExchange]
        const client = new Client({ url: address(), exchanges, fetch: record, preferGetMethod: false })
        return client.query<unknown>(query, {}).toPromise()
      },
    ],
  ])('%s sends the text when it is asked for it', async (_, ask) => {
    sent = []
    expect(await ask()).toMatchObject({ data: { r2: { title: 'R2-D2' } } })
    expect(sent).toEqual([['hash'], ['text', 'hash']])
  })
})

/** One document for each cache: aliases, arguments and fragments; a union and interfaces; a field that is misspelt. */
const documents = {
  People: `($first: Int!) { people: humans(first: $first) { id ...Card } }`,
  Search: `{ search(text: "r") { ... on Character { name } ... on Droid { primaryFunction } ... on Starship { length } } }`,
  Misspelt: `{ humans { id nme } }`,
}
const avatars = 'name small: avatar(size: 32) { url } large: avatar(size: 256) { url }'
const card = `fragment Card on Human { ${avatars} }`
const schema = `
  type Query { humans(first: Int): [Human], search(text: String!): [Found] }
  interface Node { id: ID! }
  interface Character { name: String, appearsIn: [String] }
  type Human implements Node & Character { id: ID!, name: String, nme: String, appearsIn: [String], avatar(size: Int!): Image }
  type Droid implements Node & Character { id: ID!, name: String, appearsIn: [String], primaryFunction: String }
  type Starship implements Node { id: ID!, length: Float }
  type Image { url: String }
  union Found = Human | Droid | Starship`

type Ask = (document: keyof typeof documents, variables?: { first: number }) => Promise<unknown>

function apollo(): Ask {
  // With fragments on abstract types, Apollo needs these, whatever the server.
  const possibleTypes = { Character: ['Human', 'Droid'], Found: ['Human', 'Droid', 'Starship'] }
  const cache = new InMemoryCache({ possibleTypes })
  const client = new ApolloClient({ link: new HttpLink({ uri: address() }), cache })
  return async (name, variables = { first: 2 }) => {
    const query = gql(`query ${name} ${documents[name]} ${name === 'People' ? card : ''}`)
    return (await client.query({ query, variables, errorPolicy: 'all' })).data
  }
}

const names = ['PeopleQuery', 'SearchQuery', 'MisspeltQuery'] as const
const sources = Object.entries({
  ...documents,
  People: documents.People.replace('...Card', avatars),
  // One Luke has no such field, which Relay would miss.
  Search: documents.Search.replace('{ name }', '{ name appearsIn }'),
}).map(([name, text]) => `graphql\`query ${name}Query ${text}\``)
let compiled: Record<(typeof names)[number], ConcreteRequest> | undefined

function relay(): Ask {
  const network = Network.create(async ({ text, name }, variables) => {
    const body = JSON.stringify({
      query: text,
      operationName: name,
      variables,
    })
    const response = await fetch(address(), { method: 'POST', body })
    return (await response.json()) as GraphQLResponse
  })
  const environment = new Environment({ network, store: new Store(new RecordSource()) })
  compiled ??= compileWithRelay<ConcreteRequest, (typeof names)[number]>(schema, sources.join('\n'), names)
  return (name, variables = { first: 2 }) =>
    fetchQuery(environment, compiled![`${name}Query`], variables).toPromise()
}

describe.each([
  ['Apollo Client', apollo],
  ['Relay', relay],
])('the cache of %s', (_, createClient) => {
  /** How often the client has written to the console: never where all data fits its queries. */
  let warnings: number
  beforeEach(() => {
    warnings = 0
    for (const method of ['warn', 'error'] as const)
      vi.spyOn(console, method).mockImplementation(() => void warnings++)
  })
  afterEach(() => void vi.restoreAllMocks())

  const picture = { url: 'luke.png' }
  it.each<[what: string, name: 'People' | 'Search', first: number, answer: object]>([
    ['keeps aliases, arguments and fragments', 'People', 2, {
      people: [
        { id: '1000', name: 'Luke', small: picture, large: picture },
        { id: '1001', name: 'Leia', small: null, large: null },
      ],
    }],
    ['keeps fragments on types, on a union and on an interface', 'Search', 2, {
      search: [{ name: 'R2-D2', primaryFunction: 'Astromech' }, { length: 34.4 }, { name: 'Luke' }],
    }],
    ['gets partial data', 'People', 1, { people: [{ name: 'Luke', small: null, large: null }, null] }],
  ])('%s', async (_, name, first, answer) => {
    expect(await createClient()(name, { first })).toMatchObject(answer)
    expect(warnings).toBe(0)
  }) // prettier-ignore

  it('warns where nothing is shaped', async () => {
    await createClient()('Misspelt')
    expect(warnings).toBeGreaterThan(0)
  })
})
