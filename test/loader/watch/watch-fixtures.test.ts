import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { watchFixtures, type Changes, type WatchHandlers } from '../../../src/loader/watch/watch-fixtures.ts'
import { createDeferred } from '../deferred.ts'
import { Project, watchers } from '../project.ts'

const eventually = { timeout: 30_000, interval: 5 }
const nothing: Changes = { paths: new Set(), structure: false }

/** Watches places of a project; resolves when everything is watched. */
async function start(project: Project, places: string[], handlers: Partial<WatchHandlers> = {}) {
  const seen: { paths: string[]; structure: boolean }[] = []
  const errors: unknown[] = []
  const limits: string[] = []
  const before = watchers.length
  const watcher = watchFixtures(
    places.map((place) => project.path(place)),
    {
      findStale: handlers.findStale ?? (() => nothing),
      newSize: handlers.newSize ?? (() => 0),
      onError: (error) => errors.push(error),
      onLimit: (code) => limits.push(code),
      onChanges: (changes) => {
        const paths = [...changes.paths].map((path) => path.slice(project.root.length + 1)).sort()
        seen.push({ paths, structure: changes.structure })
        return handlers.onChanges?.(changes) ?? Promise.resolve()
      },
    },
  )
  onTestFinished(() => watcher.close())
  await vi.waitUntil(() => watchers.length > before, eventually)
  await watchers[before]!.ready
  return { watcher, seen, errors, limits, chokidar: watchers[before]!.watcher }
}

