import type { RateLimit } from '../schema/fault-schema.ts'

/** The answers of a route with a rate limit since a moment, in milliseconds. */
export interface RateWindow {
  start: number
  answers: number
}

/**
 * Counts a request against a rate limit.
 *
 * @param before the window so far; none before the first request
 * @param now milliseconds, of any clock
 * @returns the window from now on, and how many milliseconds it is until the route answers again: 0 where it may now
 */
export function takeToken(
  { requests, per }: RateLimit,
  before: RateWindow | undefined,
  now: number,
): { window: RateWindow; wait: number } {
  // A clock that was set back begins a window too, or the route would be silent for as long.
  const isCurrent = before !== undefined && now >= before.start && now < before.start + per
  const { start, answers } = isCurrent ? before : { start: now, answers: 0 }
  if (answers < requests) return { window: { start, answers: answers + 1 }, wait: 0 }
  return { window: { start, answers }, wait: start + per - now }
}
