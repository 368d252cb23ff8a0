import { describe, expect, it } from 'vitest'
import { displayPath, isInside } from '../../src/loader/paths.ts'

describe('displayPath, isInside', () => {
  it.each([
    ['/app', '/app/a.yaml', 'a.yaml', true],
    ['/app', '/app/mocks/a.yaml', 'mocks/a.yaml', true],
    ['/app/', '/app/mocks/a.yaml', 'mocks/a.yaml', true],
    ['/app', '/app/..mocks/a.yaml', '..mocks/a.yaml', true],
    ['/app', '/app2/a.yaml', '/app2/a.yaml', false],
    ['/app', '/a.yaml', '/a.yaml', false],
    ['/app', '/app', '/app', false],
    ['/', '/a.yaml', 'a.yaml', true],
  ])('in %s, %s shows as %s', (root, path, shown, inside) => {
    expect(displayPath(root, path)).toBe(shown)
    expect(isInside(root, path)).toBe(inside)
  })
})

it('control characters in a file name are escaped, so that they cannot control the terminal', () => {
  expect(displayPath('/app', '/app/fixtures/a\x1b[2J\r\n\tb\x9b.yaml')).toBe(
    String.raw`fixtures/a\x1b[2J\x0d\n\tb\x9b.yaml`,
  )
})
