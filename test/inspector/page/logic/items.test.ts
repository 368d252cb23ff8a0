/* A cell keeps the kind of its column: what is saved, and when the page asks. */
import { expect, it } from 'vitest'
import type { Json } from '../../../../src/inspector/api.ts'
import { cellText, columnKind, readTyped, type Kind } from '../../../../src/inspector/page/logic/items.ts'

it.each<[column: Kind | undefined, before: Json | undefined, typed: string, value: Json, asks?: Kind]>([
  ['number', 210, '211', 211],
  ['number', 210, ' 211 ', 211],
  ['number', 210, '-1.5', -1.5],
  ['number', 210, '1e3', 1000],
  ['number', 210, '1234567890123456789', '\uE000number:1234567890123456789'],
  ['number', 210, 'null', null],
  ['number', 210, 'abc', 'abc', 'text'],
  ['number', 210, '01', '01', 'text'],
  ['number', 210, '', '', 'text'],
  ['number', 210, '"211"', '211', 'text'],
  ['number', 210, 'true', true, 'boolean'],
  ['number', 210, '[1]', [1], 'JSON'],
  ['number', 'abc', '211', 211],
  ['number', null, '5', 5],
  ['number', undefined, 'x', 'x', 'text'],
  ['boolean', true, 'false', false],
  ['boolean', true, 'null', null],
  ['boolean', true, 'no', 'no', 'text'],
  ['boolean', true, '0', 0, 'number'],
  ['text', 'a', '211', '211'],
  ['text', 'a', 'true', 'true'],
  ['text', 'a', 'null', 'null'],
  ['text', 'a', '', ''],
  ['text', 'a', ' b ', ' b '],
  ['text', 'a', '{"b":1}', '{"b":1}'],
  ['text', null, 'null', null],
  ['text', undefined, 'b', 'b'],
  ['JSON', [1], '[1,2]', [1, 2]],
  ['JSON', { a: 1 }, '{"a":2}', { a: 2 }],
  ['JSON', { a: 1 }, '{"a":1234567890123456789}', { a: '\uE000number:1234567890123456789' }],
  ['JSON', { a: 1 }, '{a:2}', '{a:2}', 'text'],
  ['JSON', { a: 1 }, '7', 7, 'number'],
  [undefined, null, '7', 7],
  [undefined, null, 'x', 'x'],
  [undefined, undefined, 'true', true],
])('a column of %s, %j: typed %s gives %j', (column, before, typed, value, asks) => {
  expect(readTyped(typed, column, before)).toEqual({ value, ...(asks && { asks }) })
})

it.each<[value: Json | undefined, column: Kind | undefined, text: string]>([
  [211, 'number', '211'],
  ['211', 'number', '"211"'],
  ['211', 'text', '211'],
  [211, 'text', '211'],
  ['\uE000number:1234567890123456789', 'number', '1234567890123456789'],
  [{ a: '\uE000number:1234567890123456789' }, 'JSON', '{"a":1234567890123456789}'],
  [null, 'number', 'null'],
  [undefined, 'number', ''],
])('%j in a column of %s is shown as %s', (value, column, text) => {
  expect(cellText(value, column)).toBe(text)
})

it.each<[values: (Json | undefined)[], kind: Kind | undefined]>([
  [[1, 2, 'abc'], 'number'],
  [['abc', 1, 2], 'number'],
  [[1, 'a'], 'number'],
  [['a', 1], 'text'],
  [[null, undefined, true], 'boolean'],
  [[null, undefined], undefined],
  [[[1], { a: 1 }], 'JSON'],
  [['\uE000number:1234567890123456789', 'a'], 'number'],
])('a column with %j', (values, kind) => {
  const rows = values.map((value): Record<string, Json> => (value === undefined ? {} : { a: value }))
  expect(columnKind(rows, 'a')).toBe(kind)
})
