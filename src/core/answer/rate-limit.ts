import type { RateLimit } from '../schema/fault-schema.ts'
import type { RateWindow } from '../state/mock-state.ts'

/**
 * Counts a request against a rate limit.
 *
 * @param before the current window; `undefined` before the first request
 * @param now milliseconds of any clock
 * @returns the new window, and the milliseconds until the route answers again: 0 when it answers now
 */
export function takeToken(
  { requests, per }: RateLimit,
  before: RateWindow | undefined,
  now: number,
): { window: RateWindow; wait: number } {
  // If the clock was set back, a new window starts; otherwise the route would refuse until the clock has caught up.
  const isCurrent = before !== undefined && now >= before.start && now < before.start + per
  const { start, answers } = isCurrent ? before : { start: now, answers: 0 }
  if (answers < requests) return { window: { start, answers: answers + 1 }, wait: 0 }
  return { window: { start, answers }, wait: start + per - now }
}
