import { describe, expect, it } from 'vitest'
import { summarise } from '../../src/loader/fixture-state.ts'
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

  it('beside other files, only the warning is left', async () => {
    const store = await new Project({ 'fixtures/a.yaml': '', 'fixtures/b.yaml': yaml('/b', 1) }).load()
    expect(answers(store)).toEqual(['GET /b 1'])
    expect(findings(store)).toEqual(['fixture-empty fixtures/a.yaml'])
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

describe('while the server runs', () => {
  it('the only file is emptied, and written again', async () => {
    const project = new Project({ 'fixtures/a.yaml': yaml('/a', 1) })
    const store = await project.watch()
    project.write('fixtures/a.yaml', '# - path: /a\n')
    await expectEndpoints(store, templateEndpoints)
    expect(findings(store)).toEqual(['fixture-empty fixtures/a.yaml'])
    project.write('fixtures/a.yaml', yaml('/a', 2))
    await expectAnswers(store, ['GET /a 2'])
    expect(findings(store)).toEqual([])
  })

  it('a new file that is empty for a moment is not named', async () => {
    const project = new Project({ 'fixtures/a.yaml': yaml('/a', 1) })
    const store = await project.watch()
    project.write('fixtures/b.yaml', '')
    await new Promise((resolve) => setTimeout(resolve, 100)) // the middle of a save
    project.write('fixtures/b.yaml', yaml('/b', 1))
    await expectAnswers(store, ['GET /a 1', 'GET /b 1'])
    expect(project.logs).toEqual([])
  })

  it('a new file that stays empty is named', async () => {
    const project = new Project()
    const store = await project.watch()
    project.write('fixtures/b.yaml', '')
    await expectFindings(store, ['fixture-empty fixtures/b.yaml'])
    expect(endpoints(store)).toEqual(templateEndpoints)
    project.write('fixtures/b.yaml', yaml('/b', 1))
    await expectAnswers(store, ['GET /b 1'])
    expect(project.logs.map((line) => /\[[\w-]+\]$/.exec(line)?.[0])).toEqual([
      '[fixture-empty]',
      '[templates-replaced]',
    ])
  })
})
