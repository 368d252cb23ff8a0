/* What editors, version control and people do to the files of a running dev server. */
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { FixtureStore } from '../../src/loader/fixture-store.ts'
import {
  all,
  answers,
  expectAnswers,
  expectFindings,
  findings,
  got,
  link,
  module,
  Project,
  remove,
  rename,
  watchers,
  write,
  writeByRename,
  yaml,
  type Change,
  type Files,
} from './project.ts'

/** One change after the other, with what the store answers after each. */
type Steps = [change: Change, expected: string][]

async function follow(files: Files, steps: Steps, links: readonly [path: string, target: string][] = []) {
  const project = new Project(files)
  for (const [path, target] of links) project.link(path, target)
  const store = await project.watch()
  for (const [change, expected] of steps) {
    change(project)
    await expectAnswers(store, got(expected))
  }
  expect(findings(store)).toEqual([])
  expect(project.logs).toEqual([])
}

const nothing = () => {}

describe('links', () => {
  const real: Files = { 'real/x.yaml': yaml('/x', 1), 'fixtures/z.yaml': yaml('/z', 1) }

  it.each<[what: string, files: Files, links: [string, string][], steps: Steps]>([
    [
      'to a file: edited, deleted, written again, edited behind it',
      real,
      [['fixtures/x.yaml', '../real/x.yaml']],
      [
        [nothing, '/x 1, /z 1'],
        [write('real/x.yaml', yaml('/x', 2)), '/x 2, /z 1'],
        [writeByRename('real/x.yaml', yaml('/x', 3)), '/x 3, /z 1'],
        [writeByRename('real/x.yaml', yaml('/x', 4)), '/x 4, /z 1'],
        [remove('real/x.yaml'), '/z 1'],
        [write('real/x.yaml', yaml('/x', 5)), '/x 5, /z 1'],
        [write('real/x.yaml', yaml('/x', 6)), '/x 6, /z 1'],
        [remove('fixtures/x.yaml'), '/z 1'],
      ],
    ],
    [
      'to a module that imports another one',
      {
        'real/x.ts': module('/x', 'value', "import { value } from './y'"),
        'real/y.ts': 'export const value = 1',
        'fixtures/z.yaml': yaml('/z', 1),
      },
      [['fixtures/real', '../real']],
      [
        [nothing, '/x 1, /z 1'],
        [write('real/y.ts', 'export const value = 2'), '/x 2, /z 1'],
        [write('fixtures/real/y.ts', 'export const value = 3'), '/x 3, /z 1'],
      ],
    ],
    [
      'to a file that is not there yet',
      { 'fixtures/z.yaml': yaml('/z', 1) },
      [['fixtures/x.yaml', '../real/deep/x.yaml']],
      [
        [nothing, '/z 1'],
        [write('real/deep/x.yaml', yaml('/x', 1)), '/x 1, /z 1'],
        [write('real/deep/x.yaml', yaml('/x', 2)), '/x 2, /z 1'],
      ],
    ],
    [
      'to a folder that is not there yet, comes, goes and comes again',
      { 'fixtures/z.yaml': yaml('/z', 1) },
      [['fixtures/link', '../real']],
      [
        [nothing, '/z 1'],
        [write('real/x.yaml', yaml('/x', 1)), '/x 1, /z 1'],
        [write('real/x.yaml', yaml('/x', 2)), '/x 2, /z 1'],
        [remove('real'), '/z 1'],
        [write('real/x.yaml', yaml('/x', 3)), '/x 3, /z 1'],
        [write('real/y.yaml', yaml('/y', 3)), '/x 3, /y 3, /z 1'],
      ],
    ],
    [
      'that come while the store watches, and lead to nothing at first',
      real,
      [],
      [
        [nothing, '/z 1'],
        [link('fixtures/x.yaml', '../real/x.yaml'), '/x 1, /z 1'],
        [write('real/x.yaml', yaml('/x', 2)), '/x 2, /z 1'],
        [link('fixtures/link', '../later'), '/x 2, /z 1'],
        [write('later/y.yaml', yaml('/y', 1)), '/y 1, /x 2, /z 1'],
      ],
    ],
    [
      'that lead elsewhere',
      { ...real, 'other/x.yaml': yaml('/o', 1) },
      [['fixtures/link', '../real']],
      [
        [nothing, '/x 1, /z 1'],
        [link('fixtures/link', '../other'), '/o 1, /z 1'],
        [write('other/x.yaml', yaml('/o', 2)), '/o 2, /z 1'],
        [link('fixtures/link', '../real'), '/x 1, /z 1'],
        [write('real/x.yaml', yaml('/x', 2)), '/x 2, /z 1'],
      ],
    ],
    ...(['.', '..', '../fixtures', '../../..'] as const).map(
      (target): [string, Files, [string, string][], Steps] => [
        `to a folder that they stand in: ${target}`,
        real,
        [['fixtures/loop', target]],
        [
          [nothing, '/z 1'],
          [write('fixtures/z.yaml', yaml('/z', 2)), '/z 2'],
          [write('fixtures/y.yaml', yaml('/y', 1)), '/y 1, /z 2'],
        ],
      ],
    ),
    [
      'to each other, and to themselves',
      { 'fixtures/x/a.yaml': yaml('/a', 1), 'fixtures/y/b.ts': module('/b', 1) },
      [
        ['fixtures/x/y', '../y'],
        ['fixtures/y/x', '../x'],
        ['fixtures/self.yaml', 'self.yaml'],
        ['fixtures/one', 'two'],
        ['fixtures/two', 'one'],
      ],
      [
        [nothing, '/a 1, /b 1'],
        [write('fixtures/x/a.yaml', yaml('/a', 2)), '/a 2, /b 1'],
        [write('fixtures/y/b.ts', module('/b', 2)), '/a 2, /b 2'],
        [all(remove('fixtures/self.yaml'), write('fixtures/self.yaml', yaml('/s', 1))), '/s 1, /a 2, /b 2'],
      ],
    ],
    [
      'to one file in two ways: it counts once',
      real,
      [
        ['fixtures/a.yaml', '../real/x.yaml'],
        ['fixtures/b.yaml', '../real/x.yaml'],
        ['fixtures/link', '../real'],
      ],
      [
        [nothing, '/x 1, /z 1'],
        [write('real/x.yaml', yaml('/x', 2)), '/x 2, /z 1'],
        [remove('fixtures/a.yaml'), '/x 2, /z 1'],
        [write('real/x.yaml', yaml('/x', 3)), '/x 3, /z 1'],
      ],
    ],
  ])('%s', (_, files, links, steps) => follow(files, steps, links))

  it('the fixture folder itself, which leads elsewhere then', () =>
    follow(
      { 'one/a.yaml': yaml('/a', 1), 'two/a.yaml': yaml('/b', 1) },
      [
        [nothing, '/a 1'],
        [write('one/a.yaml', yaml('/a', 2)), '/a 2'],
        [link('fixtures', 'two'), '/b 1'],
        [write('two/a.yaml', yaml('/b', 2)), '/b 2'],
      ],
      [['fixtures', 'one']],
    ))

  it('a body file behind a link', () =>
    follow(
      { 'fixtures/a.yaml': '- path: /a\n  response: { file: ../body.txt }\n', 'real.txt': 'one' },
      [
        [nothing, '/a one'],
        [write('real.txt', 'two'), '/a two'],
        [writeByRename('real.txt', 'three'), '/a three'],
      ],
      [['body.txt', 'real.txt']],
    ))
})

