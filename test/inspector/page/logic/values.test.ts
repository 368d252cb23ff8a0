import { expect, it } from 'vitest'
import {
  entriesOf,
  shownErrors,
  graphqlPayload,
  openDepth,
  sizeText,
} from '../../../../src/inspector/page/logic/values.ts'

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
  ['text', undefined, '0 keys'],
  [null, undefined, '0 keys'],
])('the entries of %j', (value, entries, size) => {
  expect(entriesOf(value)).toEqual(entries)
  expect(sizeText(value)).toBe(size)
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
  expect(shownErrors({ errors, data: null })).toEqual([
    { message: 'No name.', path: 'hero.1.name', locations: ['4:7'] },
    { message: '(no message)', locations: [] },
  ])
  for (const none of [null, {}, { errors: {} }, []]) expect(shownErrors(none)).toEqual([])
})
