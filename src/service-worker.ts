import { handleOperationsBy } from './core/answer/decide.ts'
import { handleGraphQL } from './core/answer/operations/handle-graphql.ts'
import type { FetchOptions } from './core/options/options.ts'
import type { Fixture } from './core/schema/schema.ts'
import { answerRequests, type BuiltWorkerFacts, type WorkerScope } from './service-worker/worker.ts'

export type { FetchOptions } from './core/options/options.ts'
export type { Fixture } from './core/schema/schema.ts'

/**
 * Answers the requests of pages in a service worker. The plugin's option `build: 'service-worker'` emits such a
 * worker; this function is for your own. Call it when the script of the worker runs, before other listeners for
 * `fetch` are added.
 *
 * @param routes as for `createFetchHandler`
 * @param options as for `createFetchHandler`
 * @param built set by the build
 * @throws MockApiError when a route or an option is invalid
 *
 * @example
 * // sw.ts
 * import { answerFetchEvents } from 'unplugin-mock-api/service-worker'
 * import { routes } from 'virtual:mock-api'
 *
 * answerFetchEvents(routes)
 */
export function answerFetchEvents(
  routes: Fixture,
  options: FetchOptions = {},
  built: BuiltWorkerFacts = { version: '', file: '' },
): void {
  handleOperationsBy(handleGraphQL)
  answerRequests(globalThis as unknown as WorkerScope, routes, options, built)
}
