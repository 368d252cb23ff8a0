/* POST edit with routes for a file: added at its end, or in place of those that it has. */
import { expect, it } from 'vitest'
import type { ApiError, Edit } from '../../../../src/inspector/api/api.ts'
import { apiServer } from '../api-server.ts'

const one = '- { name: one, path: /a, response: { status: 201 } }\n'
const brief = '- path: /new\n  response: { body: {} }\n'
/** The same in JSON, indented. */
const written = (indent: string) =>
  JSON.stringify({ path: '/new', response: { body: {} } }, null, indent).replaceAll(/^/gm, indent)

it.each<[what: string, file: string, before: string, asked: { routes: string; replace?: boolean }, after: string]>([
  ['a new file', 'new.yaml', '', { routes: one }, one],
  ['comments of new routes', 'new.yaml', '', { routes: '# why\n- path: /a # what\n' }, '# why\n- path: /a # what\n'],
  ['a list in lines', 'a.yaml', '# first\n- path: /b # kept\n', { routes: one }, `# first\n- path: /b # kept\n\n${one}`],
  ['several', 'a.yaml', '- path: /b\n- path: /c\n', { routes: '- path: /d\n- path: /e\n' }, '- path: /b\n- path: /c\n- path: /d\n- path: /e\n'],
  ['a list below a key', 'a.yaml', 'routes:\n  - path: /b\n', { routes: one }, `routes:\n  - path: /b\n\n  ${one}`],
  ['routes below a key', 'a.yaml', '- path: /b\n', { routes: `routes:\n  ${one}` }, '- path: /b\n\n- name: one\n  path: /a\n  response: { status: 201 }\n'],
  ['a list in braces', 'a.yaml', '[{ path: /b }]\n', { routes: '- path: /c\n- path: /d\n' }, '[{ path: /b },\n {\n   "path": "/c"\n },\n {\n   "path": "/d"\n }\n]\n'],
  ['JSON', 'a.json', '[\n  { "path": "/b" }\n]\n', { routes: '- path: /c' }, '[\n  { "path": "/b" },\n  {\n    "path": "/c"\n  }\n]\n'],
  ['an empty file', 'a.yaml', '# nothing yet\n', { routes: one }, `# nothing yet\n${one}`],
  ['before a comment at the end', 'a.yaml', '- path: /a\n\n- path: /b\n# end\n', { routes: brief }, `- path: /a\n\n- path: /b\n\n${brief}# end\n`],
  ['behind a text that ends with empty lines', 'a.yaml', '- path: /a\n  response:\n    body: |+\n      text\n\n# end\n', { routes: brief }, `- path: /a\n  response:\n    body: |+\n      text\n\n${brief}# end\n`],
  ['no line end', 'a.yaml', '- path: /a', { routes: brief }, `- path: /a\n\n${brief}`],
  ['JSON with a comma at its end', 'a.jsonc', '[\n  { "path": "/a" }, // one\n]', { routes: brief }, `[\n  { "path": "/a" }, // one\n${written('  ')}\n]`],
  ['JSON with tabs, and a comment after a route without a comma', 'a.json5', "[\n\t{ path: '/a' } /* one */\n]\n", { routes: brief }, `[\n\t{ path: '/a' }, /* one */\n${written('\t')}\n]\n`],
  ['a list in brackets, and a comment of several lines', 'a.jsonc', '[{ "path": "/a" } /* one\n two */\n]', { routes: brief }, '[{ "path": "/a" },\n {\n   "path": "/new",\n   "response": {\n     "body": {}\n   }\n } /* one\n two */\n]'],
  ['YAML in brackets', 'a.yaml', '[\n  { path: /a } # one\n]\n', { routes: brief }, `[\n  { path: /a }, # one\n${written('  ')}\n]\n`],
  ['an empty list', 'a.json', '[]', { routes: brief }, `[\n${written('  ')}\n]`],
  ['in place, in lines', 'a.yaml', '- path: /b\n- name: one # old\n  path: /a\n  response:\n    status: 500\n# kept\n- path: /c\n', { routes: one, replace: true }, '- path: /b\n- name: one\n  path: /a\n  response: { status: 201 }\n# kept\n- path: /c\n'],
  ['in place, below a key', 'a.yaml', 'routes:\n  - name: one\n    path: /a\n  - path: /c\n', { routes: one, replace: true }, 'routes:\n  - name: one\n    path: /a\n    response: { status: 201 }\n  - path: /c\n'],
  ['in place, in braces', 'a.yaml', '- { name: one, path: /a }\n- path: /c\n', { routes: one, replace: true }, '- { name: one, path: /a, response: { status: 201 } }\n- path: /c\n'],
  ['in place, JSON', 'a.json', '[\n  { "name": "one", "path": "/a" },\n  { "path": "/c" }\n]\n', { routes: one, replace: true }, '[\n  {\n    "name": "one",\n    "path": "/a",\n    "response": {\n      "status": 201\n    }\n  },\n  { "path": "/c" }\n]\n'],
  ['one in place, one at the end', 'a.yaml', '- name: one\n  path: /a\n', { routes: `${one}- path: /d\n`, replace: true }, '- name: one\n  path: /a\n  response: { status: 201 }\n\n- path: /d\n'],
  ['a default route in place', 'a.yaml', '- path: /b\n  response: { status: 500 }\n', { routes: '- path: /b\n', replace: true }, '- path: /b\n'],
  ['the same selector in place', 'a.yaml', '- path: /b\n  when: { query: { a: 1 } }\n  response: { status: 500 }\n', { routes: '- path: /b\n  when: { query: { a: 1 } }\n', replace: true }, '- path: /b\n  when: { query: { a: 1 } }\n'],
])('%s', async (_, name, before, asked, after) => {
  const file = `fixtures/${name}`
  const server = await apiServer({ 'fixtures/other.yaml': '- path: /other\n', ...(before && { [file]: before }) })
  const { status, body } = await server.call<Edit>('POST', 'edit', { file, ...asked })
  expect([status, body.text, body.diagnostics, body.answer]).toEqual([200, after, [], undefined])
  const { text, version } = body
  expect((await server.call('PUT', 'edit', { file, text, version })).status).toBe(200)
  expect(server.read(file)).toBe(after)
}) // prettier-ignore

