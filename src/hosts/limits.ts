import type { SourceLocation } from '../core/diagnostics/diagnostic.ts'
import { TimeLimitError, type Limits } from '../core/answer/limits.ts'
import { inTime } from '../loader/in-time.ts'
import { takeToken, type RateWindow } from '../core/answer/rate-limit.ts'

/**
 * Counts requests and limits waiting times for the core. It uses only web standards, so that every host can use it.
 *
 * @param functionTimeout milliseconds that a response function may take; 0 for no limit
 */
export function createLimits(functionTimeout: number): Limits {
  // Keyed by an object that is made when a file is read: the counts of a file that is saved start at zero.
  const windows = new WeakMap<SourceLocation, RateWindow>()
  return {
    countRequest({ source }, limit) {
      const { window, wait } = takeToken(limit, windows.get(source), Date.now())
      windows.set(source, window)
      return wait
    },
    async inTime(work) {
      if (functionTimeout === 0) return work
      const error = () => new TimeLimitError(functionTimeout)
      return inTime(work, { milliseconds: functionTimeout, error, mayExit: true })
    },
  }
}