describe('folders', () => {
  const files: Files = {
    'fixtures/x/a.yaml': yaml('/a', 1),
    'fixtures/x/deep/b.ts': module('/b', 1),
    'fixtures/y/a.yaml': yaml('/c', 1),
  }
  const later: Steps = [
    [write('fixtures/x/a.yaml', yaml('/a', 8)), '/a 8, /c 1'],
    [write('fixtures/x/new.yaml', yaml('/n', 8)), '/a 8, /n 8, /c 1'],
    [write('fixtures/x/more/n.yaml', yaml('/m', 8)), '/a 8, /m 8, /n 8, /c 1'],
  ]

  it.each<[what: string, change: Change]>([
    [
      'deleted, and written again at once',
      all(remove('fixtures/x'), write('fixtures/x/a.yaml', yaml('/a', 2))),
    ],
    [
      'replaced by another one',
      all(write('new/a.yaml', yaml('/a', 2)), rename('fixtures/x', 'old'), rename('new', 'fixtures/x')),
    ],
    [
      'deleted and written again with all fixtures, as when another branch is checked out',
      all(
        remove('fixtures'),
        write('fixtures/x/a.yaml', yaml('/a', 2)),
        write('fixtures/y/a.yaml', yaml('/c', 1)),
      ),
    ],
  ])('%s: what happens in them later is seen', (_, change) =>
    follow(files, [[nothing, '/a 1, /b 1, /c 1'], [change, '/a 2, /c 1'], ...later]),
  )

  it('that change places', () =>
    follow(files, [
      [nothing, '/a 1, /b 1, /c 1'],
      [
        all(
          rename('fixtures/x', 'fixtures/t'),
          rename('fixtures/y', 'fixtures/x'),
          rename('fixtures/t', 'fixtures/y'),
        ),
        '/c 1, /a 1, /b 1',
      ],
      [write('fixtures/x/a.yaml', yaml('/c', 2)), '/c 2, /a 1, /b 1'],
      [write('fixtures/y/a.yaml', yaml('/a', 2)), '/c 2, /a 2, /b 1'],
      [write('fixtures/y/deep/b.ts', module('/b', 2)), '/c 2, /a 2, /b 2'],
    ]))
})

