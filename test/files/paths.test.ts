import { posix, win32 } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pathsOf } from '../../src/files/paths.ts'

const onPosix = pathsOf(posix)
const onWindows = pathsOf(win32)

describe('displayPath, isInside', () => {
  it.each([
    ['/app', '/app/a.yaml', 'a.yaml', true],
    ['/app', '/app/mocks/a.yaml', 'mocks/a.yaml', true],
    ['/app/', '/app/mocks/a.yaml', 'mocks/a.yaml', true],
    ['/app', '/app/..mocks/a.yaml', '..mocks/a.yaml', true],
    ['/app', '/app/../a.yaml', '/app/../a.yaml', false],
    ['/app', '/app/..', '/app/..', false],
    ['/app', '/app/', '/app/', false],
    ['/app', '/app//mocks/./a.yaml', 'mocks/a.yaml', true],
    ['/app', '/app2/a.yaml', '/app2/a.yaml', false],
    ['/app', '/a.yaml', '/a.yaml', false],
    ['/app', '/app', '/app', false],
    ['/app', '/App/a.yaml', '/App/a.yaml', false],
    ['/app', String.raw`/app/a\b.yaml`, String.raw`a\b.yaml`, true],
    ['/app', String.raw`/app/..\b.yaml`, String.raw`..\b.yaml`, true],
    ['/', '/a.yaml', 'a.yaml', true],
  ])('in %s, %s shows as %s', (root, path, shown, inside) => {
    expect(onPosix.displayPath(root, path)).toBe(shown)
    expect(onPosix.isInside(root, path)).toBe(inside)
  })

  it.each([
    [String.raw`C:\app`, String.raw`C:\app\mocks\a.yaml`, 'mocks/a.yaml', true],
    [String.raw`C:\app`, 'C:/app/mocks/a.yaml', 'mocks/a.yaml', true],
    [String.raw`c:\App`, String.raw`C:\app\a.yaml`, 'a.yaml', true],
    [String.raw`C:\app`, String.raw`C:\app2\a.yaml`, 'C:/app2/a.yaml', false],
    [String.raw`C:\app`, String.raw`C:\a.yaml`, 'C:/a.yaml', false],
    [String.raw`C:\app`, String.raw`C:\app\..a.yaml`, '..a.yaml', true],
    [String.raw`C:\app`, String.raw`D:\app\a.yaml`, 'D:/app/a.yaml', false],
    [String.raw`C:\app`, String.raw`C:\app`, 'C:/app', false],
    ['C:\\', String.raw`C:\a.yaml`, 'a.yaml', true],
    [String.raw`\\server\share\app`, String.raw`\\server\share\app\a.yaml`, 'a.yaml', true],
    [String.raw`\\server\share\app`, String.raw`\\server\other\a.yaml`, '//server/other/a.yaml', false],
    [String.raw`\\?\C:\app`, String.raw`\\?\C:\app\a.yaml`, 'a.yaml', true],
  ])('on Windows, in %s, %s shows as %s', (root, path, shown, inside) => {
    expect(onWindows.displayPath(root, path)).toBe(shown)
    expect(onWindows.isInside(root, path)).toBe(inside)
  })

  const name = fc.stringMatching(/^[\w.äß \-[\]()@]*[\wä\]]$/).filter((text) => !/^\.*$/.test(text))
  const names = fc.array(name, { minLength: 1, maxLength: 4 })

  it('a path is shown the same on both systems', () => {
    fc.assert(
      fc.property(names, names, (folder, file) => {
        const root = posix.join('/', ...folder)
        const shown = onPosix.displayPath(root, posix.join(root, ...file))
        expect(shown).toBe(file.join('/'))
        const drive = win32.join('C:\\', ...folder)
        expect(onWindows.displayPath(drive, win32.join(drive, ...file))).toBe(shown)
      }),
    )
  })
})

it('control characters in a file name are escaped, so that they cannot control the terminal', () => {
  expect(onPosix.displayPath('/app', '/app/fixtures/a\x1b[2J\r\n\tb\x9b.yaml')).toBe(
    String.raw`fixtures/a\x1b[2J\x0d\n\tb\x9b.yaml`,
  )
})

it('files are sorted the same on both systems: a folder comes before a name that continues with a digit or a letter', () => {
  const paths = ['a1.yaml', 'B.yaml', 'a/x.yaml', 'a.yaml', 'a-b.yaml', 'a_b.yaml']
  const sorted = ['B.yaml', 'a-b.yaml', 'a.yaml', 'a/x.yaml', 'a1.yaml', 'a_b.yaml']
  expect(onPosix.sortPaths(paths)).toEqual(sorted)
  const asWindows = (path: string) => path.replaceAll('/', '\\')
  expect(onWindows.sortPaths(paths.map(asWindows))).toEqual(sorted.map(asWindows))
})
