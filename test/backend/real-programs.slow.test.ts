/*
 * Real backends that are not ours, installed from the registry: what they answer is recorded, and answered without them; and
 * it is changed on its way.
 */
import { execFile, fork, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMiddleware, type MiddlewareOptions } from '../../src/connect.ts'
import { closeServer, listen, recorder } from '../hosts/serve.ts'
import { createTestProject, type TestProject } from '../hosts/test-project.ts'

const programs: Record<string, string> = {
  'json-server.mjs': `
    import jsonServer from 'json-server'
    const posts = Array.from({ length: 7 }, (_, index) => ({ id: index + 1, title: 'post ' + (index + 1), authorId: 1 }))
    const db = { posts, authors: [{ id: 1, name: 'Ångström' }], profile: { name: 'typicode' } }
    const app = jsonServer.create()
    app.use(jsonServer.defaults({ logger: false })) // compresses
    app.use(jsonServer.bodyParser)
    app.use(jsonServer.router(db))
    const server = app.listen(0, '127.0.0.1', () => process.send(server.address().port))
  `,
  'yoga.mjs': `
    import { readFileSync } from 'node:fs'
    import { createServer } from 'node:http'
    import { createSchema, createYoga } from 'graphql-yoga'
    const typeDefs = readFileSync('node_modules/@octokit/graphql-schema/schema.graphql', 'utf8')
    const issue = (number) => ({ id: 'I' + number, number, title: 'issue ' + number })
    const resolvers = {
      Query: {
        viewer: () => ({ login: 'octocat', bio: null }),
        repository: (_, { owner, name }) => {
          if (name === 'gone') throw new Error('Could not resolve to a Repository.')
          return { id: owner + name, name, nameWithOwner: owner + '/' + name }
        },
      },
      Repository: {
        issues: (_, { first, after }) => {
          const start = Number(after ?? 0)
          const nodes = [1, 2, 3, 4].slice(start, start + first).map(issue)
          return { nodes, totalCount: 4, pageInfo: { endCursor: String(start + nodes.length), hasNextPage: start + nodes.length < 4 } }
        },
      },
    }
    const yoga = createYoga({ schema: createSchema({ typeDefs, resolvers }), batching: true, maskedErrors: false, logging: false })
    const server = createServer(yoga).listen(0, '127.0.0.1', () => process.send(server.address().port))
  `,
}

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'programs-')))
const running: ChildProcess[] = []
beforeAll(async () => {
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  for (const [name, code] of Object.entries(programs)) writeFileSync(join(folder, name), code)
  const packages = ['json-server@0.17.4', 'graphql-yoga@5', 'graphql@16', '@octokit/graphql-schema@14.5.0']
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline']
  await promisify(execFile)('npm', ['install', ...flags, ...packages], { cwd: folder })
}, 300_000)
afterAll(() => {
  for (const child of running) child.kill()
  rmSync(folder, { recursive: true, maxRetries: 3 })
})

async function run(program: string): Promise<{ target: string; stop: () => Promise<void> }> {
  const child = fork(join(folder, program), { cwd: folder })
  running.push(child)
  const ended = once(child, 'exit').then(() => Promise.reject(new Error(`${program} has ended`)))
  const [port] = (await Promise.race([once(child, 'message'), ended])) as [number]
  ended.catch(() => {})
  return {
    target: `http://127.0.0.1:${port}`,
    async stop() {
      child.kill()
      await once(child, 'exit')
    },
  }
}

async function serve(project: TestProject, options: MiddlewareOptions) {
  const { log, logger } = recorder()
  const middleware = createMiddleware({ root: project.root, logger, watch: false, ...options })
  const server = createServer(middleware)
  const origin = await listen(server)
  return {
    origin,
    log,
    async close() {
      await middleware.close()
      await closeServer(server)
    },
  }
}

type Asked = [url: string, init?: RequestInit]
const json = { 'content-type': 'application/json' }

async function ask(origin: string, requests: readonly Asked[]) {
  const answers = []
  for (const [url, init] of requests) {
    const answer = await fetch(`${origin}${url}`, init)
    const text = await answer.text()
    const isJson = answer.headers.get('content-type')?.includes('json')
    answers.push([url, answer.status, isJson ? (JSON.parse(text) as unknown) : text])
  }
  return answers
}

const operation = (query: string, variables: object = {}): RequestInit => {
  const operationName = /^\w+ (\w+)/.exec(query)?.[1]
  return { method: 'POST', headers: { ...json, authorization: 'Bearer ghp_0123456789abcdef0123456789abcdef0123' }, body: JSON.stringify({ query, operationName, variables }) } // prettier-ignore
}
const issues = `query Issues($name: String!, $after: String) {
  repository(owner: "o", name: $name) { name issues(first: 2, after: $after) { nodes { number title } pageInfo { endCursor hasNextPage } } }
}`

const recordings: [program: string, requests: Asked[]][] = [
  [
    'json-server.mjs',
    [
      ['/posts'],
      ['/posts?_page=1&_limit=3'],
      ['/posts?_page=2&_limit=3'],
      ['/posts?_page=3&_limit=3'],
      ['/posts/1'],
      ['/posts/2?_expand=author'],
      ['/posts/99'],
      ['/authors?q=%C3%85ng'],
      ['/profile', { method: 'PATCH', headers: json, body: '{"name":"me"}' }],
      ['/profile'],
      ['/posts', { method: 'POST', headers: json, body: '{"title":"new"}' }],
      ['/posts/1', { method: 'DELETE' }],
      ['/posts/1'],
      ['/nothing/here'],
    ],
  ],
  [
    'yoga.mjs',
    [
      ['/graphql', operation('query Viewer { viewer { login bio } }')],
      ['/graphql', operation(issues, { name: 'a' })],
      ['/graphql', operation(issues, { name: 'a', after: '2' })],
      ['/graphql', operation(issues, { name: 'b' })],
      ['/graphql', operation('query Gone { repository(owner: "o", name: "gone") { name } }')],
      ['/graphql', operation('query Wrong { viewer { nope } }')],
      [`/graphql?query=${encodeURIComponent('query ByGet { viewer { login } }')}`],
    ],
  ],
]

