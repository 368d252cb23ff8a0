import { utimesSync } from 'node:fs'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { summarise } from '../../src/loader/fixture-state.ts'
import { createMiddleware } from '../../src/connect.ts'
import { send } from '../core/send.ts'
import {
  answers,
  endpoints,
  expectAnswers,
  expectEndpoints,
  expectFindings,
  findings,
  Project,
  templateEndpoints,
  yaml,
  type Files,
} from './project.ts'

describe('a file that lists no routes is named in a warning, and the starter templates answer', () => {
  it.each<[path: string, text: string]>([
    ['fixtures/a.yaml', ''],
    ['fixtures/a.yaml', '# later\n'],
    ['fixtures/a.yaml', '# - path: /orders\n'],
    ['fixtures/a.yaml', '---\n'],
    ['fixtures/a.yml', '[]'],
    ['fixtures/a.yaml', 'routes: []'],
    ['fixtures/a.json', ''],
    ['fixtures/a.json', '[]'],
    ['fixtures/a.json', '{ "$schema": "x", "routes": [] }'],
    ['fixtures/a.jsonc', '// later'],
    ['fixtures/a.json5', '[]'],
    ['fixtures/a.ts', ''],
    ['fixtures/a.mjs', 'export default [/* { path: "/a" } */]'],
  ])('%s: %j', async (path, text) => {
    const project = new Project({ [path]: text })
    const store = await project.load()
    expect(endpoints(store)).toEqual(templateEndpoints)
    expect(summarise(store.current!)).toBe('5 routes from the starter templates')
    expect(findings(store)).toEqual([`fixture-empty ${path}`])
    expect(project.logs).toEqual([
      expect.stringContaining(`warn [mock-api] ${path} This file lists no routes.`),
    ])
  })

  it.each<[what: string, files: Files]>([
    [
      'a list of another file',
      {
        'fixtures/a.yaml': '- path: /a\n  paginate: { items: { file: list.json } }',
        'fixtures/list.json': '[]',
      },
    ],
    [
      'a body of another file',
      { 'fixtures/a.yaml': '- path: /a\n  response: { file: body.json }', 'fixtures/body.json': '' },
    ],
    [
      'a list that another file exports',
      {
        'fixtures/a.mjs': "import list from './list.mjs'\nexport default [{ path: '/a' }, ...list]",
        'fixtures/list.mjs': 'export default []',
      },
    ],
  ])('%s may be empty', async (_, files) => {
    const store = await new Project(files).load()
    expect(endpoints(store)).toEqual(['GET /a'])
    expect(findings(store)).toEqual([])
  })
})

describe('a folder of test data', () => {
  const data = {
    'fixtures/users.json': '[{ "id": 1, "name": "Ada" }, { "id": 2, "name": "Grace" }]',
    'fixtures/files.json': '[{ "path": "/a.png", "size": 1, "type": "image" }]',
    'fixtures/config.yaml': 'retries: 3\n',
    'fixtures/factory.ts':
      'globalThis.mockApiWasRun = true\nexport default function user() { return { id: 1 } }',
    'fixtures/data.ts': 'globalThis.mockApiWasRun = true\nexport const users = [{ id: 1 }]',
  }

  it('is left out with one warning, is not run, and the templates answer', async () => {
    const project = new Project(data)
    const store = await project.load()
    expect(endpoints(store)).toEqual(templateEndpoints)
    expect(summarise(store.current!)).toBe('5 routes from the starter templates')
    expect(project.logs).toEqual([
      'warn [mock-api] 5 files have no routes, so they are left out: fixtures/config.yaml, fixtures/data.ts, ' +
        'fixtures/factory.ts and 2 more.\n  Fix: If a module is meant to list routes, export them with ' +
        '`defineFixture`: other modules are not run. If this is test data, keep fixture files in a folder of their ' +
        'own, as in fixtures: "mocks", or take the files out with fixtures: ["fixtures", "!fixtures/config.yaml"]. ' +
        '[fixture-without-routes]',
    ])
    expect(globalThis).not.toHaveProperty('mockApiWasRun')
  })

  it('is left out beside a fixture file, and said nothing of when a fixture file imports or sends it', async () => {
    const project = new Project({
      ...data,
      'fixtures/orders.ts':
        "import { users } from './data'\nexport default [{ path: '/users', response: { body: users } }]",
      'fixtures/lists.yaml': '- path: /l\n  paginate: { items: { file: users.json } }',
    })
    const store = await project.load()
    expect(endpoints(store)).toEqual(['GET /l', 'GET /users'])
    expect(store.current!.files).toEqual(['fixtures/lists.yaml', 'fixtures/orders.ts'])
    expect(store.current!.diagnostics.map(({ code, message }) => [code, message])).toEqual([
      [
        'fixture-without-routes',
        '3 files have no routes, so they are left out: fixtures/config.yaml, fixtures/factory.ts, fixtures/files.json.',
      ],
    ])
    Reflect.deleteProperty(globalThis, 'mockApiWasRun')
  })

  it('is not taken for routes with the keys of another tool; the warning names those of a route', async () => {
    const project = new Project({ 'fixtures/a.yaml': '- url: /orders\n  body: { id: 1 }\n' })
    await project.load()
    expect(project.logs).toEqual([
      expect.stringMatching(
        /^warn .* One file has no routes, .*\n.* give each entry a "path" .* \[fixture-without-routes\]$/,
      ),
    ])
  })
})

