/* A fixture that is written from a request matches that request, and gives the same answer. */
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { WrittenFixture } from '../../../src/inspector/api.ts'
import { startApiServer, type ApiServer } from './api-server.ts'

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

let server: ApiServer
beforeAll(async () => {
  server = await startApiServer(fixtures)
  const path = join(server.project.root, 'fixtures/bytes.png')
  expect(existsSync(path)).toBe(true)
})
afterAll(() => server.close())

const json = { 'content-type': 'application/json' }
const post = (body: unknown, headers: Record<string, string> = json): RequestInit => ({
  method: 'POST',
  headers,
  body: typeof body === 'string' ? body : JSON.stringify(body),
})

/** From the last request. */
const write = async (options: object = {}) =>
  server.call<WrittenFixture>('POST', 'fixture', { request: (await server.last()).id, ...options })

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
  ['/search', post([1, 2])],
  ['/search', post('"text"')],
  ['/search', post('user=a&n=1', { 'content-type': 'application/x-www-form-urlencoded' })],
  ['/odd/:a/*b/(c)/{d}+'],
  ['/graphql', post({ query: 'query A($id: ID) { a }', variables: { id: 7, filter: { 'a.b': [1, null] } } })],
  ['/graphql', post({ query: 'query Fails { a }', operationName: 'Fails' })],
  ['/graphql', post({ query: '{ a }' })],
])('%s %#', async (path, init) => {
  const asked = await get(server.send, path, init)
  const { status, body } = await write({ dryRun: true })
  expect([status, body.isWritten]).toEqual([200, false])
  const other = await startApiServer({ 'fixtures/new.yaml': body.yaml })
  const diagnostics = (await other.call<{ diagnostics: object[] }>('GET', 'diagnostics')).body.diagnostics
  const again = await get(other.send, path, init)
  const unlike = await other.send(path.includes('?') ? `${path}1` : `${path}x`, init)
  await other.close()
  expect([diagnostics, body.yaml, again]).toEqual([[], body.yaml, asked])
  if (!init) expect(unlike.status).toBe(404)
})

it('has a placeholder as the answer of a request that nothing answers', async () => {
  await server.send('/picky?a=1')
  const { body } = await write({ dryRun: true })
  expect(body).toMatchObject({ isWritten: false, note: expect.stringContaining('placeholder') as string })
  expect(body.yaml).toBe("- path: /picky\n  when: { query: { a: '1' } }\n  response: { body: {} }\n")
})

it.each<[path: string, init?: RequestInit]>([
  ['/search?token=sent-1&code=sent-2', post({ password: 'sent-3', a: { note: '{"pin":"sent-4"}' } })],
  ['/odd/a?next=/b?token=sent-1'],
  ['/reset/sent-3'],
  ['/graphql', post({ query: 'query A($o: O) { a }', variables: { o: { accessKey: 'sent-1' } } })],
])('a fixture from %s names no secrets', async (path, init) => {
  await server.send(path, init)
  const { status, body } = await write({ dryRun: true })
  expect(status).toBe(200)
  expect(JSON.stringify(body)).not.toContain('sent-')
})

it('says which credentials of the answer are left out', async () => {
  await server.send('/reset/x')
  const { body } = await write({ dryRun: true })
  expect(body.yaml).toContain('path: /reset/:token\n')
  expect(body.yaml).toContain('password: redacted')
  expect(body.note).toMatch(/^Credentials, .*: response body "log", response body "user\.password"\.$/)
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
  const { status, body } = await write({ dryRun: true })
  expect([status, body.yaml]).toEqual([yaml === undefined ? 409 : 200, yaml])
})

describe('writing', () => {
  it('makes a new file, which answers', async () => {
    await server.send('/picky?a=2')
    const { body } = await write()
    expect(body).toMatchObject({ file: 'fixtures/picky.yaml', isWritten: true })
    expect(readFileSync(join(server.project.root, body.file), 'utf8')).toBe(body.yaml)
    await expect.poll(async () => (await server.send('/picky?a=2')).status).toBe(200)
    expect((await write({ dryRun: true })).body.file).toBe('fixtures/picky-2.yaml')
  })

  it.each([
    ['all.yaml', 409, 'api-file-exists'],
    ['../outside.yaml', 400, 'api-file-invalid'],
    ['/tmp/outside.yaml', 400, 'api-file-invalid'],
    ['new.ts', 400, 'api-file-invalid'],
    ['.', 400, 'api-file-invalid'],
    ['link/new.yaml', 400, 'api-file-invalid'],
  ])('never at %s', async (file, status, code) => {
    const { root } = server.project
    if (file.startsWith('link')) {
      mkdirSync(join(root, 'outside'))
      symlinkSync(join(root, 'outside'), join(root, 'fixtures/link'))
    }
    await server.send('/picky?a=3')
    const before = readFileSync(join(root, 'fixtures/all.yaml'), 'utf8')
    const answer = await write({ file })
    expect([answer.status, answer.body]).toEqual([
      status,
      { error: expect.objectContaining({ code }) as object },
    ])
    expect(readFileSync(join(root, 'fixtures/all.yaml'), 'utf8')).toBe(before)
    expect(existsSync(join(root, 'outside.yaml')) || existsSync(join(root, 'outside/new.yaml'))).toBe(false)
  })
})
