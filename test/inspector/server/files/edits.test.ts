/* A fixture that is written from a request matches that request, and gives the same answer. */
import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ApiError, ChangedFile, Edit, WrittenFixture } from '../../../../src/inspector/api/api.ts'
import { apiServer, type ApiServer, apiServerOnce, startApiServer } from '../api-server.ts'

const fixtures = {
  'fixtures/all.yaml': `
- { path: /orders/:id, response: { status: 201, body: { id: 7, text: "a: b # c", none: null } } }
- { path: /text, response: { body: "line 1\\nline 2\\n" } }
- { path: /yaml, response: { body: "yes" } }
- { path: /html, response: { headers: { content-type: text/html, x-a: "1" }, body: <p> } }
- { path: /empty, response: { status: 204 } }
- { path: /slow, response: { delay: 20, body: [1, 2.5, "3"] } }
- { path: /list, paginate: { perPage: 1, items: [{ id: 1 }, { id: 2 }] } }
- { path: /search, method: POST, when: { body: { a.b: { $exists: true } } }, response: { body: found } }
- { path: /search, method: POST, response: { body: default } }
- { path: "/odd/**", response: { body: odd } }
- { path: /graphql, response: { body: { data: { a: "é" } } } }
- { path: /graphql, when: { operationName: Fails }, response: { body: { errors: [{ message: no }], data: null } } }
- { path: /reset/:token, response: { body: { user: { name: a, password: sent-1 }, log: '{"pin":"sent-2"}' } } }
- { path: /picky, when: { query: { never: 1 } }, response: {} }
`,
  'fixtures/bytes.json': JSON.stringify([{ path: '/bytes', response: { file: 'bytes.png' } }]),
  'fixtures/bytes.png': '\u0000\uFFFD',
}

const server = apiServerOnce(fixtures)

const json = { 'content-type': 'application/json' }
const post = (body: unknown, headers: Record<string, string> = json): RequestInit => ({
  method: 'POST',
  headers,
  body: typeof body === 'string' ? body : JSON.stringify(body),
})

/** For the last request. */
const propose = async (options: object = {}) =>
  server.call<Edit>('POST', 'edit', { request: (await server.last()).id, ...options })
const apply = ({ file, text, version }: Edit) =>
  server.call<ChangedFile & ApiError>('PUT', 'edit', { file, text, version })
const undo = () => server.call<ChangedFile & ApiError>('DELETE', 'edit')
const read = (file: string) => server.read(file)

interface Got {
  status: number
  text: string
  headers: (string | null)[]
}

async function get(send: ApiServer['send'], path: string, init?: RequestInit): Promise<Got> {
  const response = await send(path, init)
  const names = ['content-type', 'x-a']
  return {
    status: response.status,
    text: await response.text(),
    headers: names.map((name) => response.headers.get(name)),
  }
}

it.each<[path: string, init?: RequestInit]>([
  ['/orders/7'],
  ['/orders/7?a=1&b=x%20y&page=02&empty='],
  ['/orders/a%2Fb%3Ac'],
  ['/text'],
  ['/yaml?on=yes&n=1e3&t=true&null=null'],
  ['/html'],
  ['/empty'],
  ['/slow'],
  ['/list?page=2'],
  ['/search', post({ a: { b: 1 }, list: [1, { c: 2 }], 'dotted.key': { 'x.y': 1 }, $odd: 1 })],
  ['/search', post({ 'a.b': 1 })],
  ['/search', post([1, { 'd.e': null, f: [{ 'g.h': 2 }] }])],
  ['/search', post([1, 2])],
  ['/search', post('"text"')],
  ['/search', post('user=a&n=1', { 'content-type': 'application/x-www-form-urlencoded' })],
  ['/odd/:a/*b/(c)/{d}+'],
  ['/graphql', post({ query: 'query A($id: ID) { a }', variables: { id: 7, filter: { 'a.b': [1, null] } } })],
  ['/graphql', post({ query: 'query Fails { a }', operationName: 'Fails' })],
  ['/graphql', post({ query: '{ a }' })],
])('%s %#', async (path, init) => {
  const asked = await get(server.send, path, init)
  const { status, body } = await propose()
  expect([status, existsSync(join(server.project.root, body.file))]).toEqual([200, false])
  const other = await startApiServer({ 'fixtures/new.yaml': body.text })
  const diagnostics = (await other.call<{ diagnostics: object[] }>('GET', 'diagnostics')).body.diagnostics
  const again = await get(other.send, path, init)
  const unlike = await other.send(path.includes('?') ? `${path}1` : `${path}x`, init)
  await other.close()
  expect([diagnostics, body.text, again]).toEqual([[], body.text, asked])
  if (!init) expect(unlike.status).toBe(404)
})

it('has an example as the answer of a request that nothing answers', async () => {
  await server.send('/picky?a=1')
  const { body } = await propose()
  expect(body).toMatchObject({
    file: 'fixtures/picky.yaml',
    version: '',
    notes: ['The answer is an example: nothing has answered this request.'],
    text: `- path: /picky\n  when: { query: { a: '1' } }\n  response: { body: {} }\n`,
  })
})

