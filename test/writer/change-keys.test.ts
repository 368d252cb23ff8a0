import fc from 'fast-check'
import { expect, it } from 'vitest'
import { changeKeys, type KeyChange } from '../../src/writer/change-keys.ts'
import { FixtureText } from '../../src/writer/fixture-text.ts'
import { sampling } from '../sampling.ts'

const gone = (key: string, ...object: (string | number)[]): KeyChange => ({ object, key, to: 'gone' })
const named = (key: string, name: string, ...object: (string | number)[]): KeyChange => ({ object, key, to: { name } }) // prettier-ignore
const added = (key: string, value: unknown, ...object: (string | number)[]): KeyChange => ({ object, key, to: { value } }) // prettier-ignore

const rows: [what: string, before: string, changes: KeyChange[], after: string | undefined][] = [
  [
    'quotes of a key',
    `"a": 1\n'b': 2\nc: 3\n`,
    [named('a', 'x y'), named('b', "it's"), named('c', 'd')],
    `"x y": 1\n'it''s': 2\nd: 3\n`,
  ],
  ['a name with a control character', "'a': 1\n", [added('\u001bb', 1)], `'a': 1\n"\\eb": 1\n`],
  ['a name that needs quotes', 'a: 1\n', [named('a', '#x: y')], `'#x: y': 1\n`],
  [
    'comments',
    '# top\na: 1 # one\n# two\nb: 2 # two\n# end\n',
    [gone('a'), added('c', 'x')],
    '# top\n# two\nb: 2 # two\nc: x\n# end\n',
  ],
  ['an object in lines', 'a:\n  b:\n    c: 1\n    d: [1,\n      2]\n  e: 1\n', [gone('b', 'a')], 'a:\n  e: 1\n'],
  ['the first key of an item', '- a: 1 # x\n  b: 2\n- b: 3\n', [gone('a', 0)], '- b: 2\n- b: 3\n'],
  [
    'the comment of the next key',
    'x: { a: 1, # one\n  # two\n  b: 2 }\ny:\n  - a: 1 # one\n    # two\n    b: 2\n',
    [gone('a', 'x'), gone('a', 'y', 0)],
    'x: { # two\n  b: 2 }\ny:\n  - # two\n    b: 2\n',
  ],
  [
    'a comment behind several keys of a line',
    'x: { a: 1, b: 2, # both\n  c: 3 # last\n}\n',
    [gone('b', 'x'), gone('c', 'x')],
    'x: { a: 1 # both\n}\n',
  ],
  ['the comment of the only key', 'x: { a: 1 # one\n}\n', [gone('a', 'x')], 'x: { \n}\n'],
  ['the only key in lines', 'x:\n  a: 1 # why\n', [gone('a', 'x')], 'x:\n  {} # why\n'],
  ['the only key of an item', '- a:\n    b: 1\n- 2\n', [gone('a', 0)], '- {}\n- 2\n'],
  ['the only key in place of another', '{ a: 1 }\n', [gone('a'), added('b', 2)], '{ b: 2 }\n'],
  ['an empty object', 'x: {}\n', [added('a', 1, 'x')], 'x: { a: 1 }\n'],
  [
    'an object behind a block of text',
    'x:\n  a: |\n    one\n    two\n\ny: 1\n',
    [added('b', [1], 'x')],
    'x:\n  a: |\n    one\n    two\n  b: [ 1 ]\n\ny: 1\n',
  ],
  [
    'several keys of one object',
    'a: 1\nb: 2\nc: 3\n',
    [gone('a'), gone('c'), named('b', 'd'), added('e', null)],
    'd: 2\ne: null\n',
  ],
  ['all items', '- { a: 1, b: 2 }\n- { b: 2, a: 1 }\n', [gone('a', 0), gone('a', 1)], '- { b: 2 }\n- { b: 2 }\n'],
  ['no end of the last line', 'a: 1', [added('b', 2)], 'a: 1\nb: 2'],
  ['a trailing comma', 'x: {\n  a: 1, # one\n}\n', [added('b', 2, 'x')], 'x: {\n  a: 1, # one\n  b: 2,\n}\n'],
  ['a brace behind the last key', 'x: { a: 1,\n  b: 2 }\n', [added('c', 3, 'x')], 'x: { a: 1,\n  b: 2, c: 3 }\n'],
  ['a text in lines', 'a: 1\n', [added('b', 'one\ntwo: #')], 'a: 1\nb: "one\\ntwo: #"\n'],
  ['a shared anchor', 'x: &o { a: 1 }\ny: *o\n', [gone('a', 'x')], undefined],
  ['all places of a shared anchor', 'x: &o { a: 1, b: 2 }\ny: *o\n', [gone('a', 'x'), gone('a', 'y')], 'x: &o { b: 2 }\ny: *o\n'],
  ['merged keys', 'x: &o { a: 1 }\ny: { <<: *o, b: 1 }\n', [gone('a', 'y')], undefined],
  ['an anchor that is used elsewhere', 'x: { a: &o { b: 1 } }\ny: *o\n', [gone('a', 'x')], undefined],
  ['a key that is there', 'a: 1\n', [added('a', 2)], undefined],
  ['a key that is not there', 'a: 1\n', [gone('b')], undefined],
  ['no object', 'a: 1\n', [gone('b', 'a')], undefined],
] // prettier-ignore

