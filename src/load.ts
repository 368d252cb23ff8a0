import type { LoadOptions } from './core/options/options.ts'
import type { LoadedRoutes } from './loader/load-routes.ts'

export type { LoadOptions, Logger, LogLevel } from './core/options/options.ts'
export type { Fixture, FixtureRoute } from './core/schema/schema.ts'
export type { LoadedRoutes } from './loader/load-routes.ts'

/**
 * Loads fixture files in Node without a bundler: for a Next.js route handler, Hono, a script, MSW. The list is what
 * `createFetchHandler` and `toHandlers` take. Files that routes name (`response.file`, `items.file`) are part of it.
 *
 * With `watch`, the list follows the files, and so does every handler that was made from it; a file with an error keeps its
 * last good routes, and the error is logged. A watched list does not keep the process running.
 *
 * @param fixtures a folder, a file, globs, or a list of them, relative to `root`; `templates` in the list adds the starter
 * templates, which are also there while there is no fixture file. Default `fixtures`
 * @param options see {@link LoadOptions}; `root` defaults to the working directory, `logger` to the console
 * @throws MockApiError when an option is invalid, or when a fixture file has an error: with file, line and column of each
 *
 * @example
 * import { createFetchHandler } from 'unplugin-mock-api/fetch'
 * import { loadRoutes } from 'unplugin-mock-api/load'
 *
 * const mockApi = createFetchHandler(await loadRoutes('fixtures'))
 *
 * @example
 * // while developing: each edit is answered at once
 * const routes = await loadRoutes('fixtures', { watch: true })
 * const mockApi = createFetchHandler(routes)
 * // …
 * await routes.close()
 */
export async function loadRoutes(
  fixtures: string | string[] = 'fixtures',
  options: LoadOptions = {},
): Promise<LoadedRoutes> {
  // An application that only imports this function, in production too, does not load what reads files.
  const routes = await import('./loader/load-routes.ts')
  return routes.loadRoutes(fixtures, options)
}
