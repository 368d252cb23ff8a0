import { describe, expect, it } from 'vitest'
import { closesCircle, linkTarget, namesOf } from '../../src/files/links.ts'
import { Project } from '../loader/project.ts'

describe('linkTarget, closesCircle', () => {
  it.each<[target: string, leadsTo: string, circle: boolean]>([
    ['../real', 'real', false],
    ['../real/a.txt', 'real/a.txt', false],
    ['../missing/deep', 'missing/deep', false],
    ['link', 'folder/link', false],
    ['.', 'folder', true],
    ['..', '', true],
    ['../folder', 'folder', true],
    ['../again', 'folder', true],
    ['../real/back', 'folder', true],
  ])('a link to %s', (target, leadsTo, circle) => {
    const project = new Project({ 'real/a.txt': '', 'folder/b.txt': '' })
    project.link('again', 'folder')
    project.link('real/back', '../folder')
    project.link('folder/link', target)
    const link = project.path('folder/link')
    expect(linkTarget(link)).toBe(project.path(leadsTo).replace(/\/$/, ''))
    expect(closesCircle(link, linkTarget(link)!)).toBe(circle)
  })

  it.each(['real', 'real/a.txt', 'missing', 'x'.repeat(300)])('what is no link: %s', (path) => {
    expect(linkTarget(new Project({ 'real/a.txt': '' }).path(path))).toBeUndefined()
  })
})

describe('namesOf', () => {
  it.each<[what: string, path: string, links: [string, string][], names: string[]]>([
    ['no link', '/real/a', [], ['/real/a']],
    ['a link to it', '/real/a', [['/x', '/real/a']], ['/real/a', '/x']],
    ['a link to its folder', '/real/deep/a', [['/x', '/real']], ['/real/deep/a', '/x/deep/a']],
    ['a link to another one', '/real/a', [['/x', '/other']], ['/real/a']],
    ['a link to a file beside it', '/real/ab', [['/x', '/real/a']], ['/real/ab']],
    ['two links', '/real/a', [['/x', '/real'], ['/y', '/real/a']], ['/real/a', '/x/a', '/y']],
    ['a link behind a link', '/real/a', [['/other/x', '/real'], ['/y', '/other']], ['/real/a', '/other/x/a', '/y/x/a']],
  ])('%s', (_, path, links, names) => {
    expect([...namesOf(path, new Map(links))].sort()).toEqual(names.sort())
  }) // prettier-ignore

  it('of links that lead to each other there is an end', () => {
    const links = new Map([['/x/y', '/y'], ['/y/x', '/x']]) // prettier-ignore
    expect(namesOf('/x/a', links).size).toBeLessThan(10)
    expect(namesOf('/x/a', links)).toContain('/y/x/a')
  })
})