it.each(rows)('YAML: %s', (_, before, changes, after) => {
  expect(changeKeys(new FixtureText(before), changes)?.text).toBe(after)
})

const json: typeof rows = [
  [
    'one line',
    '{"a":1,"b":{"c":2}}',
    [named('a', 'x'), added('d', { e: 1 }, 'b'), gone('c', 'b')],
    '{"x":1,"b":{"d": {"e":1}}}',
  ],
  [
    'lines',
    '{\n  "a": 1, // one\n  "b": 2 // two\n}\n',
    [added('c', { d: 1 }), gone('a')],
    '{\n  "b": 2, // two\n  "c": {\n    "d": 1\n  }\n}\n',
  ],
  ['the last of several', '{\n  "a": 1,\n  "b": 2\n}\n', [gone('b')], '{\n  "a": 1\n}\n'],
  [
    'the comments of other keys',
    '{\n  "a": 1, // one\n\n  // two\n  "b": 2, /* more\n  of it */\n  // three\n  "c": 3 // last\n}\n',
    [gone('a'), gone('c')],
    '{\n\n  // two\n  "b": 2 /* more\n  of it */\n  // three\n}\n',
  ],
  ['a trailing comma of the only key', '{ "a": { "b": 1, } }', [gone('b', 'a')], '{ "a": { } }'],
  ['tabs', '{\n\t"a": 1\n}\n', [added('b', { c: 2 })], '{\n\t"a": 1,\n\t"b": {\n\t\t"c": 2\n\t}\n}\n'],
]

it.each(json)('JSON: %s', (_, before, changes, after) => {
  expect(changeKeys(new FixtureText(before, true), changes)?.text).toBe(after)
})

interface Entry {
  hasAbove: boolean
  hasBehind: boolean
  breaks: boolean
  value: string
}

/** Maps whose entries have a comment above them, or behind them, or both. */
const layouts = fc.record({
  kind: fc.constantFrom('lines', 'braces', 'JSON'),
  indent: fc.constantFrom('  ', '\t'),
  hasTrailingComma: fc.boolean(),
  end: fc.constantFrom('\n', ''),
  entries: fc.array(
    fc.record<Entry>({
      hasAbove: fc.boolean(),
      hasBehind: fc.boolean(),
      breaks: fc.boolean(),
      value: fc.constantFrom('1', '"#//"', '[1, 2]', '{ "a": [] }'),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  at: fc.nat(3),
  to: fc.constantFrom<KeyChange['to']>('gone', { name: 'new' }, { value: 7 }),
})

it('what stands beside an entry stays as it is when the entry changes', () => {
  fc.assert(
    fc.property(layouts, ({ kind, indent, hasTrailingComma, end, entries, at, to }) => {
      const mark = kind === 'JSON' ? '//' : '#'
      const keyOf = (i: number) => (kind === 'JSON' ? `"key${i}"` : `key${i}`)
      const above = ({ hasAbove }: Entry, i: number) => (hasAbove ? `${mark} above${i}\n` : '')
      const behind = ({ hasBehind }: Entry, i: number) => (hasBehind ? ` ${mark} behind${i}\n` : '')
      const lines = entries.map((entry, i) => {
        const comma = i < entries.length - 1 || hasTrailingComma ? ',' : ''
        const text = `${keyOf(i)}: ${entry.value}`
        if (kind === 'lines') return `${above(entry, i)}${text}${behind(entry, i) || '\n'}`
        const start = entry.breaks || entry.hasAbove ? `\n${indent}` : ' '
        return `${start}${above(entry, i)}${entry.hasAbove ? indent : ''}${text}${comma}${behind(entry, i)}`
      })
      const text = (kind === 'lines' ? lines.join('').trimEnd() : `{${lines.join('')} }`) + end
      const changed = at % entries.length
      const key = to === 'gone' || 'name' in to ? `key${changed}` : 'new'
      const after = changeKeys(new FixtureText(text, kind === 'JSON'), [{ object: [], key, to }])?.text

      // White space, commas and quotes are the edit's own.
      const plain = (part: string) => part.replace(/[\s,"]/g, '')
      // A comment behind several entries is about all of them.
      const isAlone =
        kind === 'lines' ||
        changed === 0 ||
        entries[changed]!.breaks ||
        entries[changed]!.hasAbove ||
        entries[changed - 1]!.hasBehind
      const isOnlyInLines = kind === 'lines' && entries.length === 1
      const expected = entries.map((entry, i) => {
        const [over, value, comment] = [above(entry, i), `${keyOf(i)}: ${entry.value}`, behind(entry, i)]
        if (i !== changed || to !== 'gone') return plain(over + value + comment)
        return plain(over + (isOnlyInLines ? '{}' : '') + (isOnlyInLines || !isAlone ? comment : ''))
      })
      const written = expected.join('')
      const found = plain(after ?? '').replace('new:7', '')
      expect(found.replace('new', `key${changed}`)).toBe(kind === 'lines' ? written : `{${written}}`)
      for (const [i, { hasBehind }] of entries.entries())
        if (hasBehind && i !== changed)
          expect(after!.split('\n').filter((line) => line.includes(`behind${i}`))).toEqual([
            expect.stringContaining(`key${i}`),
          ])
    }),
    sampling(200),
  )
})
