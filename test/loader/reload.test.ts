/* What editors, version control and people do to the files of a running dev server, and what it answers then. */
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { isThorough } from '../sampling.ts'
import type { Options } from '../../src/core/options/options.ts'
import { saveTime } from '../../src/loader/fixture-entries.ts'
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
  templateEndpoints,
  expectEndpoints,
  watchers,
  write,
  writeByRename,
  yaml,
  type Change,
  type Files,
} from './project.ts'

/** A change, what the store answers then (`''`: the starter templates do), and what it reports. */
type Step = [change: Change, answers: string, findings?: string]

async function reached(store: FixtureStore, expected: string, found = ''): Promise<void> {
  await (expected === '' ? expectEndpoints(store, templateEndpoints) : expectAnswers(store, got(expected)))
  await expectFindings(store, found === '' ? [] : found.split(', '))
}

async function follow(project: Project, steps: readonly Step[], options?: Options): Promise<void> {
  const [[begin], ...later] = steps as [Step, ...Step[]]
  begin(project)
  const store = await project.watch(options)
  await reached(store, steps[0]![1], steps[0]![2])
  for (const [change, ...expected] of later) {
    change(project)
    await reached(store, ...expected)
  }
  // Only what has a code is logged.
  expect(project.logs.filter((line) => !/\[[\w-]+\]$/.test(line))).toEqual([])
}

const nothing: Change = () => {}
/** Text that lists the route of the file's name: `/a` in `x/a.yaml`. */
function listOf(name: string, body: number): string {
  const [, route, extension] = /(\w+)\.(\w+)$/.exec(name)!
  return (extension === 'yaml' ? yaml : module)(`/${route}`, body)
}
const save = (name: string, body: number) => write(`fixtures/${name}`, listOf(name, body))
const routes = (...names: string[]): Files =>
  Object.fromEntries(names.map((name) => [`fixtures/${name}`, listOf(name, 1)]))
/** Writes `fixtures/a.yaml`. */
const a = (text: string) => write('fixtures/a.yaml', text)
const value = (number: number) => `export const value = ${number}`
const importing = (specifier: string) => module('/a', 'value', `import { value } from '${specifier}'`)
const paths = (folder: string) => `{ "compilerOptions": { "paths": { "@/*": ["./${folder}/*"] } } }`
const alias = (folder: string) =>
  `import { fileURLToPath, URL } from 'node:url'\nexport default { resolve: { alias: { '@': fileURLToPath(new URL('./${folder}', import.meta.url)) } } }`
const sending = (file: string) => `- path: /a\n  response: { file: ${file} }\n`