/** What the store has answered since, each time that it told. */
function record(store: FixtureStore): string[][] {
  const seen: string[][] = []
  store.onReload(() => seen.push(answers(store)))
  return seen
}

/** Resolves when the watcher has told of a file, and what it told has been dealt with. */
async function reported(project: Project, path: string, change: () => void): Promise<void> {
  const { watcher } = watchers.at(-1)!
  const told = new Promise<void>((resolve) => {
    const listen = (_: string, changed: string) => {
      if (changed !== project.path(path)) return
      watcher.off('all', listen)
      resolve()
    }
    watcher.on('all', listen)
  })
  change()
  await told
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
}

describe('files that are being written', () => {
  it.each<[path: string, text: (body: number) => string]>([
    ['fixtures/a.yaml', (body) => yaml('/a', body)],
    ['fixtures/a.json', (body) => JSON.stringify([{ path: '/a', response: { body } }])],
    ['fixtures/a.ts', (body) => module('/a', body)],
  ])('%s: a file that is emptied and then written keeps its routes in between', async (path, text) => {
    const project = new Project({ [path]: text(1), 'fixtures/b.yaml': yaml('/b', 1) })
    const store = await project.watch()
    const seen = record(store)
    await reported(project, path, () => project.write(path, ''))
    project.write('fixtures/b.yaml', yaml('/b', 2))
    project.write(path, text(2))
    await expectAnswers(store, ['GET /a 2', 'GET /b 2'])
    expect(seen.filter((state) => !state.some((answer) => answer.startsWith('GET /a ')))).toEqual([])
    expect(project.logs).toEqual([])
  })

  it('a body file that is emptied and then written', async () => {
    const project = new Project({
      'fixtures/a.yaml': '- path: /a\n  response: { file: ../body.txt }\n',
      'body.txt': 'one',
    })
    const store = await project.watch()
    const seen = record(store)
    await reported(project, 'body.txt', () => project.write('body.txt', ''))
    project.write('body.txt', 'two')
    await expectAnswers(store, ['GET /a two'])
    expect(new Set(seen.flat())).toEqual(new Set(['GET /a two']))
    project.write('body.txt', '')
    await expectAnswers(store, ['GET /a '])
  })

  it('JSON that is cut anywhere: the last good routes stay, and nothing else is answered', async () => {
    const text = JSON.stringify([
      { path: '/a', response: { body: 'a "text" with \\ and é' } },
      { path: '/b' },
    ])
    const project = new Project({ 'fixtures/a.json': text, 'fixtures/z.yaml': yaml('/z', 0) })
    const store = await project.watch()
    const whole = answers(store)
    const seen = record(store)
    for (let length = 1; length < text.length; length += 3) {
      project.write('fixtures/a.json', text.slice(0, length))
      project.write('fixtures/z.yaml', yaml('/z', length))
      await expectAnswers(store, [...whole.slice(0, -1), `GET /z ${length}`])
    }
    project.write('fixtures/a.json', text)
    await expectFindings(store, [])
    expect(new Set(seen.map((state) => state.slice(0, -1).join()))).toEqual(
      new Set([whole.slice(0, -1).join()]),
    )
  })
})

