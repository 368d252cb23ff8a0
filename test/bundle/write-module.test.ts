import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { formatDiagnostic } from '../../src/core/diagnostics/format.ts'
import { sourceOf } from '../../src/core/fixture/route-source.ts'
import { ModuleProject } from './routes-module.ts'

const orders = `
- path: /orders
  response: { body: [{ id: 7 }] }
- path: /orders/:id
  when: { params: { id: 404 } }
  response: { status: 404 }
`

describe('the routes of a module', () => {
  it.each<[name: string, files: Record<string, string>, path: string, status: number, body: unknown]>([
    ['YAML', { 'fixtures/a.yaml': orders }, '/orders', 200, [{ id: 7 }]],
    ['JSON with a schema', { 'fixtures/a.json': '{"$schema":"x","routes":[{"path":"/a"}]}' }, '/a', 200, ''],
    ['JSON with comments', { 'fixtures/a.jsonc': '[{"path":"/a","response":{"body":1}}]//' }, '/a', 200, 1],
    [
      '__proto__',
      { 'fixtures/a.json': '[{"path":"/a","response":{"body":{"__proto__":1}}}]' },
      '/a',
      200,
      JSON.parse('{"__proto__":1}'),
    ],
    [
      'a module',
      { 'fixtures/a.mjs': 'export default [{ path: "/a", response: ({ url }) => ({ body: 1 }) }]' },
      '/a',
      200,
      1,
    ],
    [
      'a function',
      { 'fixtures/a.mjs': 'export default () => [{ path: "/a", response: { body: 1 } }]' },
      '/a',
      200,
      1,
    ],
    [
      'an async function',
      { 'fixtures/a.mjs': 'export default async () => [{ path: "/a", response: { body: 1 } }]' },
      '/a',
      200,
      1,
    ],
    [
      'a text file',
      { 'fixtures/a.yaml': '[{ path: /a, response: { file: a.json } }]', 'fixtures/a.json': '{"ü":1}' },
      '/a',
      200,
      { ü: 1 },
    ],
    [
      'a file of a module',
      { 'fixtures/a.mjs': 'export default [{ path: "/a", response: { file: "../b.json" } }]', 'b.json': '2' },
      '/a',
      200,
      2,
    ],
    [
      'items of a file',
      {
        'fixtures/a.yaml': '[{ path: /a, paginate: { style: link, items: { file: ../b.yaml } } }]',
        'b.yaml': '[1, 2]',
      },
      '/a',
      200,
      [1, 2],
    ],
    [
      'items of a file of a module',
      {
        'fixtures/a.mjs':
          'export default [{ path: "/a", paginate: { style: "link", items: { file: "../b.yaml" } } }]',
        'b.yaml': '[1, 2]',
      },
      '/a',
      200,
      [1, 2],
    ],
    ['no fixture file', {}, '/items?page=3', 200, expect.objectContaining({ page: 3 })],
  ])('%s', async (_, files, path, status, body) => {
    const { get } = await new ModuleProject(files).run()
    const response = await get(path)
    expect(response.status).toBe(status)
    const text = await response.text()
    expect(text === '' ? text : JSON.parse(text)).toEqual(body)
  })

  it('stand in the order of their files, each with its source', async () => {
    const { routes } = await new ModuleProject({
      'fixtures/b.yaml': orders,
      'fixtures/a.mjs': 'export default [\n  { path: "/a" },\n  { path: "/b" },\n]\n',
      'fixtures/data.json': '{ "no": "routes" }',
    }).run()
    expect(routes.map((route) => [route.path, sourceOf(route)])).toEqual([
      ['/a', { file: 'fixtures/a.mjs', line: 2 }],
      ['/b', { file: 'fixtures/a.mjs', line: 3 }],
      ['/orders', { file: 'fixtures/b.yaml', line: 2, column: 3 }],
      ['/orders/:id', { file: 'fixtures/b.yaml', line: 4, column: 3 }],
    ])
  })
})

describe('diagnostics', () => {
  it.each<[name: string, files: Record<string, string>, text: string]>([
    [
      'an error in YAML',
      { 'fixtures/a.yaml': '- path: /a\n  respones: 1\n' },
      'fixtures/a.yaml:2:3 Unknown key "respones"',
    ],
    ['a syntax error', { 'fixtures/a.yaml': '- path: [\n' }, 'fixtures/a.yaml:'],
    [
      'two default routes',
      { 'fixtures/a.yaml': '- path: /a\n', 'fixtures/b.yaml': '- path: /a\n' },
      'fixtures/b.yaml:1:3',
    ],
    [
      'a missing file',
      { 'fixtures/a.yaml': '- { path: /a, response: { file: no.png } }' },
      'there is no file fixtures/no.png',
    ],
    ['no default export', { 'fixtures/a.mjs': "import 'unplugin-mock-api'" }, 'no default export'],
    [
      'a module of Node',
      {
        'fixtures/orders.mjs':
          "import { all } from './db.mjs'\nexport default [{ path: '/a', response: all }]",
        'fixtures/db.mjs': "import { readFileSync } from 'node:fs'\nexport const all = readFileSync",
      },
      'fixtures/orders.mjs → ./db.mjs → node:fs',
    ],
  ])('%s', async (_, files, text) => {
    const { diagnostics } = await new ModuleProject(files).write()
    expect(diagnostics.map(formatDiagnostic)).toEqual([expect.stringContaining(text)])
  })
})

it('names the files that it is made of, and the places of new ones', async () => {
  const project = new ModuleProject({
    'fixtures/a.yaml': '[{ path: /a, response: { file: ../b.png } }]',
    'fixtures/c.mjs': "import d from '../d.mjs'\nexport default [{ path: '/c' }]",
    'b.png': '\0',
    'd.mjs': 'export default 1',
  })
  const { files, places } = await project.write()
  expect(files.sort()).toEqual(
    ['b.png', 'd.mjs', 'fixtures/a.yaml', 'fixtures/c.mjs'].map((path) => join(project.root, path)),
  )
  expect(places).toEqual([join(project.root, 'fixtures')])
})