describe('data that a fixture file with errors names is not called a file without routes', () => {
  it.each<[path: string, text: string, expected: string[]]>([
    ['a.yaml', '- path: /a\n  paginate: { items: { file: list.json }\n', ['fixture-syntax fixtures/a.yaml:3:1']],
    ['a.yaml', '- path: /a\n  paginat: { items: { file: ./list.json } }\n', ['fixture-unknown-key fixtures/a.yaml:2:3']],
    ['a.yaml', '- path: /a\n  response: { file: fixtures/list.json }\n', ['body-file-unreadable fixtures/a.yaml:2:21']],
    ['a.yaml', '- path: /a\n  response: { file: lsit.json }\n', ['body-file-unreadable fixtures/a.yaml:2:21']],
    ['a.ts', "import list from './list'\nexport default [{ path: '/a' ]", ['fixture-syntax fixtures/a.ts:2:30']],
    ['a.yaml', '- { path: /a, file: my-list.json\n', ['fixture-without-routes', 'fixture-syntax fixtures/a.yaml:2:1']],
    ['a.yaml', '- { path: /list, respnse: {} }\n', ['fixture-without-routes', 'fixture-unknown-key fixtures/a.yaml:1:18']],
  ])('%s: %j', async (path, text, expected) => {
    const project = new Project({ [`fixtures/${path}`]: text, 'fixtures/list.json': '[{ "id": 1 }]' })
    expect(findings(await project.load())).toEqual(expected)
  }) // prettier-ignore
})

