import { describe, expect, it } from 'vitest'
import { parseExactly, toJson } from '../../../../src/core/values/exact-number.ts'
import type { Json } from '../../../../src/inspector/api/api.ts'
import {
  cellText,
  columnsOf,
  readCell,
  strangeKind,
  type ItemRow,
} from '../../../../src/inspector/page/logic/items.ts'

/** Values as JSON; `-` for an item that does not have the field. */
const itemsOf = (values: string): ItemRow[] =>
  (values === '' ? [] : values.split(' | ')).map(
    (json) => (json === '-' ? {} : { field: parseExactly(json) }) as ItemRow,
  )
const columnOf = (values: string) => columnsOf(itemsOf(values), 'field').find(({ key }) => key === 'field')!

const numbers = '210 | 5 | 7'
const texts = '"ann" | "211" | "zoe"'
const flags = 'true | false'
const nullable = '210 | null | 7'
const nullableTexts = '"ann" | null | "zoe"'
const lists = '[1] | []'
const objects = '{"a":1} | {}'
const mixed = '1 | "a" | 2 | "b"'
const large = '9007199254740993123 | 9007199254740993124'
const stained = '"abc" | 5 | 7'

/** What is typed, what the cell had, what the column has; and as JSON what is saved, or after a question mark what is asked. */
const rows: [typed: string, before: string, column: string, read: string][] = [
  // A number column.
  ['-1.5', '210', numbers, '-1.5'],
  [' 211', '210', numbers, '211'],
  ['211 ', '210', numbers, '211'],
  ['1e3', '210', numbers, '1000'],
  ['0', '210', numbers, '0'],
  ['abc', '210', numbers, '?number: text "abc"'],
  ['01', '210', numbers, '?number: text "01"'],
  ['1,2\t3', '210', numbers, '?number: text "1,2\\t3"'],
  ['0x10', '210', numbers, '?number: text "0x10"'],
  ['"211"', '210', numbers, '?number: text "\\"211\\""'],
  ['true', '210', numbers, '?number: boolean true, text "true"'],
  ['[1]', '210', numbers, '?number: list [1], text "[1]"'],
  ['{}', '210', numbers, '?number: object {}, text "{}"'],
  ['null', '210', numbers, '?number: null null, text "null"'],
  ['', '210', numbers, '?number: null null, - -, text ""'],
  ['  ', '210', numbers, '?number: null null, - -, text "  "'],
  // Numbers that JavaScript can't hold.
  ['9007199254740993125', '9007199254740993123', large, '9007199254740993125'],
  ['9007199254740993125', '210', numbers, '9007199254740993125'],
  ['210', '9007199254740993123', large, '210'],
  ['1e400', '210', numbers, '1e400'],
  ['0.1000000000000000055511151231257827', '210', numbers, '0.1000000000000000055511151231257827'],
  ['9007199254740993125x', '9007199254740993123', large, '?number: text "9007199254740993125x"'],
  // A text column keeps texts, whatever they look like.
  ['bob', '"ann"', texts, '"bob"'],
  ['212', '"211"', texts, '"212"'],
  [' 211 ', '"ann"', texts, '" 211 "'],
  ['true', '"ann"', texts, '"true"'],
  ['"quoted"', '"ann"', texts, '"\\"quoted\\""'],
  ['2026-11-28', '"2026-11-27"', '"2026-11-27" | "2026-11-26"', '"2026-11-28"'],
  ['', '"ann"', texts, '""'],
  [' ', '"ann"', texts, '" "'],
  ['null', '"ann"', texts, '?text: null null, text "null"'],
  ['null', '"ann"', nullableTexts, '?text: null null, text "null"'],
  ['7', 'null', nullableTexts, '"7"'],
  ['bob', '-', texts, '"bob"'],
  // A text of several lines, which the field shows as JSON.
  ['"a\\nc"', '"a\\nb"', '"a\\nb" | "c"', '"a\\nc"'],
  ['plain', '"a\\nb"', '"a\\nb" | "c"', '"plain"'],
  // Booleans.
  ['false', 'true', flags, 'false'],
  [' false', 'true', flags, 'false'],
  ['False', 'true', flags, '?boolean: text "False"'],
  ['0', 'true', flags, '?boolean: number 0, text "0"'],
  // Columns that have null, and items without the field.
  ['null', '210', nullable, 'null'],
  ['8', 'null', nullable, '8'],
  ['abc', 'null', nullable, '?number: text "abc"'],
  ['8', '-', numbers, '8'],
  ['abc', '-', numbers, '?number: text "abc"'],
  ['null', '-', nullable, 'null'],
  ['abc', 'null', 'null | null', '"abc"'],
  ['8', 'null', 'null | null', '?-: number 8, text "8"'],
  ['8', '-', '', '?-: number 8, text "8"'],
  ['abc', '-', '', '"abc"'],
  // Lists and objects.
  ['[1, 2]', '[1]', lists, '[1,2]'],
  ['[9007199254740993123]', '[1]', lists, '[9007199254740993123]'],
  ['[1', '[1]', lists, '?list: text "[1"'],
  ['{}', '[1]', lists, '?list: object {}, text "{}"'],
  ['{"a":2}', '{"a":1}', objects, '{"a":2}'],
  ['{a:2}', '{"a":1}', objects, '?object: text "{a:2}"'],
  ['{"__proto__":1}', '{"a":1}', objects, '{"__proto__":1}'],
  // A text among numbers becomes a number again; nothing else changes its kind without a question.
  ['211', '"abc"', stained, '211'],
  ['def', '"abc"', stained, '?number: text "def"'],
  ['', '"abc"', stained, '?number: null null, - -, text ""'],
  ['6', '5', '"abc" | 5', '6'],
  ['x', '5', '"abc" | 5', '?number: text "x"'],
  ['x', '5', '"a" | "b" | 5', '?number: text "x"'],
  ['6', '5', '"a" | "b" | 5', '6'],
  // Nothing says what the column is.
  ['211', '"abc"', '"abc"', '?-: number 211, text "211"'],
  ['def', '"abc"', '"abc"', '"def"'],
  ['', '"abc"', '"abc"', '""'],
  ['211', '210', '210', '211'],
  // Columns without one kind.
  ['3', '1', mixed, '3'],
  ['c', '"a"', mixed, '"c"'],
  ['3', '"a"', mixed, '?-: number 3, text "3"'],
  ['c', '1', mixed, '?number: text "c"'],
  ['3', 'null', `${mixed} | null`, '?-: number 3, text "3"'],
  ['c', '-', mixed, '"c"'],
]

