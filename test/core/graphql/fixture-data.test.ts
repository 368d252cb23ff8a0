import { describe, expect, it } from 'vitest'
import { MissingFields } from '../../../src/core/graphql/fixture-data.ts'

describe('the nearest key', () => {
  it.each<[name: string, keys: string[], near: string | undefined]>([
    ['nam', ['id', 'name'], 'name'],
    ['nme', ['id', 'name'], 'name'],
    ['names', ['nam', 'name'], 'name'],
    ['Name', ['NAME', 'nam'], 'NAME'],
    ['heroFriends', ['hero_friends', 'friends'], 'hero_friends'],
    ['freinds', ['friends'], 'friends'],
    ['home', ['name'], undefined],
    ['friends', ['heroFriends'], undefined],
    ['id', ['ids', 'it', 'no'], 'ids'],
    ['a', ['b', 'A'], 'A'],
    ['a', ['b'], undefined],
    ['name', ['name'], undefined],
    ['name', [], undefined],
  ])('%s among %j is %s', (name, keys, near) => {
    const missing = new MissingFields()
    missing.add(['hero', name], keys)
    expect(missing.list).toEqual([near === undefined ? { path: `hero.${name}` } : { path: `hero.${name}`, near }]) // prettier-ignore
  })

  it('is searched for among a limited number of keys, a limited number of times', () => {
    const missing = new MissingFields()
    missing.add(['name'], [...Array.from({ length: 600 }, (_, n) => `x${n}`), 'name_'])
    for (let n = 0; n < 30; n++)
      missing.add([`field${n}`], [`fields${n}`, ...Array.from({ length: 400 }, (_, m) => `x${m}`)])
    const hints = missing.list.map(({ near }) => near)
    expect(hints).toHaveLength(31)
    expect(hints[0]).toBeUndefined()
    expect(hints.filter(Boolean)).toHaveLength(12)
  })

  it('decides whether a field is listed, where only misspelled ones are', () => {
    const missing = new MissingFields()
    missing.add(['hero', 'name'], ['nmae', 'id'], true)
    missing.add(['hero', 'age'], ['nmae', 'id'], true)
    expect(missing.list).toEqual([{ path: 'hero.name', near: 'nmae' }])
  })
})

it('a missing field is listed once, and not where an error explains it', () => {
  const missing = new MissingFields()
  missing.excuse(['hero', 'friend', 'name'])
  for (const path of [['hero'], ['hero', 'friend'], ['hero', 'friend', 'name'], ['hero', 'friend', 'id']])
    for (let round = 0; round < 2; round++) missing.add(path, [])
  expect(missing.list).toEqual([{ path: 'hero.friend.id' }])
})
