import type { MiddlewareOptions } from '../core/options/options.ts'

/** The options of `setupMockApi`: those of the plugin, and those of `createMiddleware`. */
export interface VitestOptions extends Omit<
  MiddlewareOptions,
  'unmatched' | 'watch' | 'inspector' | 'record'
> {
  /**
   * What happens when a request is for a mock endpoint but matches none of its routes. `error` (the default) answers with a
   * JSON 404 that says why; `fail` also makes the test fail with this text; `passthrough` leaves the request to the `fetch`
   * that was there before.
   */
  unmatched?: 'error' | 'fail' | 'passthrough' | undefined
}
