import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { MockState } from '../../src/core/state/mock-state.ts'
import type { Diagnostic } from '../../src/core/diagnostics/diagnostic.ts'
import { send } from '../core/send.ts'
import * as reading from '../../src/loader/read/read-fixture.ts'
import { createDeferred } from './deferred.ts'
import {
  answers,
  endpoints,
  expectAnswers,
  findings,
  got,
  module,
  Project,
  templateEndpoints,
  watchers,
  yaml,
  type Files,
} from './project.ts'
import { summarise } from '../../src/loader/fixture-state.ts'

const { readFixture } = reading
const readSpy = vi.spyOn(reading, 'readFixture')
afterAll(() => readSpy.mockRestore())

/** Files that this project's store has read since the last call, each as often as it was read. */
function filesRead({ root }: Project): string[] {
  const files = readSpy.mock.calls.map(([, file]) => file).filter((file) => file.startsWith(root))
  readSpy.mockClear()
  return files.map((file) => file.slice(root.length + 1)).sort()
}

describe('the first load', () => {
  it('nothing is there before it, and it never rejects', async () => {
    const store = new Project({ 'fixtures/a.yaml': '- [' }).create({ watch: false })
    expect(store.current).toBeUndefined()
    await expect(store.ready).resolves.toBeUndefined()
    expect(store.current!.table.routeCount).toBe(0)
  })

  it('lists the routes of all files by path, then in the order of the file', async () => {
    const project = new Project({
      'fixtures/b.yaml': '- path: /b\n- path: /a\n- path: /c\n',
      'fixtures/a/z.json': '[{ "path": "/z" }]',
      'fixtures/a.ts': "export default [{ path: '/t' }]",
      'fixtures/c.json5': "[{ path: '/j' }]",
    })
    const store = await project.load()
    expect(endpoints(store)).toEqual(['GET /t', 'GET /z', 'GET /b', 'GET /a', 'GET /c', 'GET /j'])
    expect(store.current!.files).toEqual([
      'fixtures/a.ts',
      'fixtures/a/z.json',
      'fixtures/b.yaml',
      'fixtures/c.json5',
    ])
    expect(store.current!.diagnostics).toEqual([])
    expect(project.logs).toEqual([])
  })

  it('a file that is deleted between listing and reading is ignored', async () => {
    const project = new Project({ 'fixtures/a.yaml': yaml('/a', 1), 'fixtures/b.yaml': yaml('/b', 1) })
    readSpy.mockImplementationOnce((...given) => {
      project.remove('fixtures/b.yaml')
      return readFixture(...given)
    })
    const store = await project.load()
    expect(answers(store)).toEqual(['GET /a 1'])
    expect(store.current!.files).toEqual(['fixtures/a.yaml'])
    expect(store.current!.diagnostics).toEqual([])
    expect(project.logs).toEqual([])
  })

  it('reports what files say together', async () => {
    const project = new Project({
      'fixtures/a.yaml': yaml('/a', 1),
      'fixtures/b.yaml': `# two\n${yaml('/a', 2)}`,
    })
    const store = await project.load()
    expect(answers(store)).toEqual(['GET /a 1'])
    expect(findings(store)).toEqual(['default-route-duplicate fixtures/b.yaml:2:3'])
    expect(store.current!.diagnostics[0]!.message).toContain('fixtures/a.yaml:1:3')
  })

  it('says nothing of the last good routes of a file with an error, whose lines are others now', async () => {
    const project = new Project({ 'fixtures/a.yaml': `${yaml('/a', 1)}${yaml('/a', 2)}` })
    const store = await project.watch()
    expect(findings(store)).toEqual(['default-route-duplicate fixtures/a.yaml:3:3'])
    for (const style of ['pages', 'sites']) {
      const text = `- path: /a\n  paginate: { style: ${style}, items: [] }\n`
      const reloaded = new Promise((resolve) => store.onReload(resolve))
      project.write('fixtures/a.yaml', text)
      await reloaded
      expect(findings(store)).toEqual(['fixture-invalid fixtures/a.yaml:2:22'])
    }
    expect(answers(store)).toEqual(['GET /a 1'])
  })

  it('logs every diagnostic, with place, frame, fix and code', async () => {
    const project = new Project({
      'fixtures/a.yaml': '- path: /a\n  nam: x\n',
      'fixtures/b.yaml': yaml('/b', 1),
    })
    const store = await project.load()
    expect(answers(store)).toEqual(['GET /a broken', 'GET /b 1'])
    expect(project.logs).toHaveLength(1)
    expect(project.logs[0]).toMatch(/^error \[mock-api\] fixtures\/a\.yaml:2:3 Unknown key "nam"\.\n/)
    expect(project.logs[0]).toContain('\n> 2 |   nam: x\n')
    expect(project.logs[0]).toMatch(/\n {2}Fix: .*\[fixture-unknown-key\]$/)
  })
})

