import { describe, expect, it } from 'vitest'
import { createMissingFields } from '../../../../src/core/graphql/shape/missing-fields.ts'

describe('the key that is near', () => {
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
    const missing = createMissingFields()
    missing.add(['hero', name], Object.fromEntries(keys.map((key) => [key, undefined])))
    expect(missing.list()).toEqual([near === undefined ? { path: `hero.${name}` } : { path: `hero.${name}`, near }]) // prettier-ignore
  })

  it('is looked for among so many keys, and so many times', () => {
    const many = Object.fromEntries(Array.from({ length: 600 }, (_, n) => [`x${n}`, n]))
    const missing = createMissingFields()
    missing.add(['name'], { ...many, name_: 1 })
    for (let n = 0; n < 30; n++) missing.add([`field${n}`], { [`fields${n}`]: 1 })
    const hints = missing.list().map(({ near }) => near)
    expect(hints).toHaveLength(31)
    expect(hints[0]).toBeUndefined()
    expect(hints.filter(Boolean)).toHaveLength(19)
  })
})

it('a field is listed once, and not where an error says why it has no value', () => {
  const missing = createMissingFields()
  missing.excuse(['hero', 'friend', 'name'])
  for (const path of [['hero'], ['hero', 'friend'], ['hero', 'friend', 'name'], ['hero', 'friend', 'id']])
    for (let round = 0; round < 2; round++) missing.add(path, {})
  expect(missing.list()).toEqual([{ path: 'hero.friend.id' }])
})
