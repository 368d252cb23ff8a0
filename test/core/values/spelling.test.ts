import { expect, it } from 'vitest'
import { countTypos, nearestName } from '../../../src/core/values/spelling.ts'

it.each<[name: string, known: string[], nearest: string | undefined]>([
  ['stauts', ['status', 'state', 'file'], 'status'],
  ['respnse', ['response', 'path'], 'response'],
  ['Response', ['response'], 'response'],
  ['per_page', ['perPage', 'page'], 'perPage'],
  ['$gtt', ['$lt', '$gte', '$gt'], '$gte'],
  ['nmae', ['name'], 'name'],
  ['home', ['name'], undefined],
  ['id', ['no', 'ix'], 'ix'],
  ['a', ['b', 'A'], 'A'],
  ['delay', ['body', 'status'], undefined],
  ['name', ['nmae', 'name'], 'name'],
  ['name', [], undefined],
])('the nearest name to %s among %j: %s', (name, known, nearest) => {
  expect(nearestName(name, known)).toBe(nearest)
})

it.each<[a: string, b: string, most: number, typos: number]>([
  ['/items', '/items', 0, 0],
  ['/itmes', '/items', 1, 1],
  ['/itmes', '/items', 0, Infinity],
  ['/itmess', '/items', 2, 2],
  ['home', 'name', 1, Infinity],
  ['', 'ab', 2, 2],
])('the distance from %s to %s, limited to %d: %d', (a, b, most, typos) => {
  expect(countTypos(a, b, most)).toBe(typos)
})
