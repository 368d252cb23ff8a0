import { MockApiError } from '../core/diagnostics/format.ts'
import { errorsIn } from '../core/diagnostics/severity.ts'
import { makeLive, withSource } from '../core/fixture/listed-routes.ts'
import type { Route } from '../core/fixture/route.ts'
import { loadKinds } from '../core/options/check-options.ts'
import { resolveMiddlewareOptions, resolveOptions } from '../core/options/resolve-options.ts'
import type { RouteTable } from '../core/table/route-table.ts'
import type { FetchOptions, LoadOptions } from '../core/options/options.ts'
import type { FixtureResponse, FixtureRoute, ResponseFunction } from '../core/schema/schema.ts'
import { describeReload } from './describe-changes.ts'
import type { FixtureState } from './fixture-state.ts'
import { createFixtureStore } from './fixture-store.ts'

/** The routes of fixture files, as a list. */
export interface LoadedRoutes extends Array<FixtureRoute> {
  /** Stops watching. The list stays as it is. */
  close: () => Promise<void>
}

/** Serves fixture files: what comes with the inspector is not loaded without it. */
type ServeFiles = (
  options: ReturnType<typeof resolveMiddlewareOptions>,
  tableBefore: RouteTable,
) => { close: () => Promise<void> }

export async function readRoutes(
  fixtures: string | string[],
  options: LoadOptions,
  serveFiles?: ServeFiles,
): Promise<LoadedRoutes> {
  const host = { root: process.cwd(), logger: console }
  const resolved = resolveOptions({ watch: false, ...options, fixtures }, host, loadKinds)
  const { logger, watch } = resolved
  let isLoaded = false
  /** Servers of the same files, which log reloads. What is wrong with the files is logged by whoever reads them first. */
  const servers: { close: () => Promise<void> }[] = []
  const own = {
    ...logger,
    info: (text: string) => servers.length === 0 && logger.info(text),
    error: (text: string) => isLoaded && logger.error(text), // those of the first load are thrown
  }
  const store = createFixtureStore({ ...resolved, logger: own }, { watchDelay: 0, keepsDefinitions: true })
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
  let before = store.current
  store.onReload((state, hasRead) => {
    fill(state)
    if (hasRead) own.info(describeReload(before, state))
    before = state
    for (const listener of listeners) listener()
  })
  makeLive(list, {
    get schemas() {
      return store.current!.schemas.map(({ text }) => text)
    },
    onChange: (listener) => void listeners.push(listener),
    serve: serveFiles && ((given) => serve(given)),
  })
  return Object.defineProperty(list, 'close', {
    value: () => Promise.all([store, ...servers].map((one) => one.close())),
  })

  function serve({ record, ...given }: FetchOptions) {
    const all = { ...options, ...given, fixtures, ...(record && { record: { ...record, enabled: false } }) }
    const server = serveFiles!({ ...resolveMiddlewareOptions(all, host), logger }, store.current!.table)
    servers.push(server)
    return server
  }
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