describe('the starter templates', () => {
  it.each<[name: string, files: Files]>([
    ['with no fixture folder', {}],
    ['with an empty fixture folder', { 'fixtures/README.md': '' }],
    [
      'with nothing but ignored files',
      { 'fixtures/a.d.ts': '', 'fixtures/node_modules/a.yaml': yaml('/a', 1) },
    ],
  ])('answer %s', async (_, files) => {
    const project = new Project(files)
    const store = await project.load()
    expect(endpoints(store)).toEqual(templateEndpoints)
    expect(store.current!.table.routeCount).toBe(5)
    expect(store.current!.files).toEqual([])
    expect(store.current!.diagnostics).toEqual([])
    expect(project.logs).toEqual([])
    expect(summarise(store.current!)).toBe('5 routes from the starter templates')
  })

  it.each<[fixtures: string | string[], meant: string | undefined]>([
    ['othr', 'other'],
    ['./mock', './mocks'],
    ['mock/api', 'mocks/api'],
    ['mocks/apis/**/*.yaml', 'mocks/api/**/*.yaml'],
    ['mocks/ordres.yaml', 'mocks/orders.yml'],
    [['!mock', 'none', 'OTHERS'], 'other'],
    ['fixtures', undefined],
    ['other', undefined],
    [['a', 'b/*.yaml'], undefined],
    ['mocks/orders.yml/a', undefined],
    ['node_module', undefined],
  ])('answer where %j matches no file, with a warning that suggests %j', async (fixtures, meant) => {
    const project = new Project({
      'other/README.md': '',
      'mocks/api/README.md': '',
      'mocks/orders.yml': '',
      'node_modules/a.json': '',
    })
    const store = await project.load({ fixtures })
    expect(endpoints(store)).toEqual(templateEndpoints)
    const [{ code, severity, fix }] = store.current!.diagnostics as [Diagnostic]
    expect([code, severity]).toEqual(['fixtures-not-found', 'warning'])
    const suggestion = meant === undefined ? '' : `Did you mean "${meant}"? `
    expect(fix.slice(0, fix.indexOf('Create a fixture file there'))).toBe(suggestion)
    expect(project.logs).toEqual([expect.stringMatching(/^warn \[mock-api\] No fixture file in /)])
  })

  it.each<[fixtures: string[], named: string[]]>([
    [['fixtures', 'othr'], ['othr']],
    [
      ['fixturs', 'fixtures', './other', 'mocks/ordres.yaml'],
      ['fixturs', 'mocks/ordres.yaml'],
    ],
    [['fixtures', 'local'], []],
    [['fixtures', '!othr', 'othr/**', 'fixtures/*.yml'], []],
  ])('%j beside a fixture file: the warnings name %j', async (fixtures, named) => {
    const project = new Project({
      'fixtures/a.yaml': yaml('/a', 1),
      'other/README.md': '',
      'mocks/orders.yaml': '[]',
    })
    const store = await project.load({ fixtures })
    const messages = store.current!.diagnostics.map(({ message }) => message)
    expect(messages).toEqual(
      named.map((entry) => `The option "fixtures" names ${entry}, which does not exist.`),
    )
    expect(endpoints(store)).toEqual(['GET /a'])
  })

  it.each<[name: string, text: string, summary: string]>([
    ['one fixture file', yaml('/a', 1), '1 route from fixtures/a.yaml'],
    ['a fixture file with an error', '- [', '0 routes'],
    ['a fixture file whose only route has an error', '- { path: /a, nam: x }', '0 routes'],
  ])('do not answer beside %s', async (_, text, summary) => {
    const store = await new Project({ 'fixtures/a.yaml': text }).load({ fixtures: 'fixtures' })
    expect(endpoints(store)).not.toContain('GET /items')
    expect(findings(store)).not.toContain('fixtures-not-found')
    expect(summarise(store.current!)).toBe(summary)
  })
})

