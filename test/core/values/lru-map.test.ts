import { expect, it } from 'vitest'
import { LruMap } from '../../../src/core/values/lru-map.ts'

it.each<[what: string, use: (map: LruMap<string, string>) => void, kept: string[]]>([
  ['as many as fit', () => {}, ['a', 'b', 'c']],
  ['not the first of too many', (map) => map.set('d', ''), ['b', 'c', 'd']],
  ['one that was read since', (map) => (map.get('a'), map.set('d', '')), ['c', 'a', 'd']],
  ['one that was read twice', (map) => (map.get('a'), map.get('a'), map.set('d', '')), ['c', 'a', 'd']],
  ['one that was set again', (map) => (map.set('a', ''), map.set('d', '')), ['c', 'a', 'd']],
  [
    'what was read after a missing key',
    (map) => (map.get('x'), map.get('a'), map.set('d', '')),
    ['c', 'a', 'd'],
  ],
  ['all in place of a deleted one', (map) => (map.delete('b'), map.set('d', '')), ['a', 'c', 'd']],
  ['the newest after the newest was deleted', (map) => (map.delete('c'), map.get('a')), ['b', 'a']],
  ['nothing once it is cleared', (map) => map.clear(), []],
  ['new entries once it is cleared', (map) => (map.clear(), map.set('c', ''), map.get('c')), ['c']],
])('keeps %s', (_, use, kept) => {
  const map = new LruMap<string, string>({ max: 3 })
  for (const key of ['a', 'b', 'c']) map.set(key, '')
  use(map)
  expect([...map.keys()]).toEqual(kept)
  expect(map.size).toBe(kept.length)
})

it.each<[what: string, set: string, kept: string]>([
  ['entries up to the total size', 'a4 b6', 'ab'],
  ['as many of the newest as fit', 'a4 b4 c6', 'bc'],
  ['no entry that is too large, and not its old value', 'a4 b1 a8', 'b'],
  ['the new size of an entry', 'a7 a1 b7 c2', 'abc'],
])('keeps %s', (_, set, kept) => {
  const map = new LruMap<string, number>({ max: 10, maxEntry: 7, sizeOf: (size) => size })
  for (const [key, size] of set.split(' ')) map.set(key!, Number(size))
  expect([...map.keys()].join('')).toBe(kept)
})

it('gives the value of a key', () => {
  const map = new LruMap<string, number>({ max: 2 })
  map.set('a', 1)
  map.set('a', 2)
  expect([map.get('a'), map.has('a'), map.get('b'), map.has('b')]).toEqual([2, true, undefined, false])
})
