import { symlinkSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { isFresh, stalePaths, takeStamp, takeStamps } from '../../../src/loader/watch/file-stamps.ts'
import { Project } from '../project.ts'

describe('a stamp', () => {
  it.each<[what: string, change: (project: Project) => void, fresh: boolean]>([
    ['nothing happened', () => {}, true],
    ['it was written again, longer', (project) => project.write('a.txt', 'longer'), false],
    ['it was written again, as long', (project) => project.write('a.txt', 'two'), false],
    ['it was replaced', (project) => project.writeByRename('a.txt', 'two'), false],
    ['it was deleted', (project) => project.remove('a.txt'), false],
    ['it became a folder', (project) => (project.remove('a.txt'), project.write('a.txt/b', '')), false],
    [
      'it was replaced by a file as long and as old',
      (project) => {
        project.write('b.txt', 'two')
        project.age('b.txt')
        project.rename('b.txt', 'a.txt')
      },
      false,
    ],
  ])('of a file: %s', (_, change, fresh) => {
    const project = new Project({ 'a.txt': 'one' })
    project.age('a.txt')
    const stamp = takeStamp(project.path('a.txt'))
    change(project)
    expect(isFresh(project.path('a.txt'), stamp)).toBe(fresh)
  })

  it('tells two contents apart that were written within one tick of the clock', () => {
    const project = new Project()
    const path = project.path('a.txt')
    for (let round = 0; round < 200; round++) {
      project.write('a.txt', `${1000 + round}`)
      const stamp = takeStamp(path)
      project.write('a.txt', `${2000 + round}`)
      expect(isFresh(path, stamp), `round ${round}`).toBe(false)
    }
  })

  it('of a file that was written just now stays fresh while it grows old', () => {
    const project = new Project({ 'a.txt': 'one' })
    const stamp = takeStamp(project.path('a.txt'))
    expect(stamp.digest).toBeDefined()
    expect(isFresh(project.path('a.txt'), stamp)).toBe(true)
  })

  it.each(['missing', 'missing/deep', 'x'.repeat(300), 'loop', 'a\0b', '.'])(
    'of what is no file: %s',
    (name) => {
      const project = new Project()
      symlinkSync('loop', project.path('loop'))
      const path = `${project.root}/${name}`
      const stamp = takeStamp(path)
      expect(stamp).toMatchObject({ digest: undefined })
      expect(isFresh(path, stamp)).toBe(true)
    },
  )

  it('of thousands of files are compared in pieces: others run in between', async () => {
    const project = new Project({ a: 'one' })
    const read = Array.from({ length: 5_000 }, () => ({ stamps: takeStamps([project.path('a')]) }))
    let isAnswered = false
    setImmediate(() => (isAnswered = true))
    await stalePaths(read)
    expect(isAnswered).toBe(true)
  })

  it('tell which files are stale', async () => {
    const names = ['same.txt', 'edited.txt', 'emptied.txt', 'deleted.txt']
    const project = new Project(Object.fromEntries(names.map((name) => [name, 'one'])))
    const path = (name: string) => project.path(name)
    const read = [
      { stamps: takeStamps(names.slice(0, 2).map(path)) },
      { stamps: takeStamps(names.slice(2).map(path)) },
    ]
    project.write('edited.txt', 'four')
    project.write('emptied.txt', '')
    project.remove('deleted.txt')
    expect([...(await stalePaths(read))]).toEqual(names.slice(1).map(path))
  })

  it('of several', () => {
    const project = new Project({ 'a.txt': 'one' })
    const stamps = takeStamps([project.path('a.txt'), project.path('b.txt')])
    expect([...stamps].map(([path, { size }]) => [path, size])).toEqual([
      [project.path('a.txt'), 3],
      [project.path('b.txt'), undefined],
    ])
  })
})
