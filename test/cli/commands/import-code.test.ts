import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { folderWith, runIn } from '../test-terminal.ts'

/** Runs an importer in a folder with files, and returns what was written and left out. */
async function importFrom(
  files: Record<string, string>,
  args: readonly string[],
  packages: Record<string, string> = {},
) {
  const root = folderWith({ 'node_modules/README': '', ...files })
  for (const [name, folder] of Object.entries(packages))
    symlinkSync(folder, join(root, 'node_modules', name), 'junction')
  const { exitCode, stderr } = await runIn(root, ['import', ...args, '--out', 'made'])
  const names = existsSync(join(root, 'made')) ? readdirSync(join(root, 'made')) : []
  const yaml = names
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => readFileSync(join(root, 'made', name), 'utf8'))
  const omitted = stderr.split('\n').flatMap((line) => (line.startsWith('  ') ? [line.slice(2)] : []))
  return { exitCode, stderr, names, yaml: yaml.join('\n'), omitted }
}

test('json-server: lists with their relations, and single resources', async () => {
  const database = {
    posts: [{ id: 1, title: 'a' }, { id: 'x2', title: 'b' }, { title: 'no id' }],
    comments: [{ id: 1, postId: 1 }],
    profile: { name: 'a' },
    version: 3,
  }
  const { exitCode, yaml, omitted } = await importFrom({ 'db.json': JSON.stringify(database) }, [
    'json-server',
    'db.json',
  ])
  expect(exitCode).toBe(0)
  expect(yaml).toContain(`- path: /posts
  collection:
    items: [{ id: 1, title: a }, { id: x2, title: b }]
    returnDeleted: true
    relations: { comments: { many: comments, by: postId } }
`)
  expect(yaml).toContain('relations: { post: { one: posts, by: postId } }')
  expect(yaml).toContain('- path: /profile\n  response: { body: { name: a } }\n')
  expect(omitted).toContain('an item: it has no id (/posts)')
  expect(omitted).toContain('"version": it is neither a list nor an object (/version)')
})

test('json-server: ids that JavaScript can’t hold keep their digits', async () => {
  const id = '1234567890123456789'
  const database = `{ "posts": [{ "id": ${id} }, { "id": 1234567890123456790 }, { "id": ${id} }] }`
  const { yaml, omitted } = await importFrom({ 'db.json': database }, ['json-server', 'db.json'])
  expect(yaml).toContain(`      - { id: ${id} }\n      - { id: 1234567890123456790 }\n`)
  expect(omitted).toContain(`an item: another one has the id ${id} (/posts)`)
})

test('json-server: a module that makes the data', async () => {
  const { yaml } = await importFrom({ 'db.cjs': 'module.exports = () => ({ profile: { name: "b" } })' }, [
    'json-server',
    'db.cjs',
  ])
  expect(yaml).toBe('- path: /profile\n  response: { body: { name: b } }\n')
})

test('mock-dev-server: mocks that are data', async () => {
  const mock = `export default [
    { url: '/api/user', body: { id: 1 } },
    { url: '/api/user?kind=a', method: 'get', status: 203, delay: [10, 20], headers: { 'x-a': 'b' }, body: 'text' },
    { url: '/api/find', method: 'POST', validator: { body: { a: 1 } }, body: [] },
    { url: '/api/find', method: 'POST', validator: { body: { a: 1 } }, body: [1] },
    { url: '/api/fn', body: ({ query }) => query },
    { url: '/api/off', enabled: false },
    { url: '/api/socket', ws: true },
    { url: '/api/bad/(x)', body: 1 },
    { url: '/api/big', method: 'GET', body: { id: 1n } },
    { body: 1 },
  ]`
  const { exitCode, yaml, omitted } = await importFrom({ 'user.mock.ts': mock }, [
    'mock-dev-server',
    'user.mock.ts',
  ])
  expect(exitCode).toBe(0)
  expect(yaml).toBe(`- path: /api/user
  response: { body: { id: 1 } }

- method: POST
  path: /api/user
  response: { body: { id: 1 } }

- path: /api/user
  when: { query: { kind: a } }
  response:
    status: 203
    headers: { x-a: b }
    delay: { min: 10, max: 20 }
    body: text

- method: POST
  path: /api/find
  when: { body: { a: 1 } }
  response: { body: [] }
`)
  expect(omitted.map((line) => line.split(':')[1]!.trim())).toEqual(
    expect.arrayContaining([
      'another mock answers the same requests (/api/find in user.mock.ts)',
      'its body is a function',
      'it is not enabled (/api/off in user.mock.ts)',
      'WebSockets are not imported (/api/socket in user.mock.ts)',
      "it can't be written",
      'it has no url (user.mock.ts)',
    ]),
  )
})

