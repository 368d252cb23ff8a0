import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client'
import { createClient } from 'graphql-sse'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { apiServerOnce, startApiServer } from '../inspector/server/api-server.ts'

/* Subscriptions of a backend, as their clients read them, and what a recording makes of them. */

const backendRoutes = `
- path: /graphql
  when: { operationName: Changed }
  response: { stream: [{ data: { changed: { id: '7', token: hunter2 } } }, { data: { changed: { id: '8', token: x } } }], end: complete }
- { path: /graphql, when: { operationName: Hero }, response: { body: { data: { hero: { name: Luke } } } } }
`
const changed = 'subscription Changed { changed { id token } }'
const hero = 'query Hero { hero { name } }'

const backend = apiServerOnce({ 'fixtures/a.yaml': backendRoutes })

function bySSE(url: string, singleConnection: boolean) {
  const client = createClient({ url, singleConnection, retryAttempts: 0 })
  const read = (query: string) =>
    new Promise<unknown[]>((resolve, reject) => {
      const values: unknown[] = []
      client.subscribe(
        { query },
        { next: (value) => values.push(value), error: reject, complete: () => resolve(values) },
      )
    })
  return { read, end: () => client.dispose() }
}

async function byApollo(uri: string): Promise<unknown[]> {
  const client = new ApolloClient({ link: new HttpLink({ uri }), cache: new InMemoryCache() })
  const values: unknown[] = []
  await new Promise<void>((resolve, reject) =>
    client
      .subscribe({ query: gql(changed) })
      .subscribe({ next: ({ data }) => values.push({ data }), error: reject, complete: resolve }),
  )
  client.stop()
  return values
}

const ways: Record<string, (url: string) => Promise<unknown>> = {
  'graphql-sse, in distinct connections': async (url) => {
    const { read } = bySSE(url, false)
    return [await read(changed), await read(hero)]
  },
  'graphql-sse, in a single connection': async (url) => {
    const { read, end } = bySSE(url, true)
    const seen = await Promise.all([read(changed), read(hero)])
    end()
    return seen
  },
  'Apollo Client, by multipart': byApollo,
} // prettier-ignore

it.each(Object.entries(ways))('%s', async (name, ask) => {
  const front = await startApiServer({}, { record: { target: backend.origin } })
  const seen = await ask(`${front.origin}/graphql`)
  expect(JSON.stringify(seen)).toContain('hunter2')
  const file = (name: string) => join(front.project.root, `fixtures/recorded/graphql-${name}.yaml`)
  const read = (name: string) => (existsSync(file(name)) ? (parse(readFileSync(file(name), 'utf8')) as { response: unknown }[]) : [])
  const recorded = () => [...read('changed'), ...read('hero')]
  const stream = [{ data: { changed: { id: '7', token: expect.not.stringContaining('hunter2') as string } } }, { data: { changed: { id: '8' } } }]
  await expect.poll(() => recorded().map(({ response }) => response), { timeout: 30_000 }).toMatchObject([
    { stream, end: 'complete' },
    ...(name.startsWith('Apollo') ? [] : [{ body: { data: { hero: { name: 'Luke' } } } }]),
  ])
  await front.close()
}) // prettier-ignore
