import { expect, it } from 'vitest'
import { codingsOf, isZlib } from '../../../src/core/http/content-coding.ts'

it.each<[header: string | undefined, codings: string[] | undefined]>([
  [undefined, []],
  ['', []],
  ['identity', []],
  ['gzip', ['gzip']],
  ['X-GZip', ['gzip']],
  ['gzip, identity ,BR', ['br', 'gzip']],
  ['a, b, c, d', ['d', 'c', 'b', 'a']],
  ['a, b, c, d, e', undefined],
  [',,a,', ['a']],
  [`${'identity,'.repeat(10_000)}gzip`, []], // never read to its end
])('content-encoding %j', (header, codings) => {
  expect(codingsOf({ 'content-encoding': header })).toEqual(codings)
})

it.each([
  [[0x78, 0x9c], true],
  [[0x78, 0x01], true],
  [[0x78, 0x9d], false],
  [[0x4b, 0x04], false],
  [[], false],
])('zlib begins with %j: %s', (bytes, expected) => {
  expect(isZlib(Uint8Array.from(bytes))).toBe(expected)
})
