import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalPath, canonicalRequestPath, parameterNames } from '../../../src/core/http/path.ts'

describe('canonicalRequestPath', () => {
  it.each<[path: string, canonical: string | undefined]>([
    ['/items', '/items'],
    ['/%69tems', '/items'],
    ['/caf%c3%a9', '/caf%C3%A9'],
    ['/%63afé', '/caf%C3%A9'],
    ['/café', '/caf%C3%A9'],
    ['/😀', '/%F0%9F%98%80'],
    ['/a^b', '/a%5Eb'],
    ['/a%2Fb', '/a%2Fb'],
    ['/a%2fb', '/a%2Fb'],
    ['/a%5Cb', '/a%5Cb'],
    ['/a%20b', '/a%20b'],
    ['/a%25b', '/a%25b'],
    ['/a%3Ab', '/a:b'],
    ['/', '/'],
    ['/%', undefined],
    ['/a%zz', undefined],
    ['/a%C3', undefined],
    ['/a%ED%A0%80', undefined],
  ])('writes %j as %j', (path, canonical) => {
    expect(canonicalRequestPath(path)).toBe(canonical)
  })

  it('writes every spelling of a segment in the same way, and does not change it again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (segment) => {
        const bytes = [...new TextEncoder().encode(segment)]
        const all = bytes.map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
        const canonical = canonicalRequestPath(`/${all}`)!
        expect(canonicalRequestPath(`/${encodeURIComponent(segment)}`)).toBe(canonical)
        expect(canonicalRequestPath(canonical)).toBe(canonical)
        expect(canonical.split('/')).toHaveLength(2)
        expect(decodeURIComponent(canonical.slice(1))).toBe(segment)
      }),
    )
  })
})

it.each([
  ['/orders/:id', '/orders/:id'],
  ['/%6frders/**:rest', '/orders/**:rest'],
  ['/a%2fb', '/a%2Fb'],
  ['/caf%c3%a9', '/caf%C3%A9'],
  ['/100%', '/100%25'],
  ['/a%zz', '/a%25zz'],
])('writes the fixture path %j as %j', (path, canonical) => {
  expect(canonicalPath(path)).toBe(canonical)
})

it.each([
  ['/orders', []],
  ['/files/**', ['0']],
  ['/files/*', ['0']],
  ['/:lang/*.png', ['lang', '0']],
  ['/files/:path*', ['path']],
  ['/a\\*', []],
  ['/orders/:id/lines/:line', ['id', 'line']],
  ['/f/:name.:ext', ['name', 'ext']],
  ['/orders/:id/**:rest', ['id', 'rest']],
  ['/a\\:b', []],
])('names the parameters of %j: %j', (path, names) => {
  expect(parameterNames(path)).toEqual(names)
})
