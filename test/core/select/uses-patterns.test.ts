import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseFixture } from '../../../src/core/fixture/parse-fixture.ts'
import type { CompilePattern } from '../../../src/core/select/pattern.ts'
import { usesPatterns } from '../../../src/core/select/uses-patterns.ts'
import { anyWhen, goodWhen } from '../../fuzz/selector-arbitraries.ts'
import { file } from '../send.ts'

describe('usesPatterns', () => {
  const circle: Record<string, unknown> = {}
  circle.a = circle.b = circle

  it.each<[expected: boolean, title: string, when: unknown]>([
    [true, '$regex', { query: { q: { $regex: 'a' } } }],
    [true, 'a RegExp', { query: { q: /a/ } }],
    [true, 'one in an operator', { body: { $or: [{ a: { $not: { $regex: 'a' } } }] } }],
    [true, 'one below a key that is also a key of routes', { body: { response: { paginate: /a/ } } }],
    [true, 'a circle, which is refused later', { body: circle }],
    [false, 'other operators', { query: { q: { $in: ['$regex', 1] }, regex: 'a' } }],
    [false, 'a predicate', () => /a/.test('a')],
    [false, 'none', undefined],
  ])('%s for %s', (expected, _, when) => {
    expect(
      usesPatterns([
        { path: '/a', response: { body: { $regex: 'a' } } },
        { path: '/b', when },
      ]),
    ).toBe(expected)
    expect(usesPatterns({ routes: [{ path: '/b', when }] })).toBe(expected)
  })

  it('is true for every selector that needs RE2', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(goodWhen, anyWhen), { maxLength: 3 }), (whens) => {
        let isNeeded = false
        const compilePattern: CompilePattern = () => {
          isNeeded = true
          return { reason: 'never.' }
        }
        const content = whens.map((when) => ({ path: '/a', when }))
        parseFixture(content, { ...file, compilePattern })
        if (isNeeded) expect(usesPatterns(content)).toBe(true)
      }),
    )
  })
})