describe.each(recordings)('%s', (program, requests) => {
  it('is recorded, and answered without it; recording again changes no file', async () => {
    const project = createTestProject({ 'fixtures/own.yaml': '- path: /own\n  response: { body: mine }\n' })
    const recorded = join(project.root, 'fixtures/recorded')
    const filesNow = () =>
      readdirSync(recorded)
        .sort()
        .map((name) => [
          name,
          readFileSync(join(recorded, name), 'utf8').replaceAll(/127\.0\.0\.1:\d+/g, 'target'),
        ])
    try {
      const record = async () => {
        const backend = await run(program)
        const server = await serve(project, { record: { target: backend.target } })
        const answers = await ask(server.origin, [['/own'], ...requests])
        await server.close()
        await backend.stop()
        return { answers, log: server.log.join('\n') }
      }
      const first = await record()
      const files = filesNow()
      expect(files.length).toBeGreaterThan(4)
      expect(JSON.stringify(files)).not.toMatch(/ghp_|Bearer/)
      const replay = await serve(project, {})
      expect(await ask(replay.origin, [['/own'], ...requests])).toEqual(first.answers)
      await replay.close()
      await record()
      expect(filesNow()).toEqual(files)
    } finally {
      project.close()
    }
  })
})

it('a recording that is killed leaves whole files', async () => {
  const backend = await run('json-server.mjs')
  const project = createTestProject({ 'fixtures/own.yaml': '- path: /own\n' })
  const recorded = join(project.root, 'fixtures/recorded')
  const built = new URL('../../dist/connect.js', import.meta.url).href
  const script = `
    import { createServer } from 'node:http'
    import { createMiddleware } from ${JSON.stringify(built)}
    const middleware = createMiddleware({ record: { target: ${JSON.stringify(backend.target)} } })
    const server = createServer(middleware).listen(0, '127.0.0.1', () => console.log('port ' + server.address().port))
  `
  project.write('server.mjs', script)
  const child = spawn(process.execPath, ['server.mjs'], { cwd: project.root })
  running.push(child)
  let output = ''
  child.stdout.on('data', (chunk) => (output += String(chunk)))
  await expect.poll(() => /port (\d+)/.exec(output)).toBeTruthy()
  const origin = `http://127.0.0.1:${/port (\d+)/.exec(output)![1]}`
  for (let id = 1; id <= 7; id++) await fetch(`${origin}/posts/${id}?delay=${'x'.repeat(1000)}`)
  await expect.poll(() => existsSync(join(recorded, 'posts-id.yaml'))).toBe(true)
  void fetch(`${origin}/posts`).catch(() => {})
  child.kill('SIGKILL')
  await once(child, 'exit')
  await backend.stop()
  const replay = await serve(project, {})
  expect(await (await fetch(`${replay.origin}/posts/7?delay=${'x'.repeat(1000)}`)).json()).toMatchObject({
    id: 7,
  })
  expect(replay.log.join('\n')).not.toMatch(/syntax|unreadable/i)
  await replay.close()
  project.close()
})

it("answers of GitHub's schema are changed on their way", async () => {
  const backend = await run('yoga.mjs')
  const project = createTestProject({
    'fixtures/changed.yaml': `
- path: /graphql
  when: { operationName: Issues }
  response:
    from: backend
    patch: { data.repository.issues.nodes.1.title: null }
    errors: [{ message: no title, path: [repository, issues, nodes, 1, title] }]
- path: /graphql
  when: { operationName: Viewer }
  response: { from: backend, patch: { data.viewer.bio: changed } }
- path: /graphql
  response: { from: backend }
`,
  })
  cpSync(
    join(folder, 'node_modules/@octokit/graphql-schema/schema.graphql'),
    join(project.root, 'schema.graphql'),
  )
  const record = { target: backend.target, enabled: false }
  const server = await serve(project, { record, graphql: { schema: 'schema.graphql' } })
  const [[, status, body]] = (await ask(server.origin, [['/graphql', operation(issues, { name: 'a' })]])) as [
    [string, number, unknown],
  ]
  expect(status).toBe(200)
  // `title` must not be null, so its issue is.
  expect(body).toEqual({
    errors: [{ message: 'no title', locations: [{ line: 2, column: issues.split('\n')[1]!.indexOf('title') + 1 }], path: ['repository', 'issues', 'nodes', 1, 'title'] }],
    data: { repository: { name: 'a', issues: { nodes: [{ number: 1, title: 'issue 1' }, null], pageInfo: { endCursor: '2', hasNextPage: true } } } },
  }) // prettier-ignore
  const batch = ['query Viewer { viewer { bio } }', 'query Other { viewer { login } }'].map((query) => JSON.parse(operation(query).body as string) as unknown) // prettier-ignore
  const init = { method: 'POST', headers: json, body: JSON.stringify(batch) }
  expect(await (await fetch(`${server.origin}/graphql`, init)).json()).toEqual([
    { data: { viewer: { bio: 'changed' } } },
    { data: { viewer: { login: 'octocat' } } },
  ])
  await backend.stop()
  const down = await fetch(`${server.origin}/graphql`, operation('query Viewer { viewer { bio } }'))
  expect([down.status, await down.json()]).toMatchObject([
    502,
    { errors: [{ extensions: { code: 'backend-unreachable' } }] },
  ])
  await server.close()
  project.close()
})
