/* A route of a file becomes one that matches a request: only what differs changes, and then it answers. */
import { expect, it } from 'vitest'
import type { ChangedFile, Edit } from '../../../../src/inspector/api/api.ts'
import { apiServerOnce } from '../api-server.ts'

interface Row {
  text: string
  /** Default: `.yaml`. */
  extension?: string
  path?: string
  body?: unknown
  headers?: Record<string, string>
  /** The lines that differ, as in a diff. */
  diff: string[]
  notes?: string[]
  /** Beside the route. */
  asked?: object
}

const rows: Record<string, Row> = {
  'a value beside its comment': {
    text: `# All orders.

- &order
  name: order 7
  path: /x/:id # static > parameter
  when:   { params: {id: 7} }   # the first
  response: { body: {id: 7} }
- { <<: *order, name: another, path: /y/:id }
`,
    path: '/x/8',
    diff: ['-  when:   { params: {id: 7} }   # the first', '+  when:   { params: {id: 8} }   # the first'],
    notes: ['The anchor &order is used elsewhere, and changes there too.'],
  },
  'several conditions': {
    text: `- path: /x
  method: POST
  when:
    headers:
      X-Tenant: a
    body:
      filter.state: "open"
      total: # in cents
        $gt: 100
      note: same
`,
    headers: { 'x-tenant': 'b' },
    body: { filter: { state: 'sold' }, total: 7, note: 'same' },
    diff: [
      '-      X-Tenant: a',
      '+      X-Tenant: b',
      '-      filter.state: "open"',
      '-      total: # in cents',
      '-        $gt: 100',
      '+      filter.state: sold',
      '+      total: { $gte: 7 } # in cents',
    ],
  },
  'what the request does not have': {
    text: `- path: /x
  when:
    query: { page: 2 }
    headers: { x-tenant: a }
`,
    headers: { 'x-tenant': 'a' },
    diff: ['-    query: { page: 2 }'],
    notes: ['The condition query.page is removed: the request does not have it.'],
  },
  'the only condition': {
    text: '- path: /x\n  when: { query: { page: 2 } } # the second\n  response: { body: [] }\n',
    diff: ['-  when: { query: { page: 2 } } # the second'],
    notes: ['The condition query.page is removed: the request does not have it.'],
  },
  'one of a line': {
    text: '- { path: /x, when: { query: { a: 1, page: 2, b: 3 } } }\n',
    path: '/x?a=1&b=4',
    diff: [
      '-- { path: /x, when: { query: { a: 1, page: 2, b: 3 } } }',
      '+- { path: /x, when: { query: { a: 1, b: 4 } } }',
    ],
    notes: ['The condition query.page is removed: the request does not have it.'],
  },
  'texts that YAML would read as something else': {
    text: '- path: /x\n  method: POST\n  when: { body: { a: 1, b: x, c: y, d: z } }\n',
    body: { a: '7', b: 'no: [b]', c: [1, { e: null }], d: { 'e.f': 1 } },
    diff: [
      '-  when: { body: { a: 1, b: x, c: y, d: z } }',
      "+  when: { body: { a: '7', b: 'no: [b]', c: [ 1, { e: null } ], d: { e\\.f: 1 } } }",
    ],
  },
  'an alias': {
    text: `- path: /other
  response: { body: &seven 7 }
- path: /x
  when: { query: { page: *seven } }
`,
    path: '/x?page=8',
    diff: ['-  when: { query: { page: *seven } }', "+  when: { query: { page: '8' } }"],
  },
  'operators that exclude a value': {
    text: '- path: /x\n  method: POST\n  when: { body: { a: 1, b: { $ne: x } } }\n',
    body: { a: 1, b: 'x' },
    diff: ['-  when: { body: { a: 1, b: { $ne: x } } }', '+  when: { body: { a: 1 } }'],
    notes: ['The condition body.b is removed: it excludes the value.'],
  },
  'a comparison in the query': {
    text: '- path: /x\n  when: { query: { page: { $lt: 3 } } }\n',
    path: '/x?page=3',
    diff: ['-  when: { query: { page: { $lt: 3 } } }', '+  when: { query: { page: { $lte: 3 } } }'],
  },
  'the only names': {
    text: '- path: /x\n  when: { query: { $only: [page] } }\n',
    path: '/x?page=1&sort=a',
    diff: ['-  when: { query: { $only: [page] } }', '+  when: { query: { $only: [ page, sort ] } }'],
  },
  'the only names, beside a condition': {
    text: '- path: /x\n  when: { query: { page: { $exists: true }, $only: [page] } }\n',
    path: '/x?page=1&sort=a',
    diff: [
      '-  when: { query: { page: { $exists: true }, $only: [page] } }',
      '+  when: { query: { page: { $exists: true }, $only: [ page, sort ] } }',
    ],
  },
  'a number of 19 digits': {
    text: '- path: /x\n  method: POST\n  when: { body: { id: 1234567890123456789 } }\n',
    body: '{"id":1234567890123456788}',
    diff: [
      '-  when: { body: { id: 1234567890123456789 } }',
      '+  when: { body: { id: 1234567890123456788 } }',
    ],
  },
  'a value beside that of the request': {
    text: '- path: /x\n  when: { query: { page: 2 } }\n',
    path: '/x?page=3',
    asked: { widen: true },
    diff: ['-  when: { query: { page: 2 } }', '+  when: { query: { page: { $in: [ 2, 3 ] } } }'],
  },
  JSON: {
    extension: '.json',
    text: '{\n\t"routes": [\n\t\t{ "path": "/x", "when": { "query": { "page": 2 } } }\n\t]\n}\n',
    path: '/x?page=3',
    diff: [
      '-\t\t{ "path": "/x", "when": { "query": { "page": 2 } } }',
      '+\t\t{ "path": "/x", "when": { "query": { "page": 3 } } }',
    ],
  },
  JSON5: {
    extension: '.json5',
    text: "[\n  // the 'second'\n  { path: '/x', when: { query: { page: 'http://a' } } }, /* done */\n]\n",
    path: '/x?page=3',
    diff: [
      "-  { path: '/x', when: { query: { page: 'http://a' } } }, /* done */",
      '+  { path: \'/x\', when: { query: { page: "3" } } }, /* done */',
    ],
  },
  'Windows line ends': {
    text: '\uFEFF- path: /x\r\n  when: { query: { page: 2 } }\r\n',
    path: '/x?page=3',
    diff: ['-  when: { query: { page: 2 } }', '+  when: { query: { page: 3 } }'],
  },
}

