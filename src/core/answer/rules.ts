import type { OriginPolicy } from '../http/origin.ts'
import type { ResolvedOptions } from '../options/options.ts'
import type { RateLimit } from '../schema/fault-schema.ts'
import type { MockState, RateWindow } from '../state/mock-state.ts'
import type { CompiledRoute } from '../table/route-table.ts'

/** What a host says about itself. */
export interface HostRules {
  /** Path prefixes below which the routes are. */
  bases: readonly string[]
  /** Which pages and host names are accepted; `undefined` for all. */
  origins: OriginPolicy | undefined
  /** Whether a browser that opens the GraphQL endpoint gets GraphiQL. */
  graphiql: boolean
  /** Whether the host may answer navigations with pages of the application, and no option says who answers them. */
  hasPages: boolean
}

/** What changes while a server runs, and what limits it. */
export interface Running {
  limits: Limits
  state: MockState
}

/** What an answer depends on besides the request and its route. */
export interface Rules extends HostRules, Running {
  unmatched: 'error' | 'passthrough'
  /** Who answers a navigation that no route matches. */
  navigation: 'answer' | 'passthrough'
  /** Whether responses name their route in `x-mock-route`. */
  routeHeader: boolean
  /**
   * Whether a request is only explained, not answered: no turn is taken, nothing is counted, no response function is called
   * and no backend is asked.
   */
  isDryRun?: boolean
}

/** Combines the options with what a host says about itself. */
export function rulesOf(
  { unmatched, navigation, routeHeader }: ResolvedOptions,
  { limits, state }: Running,
  host: HostRules,
): Rules {
  return { ...host, limits, state, unmatched, navigation, routeHeader }
}

/** What a host does for the core, which has no clock: counting requests, and limiting waiting times. */
export interface Limits {
  /**
   * Counts a request for a route, unless it is only explained.
   *
   * @returns the milliseconds until the route answers again, 0 if it answers now
   */
  countRequest: (route: CompiledRoute, limit: RateLimit, isDryRun?: boolean) => number
  /**
   * The result of a fixture's function, if its promise settles in time. A later result or rejection is ignored.
   *
   * @throws TimeLimitError
   */
  inTime: <T>(work: PromiseLike<T>) => Promise<T>
}

/** Thrown when the promise of a fixture's function did not settle in time. */
export class TimeLimitError extends Error {
  constructor(readonly milliseconds: number) {
    super(`it did not settle within ${milliseconds} ms`)
  }
}

/** Counts nothing and waits without a limit. */
export const noLimits: Limits = {
  countRequest: () => 0,
  inTime: async (work) => await work,
}

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
