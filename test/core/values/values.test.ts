import { describe, expect, it } from 'vitest'
import { defined, filled, isPlainObject, isRecord, nestsDeeperThan, ownValue, sortedJson } from '../../../src/core/values/values.ts' // prettier-ignore

it.each<[value: unknown, record: boolean, plain: boolean]>([
  [{}, true, true],
  [Object.create(null), true, true],
  [new Map(), true, false],
  [new Date(0), true, false],
  [Object.create({}), true, true],
  [[], false, false],
  [null, false, false],
  [undefined, false, false],
  ['x', false, false],
  [() => 1, false, false],
])('%o is a record: %s, plain object: %s', (value, record, plain) => {
  expect([isRecord(value), isPlainObject(value)]).toEqual([record, plain])
})

it.each<[value: unknown, key: string, own: unknown]>([
  [{ a: 1 }, 'a', 1],
  [JSON.parse('{"__proto__":1}'), '__proto__', 1],
  [{}, '__proto__', undefined],
  [{}, 'constructor', undefined],
  [['x'], '0', 'x'],
  [null, 'a', undefined],
  ['text', 'length', undefined],
])('of %j, %s is %j', (value, key, own) => {
  expect(ownValue(value, key)).toBe(own)
})

it.each<[given: object, keys: string[], json: string]>([
  [{ b: 0, a: '' }, ['b', 'a'], '{"a":"","b":0}'],
  [{ a: undefined, b: null }, ['b'], '{"b":null}'],
  [{ a: undefined }, [], '{}'],
  [{ b: [{ d: 1, c: 2 }], a: {} }, ['b', 'a'], '{"a":{},"b":[{"c":2,"d":1}]}'],
  [JSON.parse('{"__proto__":1}') as object, ['__proto__'], '{"__proto__":1}'],
])('of %j, the keys %j have a value, and in order it is %s', (given, keys, json) => {
  expect(Object.keys(defined(given))).toEqual(keys)
  expect(filled(defined(given)) === undefined).toBe(keys.length === 0)
  expect(sortedJson(given)).toBe(json)
})

describe('nestsDeeperThan', () => {
  const nest = (levels: number) => {
    let value: unknown = 1
    for (let level = 0; level < levels; level++) value = level % 2 ? [value] : { a: value }
    return value
  }
  const circle: unknown[] = [{}]
  circle.push(circle, { circle })

  it.each<[value: unknown, levels: number, deeper: boolean]>([
    [1, 0, false],
    [{}, 0, false],
    [{ a: 1 }, 0, true],
    [{ a: 1 }, 1, false],
    [[[]], 0, true],
    [[[]], 1, false],
    [nest(10), 10, false],
    [nest(10), 9, true],
    [nest(100_000), 500, true],
    [circle, 500, true],
  ])('%#', (value, levels, deeper) => {
    expect(nestsDeeperThan(value, levels)).toBe(deeper)
  })
})
