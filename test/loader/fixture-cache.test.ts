/* What was made of data files is kept for the next start. It is used for the same text and the same build only. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { serialize } from 'node:v8'
import { beforeEach, expect, it, vi } from 'vitest'
import type { Route } from '../../src/core/fixture/route.ts'
import { resolveOptions } from '../../src/core/options/resolve-options.ts'
import type { FileBody } from '../../src/core/response/file-body.ts'
import { createFixtureStore, type FixtureStore } from '../../src/loader/fixture-store.ts'
import { answers, expectAnswers, findings, Project, yaml, type Files } from './project.ts'

/** The names of the files that were parsed, and not taken from the cache. */
const parsed = vi.hoisted((): string[] => [])
vi.mock(import('../../src/loader/read/read-fixture.ts'), async (original) => {
  const actual = await original()
  return {
    ...actual,
    readFixture: (root, path, ...others) => {
      parsed.push(path.slice(root.length + 1))
      return actual.readFixture(root, path, ...others)
    },
  }
})
beforeEach(() => void parsed.splice(0))

class CachedProject extends Project {
  readonly folder = this.path('node_modules/.cache/unplugin-mock-api')

  constructor(files: Files) {
    super({ 'package.json': '{}', ...files })
    mkdirSync(this.path('node_modules'))
  }

  /** Loads once, like a server that is started and closed again. */
  async start(cacheVersion = '1', fixtures = 'fixtures') {
    parsed.splice(0)
    const store = this.create({ watch: false, fixtures }, { cacheVersion })
    await store.ready
    const loaded = { answers: answers(store), findings: findings(store), parsed: parsed.toSorted() }
    await store.close()
    return loaded
  }

  /** The files of the cache. */
  cached(): string[] {
    return existsSync(this.folder) ? readdirSync(this.folder).map((name) => join(this.folder, name)) : []
  }
}

const [one, two] = ['fixtures/one.yaml', 'fixtures/two.yaml']
const both = { [one]: yaml('/a', 1), [two]: yaml('/b', 2) }

it('the second start parses nothing', async () => {
  const project = new CachedProject(both)
  expect(await project.start()).toEqual({
    answers: ['GET /a 1', 'GET /b 2'],
    findings: [],
    parsed: [one, two],
  })
  expect(await project.start()).toEqual({ answers: ['GET /a 1', 'GET /b 2'], findings: [], parsed: [] })
})

it.each<[string, change: (project: CachedProject) => void, answers: string[], parsed: string[]]>([
  ['a changed file', (project) => project.write(two, yaml('/b', 3)), ['GET /a 1', 'GET /b 3'], [two]],
  [
    'a changed file with the size and the time of before',
    (project) => {
      project.write(two, yaml('/b', 3))
      project.age(two)
    },
    ['GET /a 1', 'GET /b 3'],
    [two],
  ],
  [
    'a file with a further comment',
    (project) => project.write(two, `# B\n${yaml('/b', 2)}`),
    ['GET /a 1', 'GET /b 2'],
    [two],
  ],
  [
    'a new file',
    (project) => project.write('fixtures/z.json', '[{ "path": "/c" }]'),
    ['GET /a 1', 'GET /b 2', 'GET /c '],
    ['fixtures/z.json'],
  ],
  ['a deleted file', (project) => project.remove(two), ['GET /a 1'], []],
  [
    'a renamed file',
    (project) => project.rename(one, 'fixtures/z.yaml'),
    ['GET /b 2', 'GET /a 1'],
    ['fixtures/z.yaml'],
  ],
  [
    'two files that have changed their names',
    (project) => {
      project.rename(one, 'other.yaml')
      project.rename(two, one)
      project.rename('other.yaml', two)
    },
    ['GET /b 2', 'GET /a 1'],
    [one, two],
  ],
])('after a change, only that is parsed: %s', async (_, change, answers, files) => {
  const project = new CachedProject(both)
  project.age(one, two)
  await project.start()
  change(project)
  expect(await project.start()).toEqual({ answers, findings: [], parsed: files })
  expect(await project.start()).toEqual({ answers, findings: [], parsed: [] })
})

it('an edit while the server runs is parsed by the next start', async () => {
  const project = new CachedProject(both)
  const store = await project.watch({}, { cacheVersion: '1' })
  project.write(two, yaml('/b', 3))
  await expectAnswers(store, ['GET /a 1', 'GET /b 3'])
  await store.close()
  expect(await project.start()).toMatchObject({ answers: ['GET /a 1', 'GET /b 3'], parsed: [two] })
})

it('an error and a warning are told at every start', async () => {
  const project = new CachedProject({
    ...both,
    'fixtures/error.yaml': '- path: /c\n  respond: {}\n',
    'fixtures/warning.yaml': `- path: /d\n  when: { query: { n: 01 } }\n  response: { body: 4 }\n`,
  })
  const first = await project.start()
  expect(first.findings).toEqual([
    'fixture-unknown-key fixtures/error.yaml:2:3',
    'selector-unquoted-number fixtures/warning.yaml:2:20',
  ])
  const second = await project.start()
  expect(second).toEqual({ ...first, parsed: ['fixtures/error.yaml', 'fixtures/warning.yaml'] })
})

it('modules are always read', async () => {
  const project = new CachedProject({
    'value.ts': 'export const value = 1',
    'fixtures/a.ts': `import { value } from '../value.ts'\nexport default [{ path: '/a', response: { body: value } }]`,
  })
  expect((await project.start()).answers).toEqual(['GET /a 1'])
  project.write('value.ts', 'export const value = 2')
  expect(await project.start()).toMatchObject({ answers: ['GET /a 2'], parsed: ['fixtures/a.ts'] })
})