it.each<[what: string, file: string, routes: string, code: string, text: string]>([
  [
    'a name that is there',
    'a.yaml',
    '- { name: one, path: /a, response: {} }',
    'api-route-exists',
    'fixtures/a.yaml:1',
  ],
  ['a default route that is there', 'a.yaml', '- path: /b', 'api-route-exists', 'fixtures/a.yaml:2'],
  ['a default route of another file', 'new.yaml', '- path: /b', 'api-fixture-invalid', 'fixtures/a.yaml'],
  ['an unknown key', 'a.yaml', '- path: /c\n  respnse: {}', 'api-fixture-invalid', 'line 2, column 3'],
  ['an unknown key for JSON', 'b.json', '- path: /c\n  respnse: {}', 'api-fixture-invalid', 'respnse'],
  ['an error of YAML', 'a.yaml', '- path: [', 'api-fixture-invalid', 'line 1'],
  ['no list', 'a.yaml', 'false', 'api-fixture-invalid', 'list'],
  ['an empty list', 'a.yaml', '[]', 'api-fixture-unwritable', 'list of routes'],
])('%s is refused', async (_, name, routes, code, text) => {
  const files = {
    'fixtures/a.yaml': '- { name: one, path: /a, response: {} }\n- path: /b\n',
    'fixtures/b.json': '[]',
  }
  const server = await apiServer(files)
  const { body } = await server.call<ApiError>('POST', 'edit', { file: `fixtures/${name}`, routes })
  expect(body.error).toMatchObject({ code, message: expect.stringContaining(text) as string })
})
