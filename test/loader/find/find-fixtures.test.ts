import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { globSync } from 'tinyglobby'
import { describe, expect, it } from 'vitest'
import { findFixtures, fixturePlaces } from '../../../src/loader/find/find-fixtures.ts'
import { fixtureExtensions } from '../../../src/loader/find/fixture-names.ts'
import { displayPath, sortPaths } from '../../../src/files/paths.ts'
import { searchFiles } from '../../../src/loader/find/search-files.ts'
import { Project, type Files } from '../project.ts'

function find(root: string, ...fixtures: string[]): string[] {
  return findFixtures({ root, fixtures }).files.map((file) => displayPath(root, file))
}

function filesOf(...paths: string[]): Files {
  return Object.fromEntries(paths.map((path) => [path, '']))
}

describe('findFixtures', () => {
  it.each([
    ['a folder', ['mocks'], ['mocks/a.yaml', 'mocks/deep/er/c.yaml', 'mocks/drafts/d.yaml']],
    [
      'a folder with a trailing slash',
      ['mocks/'],
      ['mocks/a.yaml', 'mocks/deep/er/c.yaml', 'mocks/drafts/d.yaml'],
    ],
    ['a folder with a leading dot', ['./mocks/deep'], ['mocks/deep/er/c.yaml']],
    ['a file', ['mocks/deep/er/c.yaml'], ['mocks/deep/er/c.yaml']],
    ['a file with a leading dot', ['./other/b.json'], ['other/b.json']],
    ['a glob', ['mocks/*.yaml'], ['mocks/a.yaml']],
    ['a glob with a leading dot', ['./mocks/*.yaml'], ['mocks/a.yaml']],
    ['a glob over folders', ['*/*.{yaml,json}'], ['mocks/a.yaml', 'other/b.json']],
    ['a list', ['other', 'mocks/a.yaml'], ['mocks/a.yaml', 'other/b.json']],
    [
      'entries that overlap',
      ['mocks', 'mocks/a.yaml', 'mocks/**/*.yaml', './mocks'],
      ['mocks/a.yaml', 'mocks/deep/er/c.yaml', 'mocks/drafts/d.yaml'],
    ],
    ['a negated glob', ['mocks', '!mocks/drafts/**'], ['mocks/a.yaml', 'mocks/deep/er/c.yaml']],
    [
      'a negated glob that stands first',
      ['!mocks/drafts/**', 'mocks'],
      ['mocks/a.yaml', 'mocks/deep/er/c.yaml'],
    ],
    ['a negated file', ['mocks', '!mocks/a.yaml'], ['mocks/deep/er/c.yaml', 'mocks/drafts/d.yaml']],
    ['a negated folder', ['mocks', '!mocks/drafts'], ['mocks/a.yaml', 'mocks/deep/er/c.yaml']],
    ['a folder that is missing', ['missing'], []],
    ['a file that is missing', ['missing/a.yaml'], []],
    ['a missing folder beside one that exists', ['missing', 'other'], ['other/b.json']],
  ])('%s', (_, fixtures, expected) => {
    const project = new Project(
      filesOf('mocks/a.yaml', 'mocks/deep/er/c.yaml', 'mocks/drafts/d.yaml', 'other/b.json', 'package.json'),
    )
    expect(find(project.root, ...fixtures)).toEqual(expected)
  })

  it.each(['mocks', 'mocks/**', 'mocks/**/*'])(
    '%s: every extension of a fixture file, and no other',
    (entry) => {
      const fixtures = fixtureExtensions.map((extension) => `mocks/a.${extension}`)
      const others =
        'README.md logo.png yaml a.yaml~ a.yaml.tmp .#a.yaml .a.yaml.swp types.d.ts types.d.mts'.split(' ')
      const ignored = ['node_modules/x/a.yaml', 'deep/node_modules/a.yaml']
      const project = new Project(
        filesOf(...fixtures, ...[...others, ...ignored].map((name) => `mocks/${name}`)),
      )
      expect(find(project.root, entry)).toEqual([...fixtures].sort())
    },
  )

  it('orders by path, whatever the order of the entries', () => {
    const project = new Project(
      filesOf('b/z.yaml', 'b/a.json', 'a/y.ts', 'a/y/x.yaml', 'B/x.yaml', 'a10.yaml', 'a9.yaml'),
    )
    expect(find(project.root, 'b', 'a9.yaml', 'a', 'a10.yaml', 'B')).toEqual([
      'B/x.yaml',
      'a/y.ts',
      'a/y/x.yaml',
      'a10.yaml',
      'a9.yaml',
      'b/a.json',
      'b/z.yaml',
    ])
  })

  const odd = "[x] (a) {b,c} !no +p @at é ß #h $(x) [...all] it's {x}".split(' ')
  describe.each([...odd, 'a b'])('a folder named %j', (name) => {
    it('inside of a fixture folder, and as the root', () => {
      const project = new Project(
        filesOf(`mocks/${name}/b.yaml`, `${name}/mocks/c.yaml`, 'x/d.yaml', 'a/d.yaml'),
      )
      expect(find(project.root, 'mocks')).toEqual([`mocks/${name}/b.yaml`])
      expect(find(project.root, 'mocks/**/*.yaml')).toEqual([`mocks/${name}/b.yaml`])
      expect(find(project.path(name), 'mocks')).toEqual(['mocks/c.yaml'])
      expect(find(project.path(name), 'mocks/*.yaml')).toEqual(['mocks/c.yaml'])
    })

    it('as the entry', () => {
      const project = new Project(filesOf(`${name}/a.yaml`, `mocks/${name}/b.yaml`, 'x/d.yaml', 'a/d.yaml'))
      expect(find(project.root, `./${name}`)).toEqual([`${name}/a.yaml`])
      expect(find(project.root, `mocks/${name}`)).toEqual([`mocks/${name}/b.yaml`])
      expect(find(project.root, `./${name}/a.yaml`)).toEqual([`${name}/a.yaml`])
      expect(fixturePlaces({ root: project.root, fixtures: [`./${name}`] })).toEqual([project.path(name)])
    })
  })

  it('absolute paths and paths outside of the root', () => {
    const project = new Project(filesOf('app/mocks/a.yaml', 'shared/b.yaml'))
    const outside = project.path('shared/b.yaml').replaceAll('\\', '/')
    expect(find(project.path('app'), project.path('app/mocks'), project.path('shared'))).toEqual([
      'mocks/a.yaml',
      outside,
    ])
    expect(find(project.path('app'), '../shared')).toEqual([outside])
    expect(find(project.path('app'), '../shared/*.yaml')).toEqual([outside])
    expect(find(project.path('app'), '../shared/b.yaml')).toEqual([outside])
  })

  it('follows links to folders and files; a broken link is not a fixture file', () => {
    const project = new Project(filesOf('shared/b.yaml', 'shared/deep/c.yaml', 'mocks/a.yaml'))
    symlinkSync(project.path('shared'), project.path('mocks/link'))
    symlinkSync(project.path('shared'), project.path('whole'))
    symlinkSync(project.path('shared/b.yaml'), project.path('mocks/one.yaml'))
    symlinkSync(project.path('shared/gone.yaml'), project.path('mocks/broken.yaml'))
    // One file counts once, by its shortest name.
    expect(find(project.root, 'mocks')).toEqual(['mocks/a.yaml', 'mocks/link/deep/c.yaml', 'mocks/one.yaml'])
    expect(find(project.root, 'whole')).toEqual(['whole/b.yaml', 'whole/deep/c.yaml'])
  })
})

