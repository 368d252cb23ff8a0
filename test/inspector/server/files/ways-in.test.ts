/* Every way in by which a fixture file is written: none loses what it was not asked to change. */
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import type { MiddlewareOptions } from '../../../../src/core/options/options.ts'
import type { ApiError, Edit } from '../../../../src/inspector/api/api.ts'
import { sampling } from '../../../sampling.ts'
import { connectAgent } from '../agents/agent.ts'
import { apiServer, type ApiServer } from '../api-server.ts'

const routes = '- { name: new, path: /new, response: { body: 1 } }\n'
const main = '- { path: /orders, collection: { items: [{ id: 1 }] } }\n'

interface Answer {
  status: number
  code?: string | undefined
  message?: string
}
const answerOf = ({ status, body }: { status: number; body: Partial<ApiError> }): Answer => ({
  status,
  code: body.error?.code,
  message: body.error?.message ?? '',
})

/** Has an edit made, and writes it. */
async function edit(server: ApiServer, file: string, asked: object): Promise<Answer> {
  const made = await server.call<Edit & ApiError>('POST', 'edit', { file, ...asked })
  if (made.status !== 200) return answerOf(made)
  const { text, version } = made.body
  return answerOf(await server.call<ApiError>('PUT', 'edit', { file, text, version }))
}
/** The id of a request that no route answers. */
async function miss(server: ApiServer, path = '/missing'): Promise<number> {
  await server.send(path)
  return (await server.last()).id
}
const patch = (server: ApiServer) =>
  server.send('/orders/1', { method: 'PATCH', body: '{"state":"b"}', headers: { 'content-type': 'application/json' } }) // prettier-ignore

/** Each tries to add a route to a file, and says what it got. */
const ways: Record<string, (server: ApiServer, file: string) => Promise<Answer>> = {
  routes: (server, file) => edit(server, file, { routes }),
  async text(server, file) {
    const asked = await server.call<Edit & ApiError>('POST', 'edit', { file, text: routes })
    const version = asked.status === 200 ? asked.body.version : ''
    return answerOf(await server.call<ApiError>('PUT', 'edit', { file, text: routes, version }))
  },
  request: async (server, file) => edit(server, file, { request: await miss(server) }),
  async fixture(server, file) {
    const given = { request: await miss(server), file: file.replace('fixtures/', '') }
    return answerOf(await server.call<ApiError>('POST', 'fixture', given))
  },
  async mcp(server, file) {
    const agent = await connectAgent(server)
    onTestFinished(() => agent.client.close())
    const { error } = await agent.call<Partial<ApiError>>('write_fixture', { file, routes })
    return { status: error ? 409 : 200, code: error?.code, message: error?.message ?? '' }
  },
}

interface Kind {
  what: string
  file?: string
  /** The files, beside `fixtures/main.yaml`. */
  files?: Record<string, string | Uint8Array>
  options?: MiddlewareOptions
  change?: (path: string, root: string) => void
  code: string
  says: RegExp
}

