import { resolveFetchOptions } from './core/options/resolve-options.ts'
import type { FetchOptions } from './core/options/options.ts'
import { diagnoseSetup } from './core/diagnostics/setup-texts.ts'
import { MockApiError } from './core/diagnostics/format.ts'
import { liveOf } from './core/fixture/listed-routes.ts'
import type { Fixture } from './core/schema/schema.ts'
import { createSwitchedHandler, type FetchHandler } from './server/web/fetch-handler.ts'
import { serveRoutes, type ServedRoutes } from './server/web/serve-routes.ts'

export type { FetchOptions, Logger, LogLevel } from './core/options/options.ts'
export type { Fixture } from './core/schema/schema.ts'
export type { SavedState } from './core/state/mock-state.ts'
export type { ClientName, FetchHandler, PushTarget } from './server/web/fetch-handler.ts'
export type { RequestSender } from './server/web/web-fetch.ts'

/**
 * Creates a handler for any runtime with `Request` and `Response`: Cloudflare Workers, Deno, Bun, Hono, a Next.js
 * route handler, a service worker. Each handler has its own state: the counts of rate limits and of sequences
 * (`response` as a list). Otherwise, any number of instances give the same answers.
 *
 * Such a runtime has no files, so the routes are passed as a list. To share a fixture file between a dev server and a
 * worker, write it in TypeScript. In Node, `loadRoutes` from `unplugin-mock-api/load` reads the list from fixture
 * files.
 *
 * @param routes the list of a fixture file. `response.file` is not available here.
 * @param options see {@link FetchOptions}; `logger` defaults to the console
 * @returns a handler that resolves to `undefined` for a request that no route answers
 * @throws MockApiError when a route or an option is invalid, with a diagnostic for each
 *
 * @example
 * // fixtures/orders.ts, which Vite's dev server reads too
 * import { defineFixture } from 'unplugin-mock-api/fixture'
 *
 * export default defineFixture([{ path: '/orders/:id', response: { body: { id: 7 } } }])
 *
 * @example
 * // worker.ts: Cloudflare, Deno, Bun
 * import { createFetchHandler } from 'unplugin-mock-api/fetch'
 * import orders from './fixtures/orders.ts'
 *
 * const mockApi = createFetchHandler(orders)
 *
 * export default {
 *   fetch: async (request: Request) => (await mockApi(request)) ?? new Response('not found', { status: 404 }),
 * }
 *
 * @example
 * // Bun, with fixture files and the inspector
 * const mockApi = createFetchHandler(await loadRoutes('fixtures', { watch: true }), { inspector: true })
 *
 * @example
 * // Hono
 * app.use(async (context, next) => (await mockApi(context.req.raw)) ?? next())
 *
 * @example
 * // app/api/[...path]/route.ts of Next.js, with createFetchHandler(orders, { base: '/api' })
 * const handler = async (request: Request) => (await mockApi(request)) ?? new Response(null, { status: 404 })
 * export { handler as GET, handler as POST, handler as PUT, handler as PATCH, handler as DELETE, handler as OPTIONS }
 */
export function createFetchHandler(routes: Fixture, options: FetchOptions = {}): FetchHandler {
  const resolved = resolveFetchOptions(options, console)
  if (options.inspector && resolved.enabled) {
    const { serve } = liveOf(routes) ?? {}
    if (!serve) throw new MockApiError([diagnoseSetup('inspector-without-files', {})])
    return createSwitchedHandler(serve(options) as ServedRoutes)
  }
  const served = serveRoutes(routes, resolved, {
    sockets: () => import('./server/web/web-sockets.ts'),
    checker: () => import('./core/graphql-schema/create-checker.ts'),
    tellsSimilar: true,
  })
  return createSwitchedHandler(served)
}
