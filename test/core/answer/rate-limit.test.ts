import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { takeToken } from '../../../src/core/answer/rules.ts'
import type { RateWindow } from '../../../src/core/state/mock-state.ts'

/** The waits of requests at these times, one after the other. */
function waits(limit: { requests: number; per: number }, times: readonly number[]): number[] {
  let window: RateWindow | undefined
  return times.map((now) => {
    const taken = takeToken(limit, window, now)
    window = taken.window
    return taken.wait
  })
}

describe('takeToken', () => {
  it.each<[name: string, requests: number, per: number, times: number[], waits: number[]]>([
    ['lets so many through', 2, 1000, [0, 0, 0, 999], [0, 0, 1000, 1]],
    ['begins anew when the window is over', 2, 1000, [0, 10, 20, 1000, 1001, 1002], [0, 0, 980, 0, 0, 998]],
    ['begins with the first request, not with the clock', 1, 1000, [1500, 2400, 2500], [0, 100, 0]],
    ['begins anew after a pause', 1, 10, [0, 1_000_000], [0, 0]],
    ['counts no request that it refuses', 1, 10, [0, 5, 9, 10], [0, 5, 1, 0]],
    ['begins anew where the clock was set back', 1, 1000, [5000, 4000, 4001], [0, 0, 999]],
  ])('%s', (_, requests, per, times, expected) => {
    expect(waits({ requests, per }, times)).toEqual(expected)
  })

  it('changes nothing that it is given', () => {
    const window = Object.freeze({ start: 0, answers: 1 })
    expect(takeToken(Object.freeze({ requests: 2, per: 10 }), window, 5)).toEqual({
      window: { start: 0, answers: 2 },
      wait: 0,
    })
  })

  it('answers after the wait that it names, and never more than the limit within one window', () => {
    const numbers = fc.record({
      requests: fc.integer({ min: 1, max: 5 }),
      per: fc.integer({ min: 1, max: 100 }),
    })
    fc.assert(
      fc.property(numbers, fc.array(fc.nat(30), { maxLength: 60 }), (limit, pauses) => {
        let now = 0
        let window: RateWindow | undefined
        for (const pause of pauses) {
          now += pause
          const taken = takeToken(limit, window, now)
          expect(taken.window.answers).toBeLessThanOrEqual(limit.requests)
          if (taken.wait > 0) expect(takeToken(limit, taken.window, now + taken.wait).wait).toBe(0)
          window = taken.window
        }
      }),
    )
  })
})