const kinds: Kind[] = [
  { what: 'an object in JSON', files: { 'fixtures/a.json': '{ "important": 1 }' }, file: 'fixtures/a.json', code: 'api-fixture-unwritable', says: /is data, and not a list of routes/ },
  { what: 'an object whose routes are null', files: { 'fixtures/a.json': '{ "routes": null, "important": 1 }' }, file: 'fixtures/a.json', code: 'api-fixture-unwritable', says: /not a list|is data/ },
  { what: 'an object in YAML', files: { 'fixtures/a.yaml': 'important: 1\n' }, file: 'fixtures/a.yaml', code: 'api-fixture-unwritable', says: /is data/ },
  { what: 'a text in JSON', files: { 'fixtures/a.json': '"important"' }, file: 'fixtures/a.json', code: 'api-fixture-unwritable', says: /is data/ },
  { what: 'the body of a route', files: { 'fixtures/data/body.json': '[{ "important": 1 }]', 'fixtures/b.yaml': '- { path: /b, response: { file: data/body.json } }' }, file: 'fixtures/data/body.json', code: 'api-fixture-unwritable', says: /data that fixtures\/b\.yaml uses/ },
  { what: 'the items of a collection', files: { 'fixtures/data/items.json': '[{ "id": 1 }]', 'fixtures/b.yaml': '- { path: /b, collection: { items: { file: data/items.json } } }' }, file: 'fixtures/data/items.json', code: 'api-fixture-unwritable', says: /data that fixtures\/b\.yaml uses/ },
  { what: 'a database', files: { 'db.json': '{ "posts": [{ "id": 1 }], "profile": { "name": "a" } }' }, file: 'db.json', options: { fixtures: ['db.json', 'fixtures'] }, code: 'api-fixture-unwritable', says: /database of json-server/ },
  { what: 'a file that is left out', files: { 'fixtures/a.yaml': '- path: /a\n' }, file: 'fixtures/a.yaml', options: { fixtures: ['fixtures', '!fixtures/a.yaml'] }, code: 'api-fixture-unwritable', says: /would not be served/ },
  { what: 'a package.json', files: { 'fixtures/package.json': '{ "name": "a", "version": "1.0.0" }' }, file: 'fixtures/package.json', code: 'api-fixture-unwritable', says: /is data/ },
  { what: 'Latin-1', files: { 'fixtures/a.yaml': Buffer.from('# café\n- path: /a\n', 'latin1') }, file: 'fixtures/a.yaml', code: 'api-file-unwritable', says: /bytes that are not UTF-8/ },
  { what: 'UTF-16', files: { 'fixtures/a.yaml': Buffer.from('\uFEFF- path: /a\n', 'utf16le') }, file: 'fixtures/a.yaml', code: 'api-file-unwritable', says: /UTF-16/ },
  { what: 'a read-only file', files: { 'fixtures/a.yaml': '- path: /a\n' }, file: 'fixtures/a.yaml', change: (path) => chmodSync(path, 0o444), code: 'api-file-unwritable', says: /read-only/ },
  { what: 'a file with two names', files: { 'fixtures/a.yaml': '- path: /a\n' }, file: 'fixtures/a.yaml', change: (path, root) => linkSync(path, join(root, 'other')), code: 'api-file-unwritable', says: /2 names/ },
  { what: 'code', files: { 'fixtures/a.mjs': 'export default [{ path: "/a" }]' }, file: 'fixtures/a.mjs', code: 'api-fixture-unwritable', says: /is code/ },
  { what: 'a new file that no option names', files: { 'db.json': '{ "posts": [{ "id": 1 }] }' }, file: 'nope.yaml', options: { fixtures: ['db.json'] }, code: 'api-fixture-unwritable', says: /would not be served: .*db\.json/ },
  { what: 'a new file with another ending than the glob', file: 'fixtures/nope.yaml', options: { fixtures: ['fixtures/*.json', 'fixtures/main.yaml'] }, code: 'api-fixture-unwritable', says: /would not be served/ },
] // prettier-ignore

const start = async ({ files = {}, options = {}, change, file }: Partial<Kind>) => {
  const server = await apiServer({ 'fixtures/main.yaml': main, ...files }, { watch: false, ...options })
  if (file !== undefined) change?.(join(server.project.root, file), server.project.root)
  return server
}

