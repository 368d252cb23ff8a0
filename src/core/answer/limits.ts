import type { CompiledRoute } from '../table/route-table.ts'
import type { RateLimit } from '../schema/fault-schema.ts'

/** What a host does for the core, which has no clock: it counts answers, and ends waiting. */
export interface Limits {
  /** Counts a request for a route: milliseconds until the route answers again, 0 where it may now. */
  countRequest: (route: CompiledRoute, limit: RateLimit) => number
  /**
   * What a fixture's function has promised, as long as it comes in time. What comes later is nobody's: neither a result
   * nor a rejection.
   *
   * @throws TimeLimitError
   */
  inTime: <T>(work: PromiseLike<T>) => Promise<T>
}

/** Thrown where a fixture's function did not keep its promise in time. */
export class TimeLimitError extends Error {
  constructor(readonly milliseconds: number) {
    super(`it did not settle within ${milliseconds} ms`)
  }
}

/** For who counts nothing and waits for everything. */
export const noLimits: Limits = {
  countRequest: () => 0,
  inTime: async (work) => await work,
}
