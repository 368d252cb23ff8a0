import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { watchFixtures, type Changes, type WatchHandlers } from '../../../src/loader/watch/watch-fixtures.ts'
import { createDeferred } from '../deferred.ts'
import { Project, remove, watchers, write, writeByRename, type Change } from '../project.ts'

const eventually = { timeout: 30_000, interval: 5 }
const nothing: Changes = { paths: new Set(), structure: false }

/** The contents of all files of a project, by path. */
function contents({ root }: Project): Map<string, string> {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return new Map(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name)
      return [path.slice(root.length + 1), readFileSync(path, 'utf8')]
    }),
  )
}

/** Watches places of a project, and compares all files; resolves when everything is watched. */
async function start(project: Project, places: string[], handlers: Partial<WatchHandlers> = {}) {
  const seen: { paths: string[]; structure: boolean }[] = []
  const errors: unknown[] = []
  const limits: string[] = []
  const before = watchers.length
  let known = contents(project)
  const watcher = watchFixtures(
    places.map((place) => project.path(place)),
    {
      findStale() {
        const now = contents(project)
        const paths = [...new Set([...known.keys(), ...now.keys()])].filter(
          (path) => known.get(path) !== now.get(path),
        )
        const structure = [...known.keys()].join() !== [...now.keys()].join()
        known = now
        return { paths: new Set(paths), structure }
      },
      onError: (error) => errors.push(error),
      onLimit: (code) => limits.push(code),
      ...handlers,
      onChanges: (changes) => {
        seen.push({ paths: [...changes.paths].sort(), structure: changes.structure })
        return handlers.onChanges?.(changes) ?? Promise.resolve()
      },
    },
  )
  onTestFinished(() => watcher.close())
  await vi.waitUntil(() => watchers.length > before, eventually)
  await watchers[before]!.ready
  const paths = () => seen.flatMap((changes) => changes.paths)
  return { watcher, seen, paths, errors, limits, chokidar: watchers[before]!.watcher }
}