it('says which credentials of the answer are left out', async () => {
  await server.send('/reset/x')
  const { body } = await propose()
  expect(body.text).toContain('path: /reset/:token\n')
  expect(body.text).toContain('password: redacted')
  expect(body.notes[0]).toMatch(/^Credentials, .*: response body "log", response body "user\.password"\.$/)
})

it.each([
  [
    '/missing/7?a=1',
    '/missing/7?a=1',
    "- path: /missing/7\n  when: { query: { a: '1' } }\n  response: { body: {} }\n",
  ],
  ['/none/eyJhbGciOiJIUzI1.eyJzdWIiOiIxMjM0/x', '/none/…/x', undefined],
])('a miss that no route has the path of is listed, and becomes a route: %s', async (path, url, yaml) => {
  await server.send(path)
  await expect.poll(() => server.last()).toMatchObject({ answeredBy: 'passed-on', status: 404, url })
  const { status, body } = await propose()
  expect([status, body.text]).toEqual([yaml === undefined ? 409 : 200, yaml])
})

describe('writing', () => {
  it('makes a new file, which answers, and takes it back', async () => {
    await server.send('/picky?a=2')
    const { body } = await propose()
    expect(body.answer).toMatchObject({
      answeredBy: 'route',
      route: { file: 'fixtures/picky.yaml', line: 1 },
    })
    expect((await apply(body)).body).toEqual({ file: 'fixtures/picky.yaml', line: 1 })
    expect(read('fixtures/picky.yaml')).toBe(body.text)
    expect((await server.send('/picky?a=2')).status).toBe(200)
    expect((await propose()).body.file).toBe('fixtures/picky-2.yaml')
    expect((await apply(body)).body.error.code).toBe('api-file-exists')
    expect((await undo()).body).toEqual({ file: 'fixtures/picky.yaml', line: 1 })
    expect(existsSync(join(server.project.root, 'fixtures/picky.yaml'))).toBe(false)
    expect((await undo()).body.error.code).toBe('api-undo-nothing')
  })

  it.each([
    ['fixtures/../../outside.yaml', 400, 'api-file-invalid'],
    ['/tmp/outside.yaml', 400, 'api-file-invalid'],
    ['outside.yaml', 400, 'api-file-invalid'],
    ['fixtures/new.ts', 400, 'api-file-invalid'],
    ['fixtures', 400, 'api-file-invalid'],
    ['fixtures/link/new.yaml', 400, 'api-file-invalid'],
    ['fixtures/bytes.png', 409, 'api-file-exists'],
  ])('never at %s', async (file, status, code) => {
    const { root } = server.project
    if (file.includes('link')) {
      mkdirSync(join(root, 'outside'))
      symlinkSync(join(root, 'outside'), join(root, 'fixtures/link'))
    }
    await server.send('/picky?a=3')
    const answers = [await propose({ file }), await apply({ file, text: '[]', version: '' } as Edit)]
    const refused = [status, { error: expect.objectContaining({ code }) as object }]
    expect(answers.map((answer) => [answer.status, answer.body])).toEqual([refused, refused])
    expect(existsSync(join(root, 'outside.yaml')) || existsSync(join(root, 'outside/new.yaml'))).toBe(false)
  })
})

it('a route of a request is added to a file that has others', async () => {
  const before = '- path: /a\n- path: /b # last\n'
  const own = await apiServer({ 'fixtures/a.yaml': before })
  await own.send('/new')
  await expect.poll(own.last).toMatchObject({ status: 404 })
  const file = 'fixtures/a.yaml'
  const { body } = await own.call<Edit>('POST', 'edit', { request: (await own.last()).id, file })
  const text = `${before}- path: /new\n  response: { body: {} }\n`
  expect(body).toMatchObject({ text, diagnostics: [], answer: { answeredBy: 'route' } })
  await own.call('PUT', 'edit', { file, text, version: body.version })
  expect((await own.send('/new')).status).toBe(200)
})

it('a file that has changed since is never overwritten, nor taken back', async () => {
  const own = await apiServer({ 'fixtures/a.yaml': '- { path: /a, when: { query: { page: 1 } } }\n' })
  await own.send('/a?page=2')
  const { id, decision } = await own.details()
  const route = decision.candidates[0]!.id
  const edit = (await own.call<Edit>('POST', 'edit', { request: id, route })).body
  const { file, text, version } = edit
  own.project.write(file, '- path: /mine\n')
  const refused = await own.call<ApiError>('PUT', 'edit', { file, text, version })
  expect([refused.status, refused.body.error.code]).toEqual([409, 'api-file-changed'])
  expect(own.read(file)).toBe('- path: /mine\n')
  const next = (await own.call<Edit>('POST', 'edit', { request: id, file, text })).body
  expect((await own.call('PUT', 'edit', { file, text, version: next.version })).status).toBe(200)
  own.project.write(file, '- path: /mine-again\n')
  const kept = await own.call<ApiError>('DELETE', 'edit')
  expect([kept.status, kept.body.error.code]).toEqual([409, 'api-file-changed'])
  expect(own.read(file)).toBe('- path: /mine-again\n')
  expect(readdirSync(join(own.project.root, 'fixtures'))).toEqual(['a.yaml'])
})