describe('a file with a bad route', () => {
  const orders = `- path: /orders
  response: { body: [] }
- path: /orders/:id
  response: { file: gone.json }
- path: /orders/:id
  when: { page: 2 }
- path: /graphql
  response: { stauts: 404 }
`

  it('that is new: the good routes answer, the bad ones say why', async () => {
    const store = await new Project({ 'fixtures/orders.yaml': orders }).load()
    const { table, diagnostics } = store.current!
    expect(diagnostics.map(({ code, line, column }) => [code, line, column])).toEqual([
      ['fixture-unknown-key', 6, 11],
      ['fixture-unknown-key', 8, 15],
      ['body-file-unreadable', 4, 21],
    ])
    expect(table.routeCount).toBe(1)
    expect(await send(table, 'GET /orders')).toMatchObject({ status: 200, body: [] })
    const place = 'fixtures/orders.yaml:6:11'
    expect(await send(table, 'GET /orders/7')).toMatchObject({
      status: 500,
      body: { error: { code: 'fixture-unknown-key', message: 'Unknown key "page".', place } },
    })
    expect(await send(table, 'POST /graphql')).toMatchObject({
      status: 500,
      body: { errors: [{ message: 'Unknown key "stauts".', extensions: { code: 'fixture-unknown-key' } }] },
    })
    expect(await send(table, 'GET /order')).toMatchObject({ kind: 'passthrough' })
  })

  it.each<[what: string, route: string, target: string, status: number]>([
    ['no slash', 'path: orders, response: {}', 'GET /orders', 500],
    ['method and path in one', 'path: POST /orders, response: {}', 'POST /orders', 500],
    ['a URL', "path: 'http://localhost/orders', response: {}", 'GET /orders', 500],
    ['another name for the path', 'url: /orders, response: {}', 'GET /orders', 500],
    ['a wrong method', 'path: /orders, method: [GET, 7]', 'GET /orders', 500],
    ['a wildcard alone, which could stand for every request', "path: '*', response: {}", 'GET /orders', 0],
    ['a path that can not be matched', "path: '/orders/(a|b)', response: {}", 'GET /orders/a', 0],
  ])('with %s', async (_, route, target, status) => {
    const store = await new Project({ 'fixtures/a.yaml': `- { ${route} }` }).load()
    expect(store.current!.diagnostics.length).toBeGreaterThan(0)
    expect((await send(store.current!.table, target)).status).toBe(status)
  })

  it('lets only its own requests fail, if its selector can be read', async () => {
    const text = `- path: /o
  response: { body: default }
- path: /o
  when: { query: { page: 2 } }
  response: { status: many }
`
    const { table } = (await new Project({ 'fixtures/a.yaml': text }).load()).current!
    expect((await send(table, 'GET /o')).status).toBe(200)
    expect((await send(table, 'GET /o?page=2')).status).toBe(500)
  })

  it.each<[when: string, saved: Date, expected: RegExp]>([
    ['today', new Date(), /Until then, the file answers as saved at \d\d:\d\d:\d\d\.$/],
    [
      'earlier',
      new Date(2021, 6, 5, 9, 8, 7),
      /Until then, the file answers as saved at 09:08:07 on Mon Jul 05 2021\.$/,
    ],
  ])('that can not be parsed: the message says which save answers, one of %s', async (_, saved, expected) => {
    const project = new Project({ 'fixtures/a.yaml': '- path: /a\n' })
    utimesSync(project.path('fixtures/a.yaml'), saved, saved)
    const store = await project.watch()
    for (const [text, place] of [
      ['- path: /a\n  response:\n\tbody: 1\n', '3:1'],
      ['- [', '1:4'],
    ] as const) {
      project.write('fixtures/a.yaml', text)
      await expectFindings(store, [`fixture-syntax fixtures/a.yaml:${place}`])
      expect(store.current!.diagnostics[0]!.fix).toMatch(expected)
      expect(answers(store)).toEqual(['GET /a '])
    }
  })

  it('that can not be parsed, and never could: the message does not speak of last good routes', async () => {
    const store = await new Project({ 'fixtures/a.yaml': '- [' }).load()
    expect(store.current!.diagnostics[0]!.fix).toMatch(/Until then, the file has no routes\.$/)
  })
})

it('mistakes in an object around the list are reported at their positions', async () => {
  const text = '{ "$schema": "x.json",\n "routes": [{ "path": "/a",\n "respnse": 1 }],\n "version": 1 }'
  const store = await new Project({ 'fixtures/a.json': text }).load()
  expect(findings(store)).toEqual([
    'fixture-unknown-key fixtures/a.json:4:2',
    'fixture-unknown-key fixtures/a.json:3:2',
  ])
})

describe('the starter templates', () => {
  it('say once that they no longer answer, and how to keep them', async () => {
    const project = new Project()
    const store = await project.watch()
    project.write('fixtures/a.yaml', yaml('/a', 1))
    await expectAnswers(store, ['GET /a 1'])
    const said =
      'warn [mock-api] The starter templates (POST /graphql and GET /items) are replaced by ' +
      'fixtures/a.yaml.\n  Fix: To keep them, set fixtures: ["templates", "fixtures"]. This is shown once. [templates-replaced]'
    expect(project.logs).toEqual([said])
    project.remove('fixtures/a.yaml')
    await expectEndpoints(store, templateEndpoints)
    project.write('fixtures/a.yaml', yaml('/a', 2))
    await expectAnswers(store, ['GET /a 2'])
    expect(project.logs).toEqual([said])
  })

  it('stay beside the project’s own routes, which come first', async () => {
    const project = new Project({ 'fixtures/a.yaml': yaml('/a', 1) + yaml('/items', 2) })
    const store = await project.load({ fixtures: ['templates', 'fixtures'] })
    expect(endpoints(store)).toEqual(['GET /a', 'GET /items', 'POST /graphql'])
    expect((await send(store.current!.table, 'GET /items')).body).toBe(2)
    expect(summarise(store.current!)).toBe('4 routes from fixtures/a.yaml, and the starter templates')
    expect(project.logs).toEqual([])
  })
})