it.each(rows)('%j typed over %s among %s: %s', (typed, before, column, expected) => {
  const value = itemsOf(before)[0]!['field']
  const read = readCell(typed, value, columnOf(column))
  const written = (one: Json | undefined) => (one === undefined ? '-' : toJson(one)!)
  const shown =
    'choices' in read
      ? `?${read.expected ?? '-'}: ${read.choices.map(({ kind = '-', value }) => `${kind} ${written(value)}`).join(', ')}`
      : written(read.value)
  expect(shown).toBe(expected)
})

describe('the text of a cell', () => {
  const unchanged = ['210', '-0.5', 'true', '"211"', '"null"', '""', '" a "', '9007199254740993123', '1e400']
  const others = ['[1,{"a":null}]', '{"a":9007199254740993123}', '"a\\nb"', '"a\\r\\nb"', '"\\"a\\""']

  it.each([...unchanged, ...others])('of %s is one line, and says the same when it is typed', (json) => {
    const { field } = itemsOf(json)[0]!
    const text = cellText(field)
    expect(text).not.toMatch(/[\r\n]/)
    const read = readCell(text, field, columnOf(`${json} | ${json}`))
    expect(read).toMatchObject(json === '"null"' ? { choices: [{}, { value: field }] } : { value: field })
  })

  it.each(['null', '-'])('of %s is empty', (json) => expect(cellText(itemsOf(json)[0]!['field'])).toBe(''))
})

const shown: [value: string, column: string, kind: string | undefined][] = [
  ['210', numbers, undefined],
  ['"abc"', stained, 'text'],
  ['5', stained, undefined],
  ['"211"', '"211" | 5 | 7', 'text'],
  ['"211"', texts, undefined],
  ['"211"', '"211"', 'text'],
  ['"abc"', '"abc"', undefined],
  ['5', '"a" | "b" | 5', 'number'],
  ['"a"', mixed, 'text'],
  ['1', mixed, 'number'],
  ['[1]', '[1] | {"a":1}', 'list'],
  ['null', nullable, undefined],
  ['210', nullable, undefined],
  ['-', numbers, undefined],
  ['9007199254740993123', numbers, undefined],
]

it.each(shown)('%s among %s is shown as %s', (value, column, kind) => {
  expect(strangeKind(itemsOf(value)[0]!['field'], columnOf(column))).toBe(kind)
})

it('has the id first, then every key of the items', () => {
  expect(columnsOf([{ a: 1 }, { b: 1, id: 2 }], 'id').map(({ key }) => key)).toEqual(['id', 'a', 'b'])
})