describe('modules', () => {
  it('that import each other: an edit of one is seen by the other', () =>
    follow(
      {
        'fixtures/a.ts':
          "import { body } from '../lib'\nexport const value = 1\nexport default () => [{ path: '/a', response: { body: body() } }]",
        'lib.ts': "import { value } from './fixtures/a'\nexport const body = () => value + 10",
      },
      [
        [nothing, '/a 11'],
        [
          write(
            'fixtures/a.ts',
            "import { body } from '../lib'\nexport const value = 2\nexport default () => [{ path: '/a', response: { body: body() } }]",
          ),
          '/a 12',
        ],
        [
          write('lib.ts', "import { value } from './fixtures/a'\nexport const body = () => value + 20"),
          '/a 22',
        ],
      ],
    ))

  it('a module that was deleted and is created with other content is evaluated again', async () => {
    const project = new Project({ 'fixtures/a.ts': module('/a', 1), 'fixtures/z.yaml': yaml('/z', 1) })
    const store = await project.watch()
    project.remove('fixtures/a.ts')
    await expectAnswers(store, ['GET /z 1'])
    // Behind a folder that comes as a whole, the watcher tells of no file.
    project.write('away/a.ts', module('/a', 2))
    project.remove('fixtures')
    project.rename('away', 'fixtures')
    await expectAnswers(store, ['GET /a 2'])
  })

  it('a helper that is edited while a fixture function that uses it is running', async () => {
    const gate = { enter: () => {}, opened: Promise.resolve() }
    const entered = new Promise<void>((resolve) => (gate.enter = resolve))
    let open = () => {}
    gate.opened = new Promise<void>((resolve) => (open = resolve))
    Reflect.set(globalThis, 'mockApiHelperGate', gate)
    onTestFinished(() => void Reflect.deleteProperty(globalThis, 'mockApiHelperGate'))
    const project = new Project({
      'fixtures/a.ts':
        "import { value } from '../helper'\nexport default async () => {\n  const { enter, opened } = globalThis.mockApiHelperGate\n  enter()\n  await opened\n  return [{ path: '/a', response: { body: value } }]\n}",
      'helper.ts': 'export const value = 1',
    })
    project.age('fixtures/a.ts', 'helper.ts')
    const store = project.create()
    await entered
    project.write('helper.ts', 'export const value = 2')
    open()
    await expectAnswers(store, ['GET /a 2'])
  })

  it('a module that never settles is reported after the time limit; other files are loaded, and nothing waits for it again', async () => {
    Reflect.set(globalThis, 'mockApiAttempts', 0)
    onTestFinished(() => void Reflect.deleteProperty(globalThis, 'mockApiAttempts'))
    const never = 'globalThis.mockApiAttempts++\nawait new Promise(() => {})\nexport default []'
    const project = new Project({ 'fixtures/a.mts': module('/a', 1), 'fixtures/b.yaml': yaml('/b', 1) })
    const store = await project.watch({}, { timeLimit: 300 })
    project.write('fixtures/a.mts', never)
    await expectFindings(store, ['fixture-timeout fixtures/a.mts'])
    expect(answers(store)).toEqual(['GET /a 1', 'GET /b 1'])
    const attempts: unknown = Reflect.get(globalThis, 'mockApiAttempts')
    expect(attempts).toBeGreaterThan(0)
    for (const body of [2, 3, 4]) {
      project.write('fixtures/b.yaml', yaml('/b', body))
      await expectAnswers(store, ['GET /a 1', `GET /b ${body}`])
    }
    expect(Reflect.get(globalThis, 'mockApiAttempts')).toBe(attempts)
    project.write('fixtures/a.mts', module('/a', 2))
    await expectAnswers(store, ['GET /a 2', 'GET /b 4'])
    expect(findings(store)).toEqual([])
    expect(project.logs).toEqual([
      expect.stringContaining(
        'fixtures/a.mts The fixture file gave no routes within 0.3 seconds: its import did not settle.',
      ),
    ])
  })

  it('close() ends the wait for a module that never settles', async () => {
    const project = new Project({
      'fixtures/a.ts': '/* defineFixture */ export default () => new Promise(() => {})',
    })
    const store = project.create()
    await vi.waitUntil(() => watchers.length > 0, 30_000)
    await store.close()
    await store.ready
    expect(store.current!.table.routeCount).toBe(0)
    expect(project.logs).toEqual([])
  })
})

it('one mistake in thousands of routes does not fill the terminal', async () => {
  const project = new Project({ 'fixtures/a.yaml': '- { path: /a, respnse: {} }\n'.repeat(3000) })
  const store = await project.load()
  expect(store.current!.diagnostics).toHaveLength(3000)
  expect(project.logs).toHaveLength(21)
  expect(project.logs[20]).toBe('warn [mock-api] … and 2980 more in fixtures/a.yaml')
})

it('what throws where nothing should is an error of its own file alone', async () => {
  const project = new Project({
    'fixtures/a.ts': "export default [{ path: '/a', get response() { throw new Error('trap') } }]",
    'fixtures/b.yaml': yaml('/b', 1),
  })
  const store = await project.load()
  expect(answers(store)).toEqual(['GET /b 1'])
  expect(findings(store)).toEqual([expect.stringMatching(/^fixture-import-failed fixtures\/a\.ts/)])
})
