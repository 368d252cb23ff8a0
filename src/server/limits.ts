import { takeToken, TimeLimitError, type Limits } from '../core/answer/rules.ts'
import { inTime } from '../wire/in-time.ts'
import type { MockState } from '../core/state/mock-state.ts'

/**
 * Web standards only, so that every host can use it.
 * @param functionTimeout milliseconds; 0 for no limit
 * @param state has the counts of rate limits, so that a reset ends them
 */
export function createLimits(functionTimeout: number, state: MockState): Limits {
  return {
    countRequest({ source }, limit, isDryRun) {
      const { window, wait } = takeToken(limit, state.rateWindows.get(source), Date.now())
      if (!isDryRun) state.rateWindows.set(source, window)
      return wait
    },
    async inTime(work) {
      if (functionTimeout === 0) return work
      const error = () => new TimeLimitError(functionTimeout)
      return inTime(work, { milliseconds: functionTimeout, error, mayExit: true })
    },
  }
}
