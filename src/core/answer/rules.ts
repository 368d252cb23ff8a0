import type { OriginPolicy } from '../http/origin.ts'
import type { ResolvedOptions } from '../options/resolve-options.ts'
import type { RateLimit } from '../schema/fault-schema.ts'
import type { MockState, RateWindow } from '../state/mock-state.ts'
import type { CompiledRoute } from '../table/route-table.ts'

export interface HostRules {
  bases: readonly string[]
  /** `undefined` accepts all pages and host names. */
  origins: OriginPolicy | undefined
  graphiql: boolean
  /** Whether pages of the application may answer navigations, and no option says who answers them. */
  hasPages: boolean
  /** Whether another mock server of the host has routes for a scenario. */
  hasElsewhere?: ((scenario: string) => boolean) | undefined
}

export interface Running {
  limits: Limits
  state: MockState
}

export interface Rules extends HostRules, Running {
  unmatched: 'error' | 'passthrough'
  /** Who answers a navigation that no route matches. */
  navigation: 'answer' | 'passthrough'
  routeHeader: boolean
  /** UUIDs of responses are made from it. */
  seed: string
  /** Only explains: it counts nothing, calls no function and asks no backend. */
  isDryRun?: boolean
}

export function rulesOf(
  { unmatched, navigation, routeHeader, values }: ResolvedOptions,
  { limits, state }: Running,
  host: HostRules,
): Rules {
  return { ...host, limits, state, unmatched, navigation, routeHeader, seed: values.seed }
}

/** The core has no clock, so the host counts requests, limits waiting times and knows what time it is. */
export interface Limits {
  /** Milliseconds since 1970. */
  now: () => number
  /** @returns the milliseconds until the route answers again, 0 if it answers now */
  countRequest: (route: CompiledRoute, limit: RateLimit, isDryRun?: boolean) => number
  /** A later result or rejection is ignored. @throws TimeLimitError */
  inTime: <T>(work: PromiseLike<T>) => Promise<T>
}

export class TimeLimitError extends Error {
  constructor(readonly milliseconds: number) {
    super(`it did not settle within ${milliseconds} ms`)
  }
}

export const noLimits: Limits = {
  now: () => 0,
  countRequest: () => 0,
  inTime: async (work) => await work,
}

/**
 * @param before the current window; `undefined` before the first request
 * @param now milliseconds of any clock
 * @returns the new window, and the milliseconds until the route answers again, 0 if it answers now
 */
export function takeToken(
  { requests, per }: RateLimit,
  before: RateWindow | undefined,
  now: number,
): { window: RateWindow; wait: number } {
  // A clock that was set back starts a new window: otherwise the route would refuse until it has caught up.
  const isCurrent = before !== undefined && now >= before.start && now < before.start + per
  const { start, answers } = isCurrent ? before : { start: now, answers: 0 }
  if (answers < requests) return { window: { start, answers: answers + 1 }, wait: 0 }
  return { window: { start, answers }, wait: start + per - now }
}