it.each<[what: string, files: Files, expected: string]>([
  [
    'a body file',
    {
      'fixtures/a-body.json': '{ "not": "a list" }',
      'fixtures/b.yaml':
        '- { path: /b, response: { file: a-body.json } }\n- { path: /c, response: { file: z/list.json } }',
      'fixtures/z/list.json': '[{ "path": "/never" }]',
    },
    '/b { "not": "a list" }, /c [{ "path": "/never" }]',
  ],
  ...[
    'export const body = 1',
    'export const body = 1\nexport default { a: 1 }', // no list of routes
    'module.exports = { body: 1 }',
  ].map((helper): [string, Files, string] => [
    `a helper module: ${helper}`,
    {
      'fixtures/a-helper.js': helper,
      'fixtures/b.ts': module('/b', 'body', "import { body } from './a-helper'"),
    },
    '/b 1',
  ]),
  [
    'a list that another file exports again',
    {
      'fixtures/all.ts': "import orders from './orders'\nexport default [...orders, { path: '/more' }]",
      'fixtures/orders.ts': module('/orders', 1),
    },
    '/orders 1, /more ',
  ],
])('%s is no fixture file of its own', async (_, files, expected) => {
  const project = new Project(files)
  expect(answers(await project.load())).toEqual(got(expected))
  expect(project.logs).toEqual([])
})

it.each([
  ['imports its type', "import type { Order } from './orders'"],
  ['exports its type again', "export type { Order } from './orders'"],
  ['had imported it, in a comment', "// import orders from './orders'"],
  ['had imported it, in a block comment', "/*\n * import orders from './orders'\n */"],
  ['imports a constant of it', "import { first } from './orders'\nvoid first"],
])('a fixture file keeps its routes when another fixture file %s', async (_, imports) => {
  const project = new Project({
    'fixtures/customers.ts': module('/customers', 1, imports),
    'fixtures/orders.ts': module(
      '/orders',
      1,
      "import './customers'\nexport type Order = number\nexport const first = 1",
    ),
  })
  expect(answers(await project.load())).toEqual(['GET /customers 1', 'GET /orders 1'])
})