describe('a change is seen', () => {
  const own: Files = {
    ...routes('a.yaml'),
    'fixtures/b.ts': module('/b', 'value', "import { value } from '../helper'"),
    'fixtures/c.json': '[{ "path": "/c", "response": { "body": 1 } }]',
    'helper.ts': value(1),
  }
  const changes: [name: string, change: Change, expected: string][] = [
    ['an edit', save('a.yaml', 2), '/a 2, /b 1, /c 1'],
    ['an edit of a module', save('b.ts', 2), '/a 1, /b 2, /c 1'],
    ['an edit of a helper', write('helper.ts', value(2)), '/a 1, /b 2, /c 1'],
    ['a helper by rename', writeByRename('helper.ts', value(2)), '/a 1, /b 2, /c 1'],
    ['an edit of the path', write('fixtures/c.json', '[{ "path": "/d" }]'), '/a 1, /b 1, /d '],
    ['an edit by rename', writeByRename('fixtures/a.yaml', yaml('/a', 2)), '/a 2, /b 1, /c 1'],
    [
      'an edit of two files',
      all(save('a.yaml', 2), write('fixtures/c.json', '[{ "path": "/d" }]')),
      '/a 2, /b 1, /d ',
    ],
    ['a file truncated, then filled', all(a(''), save('a.yaml', 2)), '/a 2, /b 1, /c 1'],
    [
      'a file deleted, then written again',
      all(remove('fixtures/a.yaml'), save('a.yaml', 2)),
      '/a 2, /b 1, /c 1',
    ],
    ['a new file', save('aa.yaml', 1), '/a 1, /aa 1, /b 1, /c 1'],
    ['a new folder', save('0/deep/aa.mjs', 1), '/aa 1, /a 1, /b 1, /c 1'],
    ['a deleted file', remove('fixtures/a.yaml'), '/b 1, /c 1'],
    ['a deleted folder', remove('fixtures'), ''],
    ['a renamed file', rename('fixtures/a.yaml', 'fixtures/d.yaml'), '/b 1, /c 1, /a 1'],
    ['to what is no fixture file', rename('fixtures/a.yaml', 'fixtures/a.yaml.off'), '/b 1, /c 1'],
    ['a file moved out', rename('fixtures/a.yaml', 'a.yaml'), '/b 1, /c 1'],
    [
      'a file renamed over another',
      all(save('d.yaml', 1), rename('fixtures/d.yaml', 'fixtures/a.yaml')),
      '/d 1, /b 1, /c 1',
    ],
    [
      'two files that change places',
      all(
        rename('fixtures/a.yaml', 'fixtures/t.off'),
        rename('fixtures/c.json', 'fixtures/a.yaml'),
        rename('fixtures/t.off', 'fixtures/c.json'),
        write('fixtures/c.json', '[{ "path": "/a", "response": { "body": 1 } }]'),
      ),
      '/c 1, /b 1, /a 1',
    ],
  ]

  it.each(changes)('%s, while the store watches', (_, change, expected) =>
    follow(new Project(own), [
      [nothing, '/a 1, /b 1, /c 1'],
      [change, expected],
    ]),
  )

  // Each third: whether it is noticed depends on when it is made, which is the same for all.
  it.each(changes.filter((_, at) => isThorough || at % 3 === 0))(
    '%s, right after the store is created, and right after the first load',
    async (_, change, expected) => {
      for (const wait of [false, true]) {
        const project = new Project(own)
        project.age(...Object.keys(own))
        const store = project.create()
        if (wait) await store.ready
        change(project)
        await store.ready
        await reached(store, expected)
      }
    },
  )

  const inFolder: Files = {
    ...routes('x/a.yaml', 'x/y/b.ts', 'z.yaml'),
    'new/n.yaml': yaml('/n', 1),
    'new/m/n.ts': module('/m', 1),
  }
  it.each<[name: string, change: Change, expected: string]>([
    ['renamed', rename('fixtures/x', 'fixtures/zz'), '/z 1, /a 1, /b 1'],
    ['deleted', remove('fixtures/x'), '/z 1'],
    ['moved in', rename('new', 'fixtures/0new'), '/m 1, /n 1, /a 1, /b 1, /z 1'],
    ['with an edited module', save('x/y/b.ts', 2), '/a 1, /b 2, /z 1'],
  ])('a folder %s', (_, change, expected) =>
    follow(new Project(inFolder), [
      [nothing, '/a 1, /b 1, /z 1'],
      [change, expected],
    ]),
  )

  it('in each place of a list', () =>
    follow(
      new Project({
        'mocks/a.yaml': yaml('/a', 1),
        'b.yaml': yaml('/b', 1),
        'src/x/c.mock.ts': module('/c', 1),
      }),
      [
        [nothing, '/b 1, /a 1, /c 1'],
        [write('mocks/a.yaml', yaml('/a', 2)), '/b 1, /a 2, /c 1'],
        [write('b.yaml', yaml('/b', 2)), '/b 2, /a 2, /c 1'],
        [write('src/x/c.mock.ts', module('/c', 2)), '/b 2, /a 2, /c 2'],
        [write('src/a.mock.ts', module('/n', 2)), '/b 2, /a 2, /n 2, /c 2'],
        [remove('b.yaml'), '/a 2, /n 2, /c 2'],
      ],
      { fixtures: ['mocks', './b.yaml', 'src/**/*.mock.ts'] },
    ))

  it.each<[fixtures: string, path: string]>([
    ['mocks/*.yaml', 'mocks/a.yaml'],
    ['./fixtures.yaml', 'fixtures.yaml'],
    ['a/b/c', 'a/b/c/a.yaml'],
    ['mocks/api', 'mocks/api/deep/a.yaml'],
  ])('where nothing was: %s', (fixtures, path) =>
    follow(
      new Project({}),
      [
        [nothing, '', 'fixtures-not-found'],
        [write(path, yaml('/a', 1)), '/a 1'],
        [write(path, yaml('/a', 2)), '/a 2'],
        [remove(path.split('/')[0]!), '', 'fixtures-not-found'],
        [write(path, yaml('/a', 3)), '/a 3'],
      ],
      { fixtures },
    ),
  )
})

