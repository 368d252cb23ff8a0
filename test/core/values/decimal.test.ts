import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareDecimals, numberKey, toDecimal } from '../../../src/core/values/decimal.ts'

describe('numberKey', () => {
  it.each<[spellings: (string | number)[], key: string | undefined]>([
    [['2', '2.0', '02', '+2', '2.', '2e0', '0.2e1', '20e-1', 2], '2'],
    [['-2', '-2.0', '-02', -2], '-2'],
    [['0', '-0', '0.0', '.0', '00', '0e5', 0, -0], '0'],
    [['1.1', '1.10', '01.1', 1.1], '11e1'],
    [['9999999999999999'], '9999999999999999e16'],
    [['10000000000000000', 1e16], '1e17'],
    [['100', '1e2', 100], '100'],
    [['0.001', '1e-3', 0.001], '1e-2'],
    [[Infinity, 1e999], '1eInfinity'],
    [
      ['', ' ', '1 ', ' 1', 'a', '1a', '.', '+', '-', 'e1', '1e', '1e1234567', '--1', '1.1.1', '0x10', '1_000', '1,5', '١', 'Infinity', 'NaN', NaN],
      undefined,
    ], // prettier-ignore
  ])('of %j: %s', (spellings, key) => {
    for (const spelling of spellings) expect([spelling, numberKey(spelling)]).toEqual([spelling, key])
  })
})

describe('compareDecimals', () => {
  const compare = (a: number | string, b: number | string) =>
    Math.sign(compareDecimals(toDecimal(a)!, toDecimal(b)!))

  it('orders numbers as JavaScript does', () => {
    const number = fc.oneof(fc.double({ noNaN: true }), fc.integer(), fc.constantFrom(0, -0, 1, -1, 10, 0.1))
    fc.assert(
      fc.property(number, number, (a, b) => {
        expect(compare(a, b)).toBe(a < b ? -1 : a > b ? 1 : 0)
      }),
    )
  })

  it('orders integers of any length as BigInt does, and equal ones have one key', () => {
    const integer = fc.tuple(fc.bigInt(), fc.nat({ max: 3 }))
    const write = ([value, zeros]: [bigint, number]) =>
      `${value < 0n ? '-' : ''}${'0'.repeat(zeros)}${value < 0n ? -value : value}${zeros > 1 ? '.0' : ''}`
    fc.assert(
      fc.property(integer, integer, (a, b) => {
        expect(compare(write(a), write(b))).toBe(a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0)
        expect(numberKey(write(a)) === numberKey(write(b))).toBe(a[0] === b[0])
      }),
    )
  })

  it('reads a million characters in a time that grows with their number', () => {
    for (const text of ['1', '0', '10', '1.', '.0']) {
      const long = text.repeat(1_000_000 / text.length)
      expect(numberKey(`${long}x`)).toBeUndefined()
      numberKey(`1${long}1`)
    }
  })
})
