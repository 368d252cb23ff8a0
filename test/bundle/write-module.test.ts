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

type Files = Record<string, string>
const js = (code: string, more: Files = {}): Files => ({
  'fixtures/a.mjs': `export default ${code}`,
  ...more,
})
const yaml = (route: string, more: Files = {}): Files => ({ 'fixtures/a.yaml': `[${route}]`, ...more })
const items = '{ style: "link", items: { file: "../b.yaml" } }'
const special = '{"__proto__":1}'

describe('the routes of a module', () => {
  it.each<[name: string, files: Record<string, string>, body: unknown, path?: string]>([
    ['YAML', { 'fixtures/a.yaml': orders }, [{ id: 7 }], '/orders'],
    ['a wildcard', yaml('{ path: /a/**, response: { body: 1 } }'), 1, '/a/b/c'],
    ['JSON with a schema', { 'fixtures/a.json': '{"$schema":"x","routes":[{"path":"/a"}]}' }, ''],
    ['JSON with comments', { 'fixtures/a.jsonc': '[{"path":"/a","response":{"body":1}}]//' }, 1],
    ['__proto__', { 'fixtures/a.json': `[{"path":"/a","response":{"body":${special}}}]` }, JSON.parse(special)],
    ['a module', js('[{ path: "/a", response: ({ url }) => ({ body: 1 }) }]'), 1],
    ['a function', js('() => [{ path: "/a", response: { body: 1 } }]'), 1],
    ['an async function', js('async () => [{ path: "/a", response: { body: 1 } }]'), 1],
    ['a text file', yaml('{ path: /a, response: { file: ../b.json } }', { 'b.json': '{"ü":1}' }), { ü: 1 }],
    [
      'one of many files',
      yaml('{ path: /a/:id, response: { file: { $text: "b/{params.id}.json" } } }', {
        'fixtures/b/7.json': `"${'7'.repeat(9_000)}"`,
        'fixtures/b/8.json': '8',
      }),
      '7'.repeat(9_000),
      '/a/7',
    ],
    [
      'one of many files of a module',
      js('[{ path: "/a/:id", response: { file: { $text: "b/{params.id}.json" } } }]', {
        'fixtures/b/8.json': '8',
      }),
      8,
      '/a/8',
    ],
    ['a file of a module', js('[{ path: "/a", response: { file: "../b.json" } }]', { 'b.json': '2' }), 2],
    ['items of a file', yaml(`{ path: /a, paginate: ${items} }`, { 'b.yaml': '[1, 2]' }), [1, 2]],
    ['items of a file of a module', js(`[{ path: "/a", paginate: ${items} }]`, { 'b.yaml': '[1, 2]' }), [1, 2]],
    ['no fixture file', {}, expect.objectContaining({ page: 3 }), '/items?page=3'],
  ])('%s', async (_, files, body, path = '/a') => {
    const response = await (await new ModuleProject(files).run()).get(path)
    expect(response.status).toBe(200)
    const text = await response.text()
    expect(text === '' ? text : JSON.parse(text)).toEqual(body)
  }) // prettier-ignore

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
  it.each<[name: string, files: Files, text: string]>([
    ['an error in YAML', { 'fixtures/a.yaml': '- path: /a\n  respones: 1\n' }, 'fixtures/a.yaml:2:3'],
    ['a syntax error', { 'fixtures/a.yaml': '- path: [\n' }, 'fixtures/a.yaml:'],
    [
      'two default routes',
      yaml('{ path: /a }', { 'fixtures/b.yaml': '- path: /a\n' }),
      'fixtures/b.yaml:1:3',
    ],
    ['a missing file', yaml('{ path: /a, response: { file: no.png } }'), 'there is no file fixtures/no.png'],
    ['no default export', { 'fixtures/a.mjs': "import 'unplugin-mock-api'" }, 'no default export'],
    [
      'a module of Node',
      {
        'fixtures/a.mjs': "import { all } from './db.mjs'\nexport default [{ path: '/a', response: all }]",
        'fixtures/db.mjs': "import { readFileSync } from 'node:fs'\nexport const all = readFileSync",
      },
      'fixtures/a.mjs → ./db.mjs → node:fs',
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

  it.each<[name: string, graphql: Options['graphql'] & object, files: Files, text: string]>([
    ['a function', { scalars: { Date: () => 1 } }, {}, 'Option "graphql.scalars.Date" is a function'],
    ['no schema', { schema: 'no.graphql' }, {}, '[schema-not-found]'],
    ['a schema with an error', { schema: 'a.graphql' }, { 'a.graphql': 'type {' }, 'a.graphql:1'],
  ])('%s is an error', async (_, graphql, files, text) => {
    const { diagnostics } = await new ModuleProject(
      { 'fixtures/a.yaml': orders, ...files },
      { graphql },
    ).write()
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