const isEmpty = 'fixture-empty fixtures/a.yaml'

it.each<[what: string, files: Files, steps: Step[]]>([
  [
    'the only file is emptied, and written again',
    routes('a.yaml'),
    [
      [nothing, '/a 1'],
      [a('# - path: /a\n'), '', isEmpty],
      [save('a.yaml', 2), '/a 2'],
      [a(''), '', isEmpty],
    ],
  ],
  [
    'a file whose name is misspelled',
    routes('a.yaml'),
    [
      [write('fixtures/items.yalm', yaml('/items', 1)), '/a 1', 'fixture-name-unknown'],
      [save('a.yaml', 2), '/a 2', 'fixture-name-unknown'],
      [remove('fixtures/items.yalm'), '/a 2'],
    ],
  ],
  [
    'the folder is deleted, and created again',
    routes('a.yaml', 'deep/b.yaml'),
    [
      [nothing, '/a 1, /b 1'],
      [remove('fixtures'), ''],
      [all(save('a.yaml', 2), save('deep/b.yaml', 2)), '/a 2, /b 2'],
      [save('deep/b.yaml', 3), '/a 2, /b 3'],
    ],
  ],
  [
    'a module is deleted and created again',
    routes('a.ts', 'b.yaml'),
    [
      [nothing, '/a 1, /b 1'],
      [remove('fixtures/a.ts'), '/b 1'],
      [save('a.ts', 2), '/a 2, /b 1'],
      [remove('fixtures/a.ts'), '/b 1'],
      // Behind a folder that comes as a whole, the watcher tells of no file.
      [all(write('away/a.ts', module('/a', 3)), remove('fixtures'), rename('away', 'fixtures')), '/a 3'],
    ],
  ],
  ...['text', new Uint8Array([0xff, 0x00])].map((bytes): [string, Files, Step[]] => {
    const text = typeof bytes === 'string' ? bytes : new TextDecoder().decode(bytes)
    const missing = 'body-file-unreadable fixtures/a.yaml:2:21'
    return [
      `a body file of ${bytes.constructor.name} changes, is gone, and is back`,
      { 'fixtures/a.yaml': sending('../bodies/x.txt'), 'bodies/x.txt': 'old', 'bodies/y.txt': 'y' },
      [
        [nothing, '/a old'],
        [write('bodies/x.txt', bytes), `/a ${text}`],
        [remove('bodies/x.txt'), `/a ${text}`, missing],
        [write('bodies/x.txt', 'again'), '/a again'],
      ],
    ]
  }),
  ...[
    'fixtures/deep/body.txt',
    'body.txt',
    ...(isThorough ? ['fixtures/body.json', 'bodies/deep/body.txt'] : []),
  ].map((path): [string, Files, Step[]] => [
    `a body file that is missing at first: ${path}`,
    { 'fixtures/a.yaml': sending(`../${path}`) },
    [
      [nothing, '/a broken', 'body-file-unreadable fixtures/a.yaml:2:21'],
      [write(path, '{}'), '/a {}'],
    ],
  ]),
  ...(
    [
      ['fixtures/deep/helper.ts', './deep/helper.ts'],
      ['src/deep/helper.ts', '../src/deep/helper.js'],
      ...(isThorough
        ? ([
            ['fixtures/helper.ts', './helper'],
            ['helper.ts', '../helper'],
          ] as const)
        : []),
    ] as const
  ).map(([path, specifier]): [string, Files, Step[]] => [
    `a helper that is missing at first, and again: ${path} as ${specifier}`,
    { 'fixtures/a.ts': importing(specifier), ...routes('z.yaml') },
    [
      [nothing, '/z 1', 'fixture-import-failed fixtures/a.ts:1:23'],
      [write(path, value(1)), '/a 1, /z 1'],
      [write(path, value(2)), '/a 2, /z 1'],
      [remove(path), '/a 2, /z 1', 'fixture-import-failed fixtures/a.ts:1:23'],
      [write(path, value(3)), '/a 3, /z 1'],
    ],
  ]),
  [
    'a module behind paths of tsconfig.json: edited, deleted, and there again',
    {
      'tsconfig.json': paths('src'),
      'fixtures/a.ts': importing('@/x'),
      'src/x.ts': value(1),
      ...routes('z.yaml'),
    },
    [
      [nothing, '/a 1, /z 1'],
      [write('src/x.ts', value(2)), '/a 2, /z 1'],
      [remove('src/x.ts'), '/a 2, /z 1', 'fixture-import-failed fixtures/a.ts:1:23'],
      [write('src/x.tsx', value(3)), '/a 3, /z 1'],
    ],
  ],
  [
    'a tsconfig.json: created, changed, broken, and as before',
    { 'fixtures/a.ts': importing('@/x'), 'src/x.ts': value(1), 'lib/x.ts': value(2), ...routes('z.yaml') },
    [
      [nothing, '/z 1', 'fixture-import-failed fixtures/a.ts:1:23'],
      [write('tsconfig.json', paths('src')), '/a 1, /z 1'],
      [write('tsconfig.json', paths('lib')), '/a 2, /z 1'],
      [write('tsconfig.json', paths('none')), '/a 2, /z 1', 'fixture-import-failed fixtures/a.ts:1:23'],
      [write('tsconfig.json', paths('src')), '/a 1, /z 1'],
    ],
  ],
  [
    'what a tsconfig.json extends',
    {
      'tsconfig.json': '{ "extends": "./base.json" }',
      'base.json': paths('src'),
      'fixtures/a.ts': importing('@/x'),
      'src/x.ts': value(1),
      'lib/x.ts': value(2),
    },
    [
      [nothing, '/a 1'],
      [write('base.json', paths('lib')), '/a 2'],
    ],
  ],
  [
    'an alias in a config that no host has read',
    {
      'vite.config.ts': alias('src'),
      'fixtures/a.ts': importing('@/x'),
      'src/x.ts': value(1),
      'lib/x.ts': value(2),
    },
    [
      [nothing, '/a 1'],
      [write('vite.config.ts', alias('lib')), '/a 2'],
    ],
  ],
  [
    'a file of variables',
    {
      '.env': 'VITE_NUMBER=1',
      'fixtures/a.ts':
        "import { value } from '../src/x'\nexport default [{ path: '/a', response: { body: value } }]",
      'src/x.ts': 'export const value = Number(import.meta.env.VITE_NUMBER)',
    },
    [
      [nothing, '/a 1'],
      [write('.env', 'VITE_NUMBER=2'), '/a 2'],
      [write('.env.local', 'VITE_NUMBER=3'), '/a 3'],
    ],
  ],
  [
    'a helper whose import an edit has added',
    { ...routes('a.ts'), 'src/helper.ts': value(2) },
    [
      [nothing, '/a 1'],
      [write('fixtures/a.ts', importing('../src/helper')), '/a 2'],
      [write('src/helper.ts', value(3)), '/a 3'],
    ],
  ],
  [
    'a module whose routes come from one that is missing, lists none, and then lists one',
    { 'fixtures/a.ts': "export { routes as default } from '../lib/x'" },
    [
      [nothing, '', 'fixture-without-routes'],
      [write('lib/x.ts', 'export const routes = []'), '', 'fixture-without-routes'],
      [write('lib/x.ts', "export const routes = [{ path: '/x', response: { body: 1 } }]"), '/x 1'],
      [write('lib/x.ts', "export const routes = [{ path: '/x', response: { body: 2 } }]"), '/x 2'],
    ],
  ],
  [
    'test data that comes to list a route',
    { 'fixtures/users.json': '[{ "id": 1 }]' },
    [
      [nothing, '', 'fixture-without-routes'],
      [write('fixtures/users.json', '[{ "path": "/users", "response": { "body": 1 } }]'), '/users 1'],
    ],
  ],
  [
    'parts stay parts while the file that they belong to is broken, and are fixture files when nothing needs them',
    { 'fixtures/a.yaml': sending('list.json'), 'fixtures/list.json': '[{ "path": "/l" }]' },
    [
      [nothing, '/a [{ "path": "/l" }]'],
      [a(`${sending('list.json')}- [`), '/a [{ "path": "/l" }]', 'fixture-syntax fixtures/a.yaml:3:4'],
      [
        a(sending('list.json').replace('se:', 's:')),
        '/a [{ "path": "/l" }]',
        'fixture-unknown-key fixtures/a.yaml:2:3',
      ],
      [save('a.yaml', 1), '/a 1, /l '],
      [remove('fixtures/a.yaml'), '/l '],
    ],
  ],
  ...['', '\n'].map((text): [string, Files, Step[]] => [
    `a module that is emptied: ${JSON.stringify(text)}`,
    routes('a.ts', 'b.yaml'),
    [
      [nothing, '/a 1, /b 1'],
      [write('fixtures/a.ts', text), '/b 1', 'fixture-empty fixtures/a.ts'],
    ],
  ]),
  [
    'a route that moves to another file while its own is broken is not there twice',
    routes('a.yaml', 'b.yaml'),
    [
      [nothing, '/a 1, /b 1'],
      [a('- ['), '/a 1, /b 1', 'fixture-syntax fixtures/a.yaml:1:4'],
      [write('fixtures/c.yaml', yaml('/a', 2)), '/b 1, /a 2', 'fixture-syntax fixtures/a.yaml:1:4'],
    ],
  ],
  [
    'a broken file that is deleted loses its last good routes',
    routes('a.yaml', 'b.yaml'),
    [
      [nothing, '/a 1, /b 1'],
      [a('- ['), '/a 1, /b 1', 'fixture-syntax fixtures/a.yaml:1:4'],
      [remove('fixtures/a.yaml'), '/b 1'],
      [a('- ['), '/b 1', 'fixture-syntax fixtures/a.yaml:1:4'],
    ],
  ],
  [
    'a route that breaks: its endpoint keeps the last good ones, new endpoints say why, others are new',
    { 'fixtures/a.yaml': yaml('/a', 1) + yaml('/b', 1) },
    [
      [nothing, '/a 1, /b 1'],
      [
        a(`${yaml('/a', 2)}- path: /b\n  respnse: {}\n- path: /c\n  respnse: {}\n`),
        '/a 2, /c broken, /b 1',
        'fixture-unknown-key fixtures/a.yaml:4:3, fixture-unknown-key fixtures/a.yaml:6:3',
      ],
      [a('- ['), '/a 2, /b 1', 'fixture-syntax fixtures/a.yaml:1:4'],
    ],
  ],
  [
    'a helper that breaks: the last good routes of all that import it stay',
    {
      'fixtures/a.ts': importing('../helper'),
      'fixtures/b.ts': importing('../helper').replace('/a', '/b'),
      'helper.ts': value(1),
    },
    [
      [nothing, '/a 1, /b 1'],
      [
        write('helper.ts', 'export const value = ['),
        '/a 1, /b 1',
        Array(2).fill('fixture-syntax helper.ts:1:23').join(', '),
      ],
      [write('helper.ts', value(2)), '/a 2, /b 2'],
      [
        write('helper.ts', 'const x = 1\nvalue'),
        '/a 2, /b 2',
        Array(2).fill('fixture-import-failed helper.ts:2').join(', '),
      ],
      [write('helper.ts', value(3)), '/a 3, /b 3'],
    ],
  ],
])('%s', (_, files, steps) => follow(new Project(files), steps))

