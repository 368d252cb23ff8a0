/* What a closed store leaves behind: nothing. */
import { createHook } from 'node:async_hooks'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createMiddleware } from '../../src/connect.ts'
import type { FixtureStore } from '../../src/loader/fixture-store.ts'
import { answers, expectAnswers, module, Project, watchers, yaml } from './project.ts'

/** What holds on to the event loop, whether it keeps the process alive or not. */
const kinds = ['FSEVENTWRAP', 'STATWATCHER', 'Timeout']

/** Watches what is opened from now on. */
function watchHandles() {
  const live = new Map<number, string>()
  const hook = createHook({
    init: (id, type) => void (kinds.includes(type) && live.set(id, type)),
    destroy: (id) => void live.delete(id),
  }).enable()
  onTestFinished(() => void hook.disable())
  const turns = async () => {
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
  }
  return {
    /** Kinds of what is open. What was opened in the end is left out: the test waits, too. */
    async open() {
      const before = [...live.keys()]
      await turns()
      return before.flatMap((id) => live.get(id) ?? [])
    },
    /** Resolves when all that is open now is closed. */
    async closed() {
      const before = [...live.keys()]
      await vi.waitUntil(() => before.every((id) => !live.has(id)), { timeout: 30_000, interval: 20 })
    },
  }
}

const files = {
  'fixtures/a.yaml': yaml('/a', 1),
  'fixtures/deep/b.ts': module('/b', 'x', "import { x } from '../../x'"),
  'x.ts': 'export const x = 1',
}

describe('after close() no handle is left', () => {
  it.each<[moment: string, until: (project: Project) => FixtureStore | Promise<FixtureStore>]>([
    ['at once', (project) => project.create()],
    [
      'after the first load',
      async (project) => {
        const store = project.create()
        await store.ready
        return store
      },
    ],
    ['while it watches', (project) => project.watch()],
    [
      'while it watches links',
      async (project) => {
        project.link('fixtures/link', '../real')
        project.write('real/r.yaml', yaml('/r', 1))
        const store = await project.watch()
        project.write('real/r.yaml', yaml('/r', 2))
        await expectAnswers(store, ['GET /a 1', 'GET /b 1', 'GET /r 2'])
        return store
      },
    ],
    [
      'right after a reload, with another comparison to come',
      async (project) => {
        const store = await project.watch()
        project.write('fixtures/a.yaml', yaml('/a', 2))
        await new Promise<void>((resolve) => store.onReload(() => resolve()))
        return store
      },
    ],
    [
      'during a reload',
      async (project) => {
        const store = await project.watch()
        project.write(
          'fixtures/a.ts',
          '// defineFixture\nexport default () => new Promise(() => globalThis.mockApiEntered())',
        )
        await new Promise<void>((resolve) => Reflect.set(globalThis, 'mockApiEntered', resolve))
        Reflect.deleteProperty(globalThis, 'mockApiEntered')
        return store
      },
    ],
    [
      'while it begins to watch anew, since folders were replaced',
      async (project) => {
        const store = await project.watch()
        const before = watchers.length
        project.remove('fixtures')
        for (const [path, text] of Object.entries(files)) project.write(path, text)
        await vi.waitUntil(() => watchers.length > before, { timeout: 30_000, interval: 1 })
        return store
      },
    ],
  ])('%s', async (_, until) => {
    const project = new Project(files)
    const before = watchers.length
    const handles = watchHandles()
    const store = await until(project)
    await store.close()
    for (const { watcher } of watchers.slice(before)) expect(watcher.closed).toBe(true)
    expect((await handles.open()).filter((kind) => kind !== 'Timeout')).toEqual([])
    await handles.closed() // chokidar's timers run out by themselves, within a second
    await store.ready
    expect(answers(store)).toContain('GET /b 1') // it goes on to answer
  })

  it('of a middleware', async () => {
    const project = new Project(files)
    const handles = watchHandles()
    const log = () => {}
    const middleware = createMiddleware({ root: project.root, logger: { info: log, warn: log, error: log } })
    const before = watchers.length
    await middleware.ready
    await vi.waitUntil(() => watchers.length > before, 30_000)
    await watchers.at(-1)!.ready
    expect(await handles.open()).toContain('FSEVENTWRAP')
    await middleware.close()
    expect((await handles.open()).filter((kind) => kind !== 'Timeout')).toEqual([])
    await handles.closed()
  })
})

it('an error after close() is ignored', async () => {
  const project = new Project(files)
  const store = await project.watch()
  const { watcher } = watchers.at(-1)!
  await store.close()
  expect(() => watcher.emit('error', new Error('EMFILE'))).not.toThrow()
  expect(project.logs).toEqual([])
})
