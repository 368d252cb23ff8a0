import type { RouteTable } from './core/table/route-table.ts'
import { diagnose, type Diagnostic } from './core/diagnostics/diagnostic.ts'
import {
  resolveOptions,
  type FetchOptions,
  type Logger,
  type ResolvedOptions,
} from './core/options/options.ts'
import { snapshot } from './core/values/json-value.ts'
import type { Route } from './core/fixture/route.ts'
import type { Fixture } from './core/schema/schema.ts'
import { createSwitchedHandler, type FetchHandler } from './hosts/web/fetch-handler.ts'
import { createWebHandler } from './hosts/web/web-fetch.ts'
import { formatDiagnostic } from './core/diagnostics/format.ts'
import { MockApiError } from './core/diagnostics/format.ts'
import { parseFixture } from './core/fixture/parse-fixture.ts'
import { sourceOf } from './core/fixture/route-source.ts'
import { compilePattern } from './core/select/pattern.ts'
import { MockState } from './core/state/mock-state.ts'
import { unknownInOption } from './core/state/unknown-scenarios.ts'
import { compileRoutes } from './core/table/compile-routes.ts'
import type { CompileOptions } from './core/table/compile-routes.ts'
import { callItems } from './loader/module/call-items.ts'
import { describeValue } from './core/values/describe-value.ts'

export type { FetchOptions, Logger, LogLevel } from './core/options/options.ts'
export type { Fixture } from './core/schema/schema.ts'
export type { ClientName, FetchHandler } from './hosts/web/fetch-handler.ts'

/**
 * Makes a handler for any runtime of `Request` and `Response`: Cloudflare Workers, Deno, Bun, Hono, a Next.js route
 * handler, a service worker. Each handler has its own state: the counts of rate limits and of sequences (`response` as a
 * list). Without these two, any number of instances give the same answers.
 *
 * Such a runtime has no files, so the routes are given as a list. To share a fixture file between a dev server and a
 * worker, write it in TypeScript.
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
 * // Hono
 * app.use(async (context, next) => (await mockApi(context.req.raw)) ?? next())
 *
 * @example
 * // app/api/[...path]/route.ts of Next.js, with createFetchHandler(orders, { base: '/api' })
 * const handler = async (request: Request) => (await mockApi(request)) ?? new Response(null, { status: 404 })
 * export { handler as GET, handler as POST, handler as PUT, handler as PATCH, handler as DELETE, handler as OPTIONS }
 */
export function createFetchHandler(routes: Fixture, options: FetchOptions = {}): FetchHandler {
  const resolved = resolveOptions(options, { root: '', logger: console }, 'fetch')
  const parsed = parse(routes, resolved)
  const current = { table: compile(parsed, resolved) }
  const state = new MockState(resolved.scenario)
  const answer = createWebHandler(current, resolved, state)
  if (!resolved.enabled) return createSwitchedHandler(() => Promise.resolve(undefined), current, state)
  if (!resolved.graphql.strict && resolved.graphql.schema.length === 0)
    return createSwitchedHandler(answer, current, state)
  let checked: Promise<void> | undefined
  const checkAndAnswer = async (request: Request) => {
    await (checked ??= loadChecker(resolved).then((checks) => {
      current.table = compileRoutes(parsed, { ...resolved, ...checks }).table
    }))
    return answer(request)
  }
  return createSwitchedHandler(checkAndAnswer, current, state)
}

/** The routes of a list. Errors are thrown: unlike a file, a list in code can't be corrected while it runs. */
function parse(routes: Fixture, { logger }: ResolvedOptions): Route[] {
  if (!Array.isArray(routes)) {
    const what = 'The first argument of createFetchHandler'
    const details = { what, expected: 'a list of routes', received: describeValue(routes) }
    throw new MockApiError([diagnose('fixture-invalid', {}, details)])
  }
  const sources = Array.from(routes, sourceOf)
  const parsed = parseFixture(snapshot(routes), {
    file: 'routes',
    locate: ([index]) => sources[index as number] ?? {},
    isCode: true,
    wasFixture: true,
    compilePattern, // statically imported: nothing can be loaded synchronously here
  })
  const called = callItems(parsed.routes)
  settle([...parsed.diagnostics, ...called.diagnostics, ...unsupported(called.routes)], logger)
  return called.routes
}

function compile(routes: readonly Route[], options: ResolvedOptions): RouteTable {
  const { table, diagnostics } = compileRoutes(routes, options)
  settle([...diagnostics, ...unknownInOption(options, table)], options.logger)
  return table
}

function settle(diagnostics: readonly Diagnostic[], logger: Logger): void {
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  if (errors.length > 0) throw new MockApiError(errors)
  for (const warning of diagnostics) logger.warn(formatDiagnostic(warning))
}

/** Called with the first request, since it loads the whole of graphql-js. */
async function loadChecker({ graphql, logger }: ResolvedOptions): Promise<Partial<CompileOptions>> {
  const { createChecker } = await import('./core/graphql-schema/create-checker.ts')
  const sources = graphql.schema.map((text) => ({ file: 'graphql.schema', text }))
  const { checker, diagnostics } = createChecker(sources, graphql)
  for (const diagnostic of diagnostics) logger.error(formatDiagnostic(diagnostic))
  return { checker, schemaError: checker ? undefined : diagnostics[0] }
}

function unsupported(routes: readonly Route[]): Diagnostic[] {
  return routes.flatMap(({ response, sequence, source }) =>
    [response, ...(sequence?.parts ?? []).map((part) => part.response)].flatMap((one) =>
      typeof one === 'object' && one.file !== undefined
        ? [diagnose('body-file-unsupported', source, { path: one.file })]
        : [],
    ),
  )
}