describe('reload', () => {
  it('200 files that change at once give the same routes as a fresh load', async () => {
    const name = (i: number) =>
      `fixtures/${i % 7}/${String(i).padStart(3, '0')}.${i % 10 === 0 ? 'ts' : i % 2 ? 'json' : 'yaml'}`
    const text = (i: number, body: number) =>
      i % 10 === 0
        ? module(`/${i}`, body)
        : i % 2
          ? JSON.stringify([{ path: `/${i}`, response: { body } }])
          : yaml(`/${i}`, body)
    const project = new Project(
      Object.fromEntries(Array.from({ length: 200 }, (_, i) => [name(i), text(i, 1)])),
    )
    const store = await project.watch()
    let reloads = 0
    store.onReload(() => void reloads++)
    for (let i = 0; i < 200; i++) {
      if (i % 9 === 1) project.remove(name(i))
      else if (i % 9 === 2) project.writeByRename(name(i), text(i, 2))
      else if (i % 9 === 3) project.rename(name(i), name(i).replace('/', '/new/'))
      else project.write(name(i), text(i, 2))
    }
    const fresh = await project.load()
    expect(fresh.current!.table.routeCount).toBe(177)
    await expectAnswers(store, answers(fresh))
    expect(store.current!.files).toEqual(fresh.current!.files)
    expect(findings(store)).toEqual([])
    expect(reloads).toBeLessThan(100) // not one for each file
  })

  it('reads the file that changed, and no other', async () => {
    const project = new Project({
      'fixtures/a.yaml': yaml('/a', 1),
      'fixtures/b.json': '[{ "path": "/b" }]',
      'fixtures/c.ts': module('/c', 'value', "import { value } from '../helper'"),
      'fixtures/d.ts': module('/d', '(globalThis.mockApiCount = (globalThis.mockApiCount ?? 0) + 1)'),
      'fixtures/e.yaml': '- path: /e\n  response: { file: ../body.txt }',
      'helper.ts': 'export const value = 1',
      'body.txt': 'x',
    })
    onTestFinished(() => void Reflect.deleteProperty(globalThis, 'mockApiCount'))
    const all = ['fixtures/a.yaml', 'fixtures/b.json', 'fixtures/c.ts', 'fixtures/d.ts', 'fixtures/e.yaml']
    const store = await project.watch()
    expect(filesRead(project)).toEqual(all)
    for (const [path, text, expected, readAgain] of [
      ['fixtures/a.yaml', yaml('/a', 2), 'GET /a 2', ['fixtures/a.yaml']],
      ['helper.ts', 'export const value = 2', 'GET /c 2', ['fixtures/c.ts']],
      ['body.txt', 'y', 'GET /e y', ['fixtures/e.yaml']],
      ['fixtures/n.yaml', yaml('/n', 1), 'GET /n 1', ['fixtures/n.yaml']],
    ] as const) {
      project.write(path, text)
      await expect.poll(() => answers(store), { timeout: 30_000 }).toContain(expected)
      // A save may come as two events, never as a reason to read what it does not concern.
      expect([...new Set(filesRead(project))]).toEqual(readAgain)
    }
    project.remove('fixtures/n.yaml')
    await expect.poll(() => answers(store), { timeout: 30_000 }).not.toContain('GET /n 1')
    expect(filesRead(project)).toEqual([])
    expect(answers(store)).toContain('GET /d 1')
  })

  it('says nothing of a change that concerns no fixture file, or that was read already', async () => {
    const project = new Project({ 'fixtures/a.yaml': yaml('/a', 1), 'fixtures/README.md': '' })
    const store = await project.watch()
    const listener = vi.fn()
    store.onReload(listener)
    const { watcher } = watchers.at(-1)!
    for (const event of ['change', 'add', 'unlink'] as const) {
      watcher.emit('all', event, project.path('fixtures/README.md'))
      // The event of a new file in a new folder can come after the file was found by comparison.
      if (event !== 'unlink') watcher.emit('all', event, project.path('fixtures/a.yaml'))
      // The watcher's events are gathered for one turn of the event loop; nothing is to be read after that.
      for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
    }
    expect(listener).not.toHaveBeenCalled()
    project.write('fixtures/a.yaml', yaml('/a', 2))
    await vi.waitFor(() => expect(listener).toHaveBeenCalled(), 30_000)
  })

  it('tells of a deleted file once, while another one has an error', async () => {
    const project = new Project({
      'fixtures/a.yaml': yaml('/a', 1),
      'fixtures/b.yaml': '- [',
      'fixtures/c.yaml': yaml('/c', 1),
    })
    const store = await project.watch()
    const listener = vi.fn()
    store.onReload(listener)
    project.remove('fixtures/c.yaml')
    await expectAnswers(store, ['GET /a 1'])
    expect(listener).toHaveBeenCalledOnce()
  })

  it('hands the new state to every listener', async () => {
    const project = new Project({ 'fixtures/a.yaml': yaml('/a', 1) })
    const store = await project.watch()
    const before = store.current!
    const seen: unknown[][] = [[], []]
    store.onReload((state) => void seen[0]!.push(state))
    store.onReload((state) => void seen[1]!.push(state))
    project.write('fixtures/a.yaml', yaml('/a', 2))
    await expectAnswers(store, ['GET /a 2'])
    expect(seen[0]!.at(-1)).toBe(store.current)
    expect(seen[1]).toEqual(seen[0])
    expect(store.current).not.toBe(before)
    expect(before.table.routeCount).toBe(1)
    expect(Object.isFrozen(store.current!.table)).toBe(true)
  })
})

