import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderWith, runIn } from '../test-terminal.ts'

/** Runs an importer in a folder with files, and returns what was written and left out. */
async function importFrom(files: Record<string, string>, args: readonly string[]) {
  const root = folderWith(files)
  const { exitCode, stderr } = await runIn(root, ['import', ...args, '--out', 'made'])
  const names = exitCode === 2 ? [] : readdirSync(join(root, 'made'))
  const yaml = names
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => readFileSync(join(root, 'made', name), 'utf8'))
  const omitted = stderr.split('\n').flatMap((line) => (line.startsWith('  ') ? [line.slice(2)] : []))
  return { exitCode, stderr, names, yaml: yaml.join('\n'), omitted }
}

test('json-server: lists, pages, items, nested lists and single resources', async () => {
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
  expect(yaml).toContain(`- path: /posts/:id
  response: { status: 404, body: {} }

- path: /posts/:id
  when: { params: { id: 1 } }
  response: { body: { id: 1, title: a } }

- path: /posts/:id
  when: { params: { id: x2 } }
  response: { body: { id: x2, title: b } }

- path: /posts/:postId/comments
  response: { body: [] }

- path: /posts/:postId/comments
  when: { params: { postId: 1 } }
  response: { body: [{ id: 1, postId: 1 }] }
`)
  expect(yaml).toContain('parameters: { page: _page, per_page: _limit }')
  expect(yaml).toContain('- path: /profile\n  response: { body: { name: a } }\n')
  expect(omitted).toContain('an item: it has no id (/posts)')
  expect(omitted).toContain('"version": it is neither a list nor an object (/version)')
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
      'WebSockets are not mocked (/api/socket in user.mock.ts)',
      "it can't be written",
      'it has no url (user.mock.ts)',
    ]),
  )
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

/** Handlers as Mock Service Worker makes them, without the package. */
const handlers = `
const http = (method, path, resolver) => ({ info: { header: method + ' ' + path, method, path }, resolver })
const query = (operationName, resolver) => ({ info: { header: 'query ' + operationName, operationType: 'query', operationName }, resolver })
export const handlers = [
  http('GET', 'https://api.example.com/users', () => Response.json([{ id: 1 }])),
  http('GET', '/users/:id', ({ params }) => Response.json(params)),
  http('POST', '*/login', () => new Response('no', { status: 401, headers: { 'set-cookie': 'a=b', 'x-a': '1' } })),
  http('GET', '/random', () => Response.json(crypto.randomUUID())),
  http('GET', '/fail', () => Response.error()),
  http('GET', '/nothing', () => undefined),
  http('GET', '/boom', () => { throw new Error('boom') }),
  http(/.*/, '/any', () => Response.json(1)),
  query('Hero', () => Response.json({ data: { hero: null } })),
  query(/a/, () => Response.json({ data: {} })),
]`

test('msw: handlers that do not read the request', async () => {
  const { exitCode, yaml, omitted } = await importFrom(
    { 'handlers.ts': handlers, 'broken.ts': 'export default (' },
    ['msw', 'handlers.ts', 'broken.ts'],
  )
  expect(exitCode).toBe(0)
  expect(yaml).toBe(`- path: /fail
  response: { fault: reset }

- path: /graphql
  when: { operationName: Hero }
  response: { body: { data: { hero: null } } }

- method: POST
  path: /login
  response: { status: 401, headers: { x-a: '1' }, body: no }

- path: /users
  response: { body: [{ id: 1 }] }
`)
  expect(omitted).toEqual(
    expect.arrayContaining([
      'a handler: its resolver reads the request: write it as a response function in a TypeScript fixture (GET /users/:id)',
      'a handler: it gives another answer each time (GET /random)',
      'a handler: it gives no answer, and leaves the request to the next handler (GET /nothing)',
      'a handler: its resolver failed: boom (GET /boom)',
      'a handler: its method or its path is a pattern (/.*/ /any)',
      'a handler: it is for several operations (query /a/)',
    ]),
  )
  expect(omitted.some((line) => line.startsWith('a file:') && line.includes('broken.ts'))).toBe(true)
})

test.for([
  { args: ['msw', 'missing.ts'], exitCode: 2, message: 'There is no file' },
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