describe('watchFixtures', () => {
  it.each<[what: string, change: Change, path: string]>([
    ['an edit by rename', writeByRename('mocks/a.yaml', 'x'), 'mocks/a.yaml'],
    ['a new file in a new folder', write('mocks/deep/er/b.yaml', 'x'), 'mocks/deep/er/b.yaml'],
    ['a deleted folder', remove('mocks/sub'), 'mocks/sub/c.yaml'],
    ['a place that does not exist at first', write('a/b/c/d/x.yaml', 'x'), 'a/b/c/d/x.yaml'],
    ['a file that does not exist at first', write('new.yaml', 'x'), 'new.yaml'],
  ])('reports %s', async (_, change, path) => {
    const project = new Project({ 'mocks/a.yaml': '', 'mocks/sub/c.yaml': '' })
    const { paths } = await start(project, ['mocks', 'a/b/c', 'new.yaml'])
    change(project)
    await expect.poll(paths, eventually).toContain(path)
  })

  it('compares without waiting for chokidar, which may read a large folder first', async () => {
    const project = new Project({ 'mocks/a.yaml': '' })
    const { paths, chokidar } = await start(project, ['mocks'])
    chokidar.removeAllListeners('all')
    project.write('mocks/a.yaml', 'x')
    await expect.poll(paths, eventually).toEqual(['mocks/a.yaml'])
  })

  it('does not look into node_modules and .git', async () => {
    const places = ['', 'node_modules/x/', '.git/', 'my.git/']
    const project = new Project(Object.fromEntries(places.map((place) => [`mocks/${place}a.yaml`, ''])))
    const { chokidar } = await start(project, ['mocks'])
    const watched = Object.keys(chokidar.getWatched()).filter((folder) =>
      folder.startsWith(project.path('mocks')),
    )
    expect(watched.sort()).toEqual([project.path('mocks'), project.path('mocks/my.git')])
  })

  it('watches more files on demand, at once or later, and nothing beside them', async () => {
    const project = new Project({ 'mocks/a.yaml': '', 'lib/b.ts': '', 'lib/c.ts': '', 'lib/other.ts': '' })
    const { watcher, chokidar } = await start(project, ['mocks'])
    const watched = () => chokidar.getWatched()[project.path('lib')] ?? []
    watcher.add([project.path('lib/b.ts')])
    await expect.poll(watched, eventually).toEqual(['b.ts'])
    watcher.add([project.path('lib/c.ts'), project.path('lib/b.ts')])
    watcher.add([])
    await expect.poll(watched, eventually).toEqual(['b.ts', 'c.ts'])
  })

  it('what arrives while a change is handled is handled next', async () => {
    const project = new Project({ 'mocks/a.yaml': '', 'mocks/b.yaml': '' })
    const release = createDeferred()
    let active = 0
    let most = 0
    const { seen, paths, chokidar } = await start(project, ['mocks'], {
      onChanges: async () => {
        most = Math.max(most, ++active)
        await release.promise
        active--
      },
    })
    project.write('mocks/a.yaml', 'x')
    await expect.poll(() => seen, eventually).toHaveLength(1)
    const reported = new Promise<void>((resolve) =>
      chokidar.on('all', (_, path) => path.endsWith('d.yaml') && resolve()),
    )
    project.write('mocks/b.yaml', 'x')
    project.write('mocks/d.yaml', 'x')
    await reported
    expect(seen).toEqual([{ paths: ['mocks/a.yaml'], structure: false }])
    release.resolve()
    await expect.poll(paths, eventually).toEqual(['mocks/a.yaml', 'mocks/b.yaml', 'mocks/d.yaml'])
    expect(most).toBe(1)
  })

  it('continues after a change could not be handled', async () => {
    const project = new Project({ 'mocks/a.yaml': '', 'mocks/b.yaml': '' })
    let failures = 0
    const { paths, errors } = await start(project, ['mocks'], {
      onChanges: () => (failures++ === 0 ? Promise.reject(new Error('no luck')) : Promise.resolve()),
    })
    project.write('mocks/a.yaml', 'x')
    await expect.poll(() => errors, eventually).toEqual([new Error('no luck')])
    project.write('mocks/b.yaml', 'x')
    await expect.poll(paths, eventually).toContain('mocks/b.yaml')
    expect(errors).toHaveLength(1)
  })

  it('handles changes from before it watched, and after each change', async () => {
    const project = new Project({ 'mocks/a.yaml': '' })
    const all: Changes[] = ['a', '', 'b'].map((path) => ({ paths: new Set(path), structure: path === '' }))
    const answers = [...all]
    const { seen } = await start(project, ['mocks'], { findStale: () => answers.shift() ?? nothing })
    await expect
      .poll(() => seen, eventually)
      .toEqual(all.map(({ paths, structure }) => ({ paths: [...paths], structure })))
  })

  it('a folder that was made while the watcher started is watched, too', async () => {
    const project = new Project()
    const answers: Changes[] = [{ ...nothing, structure: true }]
    const before = watchers.length
    await start(project, ['mocks'], { findStale: () => answers.shift() ?? nothing })
    await vi.waitUntil(() => watchers.length > before + 1, eventually)
    await watchers[before + 1]!.ready
    await expect.poll(() => watchers[before]!.watcher.closed, eventually).toBe(true)
    expect(watchers).toHaveLength(before + 2)
  })

  const refuse = (code: string) => Object.assign(new Error(`${code}: refused, watch`), { code })

  it('reports the first error of the watcher, and then compares periodically', async () => {
    const project = new Project({ 'mocks/a.yaml': '' })
    let compared = 0
    const { errors, limits, chokidar } = await start(project, ['mocks'], {
      findStale: () => (compared++, nothing),
    })
    for (let i = 0; i < 1000; i++) chokidar.emit('error', refuse('EACCES'))
    expect(errors).toEqual([refuse('EACCES')])
    await expect.poll(() => compared, eventually).toBeGreaterThan(2)
    expect([errors.length, limits, chokidar.closed]).toEqual([1, [], false])
  })

  it.each(['ENOSPC', 'EMFILE', 'ENFILE'])(
    'where the system can not watch so many files (%s), it is said once, and they are compared',
    async (code) => {
      const project = new Project({ 'mocks/a.yaml': '' })
      const changes = { paths: new Set([project.path('mocks/a.yaml')]), structure: true }
      const answers: Changes[] = []
      const { watcher, seen, errors, limits, chokidar } = await start(project, ['mocks'], {
        findStale: () => answers.shift() ?? nothing,
      })
      for (let i = 0; i < 1000; i++) chokidar.emit('error', refuse(code))
      expect([errors, limits]).toEqual([[], [code]])
      expect(chokidar.closed).toBe(true)
      const before = watchers.length
      watcher.add([project.path('more/b.yaml')])
      answers.push(changes)
      await expect.poll(() => seen, eventually).toHaveLength(1)
      answers.push(changes)
      await expect.poll(() => seen, eventually).toHaveLength(2)
      expect(seen[1]).toEqual({ paths: [project.path('mocks/a.yaml')], structure: true })
      expect(watchers).toHaveLength(before)
    },
  )

  it('a folder that can be read again is watched again', async () => {
    const project = new Project({ 'mocks/a.yaml': '' })
    const answers: Changes[] = []
    const { chokidar, errors } = await start(project, ['mocks'], {
      findStale: () => answers.shift() ?? nothing,
    })
    const before = watchers.length
    chokidar.emit('error', refuse('EACCES'))
    answers.push({ ...nothing, structure: true })
    await vi.waitUntil(() => watchers.length > before, eventually)
    await watchers[before]!.ready
    await expect.poll(() => chokidar.closed, eventually).toBe(true)
    watchers[before]!.watcher.emit('error', refuse('EACCES'))
    expect(errors).toEqual([refuse('EACCES')]) // known by now
    expect(Object.keys(watchers[before]!.watcher.getWatched())).toContain(project.path('mocks'))
  })

  it('a watcher that is closed before it starts never starts', async () => {
    const project = new Project({ 'mocks/a.yaml': '' })
    const before = watchers.length
    const listener = vi.fn()
    const watcher = watchFixtures([project.path('mocks')], {
      onChanges: listener,
      findStale: listener,
      onError: listener,
      onLimit: listener,
    })
    watcher.add([project.path('x.ts')])
    await watcher.close()
    await watcher.close()
    expect(watchers).toHaveLength(before)
    expect(listener).not.toHaveBeenCalled()
  })

  it('after close(), pending changes are not reported', async () => {
    const project = new Project({ 'mocks/a.yaml': '', 'mocks/b.yaml': '' })
    const release = createDeferred()
    const { watcher, seen, chokidar } = await start(project, ['mocks'], { onChanges: () => release.promise })
    project.write('mocks/a.yaml', 'x')
    await expect.poll(() => seen, eventually).toHaveLength(1)
    const reported = new Promise<void>((resolve) => void chokidar.on('all', () => resolve()))
    project.write('mocks/b.yaml', 'x')
    await reported
    await watcher.close()
    release.resolve()
    await new Promise((resolve) => setImmediate(resolve))
    expect(seen).toHaveLength(1)
    expect(chokidar.closed).toBe(true)
    expect(chokidar.getWatched()).toEqual({})
  })
})
