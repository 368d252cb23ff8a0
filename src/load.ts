import type { LoadOptions } from './core/options/options.ts'
import type { LoadedRoutes } from './loader/load-routes.ts'

export type { LoadOptions, Logger, LogLevel } from './core/options/options.ts'
export type { Fixture, FixtureRoute } from './core/schema/schema.ts'
export type { LoadedRoutes } from './loader/load-routes.ts'

/**
 * Loads fixture files in Node without a bundler: for a Next.js route handler, Hono, a script, MSW. Pass the list to
 * `createFetchHandler` or `toHandlers`. It includes files that routes name (`response.file`, `items.file`).
 *
 * With `watch`, the list follows the files, and so does every handler that was created from it. A file with an error
 * keeps its last good routes, and the error is logged. A watched list does not keep the process running.
 *
 * @param fixtures a folder, a file, globs, or a list of them, relative to `root`; `templates` in the list adds the
 * starter templates, which are also used if there is no fixture file. Default `fixtures`
 * @param options see {@link LoadOptions}; `root` defaults to the working directory, `logger` to the console
 * @throws MockApiError when an option is invalid, or when a fixture file has an error: with file, line and column of
 * each
 *
 * @example
 * import { createFetchHandler } from 'unplugin-mock-api/fetch'
 * import { loadRoutes } from 'unplugin-mock-api/load'
 *
 * const mockApi = createFetchHandler(await loadRoutes('fixtures'))
 *
 * @example
 * // in development: edits take effect immediately
 * const routes = await loadRoutes('fixtures', { watch: true })
 * const mockApi = createFetchHandler(routes)
 * // …
 * await routes.close()
 */
export async function loadRoutes(
  fixtures: string | string[] = 'fixtures',
  options: LoadOptions = {},
): Promise<LoadedRoutes> {
  // Importing this function does not load the code that reads files: an application may import it in production.
  const [routes, server] = await Promise.all([
    import('./loader/load-routes.ts'),
    options.watch ? import('./server/outgoing/serve-requests.ts') : undefined,
  ])
  return routes.readRoutes(fixtures, options, server?.serveRequests)
}
