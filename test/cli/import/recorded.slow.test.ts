/*
 * Programs that are not ours are recorded by Chromium and imported, and the mock server alone gives the same answers to the same
 * requests. Large public documents are imported without a diagnostic.
 */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type * as GraphQL from 'graphql'
import type * as Yoga from 'graphql-yoga'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { npm } from '../../installed/install.ts'
import { runIn } from '../test-terminal.ts'
import { recordHar, replayHar, type PageRequest } from './record-har.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'recorded-')))
const require = createRequire(join(folder, 'index.js'))
afterAll(() => rmSync(folder, { recursive: true, maxRetries: 3 }))

beforeAll(async () => {
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  await npm.add(folder, 'json-server@0.17', '@octokit/openapi@23', '@octokit/graphql-schema@15')
}, 300_000)

function project(name: string): string {
  const root = join(folder, name)
  mkdirSync(root)
  return root
}

const json = { 'content-type': 'application/json' }

interface JsonServer {
  create: () => RequestListener & { use: (handler: unknown) => void }
  defaults: (options: object) => unknown
  router: (database: object) => unknown
}

const database = {
  posts: [1, 2, 3, 4, 5].map((id) => ({ id, title: `Title ${id}`, author: id % 2 ? 'x' : 'é' })),
  comments: [{ id: 1, body: 'some comment', postId: 1 }],
  profile: { name: 'typicode' },
}

function jsonServer(): RequestListener {
  const library = require('json-server') as JsonServer
  const app = library.create()
  app.use(library.defaults({ logger: false }))
  app.use(library.router(structuredClone(database)))
  return app
}

const reads: PageRequest[] = [
  ['/posts'],
  ['/posts/1'],
  ['/posts/9'],
  ['/posts?_page=1&_limit=2'],
  ['/posts?_page=2&_limit=2'],
  ['/posts?_page=3&_limit=2'],
  ['/posts/1/comments'],
  ['/profile'],
]

test.for(['embed', 'attach'] as const)(
  'json-server, with bodies as Playwright has them with "%s"',
  async (content) => {
    const root = project(`json-server-${content}`)
    const requests: PageRequest[] = [
      ...reads,
      ['/posts?author=x&_sort=id&_order=desc'],
      ['/posts?_embed=comments'],
      ['/posts', { method: 'POST', headers: json, body: '{"title":"new"}' }],
      ['/posts'],
      ['/posts/6', { method: 'PATCH', headers: json, body: '{"title":"newer"}' }],
      ['/posts/6', { method: 'DELETE' }],
      ['/posts'],
    ]
    await recordHar(jsonServer(), requests, { path: join(root, 'a.har'), content })
    const { compared, stderr } = await replayHar(root, 'a.har')
    expect(compared).toBe(requests.length)
    expect(stderr).toContain('it is a page')
    expect(readFileSync(join(root, 'fixtures/posts.yaml'), 'utf8')).toContain('paginate:')
  },
)

test('the data of json-server gives the answers of json-server', async () => {
  const root = project('database')
  writeFileSync(join(root, 'db.json'), JSON.stringify(database))
  await recordHar(jsonServer(), reads, { path: join(root, 'a.har'), content: 'embed' })
  expect((await runIn(root, ['import', 'json-server', 'db.json', '--out', 'from-data'])).exitCode).toBe(0)
  // The import of the recording is not needed: it is replayed against the routes of the data.
  await replayHar(root, 'a.har', { fixtures: 'from-data' })
})

test('graphql-yoga with the public schema of GitHub', async () => {
  // Both by `require`: as modules, each would load a graphql-js of its own.
  const load = createRequire(import.meta.url)
  const { buildSchema } = load('graphql') as typeof GraphQL
  const { createYoga } = load('graphql-yoga') as typeof Yoga
  const root = project('yoga')
  const text = readFileSync(join(folder, 'node_modules/@octokit/graphql-schema/schema.graphql'), 'utf8')
  const repository = (name: string) => ({
    id: `R_${name}`,
    name,
    stargazerCount: name.length,
    owner: { __typename: 'User', login: 'octocat' },
  })
  const schema = buildSchema(text, { assumeValid: true, assumeValidSDL: true }) // it defines two fields twice
  const fields = schema.getQueryType()!.getFields()
  fields['viewer']!.resolve = () => ({ id: 'U_1', login: 'octocat' })
  fields['repository']!.resolve = (_, { name }: { name: string }) => {
    if (name === 'missing') throw new Error('Could not resolve to a Repository.')
    return repository(name)
  }
  const yoga = createYoga({ schema, logging: false, maskedErrors: false })
  const ask = (operationName: string, query: string, variables: object): PageRequest => [
    '/graphql',
    { method: 'POST', headers: json, body: JSON.stringify({ operationName, query, variables }) },
  ]
  const repo =
    'query Repo($name: String!) { repository(owner: "octocat", name: $name) { id name stargazerCount owner { login } } }'
  const requests: PageRequest[] = [
    ask('Viewer', 'query Viewer { viewer { id login } }', {}),
    ask('Repo', repo, { name: 'hello' }),
    ask('Repo', repo, { name: 'world!' }),
    ask('Repo', repo, { name: 'missing' }),
    ask('Broken', 'query Broken { nothing }', {}),
    [`/graphql?query=${encodeURIComponent('{ viewer { login } }')}`],
  ]
  await recordHar((req, res) => void yoga(req, res), requests, {
    path: join(root, 'a.har'),
    content: 'embed',
  })
  const { compared, stdout } = await replayHar(root, 'a.har')
  expect(compared).toBe(requests.length)
  expect(stdout).toContain('fixtures/graphql-repo.yaml  3 routes, new')
})

test('the OpenAPI document of GitHub, with a thousand operations', async () => {
  const root = project('openapi')
  const file = require.resolve('@octokit/openapi/generated/api.github.com.json')
  const ran = await runIn(root, ['import', 'openapi', file, '--errors'])
  expect(ran.exitCode, ran.stderr.slice(0, 2000)).toBe(0)
  expect(ran.stderr).not.toMatch(/error|invalid/i)
  expect(ran.stdout.split('\n').length).toBeGreaterThan(40)
})