it('the content of a named file is read at every start', async () => {
  const project = new CachedProject({
    'fixtures/a.yaml': `- { path: /a, response: { file: a.txt } }
- { path: /b, paginate: { items: { file: ../b.json } } }
- { path: /c, response: [{ body: 1 }, { file: a.txt }] }`,
    'fixtures/a.txt': 'old',
    'b.json': '[1, 2]',
  })
  const bodies = (store: FixtureStore) => store.current!.routes.map(contentOf)
  const load = () => project.create({ watch: false }, { cacheVersion: '1' })
  const first = load()
  await first.ready
  expect(bodies(first)).toEqual(['old', [1, 2], 'old'])
  await first.close()

  project.write('fixtures/a.txt', 'new')
  project.write('b.json', '[3]')
  parsed.splice(0)
  const second = load()
  await second.ready
  expect(bodies(second)).toEqual(['new', [3], 'new'])
  expect(parsed).toEqual([])
  await second.close()

  project.remove('fixtures/a.txt')
  expect((await project.start()).findings).toEqual([
    'body-file-unreadable fixtures/a.yaml:1:33',
    'body-file-unreadable fixtures/a.yaml:3:47',
  ])
})

function contentOf({ response, paging, sequence }: Route): unknown {
  if (paging) return paging.items
  const { body } = (sequence ? sequence.parts[1]!.response : response) as { body: FileBody }
  return Buffer.from(body.bytes).toString()
}

it('another build, and other fixtures, have nothing of it', async () => {
  const project = new CachedProject(both)
  await project.start('1')
  expect((await project.start('2')).parsed).toEqual([one, two])
  expect((await project.start('1')).parsed).toEqual([one, two])
  expect((await project.start('1', 'fixtures/*')).parsed).toEqual([one, two])
  expect((await project.start('1', 'fixtures')).parsed).toEqual([])
  expect(project.cached()).toHaveLength(2)
})

it.each<[string, content: (bytes: Buffer) => Uint8Array]>([
  ['empty', () => Buffer.alloc(0)],
  ['cut', (bytes) => bytes.subarray(0, bytes.length / 2)],
  ['text', () => Buffer.from('{}')],
  ['null', () => serialize(null)],
  ['of another kind', () => serialize({ version: '1' })],
  [
    'one byte of a route',
    (bytes) => Buffer.from(bytes.toString('latin1').replace('response', 'responce'), 'latin1'),
  ],
])('a damaged cache is not used, and written again: %s', async (_, damage) => {
  const project = new CachedProject(both)
  await project.start()
  const [path] = project.cached()
  writeFileSync(path!, damage(readFileSync(path!)))
  expect(await project.start()).toEqual({
    answers: ['GET /a 1', 'GET /b 2'],
    findings: [],
    parsed: [one, two],
  })
  expect((await project.start()).parsed).toEqual([])
})

it('two servers that start at the same time leave a whole cache, and nothing else', async () => {
  const project = new CachedProject(both)
  await Promise.all([project.start(), project.start(), project.start()])
  expect(project.cached()).toHaveLength(1)
  expect((await project.start()).parsed).toEqual([])
})

it('a start without a change writes nothing', async () => {
  const project = new CachedProject(both)
  await project.start()
  const [path] = project.cached()
  const { mtimeMs, ino } = statSync(path!)
  await project.start()
  expect(statSync(path!)).toMatchObject({ mtimeMs, ino })
})

it.each<[string, prepare: (project: CachedProject) => void]>([
  ['without node_modules', (project) => project.remove('node_modules')],
  ['where it can not be written', (project) => project.write('node_modules/.cache', 'a file')],
])('%s, everything is parsed, and nothing is written or logged', async (_, prepare) => {
  const project = new CachedProject(both)
  prepare(project)
  for (let i = 0; i < 2; i++)
    expect(await project.start()).toMatchObject({ answers: ['GET /a 1', 'GET /b 2'], parsed: [one, two] })
  expect(project.logs).toEqual([])
  expect(existsSync(project.folder)).toBe(false)
})

it('a file that does not fit into two million characters is parsed at each start', async () => {
  const project = new CachedProject({
    [one]: `# ${'x'.repeat(2_000_000)}\n${yaml('/a', 1)}`,
    [two]: yaml('/b', 2),
  })
  expect((await project.start()).parsed).toEqual([one, two])
  expect(await project.start()).toEqual({ answers: ['GET /a 1', 'GET /b 2'], findings: [], parsed: [one] })
})

it('at most 20 project folders have one: those that were started last', async () => {
  const project = new CachedProject(both)
  await project.start()
  writeFileSync(join(project.folder, 'code-1'), '') // of another kind
  for (let index = 0; index < 30; index++) writeFileSync(join(project.folder, `routes-${index}`), '')
  for (let index = 0; index < 30; index++)
    project.age(`node_modules/.cache/unplugin-mock-api/routes-${index}`)
  project.write(two, yaml('/b', 3))
  await project.start()
  expect(project.cached()).toHaveLength(20 + 1)
  expect((await project.start()).parsed).toEqual([])
})

it('is in the node_modules of the nearest package.json', async () => {
  const project = new CachedProject(both)
  project.write('packages/shop/package.json', '{}')
  project.write('packages/shop/fixtures/a.yaml', yaml('/a', 1))
  const start = async (root: string) => {
    const options = resolveOptions({ watch: false }, { root: project.path(root), logger: console })
    const store = createFixtureStore(options, { cacheVersion: '1' })
    await store.ready
    await store.close()
  }
  await start('packages/shop')
  expect(project.cached()).toEqual([])
  mkdirSync(project.path('packages/shop/node_modules'))
  await start('packages/shop')
  expect(readdirSync(project.path('packages/shop/node_modules/.cache/unplugin-mock-api'))).toHaveLength(1)
})
