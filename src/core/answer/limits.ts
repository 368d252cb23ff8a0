import type { CompiledRoute } from '../table/route-table.ts'
import type { RateLimit } from '../schema/fault-schema.ts'

/** What a host does for the core, which has no clock: it counts requests, and ends waiting. */
export interface Limits {
  /** Counts a request for a route: milliseconds until the route answers again, 0 where it may now. */
  countRequest: (route: CompiledRoute, limit: RateLimit) => number
  /**
   * What the promise of a fixture's function settles to, if it settles in time. A later result or rejection is ignored.
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

/** Counts nothing and waits for everything. */
export const noLimits: Limits = {
  countRequest: () => 0,
  inTime: async (work) => await work,
}
