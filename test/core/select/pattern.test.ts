import { expect, it } from 'vitest'
import { compilePattern, loadPatterns, type Pattern } from '../../../src/core/select/pattern.ts'

await loadPatterns()

it.each<[source: string, flags: string, text: string, fits: boolean]>([
  ['^b+$', '', 'bb', true],
  ['^b+$', '', 'abb', false],
  ['B', 'i', 'abc', true],
  ['^b', 'm', 'a\nb', true],
  ['a.b', 's', 'a\nb', true],
  ['a.b', 'gy', 'a\nb', false],
  ['^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$', '', '123e4567-e89b-12d3-a456-426614174000', true],
  ['^.{1,255}$', '', 'x'.repeat(255), true],
])('/%s/%s on %j: %s', (source, flags, text, fits) => {
  expect((compilePattern(source, flags) as Pattern).test(text)).toBe(fits)
})

it.each([
  ['(', /missing closing \)/],
  ['(?=a)', /invalid or unsupported/],
  ['(?:[a-z]{0,1000}){1}'.repeat(20), /repeats too much: its counted repetitions add up to 20020/],
  ['[a-z]{0,900}', /too large: it compiles to \d+ instructions, and the limit is 1000/],
  ['((a{10}){10}){10}'.repeat(2), /too large/],
  ['a|'.repeat(1001), /too long: it has 2002 characters/],
])('%s is refused', (source, reason) => {
  expect(compilePattern(source, '')).toMatchObject({ reason: expect.stringMatching(reason) as string })
})

it.each(['a', '(?:a+)+$', '^(a|aa)+$', '(?:[a-z]{0,400}){1}', '(?:a?){300}a{90}', '(?i)[^a]{1,300}é'])(
  'testing /%s/ takes a limited number of steps, whatever the text',
  (source) => {
    const pattern = compilePattern(source, '') as Pattern
    expect(pattern.maxLength).toBeGreaterThanOrEqual(4000)
    expect(pattern.test(`${'a'.repeat(pattern.maxLength)}a`)).toBe(false)
    expect(typeof pattern.test('a'.repeat(pattern.maxLength))).toBe('boolean')
  },
)