test('mock-dev-server: mocks import what the application does', async () => {
  const files = {
    'tsconfig.json': '{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }',
    'src/user.ts': "import './user.css'\nexport enum Kind { Admin = 'admin' }",
    'mock/user.mock.ts':
      "import { Kind } from '@/user'\nexport default { url: '/user', method: 'GET', body: [Kind.Admin, import.meta.env.MODE] }",
  }
  const { yaml, omitted } = await importFrom(files, ['mock-dev-server', 'mock/user.mock.ts'])
  expect([yaml, omitted]).toEqual(['- path: /user\n  response: { body: [admin, test] }\n', []])
})

test('mock-dev-server: scenes are scenarios', async () => {
  const mock = `export default [
    { url: '/pay', method: 'POST', scene: 'down', status: 503, body: { code: 'down' } },
    { url: '/pay', method: 'POST', scene: ['slow', 'busy'], delay: 2000, body: { paid: true } },
    { url: '/pay', method: 'POST', scene: [], body: { paid: true } },
  ]`
  const { yaml } = await importFrom({ 'pay.mock.ts': mock }, ['mock-dev-server', 'pay.mock.ts'])
  expect(yaml).toBe(`- method: POST
  path: /pay
  scenario: down
  response: { status: 503, body: { code: down } }

- method: POST
  path: /pay
  scenario: [slow, busy]
  response: { delay: 2000, body: { paid: true } }

- method: POST
  path: /pay
  response: { body: { paid: true } }
`)
})

const handlers = `
import { delay, graphql, http, HttpResponse, passthrough, sse, ws } from 'msw'

const api = graphql.link('https://api.example.com/gql')
export default {}
export const handlers = [
  http.get('https://api.example.com/users', async () => {
    await delay(800)
    return HttpResponse.json([{ id: 1 }])
  }),
  http.get('/users/:id', ({ params }) => HttpResponse.json(params)),
  http.post('*/login', () => new Response('no', { status: 401, headers: { 'set-cookie': 'a=b', etag: '1' } })),
  http.post('/token', () => HttpResponse.json({ password: 'x' })),
  http.get('/opt/:id?', () => HttpResponse.json(1)),
  http.get('/random', () => HttpResponse.json(crypto.randomUUID())),
  http.get('/fail', () => HttpResponse.error()),
  http.get('/job', () => HttpResponse.json({ state: 'new' }), { once: true }),
  http.get('/job', async () => { await delay(); return HttpResponse.json({ state: 'done' }) }),
  http.get('/job', () => HttpResponse.json('never')),
  http.get('/only', () => HttpResponse.json(1), { once: true }),
  http.get('/turns', function* () {
    yield HttpResponse.json(1)
    return HttpResponse.json(2)
  }),
  http.get('/hangs', async () => { await delay('infinite') }),
  http.get('/nothing', () => undefined),
  http.get('/pass', () => passthrough()),
  http.get('/boom', () => { throw new Error('boom') }),
  http.all('/all', () => HttpResponse.json(1)),
  http.get(/any/, () => HttpResponse.json(1)),
  sse('/events', () => {}),
  { kind: 'websocket', url: '*/graphql', info: { header: 'subscription OnOrder' } }, // of MSW 3
  ws.link('wss://chat.example.com').addEventListener('connection', () => {}),
  api.query('Hero', () => HttpResponse.json({ data: { hero: null } })),
  api.operation(() => HttpResponse.json({ data: {} })),
  api.query(/a/, () => HttpResponse.json({ data: {} })),
]`

const msw = dirname(createRequire(import.meta.url).resolve('msw/package.json'))