it.each<[path: string, good: (body: number) => string, broken: string, first: string, found?: string]>([
  ['fixtures/a.yaml', (body) => yaml('/a', body), '- path: /a\n- {', 'fixture-syntax fixtures/a.yaml:2:4'],
  [
    'fixtures/a.json',
    (body) => JSON.stringify([{ path: '/a', response: { body } }]),
    '[\n}',
    'fixture-syntax fixtures/a.json:2:1',
  ],
  [
    'fixtures/a.ts',
    (body) => module('/a', body),
    "\nthrow new Error('x') // path: '/a'\nexport default []",
    'fixture-import-failed fixtures/a.ts:2',
  ],
  [
    'fixtures/a.ts',
    (body) => module('/a', body),
    'const routes = []',
    'fixture-without-routes',
    'fixture-no-default-export fixtures/a.ts:1',
  ],
  [
    'fixtures/a.cjs',
    (body) => `module.exports = [{ path: '/a', response: { body: ${body} } }]`,
    'module.exports = [{\n]',
    'fixture-syntax fixtures/a.cjs:2:1',
  ],
])(
  '%s: broken at the start, then right, then broken as %j, then right again',
  async (path, good, broken, first, found = first) => {
    const project = new Project({ [path]: broken, ...routes('b.yaml') })
    await follow(project, [
      [nothing, '/b 1', first],
      [write(path, good(1)), '/a 1, /b 1'],
      [write(path, broken), '/a 1, /b 1', found],
      [save('b.yaml', 2), '/a 1, /b 2', found],
      [write(path, good(2)), '/a 2, /b 2'],
    ])
    // Once each time, and not again when another file changes.
    expect(project.logs).toHaveLength(2)
  },
)