it('a text is checked as the file would be, with what it breaks elsewhere', async () => {
  await server.send('/picky?a=5')
  const file = 'fixtures/new.yaml'
  const check = async (text: string) => (await propose({ file, text })).body
  expect(await check('- path: [\n')).toMatchObject({
    diagnostics: [{ code: 'fixture-syntax', file, line: 2 }],
  })
  expect(await check('- { path: /picky, respnse: {} }')).toMatchObject({
    diagnostics: [{ code: 'fixture-unknown-key', line: 1, column: 19 }],
  })
  expect(await check('- path: /text\n')).toMatchObject({ diagnostics: [{ code: 'default-route-duplicate' }] })
  expect(await check('- path: /picky\n  when: { query: { a: 5 } }\n')).toMatchObject({
    diagnostics: [],
    answer: { answeredBy: 'route', route: { file } },
    diff: '@@ -1,0 +1,2 @@\n+- path: /picky\n+  when: { query: { a: 5 } }',
  })
})

it('what is not data is not changed, and says why', async () => {
  const own = await apiServer({
    'fixtures/a.mjs': "export default [{ path: '/a', when: { query: { page: 1 } } }]",
    'fixtures/b.yaml': '- { path: /b }',
  })
  await own.send('/a?page=2')
  const { id, decision } = await own.details()
  const ask = async (more: object) =>
    (await own.call<ApiError>('POST', 'edit', { request: id, ...more })).body.error.message
  const message =
    'No fixture can be written: fixtures/a.mjs is code, and only YAML and JSON files are changed here.'
  expect(await ask({ route: decision.candidates[0]!.id })).toBe(message)
  expect(await ask({ file: 'fixtures/a.mjs' })).toBe(message)
})

describe('a fixture for an operation has what it selects', () => {
  const query = `query Cart($id: ID!) {
    cart(id: $id) { __typename id items { ...line } totalPrice isPaid createdAt owner: user { email name } }
  }
  fragment line on CartLine { sku quantity }`
  const body = { query, variables: { id: 'c-1' } }
  const sdl = `type Query { cart(id: ID!): Cart }
  type Cart { id: ID! items: [CartLine!]! totalPrice: Float isPaid: Boolean createdAt: String user: User }
  type CartLine { sku: String quantity: Int } type User { email: String name: String }`

  it.each([
    ['by the types of the schema', { schema: 'schema.graphql' }],
    ['by the names of its fields', {}],
  ])('%s', async (_, graphql) => {
    const files = {
      'schema.graphql': sdl,
      'fixtures/g.yaml': '- { path: /graphql, when: { operationName: A } }',
    }
    const own = await apiServer(files, { graphql })
    await own.post('/graphql', body)
    const { id } = await own.last()
    const { file, text, version, diagnostics } = (await own.call<Edit>('POST', 'edit', { request: id })).body
    expect(diagnostics).toEqual([])
    await own.call('PUT', 'edit', { file, text, version })
    const answer = (await (await own.post('/graphql', body)).json()) as object
    const line = { sku: expect.any(String) as string, quantity: expect.any(Number) as number }
    expect(answer).toEqual({
      data: {
        cart: {
          __typename: 'Cart',
          id: expect.any(String) as string,
          items: [line, line],
          totalPrice: expect.any(Number) as number,
          isPaid: expect.any(Boolean) as boolean,
          createdAt: expect.stringMatching(/^2026-01-\d\dT12:00:00Z$/) as string,
          owner: {
            email: expect.stringContaining('@example.com') as string,
            name: expect.any(String) as string,
          },
        },
      },
    })
  })
})

describe('POST fixture', () => {
  const write = async (options: object = {}) =>
    server.call<WrittenFixture & ApiError>('POST', 'fixture', {
      request: (await server.last()).id,
      ...options,
    })

  it('shows a new file, writes it once, and it can be taken back', async () => {
    await server.send('/picky?a=1')
    const file = 'fixtures/picky/new.yaml'
    const yaml = "- path: /picky\n  when: { query: { a: '1' } }\n  response: { body: {} }\n"
    const note = expect.stringContaining('The answer is an example') as string
    const given = { file: 'picky/new.yaml' }
    expect(await write({ dryRun: true })).toMatchObject({
      status: 200,
      body: { isWritten: false, yaml, note },
    })
    expect(await write(given)).toMatchObject({ status: 200, body: { file, isWritten: true, yaml, note } })
    expect(read(file)).toBe(yaml)
    expect((await server.send('/picky?a=1')).status).toBe(200)
    expect(await write(given)).toMatchObject({ status: 409, body: { error: { code: 'api-file-exists' } } })
    expect((await undo()).status).toBe(200)
    expect(existsSync(join(server.project.root, file))).toBe(false)
  })

  it.each(['../new.yaml', 'new.json', '/etc/new.yaml', 'a\nb.yaml'])('does not write %j', async (file) => {
    await server.send('/picky?a=1')
    expect(await write({ file })).toMatchObject({
      status: 400,
      body: { error: { code: 'api-file-invalid' } },
    })
  })
})
