import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitForDribble, waitOf } from '../../../src/core/response/delay.ts'
import type { Delay } from '../../../src/core/schema/fault-schema.ts'
import { rawRequest } from '../send.ts'

const waits = (delay: Delay, count = 2000) =>
  Array.from({ length: count }, (_, index) => waitOf(delay, rawRequest({ path: `/a/${index}` }))).sort(
    (a, b) => a - b,
  )
const quantile = (sorted: readonly number[], share: number) => sorted[Math.floor(sorted.length * share)]!

describe('waitOf', () => {
  // These may change with a release, but never between two hosts, two starts or two machines.
  it.each<[delay: Delay, wait: number]>([
    [7, 7],
    [0, 0],
    [{ min: 100, max: 900 }, 296],
    [{ median: 200 }, 256],
    [{ median: 200, sigma: 1 }, 326],
    [{ median: 200, sigma: 0 }, 200],
    [{ median: 0 }, 0],
    [{ min: 5, max: 5 }, 5],
  ])('%j is always %i ms for one request', (delay, wait) => {
    const request = () => rawRequest({ method: 'POST', path: '/orders', search: 'a=1', body: '{"a":1}' })
    expect([waitOf(delay, request()), waitOf(delay, request())]).toEqual([wait, wait])
  })

  it('depends on the method, the path, the query and the body, and on nothing else', () => {
    const delay = { min: 0, max: 1_000_000 }
    const parts = { method: 'GET', path: '/a', search: 'b=1', body: 'c' }
    const different = [
      parts,
      { ...parts, method: 'PUT' },
      { ...parts, path: '/b' },
      { ...parts, search: 'b=2' },
      { ...parts, search: '' },
      { ...parts, body: 'd' },
      { ...parts, body: undefined },
    ].map((request) => waitOf(delay, rawRequest(request)))
    expect(new Set(different).size).toBe(different.length)
    const same = rawRequest({ ...parts, url: '/base/a?b=1', headers: { cookie: 'x=1' } })
    expect(waitOf(delay, same)).toBe(different[0])
  })

  it('spreads a range evenly, its ends included', () => {
    const few = new Set(waits({ min: 3, max: 5 }))
    expect([...few]).toEqual([3, 4, 5])
    const sorted = waits({ min: 0, max: 1000 })
    for (const share of [0.1, 0.5, 0.9])
      expect(Math.abs(quantile(sorted, share) - share * 1000)).toBeLessThan(60)
  })

  it('spreads a curve around its median, nine of ten between 0.44 and 2.3 of it', () => {
    const sorted = waits({ median: 1000 })
    expect(Math.abs(quantile(sorted, 0.5) - 1000)).toBeLessThan(60)
    expect(Math.abs(quantile(sorted, 0.05) - 440)).toBeLessThan(40)
    expect(Math.abs(quantile(sorted, 0.95) - 2280)).toBeLessThan(200)
  })

  it('caps a curve at a minute', () => {
    expect(Math.max(...waits({ median: 50_000, sigma: 5 }))).toBe(60_000)
  })

  it('is a whole number of milliseconds within its bounds, whatever the request', () => {
    const delay = fc.oneof(
      fc.tuple(fc.nat(10_000), fc.nat(10_000)).map(([min, more]) => ({ min, max: min + more })),
      fc.record({ median: fc.nat(100_000), sigma: fc.double({ min: 0, max: 5, noNaN: true }) }),
    )
    fc.assert(
      fc.property(delay, fc.string({ unit: 'binary' }), fc.uint8Array(), (spec, path, body) => {
        const wait = waitOf(spec, rawRequest({ path, body }))
        const [min, max] = 'min' in spec ? [spec.min, spec.max] : [0, 60_000]
        expect(Number.isInteger(wait)).toBe(true)
        expect(wait).toBeGreaterThanOrEqual(min)
        expect(wait).toBeLessThanOrEqual(max)
      }),
    )
  })
})

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

it('dribbled pieces are the body, in order, and none is empty', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1 }), fc.nat(10_000), (body, milliseconds) => {
      const pieces = splitForDribble(body, milliseconds)
      expect(pieces.flatMap((piece) => [...piece])).toEqual([...body])
      expect(pieces.every((piece) => piece.length > 0)).toBe(true)
    }),
  )
})