/** The bytes of each file below a folder. */
function bytesOf(root: string): Map<string, string> {
  const names = readdirSync(root, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  return new Map(
    names.map(({ parentPath, name }) => [
      join(parentPath, name),
      readFileSync(join(parentPath, name), 'latin1'),
    ]),
  )
}

it.each(kinds.map((kind) => [kind.what, kind] as const))('%s is written by no way in', async (_, kind) => {
  const server = await start(kind)
  const before = bytesOf(server.project.root)
  const isThere = existsSync(join(server.project.root, kind.file!))
  for (const [way, write] of Object.entries(ways)) {
    const { status, code, message } = await write(server, kind.file!)
    expect([way, status >= 400, bytesOf(server.project.root)]).toEqual([way, true, before])
    // That way names the folder itself, and only makes new files.
    if (way === 'fixture' && isThere) continue
    expect([way, code]).toEqual([way, kind.code])
    expect(message).toMatch(kind.says)
  }
})

it('a file at the end of a link that leads out is neither shown nor written', async () => {
  const outside = mkdtempSync(join(tmpdir(), 'mock-api-outside-'))
  onTestFinished(() => rmSync(outside, { recursive: true }))
  const secret = join(outside, 'secret.yaml')
  writeFileSync(secret, '- path: /secret\n')
  const change = (path: string) => symlinkSync(secret, path)
  const server = await start({ file: 'fixtures/link.yaml', change, options: { watch: true } })
  await expect.poll(async () => (await server.send('/secret')).status).toBe(200)
  for (const [way, write] of Object.entries(ways)) {
    const answer = await write(server, 'fixtures/link.yaml')
    const left = [way, answer.status >= 400, readFileSync(secret, 'utf8')]
    expect(left).toEqual([way, true, '- path: /secret\n'])
    expect(JSON.stringify(answer)).not.toContain('path: /secret')
  }
})

it.each<[what: string, before: string]>([
  ['an anchor of an item that another route uses', '- { path: /orders, collection: { items: [&n { id: 1, state: a }, { id: 2 }] } }\n- { path: /other, response: { body: *n } }\n'],
  ['an anchor inside of an item', '- path: /orders\n  collection:\n    items:\n      - id: 1\n        customer: &c { name: a }\n- { path: /other, response: { body: *c } }\n'],
  ['an anchor that is defined twice', '- { path: /first, response: { body: &n { id: 9 } } }\n- { path: /orders, collection: { items: [&n { id: 1 }] } }\n- { path: /other, response: { body: *n } }\n'],
])('save keeps %s', async (_, before) => {
  const server = await apiServer({ 'fixtures/a.yaml': before })
  await patch(server)
  const { status, body } = await server.call<ApiError>('POST', 'save', { collection: 'orders' })
  expect([status, body.error.code]).toEqual([409, 'api-fixture-unwritable'])
  expect(body.error.message).toContain('anchor')
  expect(server.read('fixtures/a.yaml')).toBe(before)
}) // prettier-ignore

it('an anchor that only the list itself uses is no hindrance', async () => {
  const server = await apiServer({
    'fixtures/a.yaml': '- { path: /orders, collection: { items: [&n { id: 1 }, { id: 2, like: *n }] } }\n',
  })
  await patch(server)
  expect((await server.call('POST', 'save', { collection: 'orders' })).status).toBe(200)
})

it.each<[what: string, text: string]>([
  ['a syntax error', '- path: [\n'],
  ['an unknown key', '- { path: /a, respnse: {} }\n'],
  ['an alias without its anchor', '- { path: /a, response: { body: *n } }\n'],
  ['an object', 'important: 1\n'],
  ['a text', 'hello\n'],
  ['a default route that another file has', '- path: /other\n'],
])('a file that loads is not replaced by %s', async (_, text) => {
  const before = '- path: /a\n'
  const server = await apiServer({ 'fixtures/a.yaml': before, 'fixtures/b.yaml': '- path: /other\n' })
  expect((await edit(server, 'fixtures/a.yaml', { text })).status).toBeGreaterThanOrEqual(400)
  expect(server.read('fixtures/a.yaml')).toBe(before)
  expect((await server.send('/a')).status).toBe(200)
})

it('lines keep their ends, as in test/files/write-files.test.ts', async () => {
  const server = await apiServer({ 'fixtures/a.yaml': '- path: /a\n- path: /b\r\n' })
  const text = '- path: /a\n- path: /b\n  response:\n    body: |\n      one\n      three\n'
  expect((await edit(server, 'fixtures/a.yaml', { text })).status).toBe(200)
  expect(server.read('fixtures/a.yaml')).toBe(text.replace(/\n(?=  )/g, '\r\n').replace(/\n$/, '\r\n'))
  expect(await (await server.send('/b')).text()).toBe('one\nthree\n')
})

const harEntry = (path: string) => ({
  request: { method: 'GET', url: `http://localhost/${path}`, headers: [] },
  response: {
    status: 200,
    headers: [{ name: 'content-type', value: 'application/json' }],
    content: { mimeType: 'application/json', text: '{}' },
  },
  startedDateTime: '2026-01-01T00:00:00Z',
})

it('a HAR is imported whole or not at all', async () => {
  const server = await apiServer({ 'fixtures/main.yaml': main })
  const log = { entries: ['a/1', 'b/1', 'c/1'].map(harEntry) }
  // The folder of the second file is a link that leads out.
  const folder = join(server.project.root, 'fixtures')
  renameSync(folder, join(server.project.root, 'elsewhere'))
  mkdirSync(folder)
  writeFileSync(join(folder, 'main.yaml'), main)
  const outside = mkdtempSync(join(tmpdir(), 'mock-api-outside-'))
  onTestFinished(() => rmSync(outside, { recursive: true }))
  symlinkSync(outside, join(folder, 'imported'))
  const { status } = await server.call<ApiError>('POST', 'import', {
    name: 'a.har',
    text: JSON.stringify({ log }),
  })
  expect(status).toBeLessThan(500)
  expect(readdirSync(folder).sort()).toEqual(
    status === 200 ? ['imported', 'imported-2', 'main.yaml'] : ['imported', 'main.yaml'],
  )
  expect(readdirSync(outside)).toEqual([])
})

/** A file of routes as people write it: comments, empty lines, anchors, quotes, ends of lines. */
const block = fc.record({
  comment: fc.constantFrom('', '# why\n', '\n# two\n# lines\n'),
  style: fc.constantFrom('flow' as const, 'lines' as const, 'quoted' as const),
  end: fc.constantFrom('\n', '\r\n'),
})
type Block = typeof block extends fc.Arbitrary<infer T> ? T : never
const textOf = ({ comment, style, end }: Block, at: number, path: string) => {
  const flow = `- { name: 'r${at}',   path: ${path}/${at}, response: { body: [ ${at}, "x" ] } }   # ${at}\n`
  const lines = `- name: r${at}   # ${at}\n  path:  ${path}/${at}\n  response:\n      body: [${at},\n        "x"]\n`
  const quoted = `- "name": "r${at}"\n  "path": "${path}/${at}"\n  response: {"body": [${at}, x]}\n`
  return (comment + { flow, lines, quoted }[style]).replaceAll('\n', end)
}

it('random edits by every way keep what they were not asked to change, and the files load', async () => {
  const list = '# the list\n- path: /orders # kept\n  collection:\n    items:\n      - { id: 1 }\n# last\n'
  const server = await apiServer({ 'fixtures/list.yaml': list })
  const agent = await connectAgent(server)
  onTestFinished(() => agent.client.close())
  const read = (name: string) => server.read(`fixtures/${name}`)
  let round = 0
  const way = fc.constantFrom('mcp', 'edit', 'replace', 'request', 'fixture', 'import', 'save', 'undo')
  const steps = fc.array(fc.record({ way, at: fc.nat() }), { minLength: 1, maxLength: 5 })
  const blocks = fc.array(block, { minLength: 1, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(blocks, steps, async (given, taken) => {
      const name = `model-${++round}.yaml`
      const file = `fixtures/${name}`
      const at = `/m${round}`
      const parts = given.map((one, index) => textOf(one, index, at))
      writeFileSync(join(server.project.root, file), parts.join(''))
      await expect.poll(async () => (await server.send(`${at}/0`)).status).toBe(200)
      for (const [index, { way, at: where }] of taken.entries()) {
        const added = `- { name: n${index}, path: ${at}/n/${index}, response: { body: 1 } }\n`
        const target = where % given.length
        const isReplaced = way === 'replace'
        if (way === 'mcp') await agent.call('write_fixture', { file, routes: added })
        else if (way === 'edit') await edit(server, file, { routes: added })
        else if (isReplaced)
          await edit(server, file, { routes: `- { name: r${target}, path: ${at}/${target} }`, replace: true })
        else if (way === 'undo') await server.call('DELETE', 'edit')
        else if (way === 'import')
          await server.call('POST', 'import', {
            name: 'a.har',
            text: JSON.stringify({ log: { entries: [harEntry(`m${round}/h-${index}/list`)] } }),
          })
        else if (way === 'save') {
          await server.post('/orders', { round, index })
          await server.call('POST', 'save', { collection: 'orders' })
        } else {
          const request = await miss(server, `${at}/missing/${index}`)
          if (way === 'fixture') await server.call('POST', 'fixture', { request })
          else await edit(server, file, { request })
        }
        if (isReplaced) parts[target] = ''
        for (const part of parts) expect(read(name)).toContain(part.trim())
        expect(read(name)).not.toContain('\r\r')
        for (const line of ['# the list', '- path: /orders # kept', '# last'])
          expect(read('list.yaml')).toContain(line)
      }
      const { body } = await server.call<{ errors: unknown[] }>('GET', 'diagnostics')
      expect(JSON.stringify(body)).not.toContain('"error"')
    }),
    sampling(3),
  )
})
