import { type Limits, takeToken, TimeLimitError } from '../core/answer/rules.ts'
import type { MockState } from '../core/state/mock-state.ts'
import { inTime } from '../wire/in-time.ts'

/**
 * Web standards only, so that every host can use it.
 * @param functionTimeout milliseconds; 0 for no limit
 * @param state has the counts of rate limits, so that a reset ends them
 * @param fixed the time of every answer, in milliseconds since 1970
 */
export function createLimits(functionTimeout: number, state: MockState, fixed?: number): Limits {
  return {
    now: () => fixed ?? Date.now(),
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
