/*
 * The two parsers of YAML agree: what the fast one reads has the value and the positions, or the error, that the other one gives it.
 */
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseYaml } from '../../src/loader/read/parse-yaml.ts'
import { readSimpleYaml, readWith } from '../../src/loader/read/read-yaml.ts'
import type { Source } from '../../src/loader/source.ts'
import { patience, sampling } from '../sampling.ts'
import { corpus } from './fixture-corpus.ts'
import { dataText, rawText } from './fixture-texts.ts'

const good = `# head
- &a
  path: /a
  when:
    query: &q { page: 2, 'q k': x, empty: , none }
  response: &r
    status: 0x1F
    none:
    headers: {x-a: 1.0, <<: *q}
    body: |
      text # no

      more
    fold: >-   # comment
      a
      b

- <<: [*a, { y: .inf }]
  name: "me\\tx\\
    y"
  list:
  - 1
  -
  - [a, 'it''s', {c: d}, e: f]
  - - x
    - *r
  ? |
    block
  : val
- 404: n
  __proto__: ~
  date: 2001-12-14
  "r" : multi
    line
  &k key: *a
`

const pieces = [
  ...['- ', '-', '-\n', '? ', '?', ': ', ':', ':\n', '\n', '\n  ', '\n    ', '\n- ', '\n  - ', ' ', '  '],
  ...['#', ' # c', '# c | d\n', '{', '}', '[', ']', ', ', ',', 'a: ', 'b: ', 'c: ', 'a:', '"k": ', "'k': "],
  ...['a', 'x y', '1', '01', '1.0', '0x1F', '0o17', '-0', '1e3', '1e999', '.inf', '-.INF', '.nan', '~'],
  ...['null', 'true', 'yes', 'No', '2001-12-14', '"a"', '"a\\n\\u00e9\\\n b"', "'it''s'", '"a\n\n  b"'],
  ...['|\n  x\n', '>\n  x\n   y\n\n  z\n', '|-\n', '|+2\n    x\n\n', '>-', '|', '&a ', '&b ', '*a', '*b'],
  ...['*a : ', '<<: ', '<<: *a', '<<: [*a, *b]', '__proto__: ', '---\n', '\n---\n', '\n...\n', '%YAML 1.2\n'],
  ...['!!str ', '!x ', '\t', '\r\n', 'é😀', '\\', '"', "'", '%', '@', '`', 'http://a:b', 'a#b', '\uFEFF'],
  ...['{ a: 1, b }', '{a: , b: x}', '[a, b: c]', '[]', '{}', '{ ? a, ? b : c }', '{"a":1}', '{ "a" :b }'],
]
const piece = fc.constantFrom(...pieces)
const soup = fc.array(piece, { maxLength: 14 }).map((parts) => parts.join(''))
const edit = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  take: fc.nat({ max: 6 }),
  put: fc.oneof(fc.constant(''), piece),
})
const edited = fc.array(edit, { maxLength: 3 }).map((edits) =>
  edits.reduce((text, { at, take, put }) => {
    const start = Math.floor(at * text.length)
    return text.slice(0, start) + put + text.slice(start + take)
  }, good),
)
const file = fc.oneof(dataText, rawText).filter(({ extension }) => extension === 'yaml')

it.each<[string, fc.Arbitrary<string>, runs: number]>([
  ['parts of YAML', soup, 1500],
  ['a file with mistakes', edited, 300],
  ['a fixture file', file.map(({ text }) => text), 60],
])('%s', { timeout: patience }, (_, text, runs) => {
  fc.assert(fc.property(text, compare), sampling(runs))
})

it.each(corpus.filter(({ extension, text }) => extension === 'yaml' && text.length < 100_000))(
  '$name',
  ({ text }) => compare(text),
)

// What the fast parser reads differently, or reads although it is an error.
it.each([
  ...['\t1', '-\t', '- a:\n\t', 'a:\t', '\n...\n- a', '  ---\n&a {}', '---\na: &a\nb: *a', '- &a\n- *a'],
  ...[
    '|+2\n    x\n\n',
    '- |+\n  \n  ',
    '"a": &a <<: ',
    "'k': &b 01c: ",
    'a:\n- {"a":1}-b: ',
    '- "\\U00110000"',
  ],
  ...['- ? a: b\n  : c', `${'a'.repeat(1030)}: b`, '&a a: b', '[a: b, &c c: d]', '- &a- b', '*a:', '&a: b'],
])('%j', (text) => compare(text))

it('a file with everything that is common is read by the fast parser', () => {
  expect(readSimpleYaml(good, 'a.yaml')).toHaveProperty('value')
})

function compare(file: string): void {
  const text = file.replace(/^\uFEFF/, '').replaceAll(/\r(?!\n)/g, '\n') // as the reader of files does
  const fast = readSimpleYaml(text, 'a.yaml')
  if (fast === undefined) return
  const other = readWith(parseYaml, text, 'a.yaml')
  if ('diagnostic' in fast || 'diagnostic' in other) expect(fast).toEqual(other)
  else {
    expect(isDeepStrictEqual(fast.value, other.value)).toBe(true)
    expect(describe(fast)).toEqual(describe(other))
  }
}

/** Where each part of a value is, and how its numbers are written. */
function describe({ value, locate, written }: Extract<Source, { value: unknown }>) {
  return pathsOf(value).flatMap((path) => [
    [...path, locate(path, 'key'), locate(path, 'value'), written?.(path)],
    [...path, 'missing', locate([...path, 'missing'], 'key')],
  ])
}

/** The paths of a value's parts: at most a few hundred, since aliases can make a small text large. */
function pathsOf(value: unknown): (string | number)[][] {
  const found: { path: (string | number)[]; part: unknown }[] = [{ path: [], part: value }]
  for (const { path, part } of found) {
    if (typeof part !== 'object' || part === null || found.length > 300) continue
    for (const [key, inner] of Object.entries(part))
      found.push({ path: [...path, Array.isArray(part) ? Number(key) : key], part: inner })
  }
  return found.map(({ path }) => path)
}
