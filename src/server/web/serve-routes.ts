import { withGraphQLJs } from '../../core/graphql/with-graphql-js.ts'
import { textFileOf } from '../../core/stream/stream.ts'
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import { diagnoseFixture } from '../../core/diagnostics/fixture-texts.ts'
import { diagnoseRequest } from '../../core/diagnostics/request-texts.ts'
import { formatDiagnostic, MockApiError } from '../../core/diagnostics/format.ts'
import { liveOf, sourceOf } from '../../core/fixture/listed-routes.ts'
import { neededBy, parseFixture } from '../../core/fixture/parse-fixture.ts'
import type { Route } from '../../core/fixture/route.ts'
import type { Logger } from '../../core/options/options.ts'
import type { ResolvedMiddlewareOptions, ResolvedOptions } from '../../core/options/resolve-options.ts'
import type { Fixture } from '../../core/schema/schema.ts'
import { MockState, unknownInOption } from '../../core/state/mock-state.ts'
import { compileRoutes } from '../../core/table/compile-routes.ts'
import type { RouteTable } from '../../core/table/route-table.ts'
import { describeValue } from '../../core/values/describe-value.ts'
import { snapshot } from '../../core/values/json-value.ts'
import { callItems } from '../../core/fixture/call-items.ts'
import { createHub, type Hub } from '../live/hub.ts'
import { createReporter, dropStale } from '../report.ts'
import { createWebHandler, type AnswerRequest, type WebHost } from './web-fetch.ts'
import { errorsIn } from '../../core/diagnostics/severity.ts'

const nothing = () => {}
const silent: Logger = { info: nothing, warn: nothing, error: nothing }

export interface ServedRoutes {
  answer: AnswerRequest
  current: { readonly table: RouteTable }
  state: MockState
  hub: Hub
}

/**
 * A list of `loadRoutes` is compiled again when a file changes.
 * @throws MockApiError when a route is invalid, with a diagnostic for each. An invalid pattern rejects the
 * requests instead.
 */
export function serveRoutes(
  routes: Fixture,
  options: ResolvedMiddlewareOptions,
  host?: WebHost,
): ServedRoutes {
  const live = liveOf(routes)
  // The loader logs the warnings about files.
  const logger = live ? silent : options.logger
  let parsed = parse(routes, logger)
  const current = { table: compile(parsed, options, logger) }
  settle(unknownInOption(options, current.table), options.logger)
  const state = new MockState(options.scenario)
  let checked: Promise<void> | undefined
  live?.onChange(() => {
    try {
      const next = parse(routes, logger)
      current.table = compile(next, options, logger)
      const dropped = dropStale(state, current.table)
      if (dropped) options.logger.info(dropped)
      parsed = next
      checked = undefined
      hub.reload(current.table)
    } catch (error) {
      // The loader logs it, and the last good routes answer.
      if (!(error instanceof MockApiError)) throw error
    }
  })

  /** Runs with the first request of each version of the list: few lists need RE2 and graphql-js, which are large. */
  async function check(): Promise<void> {
    const load = neededBy(routes)
    if (load) {
      await load()
      parsed = parse(routes, silent)
      current.table = compile(parsed, options, silent)
    }
    const version = parsed
    const schema = [...options.graphql.schema, ...(live?.schemas ?? [])]
    if (!host?.checker || (!options.graphql.strict && schema.length === 0)) return
    const checks = await loadChecker(host.checker, schema, options).catch((error: unknown) => {
      if (!(error instanceof MockApiError)) throw error // graphql-js is not installed
      options.logger.error(error.message)
      return { schemaError: error.diagnostics[0] }
    })
    if (version === parsed) current.table = compileRoutes(parsed, { ...options, ...checks }).table
  }

  const { enabled, graphql } = options
  const hub = createHub(createReporter(options), state.collections)
  const answer = createWebHandler(current, options, { state, hub }, host)
  if (!enabled) return { answer: () => Promise.resolve(undefined), current, state, hub }
  if (!graphql.strict && graphql.schema.length === 0 && !live && !neededBy(routes))
    return { answer, current, state, hub }
  const checkAndAnswer: AnswerRequest = async (request, given) => {
    await (checked ??= check())
    return answer(request, given)
  }
  return { answer: checkAndAnswer, current, state, hub }
}

/** Errors are thrown: unlike a file, a list in code can't be corrected while it runs. */
function parse(routes: Fixture, logger: Logger): Route[] {
  if (!Array.isArray(routes)) {
    const what = 'The first argument'
    const fix =
      (routes as unknown) instanceof Promise
        ? 'Wait for it: await loadRoutes(…).'
        : "Give it what loadRoutes('fixtures') resolves to, routes of virtual:mock-api, or the list of a fixture file."
    const details = { what, expected: 'a list of routes', received: describeValue(routes), fix }
    throw new MockApiError([diagnoseFixture('fixture-invalid', {}, details)])
  }
  const sources = Array.from(routes, sourceOf)
  const parsed = parseFixture(snapshot(routes), {
    file: 'routes',
    locate: ([index]) => sources[index as number] ?? {},
    isCode: true,
    wasFixture: true,
  })
  const called = callItems(parsed.routes)
  settle([...parsed.diagnostics, ...called.diagnostics, ...unsupported(called.routes)], logger)
  return called.routes
}

function compile(routes: readonly Route[], options: ResolvedOptions, logger: Logger): RouteTable {
  const { table, diagnostics } = compileRoutes(routes, { ...options })
  // `loadRoutes` has told those of files.
  const isTold = ({ code, file }: Diagnostic) => /^selector-/.test(code) && file !== 'routes'
  settle(
    diagnostics.filter((one) => !isTold(one)),
    logger,
  )
  return table
}

function settle(diagnostics: readonly Diagnostic[], logger: Logger): void {
  const errors = errorsIn(diagnostics)
  if (errors.length > 0) throw new MockApiError(errors)
  for (const warning of diagnostics) logger.warn(formatDiagnostic(warning))
}

async function loadChecker(
  load: NonNullable<WebHost['checker']>,
  schema: readonly string[],
  { graphql, logger }: ResolvedOptions,
) {
  const { createChecker } = await withGraphQLJs(load)
  const sources = schema.map((text) => ({ file: 'graphql.schema', text }))
  const { checker, diagnostics } = createChecker(sources, graphql)
  for (const diagnostic of diagnostics)
    logger[diagnostic.severity === 'error' ? 'error' : 'warn'](formatDiagnostic(diagnostic))
  return { checker, schemaError: checker ? undefined : diagnostics[0] }
}

/** The files that routes name: only a loader reads them. */
export function unsupported(routes: readonly Route[]): Diagnostic[] {
  return routes.flatMap(({ response, sequence, paging, source }) =>
    [response, ...(sequence?.parts ?? []).map((part) => part.response)]
      .flatMap(fileNames)
      .concat(itemsFile(paging))
      .map((path) => diagnoseRequest('body-file-unsupported', source, { path })),
  )
}

function itemsFile(paging: Route['paging']): string[] {
  const items = paging?.items
  if (!items || Array.isArray(items) || typeof items === 'function') return []
  if ('file' in items) return [items.file]
  return 'generate' in items ? [items.generate.schema ?? `type ${items.generate.type}`] : []
}

function fileNames(response: Route['response']): string[] {
  if (typeof response === 'function') return []
  const { file = textFileOf(response) } = response
  return file === undefined ? [] : [typeof file === 'string' ? file : file.$text]
}
