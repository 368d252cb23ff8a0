/* What real GraphQL clients report. The developer must read our message in the application's own error. */
import { createHash } from 'node:crypto'
import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client'
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries'
import { Client, fetchExchange } from '@urql/core'
import { persistedExchange } from '@urql/exchange-persisted'
import { batchRequests, GraphQLClient } from 'graphql-request'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hostsNamed, type RunningHost } from './hosts.ts'
import { createTestProject } from './test-project.ts'

const fixture = `
- name: hero
  path: /graphql
  when: { operationName: Hero }
  response: { body: { data: { hero: { name: R2-D2, __typename: Droid } } } }
- name: partial
  path: /graphql
  when: { operationName: Partial }
  response: { body: { data: { hero: null }, errors: [{ message: no hero, path: [hero] }] } }
- name: shaped
  path: /graphql
  when: { operationName: Shaped }
  shape: true
  response:
    body: { data: { hero: { name: R2-D2, __typename: Droid, height: 1.1, friends: [{ name: Luke, __typename: Human }] } } }
`

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

describe.each(hostsNamed('node:http'))('$name', ({ start }) => {
  const project = createTestProject({ 'fixtures/a.yaml': fixture })
  let running: RunningHost
  let url: string
  beforeAll(async () => {
    running = await start(project)
    url = `${running.origin}/graphql`
  })
  afterAll(async () => {
    await running.close()
    project.close()
  })

  describe.each(clients)('$name', ({ ask }) => {
    it('gets data', async () => {
      const { data, message } = await ask(url, 'query Hero { hero { name __typename } }')
      expect(message).toBeUndefined()
      expect(data).toMatchObject({ hero: { name: 'R2-D2' } })
    })

    it('gets an error with partial data', async () => {
      const { data, message } = await ask(url, 'query Partial { hero { name __typename } }')
      expect(message).toContain('no hero')
      expect(data).toEqual({ hero: null })
    })

    it('gets data in the shape of its query', async () => {
      const query =
        'query Shaped { r2: hero { title: name ...F __typename } } fragment F on Droid { friends { name __typename } }'
      const { data, message } = await ask(url, query)
      expect(message).toBeUndefined()
      const friends = [{ name: 'Luke', __typename: 'Human' }]
      expect(data).toEqual({ r2: { title: 'R2-D2', __typename: 'Droid', friends } })
    })

    it('shows why no route fits', async () => {
      const { message } = await ask(url, 'query Villain { villain { name } }')
      expect(message).toContain('No route fits')
      expect(message).toContain('"hero" (fixtures/a.yaml:2:3) wants operationName to be the string "Hero"')
      expect(message).toContain('not the string "Villain"')
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
          const link = new PersistedQueryLink({ sha256 }).concat(new HttpLink({ uri: url, fetch: record }))
          return new ApolloClient({ link, cache: new InMemoryCache() }).query({ query })
        },
      ],
      [
        'urql’s exchange',
        () => {
          const exchanges = [persistedExchange({ preferGetForPersistedQueries: false }), fetchExchange]
          const client = new Client({ url, exchanges, fetch: record, preferGetMethod: false })
          return client.query<unknown>(query, {}).toPromise()
        },
      ],
    ])('%s sends the text when it is asked for it', async (_, ask) => {
      sent = []
      expect(await ask()).toMatchObject({ data: { r2: { title: 'R2-D2' } } })
      expect(sent).toEqual([['hash'], ['text', 'hash']])
    })
  })

  it('graphql-request sends a batch', async () => {
    const document = 'query Hero { hero { name } }'
    const answers = await batchRequests(url, [{ document }, { document }])
    expect(answers).toMatchObject([
      { data: { hero: { name: 'R2-D2' } } },
      { data: { hero: { name: 'R2-D2' } } },
    ])
  })
})
