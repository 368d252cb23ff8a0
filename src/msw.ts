import type { HttpHandler, WebSocketHandler } from 'msw'
import { resolveFetchOptions } from './core/options/resolve-options.ts'
import type { FetchOptions } from './core/options/options.ts'
import type { Fixture } from './core/schema/schema.ts'
import { createSwitchedHandler, type FetchHandler } from './server/web/fetch-handler.ts'
import { MockApiHandler } from './intercept/msw-handler.ts'
import { createSocketHandlers } from './intercept/msw-sockets.ts'

export type { FetchOptions, Logger, LogLevel } from './core/options/options.ts'
export type { Fixture } from './core/schema/schema.ts'
export type { ClientName, PushTarget } from './server/web/fetch-handler.ts'

/** MSW handlers, with functions that switch their answers. */
export type MockApiHandlers = (HttpHandler | WebSocketHandler)[] &
  Pick<FetchHandler, 'setScenario' | 'push' | 'reset'>

/**
 * Creates handlers for MSW 2 and 3 from a list of routes, for `setupServer`, `setupWorker` and MSW's Vite plugin.
 * Requests for other paths are left to the other handlers, and to `onUnhandledFrame` (`onUnhandledRequest` in MSW 2).
 * A request that matches no route of its endpoint gets the same 404 as on the dev server.
 *
 * Only requests to this machine and to the host of the page are answered. The option `allowedHosts` adds other hosts,
 * such as `['api.example.com']`.
 *
 * @param routes what `loadRoutes` returns, `routes` of `virtual:mock-api`, or the list of a fixture file
 * @param options see {@link FetchOptions}; `logger` defaults to the console
 * @throws MockApiError when a route or an option is invalid, with a diagnostic for each
 *
 * @example
 * // Node
 * import { setupServer } from 'msw/node'
 * import { loadRoutes } from 'unplugin-mock-api/load'
 * import { toHandlers } from 'unplugin-mock-api/msw'
 *
 * const handlers = toHandlers(await loadRoutes('fixtures'))
 * const server = setupServer(...handlers)
 * server.listen()
 * handlers.setScenario('payment-down')
 *
 * @example
 * // in a browser
 * import { setupWorker } from 'msw/browser'
 * import { toHandlers } from 'unplugin-mock-api/msw'
 * import { routes } from 'virtual:mock-api'
 *
 * await setupWorker(...toHandlers(routes)).start()
 */
export function toHandlers(routes: Fixture, options: FetchOptions = {}): MockApiHandlers {
  const handler = new MockApiHandler(routes, resolveFetchOptions(options, console))
  const { setScenario, push, reset } = createSwitchedHandler(handler.served)
  return Object.assign([handler, ...createSocketHandlers(handler)], { setScenario, push, reset })
}