describe('links', () => {
  const real: Files = { 'real/x.yaml': yaml('/x', 1), ...routes('z.yaml') }

  it.each<[what: string, files: Files, steps: Step[]]>([
    [
      'to a file: edited, deleted, written again, edited behind it',
      real,
      [
        [link('fixtures/x.yaml', '../real/x.yaml'), '/x 1, /z 1'],
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
        ...routes('z.yaml'),
      },
      [
        [link('fixtures/real', '../real'), '/x 1, /z 1'],
        [write('real/y.ts', 'export const value = 2'), '/x 2, /z 1'],
        [write('fixtures/real/y.ts', 'export const value = 3'), '/x 3, /z 1'],
      ],
    ],
    [
      'to a file that is not there yet',
      routes('z.yaml'),
      [
        [link('fixtures/x.yaml', '../real/deep/x.yaml'), '/z 1'],
        [write('real/deep/x.yaml', yaml('/x', 1)), '/x 1, /z 1'],
        [write('real/deep/x.yaml', yaml('/x', 2)), '/x 2, /z 1'],
      ],
    ],
    [
      'to a folder that is not there yet, comes, goes and comes again',
      routes('z.yaml'),
      [
        [link('fixtures/link', '../real'), '/z 1'],
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
      [
        [link('fixtures/link', '../real'), '/x 1, /z 1'],
        [link('fixtures/link', '../other'), '/o 1, /z 1'],
        [write('other/x.yaml', yaml('/o', 2)), '/o 2, /z 1'],
        [link('fixtures/link', '../real'), '/x 1, /z 1'],
        [write('real/x.yaml', yaml('/x', 2)), '/x 2, /z 1'],
      ],
    ],
    ...(['.', '..', '../fixtures', '../../..'] as const).map((target): [string, Files, Step[]] => [
      `to a folder that they stand in: ${target}`,
      real,
      [
        [link('fixtures/loop', target), '/z 1'],
        [save('z.yaml', 2), '/z 2'],
        [save('y.yaml', 1), '/y 1, /z 2'],
      ],
    ]),
    [
      'to each other, and to themselves',
      routes('x/a.yaml', 'y/b.ts'),
      [
        [
          all(
            link('fixtures/x/y', '../y'),
            link('fixtures/y/x', '../x'),
            link('fixtures/self.yaml', 'self.yaml'),
            link('fixtures/one', 'two'),
            link('fixtures/two', 'one'),
          ),
          '/a 1, /b 1',
        ],
        [save('x/a.yaml', 2), '/a 2, /b 1'],
        [save('y/b.ts', 2), '/a 2, /b 2'],
        [all(remove('fixtures/self.yaml'), write('fixtures/self.yaml', yaml('/s', 1))), '/s 1, /a 2, /b 2'],
      ],
    ],
    [
      'to one file in two ways: it counts once',
      real,
      [
        [
          all(
            link('fixtures/a.yaml', '../real/x.yaml'),
            link('fixtures/b.yaml', '../real/x.yaml'),
            link('fixtures/link', '../real'),
          ),
          '/x 1, /z 1',
        ],
        [write('real/x.yaml', yaml('/x', 2)), '/x 2, /z 1'],
        [remove('fixtures/a.yaml'), '/x 2, /z 1'],
        [write('real/x.yaml', yaml('/x', 3)), '/x 3, /z 1'],
      ],
    ],
    [
      'as the fixture folder itself',
      { 'one/a.yaml': yaml('/a', 1), 'two/a.yaml': yaml('/b', 1) },
      [
        [link('fixtures', 'one'), '/a 1'],
        [write('one/a.yaml', yaml('/a', 2)), '/a 2'],
        [link('fixtures', 'two'), '/b 1'],
        [write('two/a.yaml', yaml('/b', 2)), '/b 2'],
      ],
    ],
    [
      'to a body file',
      { 'fixtures/a.yaml': sending('../body.txt'), 'real.txt': 'one' },
      [
        [link('body.txt', 'real.txt'), '/a one'],
        [write('real.txt', 'two'), '/a two'],
        [writeByRename('real.txt', 'three'), '/a three'],
      ],
    ],
  ])('%s', (_, files, steps) => follow(new Project(files), steps))
})

describe('folders', () => {
  const files: Files = {
    'fixtures/x/a.yaml': yaml('/a', 1),
    'fixtures/x/deep/b.ts': module('/b', 1),
    'fixtures/y/a.yaml': yaml('/c', 1),
  }
  const later: Step[] = [
    [save('x/a.yaml', 8), '/a 8, /c 1'],
    [write('fixtures/x/new.yaml', yaml('/n', 8)), '/a 8, /n 8, /c 1'],
    [write('fixtures/x/more/n.yaml', yaml('/m', 8)), '/a 8, /m 8, /n 8, /c 1'],
  ]

  it.each<[what: string, change: Change]>([
    ['deleted, and written again at once', all(remove('fixtures/x'), save('x/a.yaml', 2))],
    [
      'replaced by another one',
      all(write('new/a.yaml', yaml('/a', 2)), rename('fixtures/x', 'old'), rename('new', 'fixtures/x')),
    ],
    [
      'deleted and written again with all fixtures, as when another branch is checked out',
      all(remove('fixtures'), save('x/a.yaml', 2), write('fixtures/y/a.yaml', yaml('/c', 1))),
    ],
  ])('%s: what happens in them later is seen', (_, change) =>
    follow(new Project(files), [[nothing, '/a 1, /b 1, /c 1'], [change, '/a 2, /c 1'], ...later]),
  )

  it('that change places', () =>
    follow(new Project(files), [
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
      [save('y/a.yaml', 2), '/c 2, /a 2, /b 1'],
      [save('y/deep/b.ts', 2), '/c 2, /a 2, /b 2'],
    ]))
})

/** All that a store answers while something happens, without what repeats. */
async function record(
  project: Project,
  happen: (store: FixtureStore) => Promise<void> | void,
  last: string,
): Promise<string[]> {
  const store = await project.watch()
  const seen: string[] = [answers(store).join()]
  store.onReload(() => seen.push(answers(store).join()))
  await happen(store)
  await reached(store, last)
  expect(project.logs).toEqual([])
  return seen.filter((now, index) => now !== seen[index - 1])
}

/** Time that a save takes in its middle: what is tested is that nothing is answered in it that was never saved. */
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

describe('in the middle of a save, what was saved last answers', () => {
  it.each<[what: string, files: Files, begin: Change, milliseconds: number, end: Change, seen: string[]]>([
    ...[20, 100].flatMap((milliseconds) =>
      (['write', 'remove'] as const).map((how): [string, Files, Change, number, Change, string[]] => [
        `a file, ${how} for ${milliseconds} ms`,
        routes('a.yaml', 'b.yaml'),
        how === 'write' ? a('') : remove('fixtures/a.yaml'),
        milliseconds,
        save('a.yaml', 2),
        ['GET /a 1,GET /b 1', 'GET /a 2,GET /b 1'],
      ]),
    ),
    ['the only file', routes('a.yaml'), remove('fixtures'), 80, save('a.yaml', 2), ['GET /a 1', 'GET /a 2']],
    ['a module', routes('a.ts'), write('fixtures/a.ts', ''), 80, save('a.ts', 2), ['GET /a 1', 'GET /a 2']],
    [
      'a body file',
      { 'fixtures/a.yaml': sending('../body.txt'), 'body.txt': '1' },
      write('body.txt', ''),
      80,
      write('body.txt', '2'),
      ['GET /a 1', 'GET /a 2'],
    ],
    [
      'a new file',
      routes('a.yaml'),
      write('fixtures/b.yaml', ''),
      100,
      save('b.yaml', 1),
      ['GET /a 1', 'GET /a 1,GET /b 1'],
    ],
    [
      'a renamed file, which is never loaded twice',
      routes('a.yaml', 'b.yaml'),
      rename('fixtures/a.yaml', 'fixtures/c.yaml'),
      0,
      nothing,
      ['GET /a 1,GET /b 1', 'GET /b 1,GET /a 1'],
    ],
  ])('%s', async (_, files, begin, milliseconds, end, expected) => {
    const last = expected.at(-1)!.replaceAll('GET ', '').replaceAll(',', ', ')
    const trySave = async (): Promise<void> => {
      const project = new Project(files)
      let taken = 0
      const save = async () => {
        const start = performance.now()
        begin(project)
        await pause(milliseconds)
        end(project)
        taken = performance.now() - start
      }
      try {
        expect(await record(project, save, last)).toEqual(expected)
      } catch (error) {
        if (taken <= saveTime) throw error
        await trySave() // on a busy machine, the save took longer than that of any editor
      }
    }
    await trySave()
  })
})

it('a module that never settles is reported after the time limit; other files are loaded, and nothing waits for it again', async () => {
  Reflect.set(globalThis, 'mockApiAttempts', 0)
  onTestFinished(() => void Reflect.deleteProperty(globalThis, 'mockApiAttempts'))
  const never = 'globalThis.mockApiAttempts++\nawait new Promise(() => {})\nexport default []'
  const project = new Project({ 'fixtures/a.mts': module('/a', 1), ...routes('b.yaml') })
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

describe('where the system can not watch any more files', () => {
  function reachWatchLimit(): void {
    const error = Object.assign(new Error('ENOSPC: System limit for number of file watchers reached'), {
      code: 'ENOSPC',
    })
    for (let i = 0; i < 1000; i++) watchers.at(-1)!.watcher.emit('error', error)
  }

  it('it is said once, with the fix, and edits are still seen', async () => {
    const project = new Project(routes('a.yaml', 'b.yaml'))
    await follow(project, [
      [nothing, '/a 1, /b 1'],
      [all(reachWatchLimit, save('a.yaml', 2)), '/a 2, /b 1'],
      [save('c.yaml', 1), '/a 2, /b 1, /c 1'],
      [remove('fixtures/b.yaml'), '/a 2, /c 1'],
    ])
    expect(project.logs).toEqual([
      expect.stringMatching(
        /^warn (?:\[mock-api\] )?The system can't watch any more files \(ENOSPC\).*\n.*sysctl fs\.inotify/,
      ),
    ])
  })

  it('schema files that come and go are still seen', async () => {
    const project = new Project({ 'schema/a.graphql': 'type Query { a: Int }' })
    const store = await project.watch({ graphql: { schema: 'schema' } })
    reachWatchLimit()
    project.write('schema/b.graphql', 'type B { b: Missing }')
    await expectFindings(store, ['schema-flawed schema/b.graphql:1:13'])
    project.remove('schema/b.graphql')
    await expectFindings(store, [])
  })
})