describe('changes around the start', () => {
  it.each<[what: string, path: string, text: string, expected: string[]]>([
    ['the file', 'fixtures/b.ts', module('/b', 2), ['GET /a 1', 'GET /b 2']],
    ['another file that has been read', 'fixtures/a.yaml', yaml('/a', 2), ['GET /a 2', 'GET /b 1']],
    ['a helper', 'helper.ts', 'export const value = 2', ['GET /a 1', 'GET /b 2']],
  ])('an edit of %s is not lost while a fixture function is running', async (_, path, text, expected) => {
    const gate = hold()
    const project = new Project({
      'fixtures/a.yaml': yaml('/a', 1),
      'fixtures/b.ts': gate.module('/b', 'value', "import { value } from '../helper'"),
      'helper.ts': 'export const value = 1',
    })
    project.age('fixtures/a.yaml', 'fixtures/b.ts', 'helper.ts')
    const store = project.create()
    await gate.entered
    project.write(path, text)
    gate.open()
    await expectAnswers(store, expected)
  })

  it('a slow load never overwrites a later one', async () => {
    const gate = hold()
    const project = new Project({ 'fixtures/a.ts': module('/a', 1), 'fixtures/b.yaml': yaml('/b', 1) })
    project.age('fixtures/a.ts')
    const store = project.create()
    await store.ready
    // Found when the watcher is ready, and at work while the watcher reports the next save.
    project.write('fixtures/a.ts', gate.module('/a', 2))
    await gate.entered
    project.write('fixtures/a.ts', module('/a', 3))
    project.write('fixtures/b.yaml', yaml('/b', 3))
    const { watcher } = watchers.at(-1)!
    await new Promise<void>((resolve) => {
      watcher.on('all', (_, path) => path.endsWith('b.yaml') && setImmediate(resolve))
      project.write('fixtures/b.yaml', yaml('/b', 4))
    })
    gate.open()
    await expectAnswers(store, ['GET /a 3', 'GET /b 4'])
    await vi.waitFor(() => expect(gate.left).toBe(true), 30_000)
    await expectAnswers(store, ['GET /a 3', 'GET /b 4'])
  })
})

/** A fixture function that waits until the test lets it go on. */
function hold() {
  const name = `mockApiGate${Math.random().toString(36).slice(2)}`
  const entered = createDeferred()
  const opened = createDeferred()
  const gate = { enter: entered.resolve, opened: opened.promise, left: false }
  Reflect.set(globalThis, name, gate)
  onTestFinished(() => {
    opened.resolve()
    Reflect.deleteProperty(globalThis, name)
  })
  return {
    entered: entered.promise,
    open: opened.resolve,
    get left() {
      return gate.left
    },
    module: (path: string, body: number | string, imports = '') => `${imports}\nexport default async () => {
  const gate = globalThis.${name}
  gate.enter()
  await gate.opened
  gate.left = true
  return [{ path: '${path}', response: { body: ${body} } }]
}\n`,
  }
}

