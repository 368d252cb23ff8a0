import type { Diagnostic } from './core/diagnostics/diagnostic.ts'
import { MockApiError } from './core/diagnostics/format.ts'
import { makeLive } from './core/fixture/live-list.ts'
import { resolveOptions, type LoadOptions } from './core/options/options.ts'
import type { FixtureRoute } from './core/schema/schema.ts'
import type { FixtureState } from './loader/fixture-state.ts'
import { createFixtureStore } from './loader/fixture-store.ts'
import { toDefinition } from './loader/to-definition.ts'

export type { LoadOptions, Logger, LogLevel } from './core/options/options.ts'
export type { Fixture, FixtureRoute } from './core/schema/schema.ts'

/** The routes of fixture files, as a list. */
export interface LoadedRoutes extends Array<FixtureRoute> {
  /** Stops watching. The list stays as it is. */
  close: () => Promise<void>
}

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
  const host = { root: process.cwd(), logger: console }
  const resolved = resolveOptions({ watch: false, ...options, fixtures }, host, 'load')
  const { logger, watch } = resolved
  let isLoaded = false
  const store = createFixtureStore(
    // Errors of the first load are thrown.
    { ...resolved, logger: { ...logger, error: (text) => isLoaded && logger.error(text) } },
    { watchDelay: 0 },
    true,
  )
  await store.ready
  const errors = store.current!.diagnostics.filter(isError)
  if (errors.length > 0 || !watch) await store.close()
  if (errors.length > 0) throw new MockApiError(errors)
  isLoaded = true

  const list = [] as FixtureRoute[] as LoadedRoutes
  const listeners: (() => void)[] = []
  const fill = ({ routes }: FixtureState) => {
    list.length = 0
    for (const route of routes) if (route.definition) list.push(toDefinition(route))
  }
  fill(store.current!)
  store.onReload((state) => {
    fill(state)
    for (const listener of listeners) listener()
  })
  makeLive(list, {
    get schemas() {
      return store.current!.schemas.map(({ text }) => text)
    },
    onChange: (listener) => void listeners.push(listener),
  })
  return Object.defineProperty(list, 'close', { value: () => store.close() })
}

function isError({ severity }: Diagnostic): boolean {
  return severity === 'error'
}