describe('searchFiles finds the files that tinyglobby finds', () => {
  const files = filesOf(
    ...'a.yaml b.json .c.yaml mocks/a.yaml mocks/.d.yaml mocks/deep/er/c.yaml mocks/.deep/e.yaml mocks/[x]/f.yaml'.split(' '),
    ...'src/api/mocks/g.yaml src/api/h.ts src/ui/mocks/.i/j.yaml src/node_modules/k/l.yaml node_modules/m/n.yaml'.split(' '),
  ) // prettier-ignore
  it.each([
    ...'* ** **/* *.yaml */*.yaml **/*.yaml {a,b}.* {mocks,src/*}/**/*.yaml mocks/** mocks/*/** src/*/mocks/** src/{api,ui}/mocks/*'.split(' '),
    ...'**/mocks/** **/.* .* mocks/.deep/* mocks/.*/* **/.i/** src/**/mocks/.i/* mocks/\\[x\\]/* mocks/[!x]* mocks/?.yaml mocks/@(deep|x)/** +(a|b).* mocks/!(deep)/*'.split(' '),
    ...'./mocks/*.yaml node_modules/m/* src/node_modules/** src/*/*/*/* **/deep/**/c.yaml **/{g,h}.*'.split(' '),
  ])('%s', (pattern) => {
    const { root } = new Project(files)
    for (const negated of [[], ['!mocks/deep/**'], ['!**/*.json', '!**/mocks/*'], ['!src']])
      for (const dot of [false, true]) {
        const options = { cwd: root, dot, ignore: ['**/node_modules/**'], absolute: true, expandDirectories: false }
        const expected = globSync([pattern, ...negated.map((one) => (one === '!src' ? '!src/**' : one))], options)
        expect([negated, dot, sortPaths(searchFiles(root, [pattern, ...negated], { dot }))]).toEqual([
          negated,
          dot,
          sortPaths(expected),
        ])
      }
  }) // prettier-ignore
})

describe('fixturePlaces', () => {
  it.each([
    ['a folder', ['mocks'], ['mocks']],
    ['a folder that is missing', ['a/b'], ['a/b']],
    ['a glob', ['src/**/*.mock.ts'], ['src']],
    ['a glob from the root on', ['*.yaml'], ['']],
    ['a list', ['mocks', 'x/*.yaml'], ['mocks', 'x']],
  ])('watches %s', (_, fixtures, watched) => {
    const { root } = new Project(filesOf('mocks/a.yaml'))
    expect(fixturePlaces({ root, fixtures })).toEqual(watched.map((path) => join(root, path)))
  })
})
