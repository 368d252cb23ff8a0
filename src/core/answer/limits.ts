import type { CompiledRoute } from '../table/route-table.ts'
import type { RateLimit } from '../schema/fault-schema.ts'

/** What a host does for the core, which has no clock: counting requests, and limiting waiting times. */
export interface Limits {
  /** Counts a request for a route. Returns the milliseconds until the route answers again, 0 if it answers now. */
  countRequest: (route: CompiledRoute, limit: RateLimit) => number
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