describe('closing', () => {
  it('`watch: false` makes no watcher', async () => {
    const project = new Project({ 'fixtures/a.yaml': yaml('/a', 1) })
    const before = watchers.length
    const control = await project.watch()
    const store = await project.load()
    const listener = vi.fn()
    store.onReload(listener)
    expect(watchers).toHaveLength(before + 1)
    project.write('fixtures/a.yaml', yaml('/a', 2))
    await expectAnswers(control, ['GET /a 2'])
    expect(answers(store)).toEqual(['GET /a 1'])
    expect(listener).not.toHaveBeenCalled()
  })

  it('closed during a reload: its listeners are not called', async () => {
    const gate = hold()
    const project = new Project({ 'fixtures/a.ts': module('/a', 1) })
    const store = await project.watch()
    const listener = vi.fn()
    store.onReload(listener)
    project.write('fixtures/a.ts', gate.module('/a', 2))
    await gate.entered
    await store.close()
    gate.open()
    await vi.waitFor(() => expect(gate.left).toBe(true), 30_000)
    // What the load still does, it does in the microtasks that follow.
    await new Promise((resolve) => setImmediate(resolve))
    expect(listener).not.toHaveBeenCalled()
  })

  it('a process that only created a middleware ends by itself', { retry: 3 }, async () => {
    const project = new Project({
      'fixtures/a.yaml': yaml('/a', 1),
      'fixtures/b.ts': module('/b', 'x', "import { x } from '../x'"),
      'x.ts': 'export const x = 1',
    })
    const entry = fileURLToPath(new URL('../../dist/connect.js', import.meta.url))
    await vi.waitUntil(() => existsSync(entry), { timeout: 30_000, interval: 100 })
    project.write(
      'main.mjs',
      `import { createMiddleware } from ${JSON.stringify(pathToFileURL(entry).href)}\nconst middleware = createMiddleware()\nmiddleware.ready.then(() => console.log('ready'))\n`,
    )
    const child = spawn(process.execPath, ['main.mjs'], {
      cwd: project.root,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
    const [code, signal] = await new Promise<unknown[]>((resolve) =>
      child.on('close', (...parameters) => resolve(parameters)),
    )
    expect({ code, signal, output }).toEqual({
      code: 0,
      signal: null,
      output: '[mock-api] 2 routes from fixtures/a.yaml, fixtures/b.ts\nready\n',
    })
  })
})

describe('scenarios and sequences', () => {
  it('a scenario of the option that no route has is reported', async () => {
    const project = new Project({ 'fixtures/a.yaml': '- { path: /a, scenario: payment-down }\n' })
    const store = await project.load({ scenario: ['paymnt-down', 'payment-down'] })
    const unknown = store.current!.diagnostics.filter(({ code }) => code === 'scenario-unknown')
    expect(unknown).toMatchObject([
      {
        message: 'The option "scenario" names the scenario "paymnt-down", which no route has.',
        fix: 'Did you mean "payment-down"? Scenarios: payment-down.',
      },
    ])
  })

  it('a list of responses may have files', async () => {
    const project = new Project({
      'fixtures/a.yaml': '- path: /a\n  response: [{ file: one.txt }, { file: two.txt }, { body: three }]\n',
      'fixtures/one.txt': 'one',
      'fixtures/two.txt': 'two',
    })
    const store = await project.load()
    const state = new MockState()
    const get = async () => (await send(store.current!.table, 'GET /a', { state })).body
    expect([await get(), await get(), await get()]).toEqual(['one', 'two', 'three'])
  })

  it('the routes of a scenario leave the template of their endpoint in place', async () => {
    const project = new Project({
      'fixtures/a.yaml': '- { path: /items, scenario: none, response: { body: [] } }\n',
    })
    const store = await project.load({ fixtures: ['templates', 'fixtures'] })
    const get = async (scenario: string) =>
      (await send(store.current!.table, 'GET /items', { headers: { 'x-mock-scenario': scenario } })).body
    expect(await get('none')).toEqual([])
    expect(await get('')).toMatchObject({ page: 1 })
  })
})
