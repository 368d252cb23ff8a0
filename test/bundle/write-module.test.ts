import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { formatDiagnostic } from '../../src/core/diagnostics/format.ts'
import { sourceOf } from '../../src/core/fixture/listed-routes.ts'
import type { Options } from '../../src/core/options/options.ts'
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
    ['a wildcard', { 'fixtures/a.yaml': '- { path: /a/**, response: { body: 1 } }' }, '/a/b/c', 200, 1],
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

describe('the options of the handler', () => {
  const schema = { 'schema.graphql': 'type Query { hero: Hero } type Hero { name: String }' }

  it('are those of the plugin that are data', async () => {
    const options = { base: '/api', scenario: 'down', routeHeader: false, graphql: { path: '/gql' } }
    const { code } = await new ModuleProject({ 'fixtures/a.yaml': orders }, options).write()
    const [, written = ''] = /^const fetchOptions = \(\) => \((.*)\)$/m.exec(code) ?? []
    expect(JSON.parse(written)).toMatchObject({
      base: '/api',
      routeHeader: false,
      scenario: ['down'],
      graphql: { path: ['/gql'] },
      allowedHosts: true,
    })
  })

  it('have the text of the schema, and that of fixture files in code', async () => {
    const files = {
      ...schema,
      'fixtures/a.mjs': "export const schema = 'extend type Hero { id: ID }'\nexport default []\n",
    }
    const { handler } = await new ModuleProject(files, { graphql: { schema: 'schema.graphql' } }).run()
    const body = JSON.stringify({ query: '{ hero { id name } }' })
    const response = await handler(new Request('http://localhost/graphql', { method: 'POST', body }))
    expect(await response!.json()).toEqual({
      data: { hero: { id: expect.any(String) as string, name: expect.any(String) as string } },
    })
  })

  it.each<[name: string, options: Options, files: Record<string, string>, text: string]>([
    [
      'a function',
      { graphql: { scalars: { Date: () => 1 } } },
      {},
      'Option "graphql.scalars.Date" is a function',
    ],
    ['no schema', { graphql: { schema: 'no.graphql' } }, {}, '[schema-not-found]'],
    [
      'a schema with an error',
      { graphql: { schema: 'a.graphql' } },
      { 'a.graphql': 'type {' },
      'a.graphql:1',
    ],
  ])('%s is an error', async (_, options, files, text) => {
    const { diagnostics } = await new ModuleProject({ 'fixtures/a.yaml': orders, ...files }, options).write()
    expect(diagnostics.map(formatDiagnostic)).toEqual([expect.stringContaining(text)])
  })

  it('enabled: false leaves out all fixtures', async () => {
    const project = new ModuleProject({ 'fixtures/a.yaml': '- path: [' }, { enabled: false })
    const { routes, handler } = await project.run()
    expect(routes).toEqual([])
    expect(await handler(new Request('http://localhost/items'))).toBeUndefined()
    handler.setScenario('payment-down')
    handler.reset()
    expect((await project.write()).code, 'nor has it what answers').not.toContain('fetch.js')
  })
})

it('a large file is an asset, fetched with the first request, and again if that failed', async () => {
  const large = 'x'.repeat(8_193)
  const project = new ModuleProject({
    'fixtures/a.yaml': '[{ path: /a, response: { status: 201, file: large.txt } }]',
    'fixtures/large.txt': large,
  })
  const url = `data:,${large}`
  const { get } = await project.run({ assetUrl: () => ({ expression: JSON.stringify(url) }) })
  const [first, second] = [await get('/a'), await get('/a')]
  expect([first.status, first.headers.get('content-type'), await first.text()]).toEqual([
    201,
    'text/plain; charset=utf-8',
    large,
  ])
  expect(await second.text()).toBe(large)
  const broken = await project.run({ assetUrl: () => ({ expression: '"data:nothing"' }) })
  expect((await broken.get('/a')).status).toBe(500)
})
