import { expect, it } from 'vitest'
import {
  entriesOf,
  graphqlErrors,
  graphqlPayload,
  LongNumber,
  openDepth,
  parseJson,
  sizeOf,
} from '../../../../src/inspector/page/logic/values.ts'

/** Node has the third argument of a reviver from version 21. */
const hasSource = (() => {
  let found = false
  JSON.parse('1', (_key, value: unknown, context?: { source?: string }) => {
    found = context?.source === '1'
    return value
  })
  return found
})()

it.each(['', 'a', '{', '<script>'])('%j is no JSON', (text) => expect(parseJson(text)).toBeUndefined())

it.runIf(hasSource)('numbers keep their digits', () => {
  const long = '12345678901234567890'
  expect(parseJson(`[1, -1.5, 1e3, ${long}, 1e999]`)).toEqual({
    value: [1, -1.5, 1000, new LongNumber(long), new LongNumber('1e999')],
  })
})

it('null is a value', () => expect(parseJson('null')).toEqual({ value: null }))

it.each([
  [
    [1, 'a'],
    [
      ['0', 1],
      ['1', 'a'],
    ],
    '2 items',
  ],
  [{ a: 1 }, [['a', 1]], '1 key'],
  [new LongNumber('1'), undefined, '0 keys'],
  ['text', undefined, '0 keys'],
  [null, undefined, '0 keys'],
])('the entries of %j', (value, entries, size) => {
  expect(entriesOf(value)).toEqual(entries)
  expect(sizeOf(value)).toBe(size)
})

it.each([
  ['a leaf', 1, 10, 0],
  ['all of a small value', { a: { b: { c: 1 } } }, 10, 3],
  ['at least one level', Array.from({ length: 100 }, () => ({ a: 1 })), 10, 1],
  ['as many levels as there is room for', { a: [1, 2, 3], b: [[1, 2, 3, 4, 5, 6, 7, 8]] }, 12, 2],
])('a tree opens %s', (_, value, lines, depth) => expect(openDepth(value, lines)).toBe(depth))

it('the parts of a GraphQL request', () => {
  expect(graphqlPayload({ query: '{ a }', variables: { id: 1 }, operationName: 'A' })).toEqual({
    query: '{ a }',
    variables: { id: 1 },
    others: { operationName: 'A' },
  })
  expect(graphqlPayload({ query: '{ a }', variables: null })).toEqual({ query: '{ a }', others: {} })
  for (const other of [null, [], 'query', { operationName: 'A' }, { query: 1 }])
    expect(graphqlPayload(other)).toBeUndefined()
})

it('the errors of a GraphQL answer', () => {
  const errors = [
    { message: 'No name.', path: ['hero', 1, 'name'], locations: [{ line: 4, column: 7 }] },
    { message: 2 },
    'text',
  ]
  expect(graphqlErrors({ errors, data: null })).toEqual([
    { message: 'No name.', path: 'hero.1.name', locations: ['4:7'] },
    { message: '(no message)', locations: [] },
  ])
  for (const none of [null, {}, { errors: {} }, []]) expect(graphqlErrors(none)).toEqual([])
})