test('msw: handlers that do not read the request', async () => {
  const { setTimeout } = globalThis
  const { exitCode, yaml, omitted, stderr } = await importFrom(
    {
      'handlers.ts': handlers,
      'broken.ts': 'export default (',
      'throws.ts': '\nexport default undefined.query()',
    },
    ['msw', 'handlers.ts', 'broken.ts', 'throws.ts'],
    { msw },
  )
  expect(exitCode, stderr).toBe(0)
  expect(globalThis.setTimeout).toBe(setTimeout)
  expect(yaml).toBe(`- method: '*'
  path: /all
  response: { body: 1 }

- path: /fail
  response: { fault: reset }

- path: /gql
  when: { operationName: Hero }
  response: { body: { data: { hero: null } } }

- path: /gql
  response: { body: { data: {} } }

- path: /hangs
  response: { fault: silent }

- path: /job
  response:
    - { body: { state: new } }
    - { body: { state: done }, delay: { min: 100, max: 400 } }

- method: POST
  path: /login
  response:
    status: 401
    headers: { etag: '1', set-cookie: a=b }
    body: no

- path: /only
  response: { body: 1 }

- path: /opt/:id?
  response: { body: 1 }

- method: POST
  path: /token
  response: { body: { password: x } }

- path: /turns
  response: [{ body: 1 }, { body: 2 }]

- path: /users
  response: { body: [{ id: 1 }], delay: 800 }
`)
  expect(stderr).toContain('Set the option graphql: { path: ["/gql"] } of the plugin')
  const origin = 'left out: if the application keeps asking it, write a `url` in place of the `path`'
  expect(omitted.sort()).toEqual(
    [
      'a file: Cannot read properties of undefined (reading \'query\'): MSW 3 has "graphql" in "msw/graphql" (throws.ts:2)',
      'a file: Syntax error: Unexpected token (broken.ts:1:17)',
      'a handler: another handler answers the same requests (GET /job)',
      'a handler: it gives another answer each time (GET /random)',
      'a handler: it gives no answer, and leaves the request to the next handler (GET /nothing)',
      'a handler: it is for several operations (query /a/ (origin: https://api.example.com/gql))',
      'a handler: it passes the request on (GET /pass)',
      'a handler: streams of events are not imported (GET /events)',
      'a handler: its method or its path is a pattern (GET /any/)',
      'a handler: its resolver failed in line 28: boom (GET /boom)',
      'a handler: its resolver reads the request: write it as a response function in a TypeScript fixture (GET /users/:id)',
      'a handler: subscriptions are not imported (subscription OnOrder)',
      'a handler: WebSockets are not imported (WebSocket wss://chat.example.com)',
      'the end of "once": no handler follows: its last answer is repeated (GET /only)',
      `the origin https://api.example.com: ${origin} (all (origin: https://api.example.com/gql), GET https://api.example.com/users, query Hero (origin: https://api.example.com/gql))`,
    ].sort(),
  )
})

test('msw: each handler that is left out is named', async () => {
  const text = `import { http } from 'msw'
export const handlers = ['/a', '/b', '/c', '/d', '/e'].map((path) => http.get(path, () => undefined))`
  const { stderr } = await importFrom({ 'handlers.ts': text }, ['msw', 'handlers.ts'], { msw })
  expect(stderr).toContain('(GET /a, GET /b, GET /c, GET /d, GET /e)')
})

test.for([
  { args: ['msw', 'missing.ts'], exitCode: 2, message: 'There is no file' },
  { args: ['openapi', 'https://a.example/api.json'], exitCode: 2, message: 'https://a.example/api.json is not a file. Download it first' },
  { args: ['json-server', '.'], exitCode: 2, message: ' is a folder. Name a file in it.' },
  { args: ['json-server', 'list.json', '--root', 'none'], exitCode: 2, message: 'There is no folder ' },
  { args: ['json-server', 'list.json', '--root', 'list.json'], exitCode: 2, message: ' is a file. Name the folder' },
  { args: ['msw', 'list.json', '--out', 'list.json'], exitCode: 2, message: ' is a file. Name a folder with --out.' },
  { args: ['json-server', 'list.json'], exitCode: 1, message: 'has no object with the resources' },
])('$args', async ({ args, exitCode, message }) => {
  const ran = await runIn(folderWith({ 'list.json': '[]' }), ['import', ...args])
  expect(ran.exitCode).toBe(exitCode)
  expect(ran.stderr).toContain(message)
}) // prettier-ignore