describe('watchFixtures', () => {
  it.each<[what: string, change: (project: Project) => void, path: string, structure: boolean]>([
    ['an edit', (project) => project.write('mocks/a.yaml', 'x'), 'mocks/a.yaml', false],
    ['an edit by rename', (project) => project.writeByRename('mocks/a.yaml', 'x'), 'mocks/a.yaml', false],
    ['a new file', (project) => project.write('mocks/b.yaml', 'x'), 'mocks/b.yaml', true],
    [
      'a new file in a new folder',
      (project) => project.write('mocks/deep/er/b.yaml', 'x'),
      'mocks/deep/er/b.yaml',
      true,
    ],
    ['a deleted file', (project) => project.remove('mocks/a.yaml'), 'mocks/a.yaml', true],
    [
      'a renamed file, its old name',
      (project) => project.rename('mocks/a.yaml', 'mocks/b.yaml'),
      'mocks/a.yaml',
      true,
    ],
    [
      'a renamed file, its new name',
      (project) => project.rename('mocks/a.yaml', 'mocks/b.yaml'),
      'mocks/b.yaml',
      true,
    ],
    ['a deleted folder', (project) => project.remove('mocks/sub'), 'mocks/sub', true],
  ])('reports %s', async (_, change, path, structure) => {
    const project = new Project({ 'mocks/a.yaml': '', 'mocks/sub/c.yaml': '' })
    const { seen } = await start(project, ['mocks'])
    change(project)
    await expect.poll(() => seen.find(({ paths }) => paths.includes(path)), eventually).toBeDefined()
    // A replaced file counts as one whose content is new, however the watcher came to know of it.
    if (structure)
      expect(seen.some((changes) => changes.paths.includes(path) && changes.structure)).toBe(true)
    else expect(seen.flatMap(({ paths }) => paths)).toContain(path)
  })

  it.each([
    ['a small file at once', 4095],
    ['a large one a moment later', 1_000_000],
  ])(
    'reports new content without waiting for chokidar, which may read a large folder first: %s',
    async (_, size) => {
      const project = new Project({ 'mocks/a.yaml': '', 'mocks/b.yaml': '' })
      const looks: number[] = []
      let count = 0
      const newSize = (path: string) => (path === project.path('mocks/a.yaml') && count++ >= 0 ? size : 0)
      const onChanges = () => Promise.resolve(void looks.push(count))
      const { seen, chokidar } = await start(project, ['mocks'], { newSize, onChanges })
      chokidar.removeAllListeners('all')
      project.write('mocks/b.yaml', 'x')
      project.write('mocks/a.yaml', 'x')
      await expect.poll(() => seen.length, eventually).toBeGreaterThan(0)
      expect(seen[0]).toEqual({ paths: ['mocks/a.yaml'], structure: false })
      if (size < 4096) expect(looks[0]).toBe(1)
      else expect(looks[0]).toBeGreaterThan(1)
    },
  )

  it('says nothing of what was there before it watched', async () => {
    const project = new Project({ 'mocks/a.yaml': '', 'mocks/deep/b.yaml': '' })
    const { seen } = await start(project, ['mocks'])
    project.write('mocks/c.yaml', 'x')
    await expect.poll(() => seen.length, eventually).toBeGreaterThan(0)
    expect(new Set(seen.flatMap(({ paths }) => paths))).toEqual(new Set(['mocks/c.yaml']))
  })

  it('does not look into node_modules and .git', async () => {
    const project = new Project({
      'mocks/a.yaml': '',
      'mocks/node_modules/x/b.yaml': '',
      'mocks/.git/c.yaml': '',
      'mocks/my.git/d.yaml': '',
    })
    const { seen } = await start(project, ['mocks'])
    project.write('mocks/node_modules/x/b.yaml', 'x')
    project.write('mocks/.git/c.yaml', 'x')
    project.write('mocks/my.git/d.yaml', 'x')
    project.write('mocks/a.yaml', 'x')
    await expect
      .poll(() => seen.flatMap(({ paths }) => paths), eventually)
      .toEqual(expect.arrayContaining(['mocks/a.yaml', 'mocks/my.git/d.yaml']))
    expect(new Set(seen.flatMap(({ paths }) => paths))).toEqual(
      new Set(['mocks/a.yaml', 'mocks/my.git/d.yaml']),
    )
  })

  it.each([
    ['mocks', 'mocks/a.yaml'],
    ['a/b/c', 'a/b/c/d/x.yaml'],
    ['mocks.yaml', 'mocks.yaml'],
  ])('sees a path that does not exist at first: %s', async (place, path) => {
    const project = new Project()
    const { seen } = await start(project, [place])
    project.write(path, 'x')
    await expect.poll(() => seen.flatMap(({ paths }) => paths), eventually).toContain(path)
  })

  it('watches more files on demand, at once or later', async () => {
    const project = new Project({ 'mocks/a.yaml': '', 'lib/b.ts': '', 'lib/c.ts': '', 'lib/other.ts': '' })
    const seen = new Set<string>()
    const before = watchers.length
    const watcher = watchFixtures([project.path('mocks')], {
      onChanges: ({ paths }) => Promise.resolve(paths.forEach((path) => seen.add(path))),
      findStale: () => nothing,
      newSize: () => 0,
      onError: (error) => expect.unreachable(String(error)),
      onLimit: (code) => expect.unreachable(code),
    })
    onTestFinished(() => watcher.close())
    watcher.add([project.path('lib/b.ts')])
    await vi.waitUntil(() => watchers.length > before, eventually)
    await watchers[before]!.ready
    project.write('lib/b.ts', 'x')
    await expect.poll(() => [...seen], eventually).toContain(project.path('lib/b.ts'))
    watcher.add([project.path('lib/c.ts'), project.path('lib/b.ts')])
    watcher.add([])
    // Nothing says when a file that was added is watched: it is written until it is seen.
    let text = ''
    await expect
      .poll(
        () => {
          project.write('lib/c.ts', (text += 'x'))
          return [...seen]
        },
        { timeout: 30_000, interval: 60 },
      )
      .toContain(project.path('lib/c.ts'))
    project.write('lib/other.ts', 'x')
    project.write('mocks/a.yaml', 'x')
    await expect.poll(() => [...seen], eventually).toContain(project.path('mocks/a.yaml'))
    expect([...seen]).not.toContain(project.path('lib/other.ts'))
  })

  it('collects changes that arrive while a change is handled', async () => {
    const project = new Project({ 'mocks/a.yaml': '', 'mocks/b.yaml': '', 'mocks/c.yaml': '' })
    const release = createDeferred()
    let active = 0
    let most = 0
    const { seen, chokidar } = await start(project, ['mocks'], {
      onChanges: async () => {
        most = Math.max(most, ++active)
        await release.promise
        active--
      },
    })
    const reported = new Set<string>()
    chokidar.on('all', (_, path) => reported.add(path.slice(project.root.length + 1)))
    project.write('mocks/a.yaml', 'x')
    await expect.poll(() => seen, eventually).toHaveLength(1)
    project.write('mocks/b.yaml', 'x')
    project.write('mocks/c.yaml', 'x')
    project.write('mocks/d.yaml', 'x')
    await expect
      .poll(() => [...reported], eventually)
      .toEqual(expect.arrayContaining(['mocks/b.yaml', 'mocks/c.yaml', 'mocks/d.yaml']))
    await new Promise((resolve) => setImmediate(resolve))
    expect(seen).toEqual([{ paths: ['mocks/a.yaml'], structure: false }])
    release.resolve()
    await expect.poll(() => seen, eventually).toHaveLength(2)
    expect(seen[1]!.paths).toEqual(expect.arrayContaining(['mocks/b.yaml', 'mocks/c.yaml', 'mocks/d.yaml']))
    expect(seen[1]!.structure).toBe(true)
    expect(most).toBe(1)
  })

  it('continues after a change could not be handled', async () => {
    const project = new Project({ 'mocks/a.yaml': '', 'mocks/b.yaml': '' })
    let failures = 0
    const { seen, errors } = await start(project, ['mocks'], {
      onChanges: () => (failures++ === 0 ? Promise.reject(new Error('no luck')) : Promise.resolve()),
    })
    project.write('mocks/a.yaml', 'x')
    await expect.poll(() => errors, eventually).toEqual([new Error('no luck')])
    project.write('mocks/b.yaml', 'x')
    await expect.poll(() => seen.flatMap(({ paths }) => paths), eventually).toContain('mocks/b.yaml')
    expect(errors).toHaveLength(1)
  })

  it('handles changes from before it watched, and after each change', async () => {
    const project = new Project({ 'mocks/a.yaml': '', 'mocks/b.yaml': '' })
    const missed = (...paths: string[]): Changes => ({
      paths: new Set(paths.map((path) => project.path(path))),
      structure: false,
    })
    const answers = [missed('mocks/a.yaml'), { ...nothing, structure: true }, missed('mocks/b.yaml')]
    const { seen } = await start(project, ['mocks'], { findStale: () => answers.shift() ?? nothing })
    await expect.poll(() => answers, eventually).toEqual([])
    await expect
      .poll(() => seen, eventually)
      .toEqual([
        { paths: ['mocks/a.yaml'], structure: false },
        { paths: [], structure: true },
        { paths: ['mocks/b.yaml'], structure: false },
      ])
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
      expect(seen[1]).toEqual({ paths: ['mocks/a.yaml'], structure: true })
      expect(watchers).toHaveLength(before)
    },
  )

  it('a folder that can be read again is watched again', async () => {
    const project = new Project({ 'mocks/a.yaml': '' })
    const answers: Changes[] = []
    const { chokidar, seen, errors } = await start(project, ['mocks'], {
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
    project.write('mocks/b.yaml', 'x')
    await expect.poll(() => seen.flatMap(({ paths }) => paths), eventually).toContain('mocks/b.yaml')
  })

  it('a watcher that is closed before it starts never starts', async () => {
    const project = new Project({ 'mocks/a.yaml': '' })
    const before = watchers.length
    const listener = vi.fn()
    const watcher = watchFixtures([project.path('mocks')], {
      onChanges: listener,
      findStale: listener,
      newSize: listener,
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
    const reported = new Promise<void>((resolve) => chokidar.on('all', () => resolve()))
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
