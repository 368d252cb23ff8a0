import fc from 'fast-check'
import { expect, it } from 'vitest'
import { splitForDribble } from '../../../src/core/response/dribble.ts'

const bytes = (length: number) => Uint8Array.from({ length }, (_, index) => index)

it.each<[length: number, milliseconds: number, sizes: number[]]>([
  [10, 100, [2, 2, 2, 2, 2]],
  [10, 60, [3, 3, 4]],
  [3, 2000, [1, 1, 1]],
  [10, 0, [10]],
  [10, 19, [10]],
  [1, 2000, [1]],
  [0, 2000, [0]],
])('%i bytes over %i ms', (length, milliseconds, sizes) => {
  expect(splitForDribble(bytes(length), milliseconds).map((piece) => piece.length)).toEqual(sizes)
})

it('are the body, in order, and none is empty', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1 }), fc.nat(10_000), (body, milliseconds) => {
      const pieces = splitForDribble(body, milliseconds)
      expect(pieces.flatMap((piece) => [...piece])).toEqual([...body])
      expect(pieces.every((piece) => piece.length > 0)).toBe(true)
    }),
  )
})
