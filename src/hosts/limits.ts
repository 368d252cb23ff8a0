import type { CompiledRoute } from '../core/table/route-table.ts'
import { TimeLimitError, type Limits } from '../core/answer/limits.ts'
import { takeToken, type RateWindow } from '../core/answer/rate-limit.ts'

/**
 * Counts and times for the core. Web standards only, so that it serves every host.
 *
 * @param functionTimeout milliseconds that a response function may take, 0 for any number
 */
export function createLimits(functionTimeout: number): Limits {
  // By the route itself: a reload makes new ones, which have answered nothing yet.
  const windows = new WeakMap<CompiledRoute, RateWindow>()
  return {
    countRequest(route, limit) {
      const { window, wait } = takeToken(limit, windows.get(route), Date.now())
      windows.set(route, window)
      return wait
    },
    async inTime(work) {
      if (functionTimeout === 0) return work
      let timer: ReturnType<typeof setTimeout> | undefined
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new TimeLimitError(functionTimeout)), functionTimeout)
        ;(timer as { unref?: () => void }).unref?.() // a process that has nothing else to do may end
      })
      try {
        return await Promise.race([work, late])
      } finally {
        clearTimeout(timer)
      }
    },
  }
}
