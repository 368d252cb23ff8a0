import { truncateSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createModuleLoader } from '../../../src/loader/module/load-module.ts'
import { readFixture } from '../../../src/loader/read/read-fixture.ts'
import { answers, expectFindings, findings, Project, routesOf, yaml } from '../project.ts'

/** `response.file` is tested with the fixture that names it, in read-fixture.test.ts. */
describe('paginate.items.file', () => {
  function read(project: Project) {
    return readFixture(project, project.path('mocks/a.yaml'), createModuleLoader(project.root))
  }
  const fixture = (name: string) => `- path: /a\n  paginate:\n    items: { file: ${name} }\n`

  it.each<[name: string, text: string]>([
    ['items.json', '[{ "id": 1 }, "é"]'],
    ['items.jsonc', '[{ "id": 1 }, /* two */ "é",]'],
    ['items.json5', "[{ id: 1 }, 'é']"],
    ['items.yaml', '- id: 1\n- é\n'],
    ['deep/items.yml', '[{ id: 1 }, é]'],
    ['../items.json', '[{ "id": 1 }, "é"]'],
  ])('%s', async (name, text) => {
    const project = new Project({ 'mocks/a.yaml': fixture(name), [`mocks/${name}`]: text })
    const { routes, diagnostics, dependencies } = await read(project)
    expect(diagnostics).toEqual([])
    expect(routes).toMatchObject([{ path: '/a', paging: { items: [{ id: 1 }, 'é'] } }])
    expect(dependencies).toEqual([project.path(`mocks/${name}`)])
  })

  it.each<[what: string, name: string, text: string | undefined, code: string, reason: RegExp]>([
    ['is missing', 'gone.json', undefined, 'body-file-unreadable', /there is no file/],
    ['holds no list', 'items.json', '{ "data": [] }', 'body-file-unreadable', /list/],
    ['holds nothing', 'items.yaml', '', 'body-file-unreadable', /it is empty/],
    [
      'has a syntax error',
      'items.json',
      '[1, }',
      'body-file-unreadable',
      /mocks\/items\.json:1:5 Syntax error/,
    ],
    ['has a syntax error in YAML', 'items.yaml', '- [1', 'body-file-unreadable', /is not closed/],
    ['is no data', 'items.txt', '[]', 'body-file-unreadable', /\.json/],
    ['lies outside of the root', '../../outside.json', '[]', 'body-file-outside-root', /outside/],
  ])('a file that %s: %s', async (_, name, text, code, reason) => {
    const project = new Project({ 'app/mocks/a.yaml': fixture(name) })
    if (text !== undefined) project.write(`app/mocks/${name}`, text)
    const root = project.path('app')
    const { routes, diagnostics } = await readFixture(
      { root },
      project.path('app/mocks/a.yaml'),
      createModuleLoader(root),
    )
    expect(routes).toMatchObject([{ path: '/a', error: { code } }])
    expect(diagnostics).toMatchObject([
      {
        code,
        severity: 'error',
        file: 'mocks/a.yaml',
        line: 3,
        column: 20,
        pointer: '/0/paginate/items/file',
      },
    ])
    expect(diagnostics[0]!.message).toMatch(reason)
    expect(diagnostics[0]!.frame).toContain('> 3 |')
  })

  it('is read again when it changes, and is no fixture file itself', async () => {
    const project = new Project({
      'fixtures/a.yaml': '- path: /a\n  paginate: { perPage: 1, items: { file: list.json } }\n',
      'fixtures/list.json': '[1, 2]',
    })
    const store = await project.watch()
    expect(store.current!.files).toEqual(['fixtures/a.yaml'])
    expect(store.current!.diagnostics).toEqual([])
    expect(store.current!.table.routeCount).toBe(2)
    project.write('fixtures/list.json', '[1, 2, 3]')
    await expect.poll(() => store.current!.table.routeCount, { timeout: 30_000, interval: 5 }).toBe(3)
    expect(routesOf(store.current)).toHaveLength(1)
    project.write('fixtures/list.json', '[1, 2')
    await expectFindings(store, [
      expect.stringMatching(/^body-file-unreadable fixtures\/a\.yaml:2:/) as string,
    ])
    expect(store.current!.table.routeCount).toBe(3)
  })
})

describe('a file of more than 100 MB is not read', () => {
  it.each<[what: string, fixture: string]>([
    ['a body', '- path: /a\n  response:\n    file: large.json\n'],
    ['a list', '- path: /a\n  paginate:\n    items: { file: large.json }\n'],
  ])('%s', async (_, text) => {
    const project = new Project({ 'mocks/a.yaml': text, 'mocks/large.json': '' })
    truncateSync(project.path('mocks/large.json'), 600_000_000) // a hole: it takes no room
    const store = await project.load({ fixtures: 'mocks' })
    expect(findings(store)).toEqual([expect.stringMatching(/^body-file-too-large mocks\/a\.yaml:3:/)])
    expect(store.current!.diagnostics[0]!.message).toBe(
      'The file "large.json" has 600 MB, and at most 100 MB are sent.',
    )
  })

  it('a fixture file', async () => {
    const project = new Project({ 'fixtures/a.json': '', 'fixtures/b.yaml': yaml('/b', 1) })
    truncateSync(project.path('fixtures/a.json'), 600_000_000)
    const store = await project.load()
    expect(answers(store)).toEqual(['GET /b 1'])
    expect(findings(store)).toEqual(['fixture-unreadable fixtures/a.json'])
    expect(store.current!.diagnostics[0]!.message).toContain('it has 600 MB, and at most 100 MB are read')
  })
})
