import { expect, it } from 'vitest'
import { addToHash, hashStart, mixHash } from '../../../src/core/values/hash.ts'

// The test vectors of the FNV draft.
it.each([
  ['', 0x811c9dc5],
  ['a', 0xe40c292c],
  ['foobar', 0xbf9cf968],
])('of %j', (text, hash) => {
  expect(addToHash(hashStart, text) >>> 0).toBe(hash)
  expect(addToHash(hashStart, new TextEncoder().encode(text)) >>> 0).toBe(hash)
})

it('can be continued', () => {
  expect(addToHash(addToHash(hashStart, 'foo'), 'bar')).toBe(addToHash(hashStart, 'foobar'))
})

it('gives very different hashes for similar inputs', () => {
  const mixed = Array.from({ length: 1000 }, (_, index) => mixHash(index + 1))
  expect(new Set(mixed).size).toBe(1000)
  expect(mixed.filter((value) => value >= 2 ** 31).length).toBeGreaterThan(400)
  expect(mixed.every((value) => Number.isInteger(value) && value >= 0 && value < 2 ** 32)).toBe(true)
})