it('a file whose extension is misspelled is named, and how it is meant', async () => {
  const project = new Project({
    'fixtures/orders.yaml.txt': '- path: /orders',
    'fixtures/deep/USERS.JSON': '[]',
    'fixtures/notes.txt': '',
    'fixtures/logo.PNG': '',
    'fixtures/body.xml': '',
    'fixtures/lines.jsonl': '',
    'fixtures/a.yaml': '- path: /a',
  })
  const store = await project.load()
  expect(endpoints(store)).toEqual(['GET /a'])
  expect(project.logs[0]).toBe(
    'warn [mock-api] fixtures/deep/USERS.JSON, fixtures/orders.yaml.txt are not read: no fixture file has such an ' +
      'extension.\n  Fix: Rename the first to "USERS.json". If it is not a fixture ' +
      'file, exclude it: "!fixtures/deep/USERS.JSON" in the option "fixtures". [fixture-name-unknown]',
  )
  const bySearch = await project.load({ fixtures: ['fixtures', '!fixtures/deep'] })
  expect(bySearch.current!.diagnostics.map(({ message }) => message)).toEqual([
    'fixtures/orders.yaml.txt is not read: no fixture file has such an extension.',
  ])
})

describe('a hidden file is skipped', () => {
  const hidden =
    'fixture-name-unknown: fixtures/.items.yaml is not read: files whose name begins with a dot are skipped.'
  it.each<[fixtures: string | string[], also: string, expected: string[], routes: string[]]>([
    ['fixtures', 'fixtures/.#items.yaml', [hidden], templateEndpoints],
    ['fixtures', 'fixtures/._items.yaml', [hidden], templateEndpoints],
    ['fixtures', 'fixtures/.prettierrc.json', [hidden], templateEndpoints],
    ['fixtures', 'fixtures/.yaml', [hidden], templateEndpoints],
    [['fixtures', '!fixtures/.items.yaml'], 'fixtures/README.md', [], templateEndpoints],
    ['fixtures', 'fixtures/a.yaml', [], ['GET /b']],
    ['fixtures/.items.yaml', 'fixtures/a.yaml', [], ['GET /a']],
    [['fixtures', 'fixtures/.items.yaml'], 'fixtures/a.yaml', [], ['GET /a', 'GET /b']],
  ])('and named while there is no other file: %j, %s', async (fixtures, also, expected, routes) => {
    const project = new Project({ 'fixtures/.items.yaml': yaml('/a', 1), [also]: yaml('/b', 1) })
    const store = await project.load({ fixtures })
    const shown = store.current!.diagnostics.filter(({ code }) => code !== 'fixtures-not-found')
    expect(shown.map(({ code, message }) => `${code}: ${message}`)).toEqual(expected)
    expect(endpoints(store)).toEqual(routes)
  })
})

it('"reloaded" is logged when a file with routes was read, and not when only a notice about files changes', async () => {
  const project = new Project({ 'fixtures/a.yaml': yaml('/a', 1) })
  const logs: string[] = []
  const log = (message: string) => void logs.push(message)
  const { root } = project
  const middleware = createMiddleware({ root, logger: { info: log, warn: log, error: log } })
  onTestFinished(() => middleware.close())
  await middleware.ready
  for (const [path, text, ...said] of [
    ['fixtures/items.yalm', '[]', '[fixture-name-unknown]'],
    ['fixtures/users.json', '[{ "id": 1 }]', '[fixture-without-routes]'],
    ['fixtures/a.yaml', yaml('/a', 2), 'reloaded: fixtures/a.yaml: 1 route changed (1 route)'],
    ['fixtures/b.yaml', '- [', '[fixture-syntax]', 'reloaded with 1 error: 1 route from fixtures/a.yaml'],
  ] as const) {
    logs.length = 0
    project.write(path, text)
    await vi.waitUntil(() => logs.length >= said.length, { timeout: 30_000, interval: 10 })
    expect(logs).toEqual(said.map((part) => expect.stringContaining(part) as string))
  }
})
