import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseFixture } from '../../../src/core/fixture/parse-fixture.ts'
import { neededLanguages, type Languages } from '../../../src/core/select/needed-languages.ts'
import { anyWhen, goodWhen } from '../../fuzz/selector-arbitraries.ts'
import { file } from '../send.ts'

type Needed = 'neither' | 'patterns' | 'documents' | 'both'

const needed = (content: unknown): Needed => {
  const { compilePattern, readDocument } = neededLanguages(content)
  if (compilePattern) return readDocument ? 'both' : 'patterns'
  return readDocument ? 'documents' : 'neither'
}

describe('the languages that selectors need', () => {
  const circle: Record<string, unknown> = {}
  circle.a = circle.b = circle
  const document = 'query A { a }'

  it.each<[expected: Needed, title: string, when: unknown]>([
    ['patterns', '$regex', { query: { q: { $regex: 'a' } } }],
    ['patterns', 'a RegExp', { query: { q: /a/ } }],
    ['patterns', 'one in an operator', { body: { $or: [{ a: { $not: { $regex: 'a' } } }] } }],
    ['patterns', 'one below a key that is also a key of routes', { body: { response: { paginate: /a/ } } }],
    ['documents', 'a document', { query: document }],
    ['both', 'a document and a pattern', { query: document, variables: { id: { $regex: 'a' } } }],
    ['both', 'a circle, which is refused later', { body: circle }],
    ['neither', 'other operators', { query: { q: { $in: ['$regex', 1] }, regex: 'a' } }],
    ['neither', 'a predicate', () => /a/.test('a')],
    ['neither', 'no selector', undefined],
  ])('%s: %s', (expected, _, when) => {
    const response = { body: { $regex: 'a', when: { query: document } } }
    expect(
      needed([
        { path: '/a', response },
        { path: '/b', when },
      ]),
    ).toBe(expected)
    expect(needed({ routes: [{ path: '/b', when }] })).toBe(expected)
  })

  it('include all that compiling them uses', () => {
    const document = fc.record({ query: fc.constant('query A { a }') })
    fc.assert(
      fc.property(fc.array(fc.oneof(goodWhen, anyWhen, document), { maxLength: 3 }), (whens) => {
        const used = { compilePattern: false, readDocument: false }
        const languages: Languages = {
          compilePattern() {
            used.compilePattern = true
            return { reason: 'never.' }
          },
          readDocument() {
            used.readDocument = true
            return { reason: 'never' }
          },
        }
        const content = whens.map((when) => ({ path: '/a', when }))
        parseFixture(content, { ...file, languages })
        const { compilePattern, readDocument } = neededLanguages(content)
        if (used.compilePattern) expect(compilePattern).toBe(true)
        if (used.readDocument) expect(readDocument).toBe(true)
      }),
    )
  })
})
