import { MockApiError } from '../core/diagnostics/format.ts'
import { errorsIn } from '../core/diagnostics/severity.ts'
import { makeLive, withSource } from '../core/fixture/listed-routes.ts'
import type { Route } from '../core/fixture/route.ts'
import { loadKinds } from '../core/options/check-options.ts'
import { resolveOptions } from '../core/options/resolve-options.ts'
import type { LoadOptions } from '../core/options/options.ts'
import type { FixtureResponse, FixtureRoute, ResponseFunction } from '../core/schema/schema.ts'
import type { FixtureState } from './fixture-state.ts'
import { createFixtureStore } from './fixture-store.ts'

/** The routes of fixture files, as a list. */
export interface LoadedRoutes extends Array<FixtureRoute> {
  /** Stops watching. The list stays as it is. */
  close: () => Promise<void>
}

export async function loadRoutes(fixtures: string | string[], options: LoadOptions): Promise<LoadedRoutes> {
  const host = { root: process.cwd(), logger: console }
  const resolved = resolveOptions({ watch: false, ...options, fixtures }, host, loadKinds)
  const { logger, watch } = resolved
  let isLoaded = false
  const store = createFixtureStore(
    // Errors of the first load are thrown.
    { ...resolved, logger: { ...logger, error: (text) => isLoaded && logger.error(text) } },
    { watchDelay: 0, keepsDefinitions: true },
  )
  await store.ready
  const errors = errorsIn(store.current!.diagnostics)
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

/** The route with its position, and the contents of the files that it names, so that it can be used without them. */
function toDefinition(route: Route): FixtureRoute {
  const { definition, path, response, sequence, paging, collection, source } = route
  const made: FixtureRoute = { ...definition!, ...(path.startsWith('/') && { path }) }
  if (sequence) made.response = sequence.parts.map((part) => withoutFile(part.response))
  else if (definition!.response !== undefined) made.response = withoutFile(response)
  const items = paging?.items as unknown[]
  if (collection) made.collection = { ...definition!.collection!, items }
  else if (paging) made.paginate = { ...definition!.paginate!, items }
  const { file, line, column } = source
  return withSource(made, {
    file,
    ...(line !== undefined && { line }),
    ...(column !== undefined && { column }),
  })
}

function withoutFile(response: FixtureResponse | ResponseFunction): FixtureResponse | ResponseFunction {
  if (typeof response === 'function') return response
  const own = { ...response }
  delete own.file
  return own
}