const operators: [operators: string, sent: unknown, widened: string][] = [
  ['{ $gt: 0 }', '39.80', "{ $or: [ { $gt: 0 }, '39.80' ] }"],
  ['{ $gte: 10, $lt: 20 }', 20, '{ $gte: 10, $lte: 20 }'],
  ['{ $gt: 10, $lt: 20 }', 4, '{ $gte: 4, $lt: 20 }'],
  ['{ $in: [a, b] }', 'c', '{ $in: [ a, b, c ] }'],
  ['{ $nin: [a, b] }', 'b', '{ $nin: [ a ] }'],
  ['{ $eq: a }', 'b', '{ $in: [ a, b ] }'],
  ['{ $ne: a, $exists: true }', 'a', '{ $exists: true }'],
  ['{ $regex: ^a }', 'b', '{ $or: [ { $regex: ^a }, b ] }'],
  ['{ $size: 2 }', [1], '{ $or: [ { $size: 2 }, [ 1 ] ] }'],
]
for (const [written, sent, widened] of operators)
  rows[`operators: ${written}`] = {
    text: `- path: /x\n  method: POST\n  when: { body: { a: ${written} } }\n`,
    body: { a: sent },
    diff: [`-  when: { body: { a: ${written} } }`, `+  when: { body: { a: ${widened} } }`],
  }

const named = Object.entries(rows).map(([name, row], index) => {
  const own = (text: string) => text.replaceAll('/x', `/x${index}`)
  return { name, file: `fixtures/${index}${row.extension ?? '.yaml'}`, ...row, own }
})

const server = apiServerOnce(Object.fromEntries(named.map(({ file, text, own }) => [file, own(text)])))

const read = (file: string) => server.read(file)

it.each(named)(
  '$name',
  async ({ file, text, path = '/x', body, headers = {}, diff, notes = [], asked, own }) => {
    const init: RequestInit = {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    }
    const send = async () => (await server.send(own(path), init)).status
    expect(await send()).toBe(404)
    const { id, decision } = await server.details()
    const route = decision.candidates[0]!.id
    const { body: edit } = await server.call<Edit>('POST', 'edit', { request: id, route, ...asked })
    expect(edit).toMatchObject({ file, notes, diagnostics: [], answer: { route: { file } } })
    expect(edit.diff.split('\n').filter((line) => /^[-+]/.test(line))).toEqual(diff.map(own))
    const { version } = edit
    const applied = await server.call<ChangedFile>('PUT', 'edit', { file, text: edit.text, version })
    expect([applied.status, await send()]).toEqual([200, 200])
    expect(read(file).split('\r\n').length).toBe(text.split('\r\n').length)
    await server.call('DELETE', 'edit')
    expect([read(file), await send()]).toEqual([own(text), 404])
  },
)
