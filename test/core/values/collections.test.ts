import { expect, it } from 'vitest'
import { addTo, getOrMake, groupBy, oncePerObject } from '../../../src/core/values/collections.ts'

it('a value is made once for each object, also if it is falsy', () => {
  let made = 0
  const isMade = oncePerObject((object: { id: number }) => {
    made++
    return object.id === 0 ? null : object.id
  })
  const [first, second] = [{ id: 0 }, { id: 1 }]
  expect([isMade(first), isMade(first), isMade(second), isMade(second)]).toEqual([null, null, 1, 1])
  expect(made).toBe(2)
})

it('a value is made and kept for a key that has none', () => {
  const map = new Map([['a', 0]])
  expect(getOrMake(map, 'a', () => 1)).toBe(0)
  expect(getOrMake(map, 'b', (key) => key.length)).toBe(1)
  expect([...map]).toEqual([
    ['a', 0],
    ['b', 1],
  ])
})

it('items with the same key are in one list, in the order of the first of each', () => {
  const groups = groupBy(['b1', 'a1', 'b2'], (text) => text.charAt(0))
  addTo(groups, 'a', 'a2')
  addTo(groups, 'c', 'c1')
  expect([...groups]).toEqual([
    ['b', ['b1', 'b2']],
    ['a', ['a1', 'a2']],
    ['c', ['c1']],
  ])
})
