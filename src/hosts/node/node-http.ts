import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TLSSocket } from 'node:tls'
import type { Exchange, ReceivedBody, Verdict } from '../../core/answer/exchange.ts'
import { findTarget, receive, type RequestHead, type Target } from '../../core/answer/receive.ts'
import { receiveRules } from '../../core/answer/receive-rules.ts'
import type { Running as CoreRunning } from '../../core/answer/running.ts'
import type { OriginPolicy } from '../../core/http/origin.ts'
import { scenarioCookie } from '../../core/http/scenario-list.ts'
import { pageScenarios } from '../../core/http/scenario-names.ts'
import { unknownScenarios } from '../../core/state/unknown-scenarios.ts'
import { isLogged } from '../../core/options/logger.ts'
import type { ResolvedOptions } from '../../core/options/options.ts'
import type { FixtureStore } from '../../loader/fixture-store.ts'
import { addCookie } from './add-cookie.ts'
import type { JournalEntry } from '../../inspector/journal.ts'
import { createReporter } from '../report.ts'
import { createGraphiQL } from './graphiql.ts'
import { createSimilarNotice } from './notice-similar.ts'
import type { Inspector } from './inspector.ts'
import type { OpenAnswers } from './open-answers.ts'
import { createBodyReader, hasBody } from './read-body.ts'
import { Recorder } from './recorder.ts'
import type { Next, RequestHandler } from './request-handler.ts'
import { writeLater } from './write-fault.ts'
import { addHeaders, writeResponse } from './write-response.ts'

/** Shared by all handlers of the same fixtures. */
export interface Running extends CoreRunning {
  open: OpenAnswers
}

/**
 * Makes the middleware over `node:http`. A request without a route is passed on synchronously and unchanged. Only requests
 * before the fixtures are loaded have to wait.
 *
 * @param running rate limits, time limits, scenarios, and the answers to end when the server closes
 * @param bases path prefixes below which the routes are
 * @param origins which pages and host names are accepted
 * @param hasPages whether the host answers navigations with pages of the application
 * @param inspector records requests, and serves the inspector; `undefined` where there is none
 */
export function createRequestHandler(
  store: FixtureStore,
  options: ResolvedOptions,
  running: Running,
  bases: readonly string[],
  origins: OriginPolicy,
  hasPages: boolean,
  inspector?: Inspector,
): RequestHandler {
  const { logLevel, root } = options
  const rules = receiveRules(options, running, {
    bases,
    origins,
    graphiql: options.graphql.graphiql,
    hasPages: hasPages && !options.navigationGiven,
  })
  const { open } = running
  const report = createReporter(options)
  const noticeSimilar = isLogged('warn', logLevel) ? createSimilarNotice(bases, report) : () => {}
  const graphiql = createGraphiQL({ root, report })
  const readBody = createBodyReader(options)
  const recorder = inspector && new Recorder(inspector.journal)

  // Named, since `DEBUG=connect:*` shows the name.
  return function mockApiMiddleware(req, res, next) {
    if (!store.current) {
      void store.ready.then(() => mockApiMiddleware(req, res, next)).catch(next)
      return
    }
    const { table } = store.current
    const { method = 'GET', url = '/' } = req
    if (inspector?.isFor(url)) return inspector.serve(req, res, next)
    const page = pageScenarios(method, url, req)
    if (page) {
      addCookie(res, scenarioCookie(page.names))
      unknownScenarios(rules.state, table, page).forEach(report)
    }
    const target = findTarget(rules, table, method, url, req)
    if (!target) {
      if (recorder?.recordsPassed) recorder.passOther(req, fullUrl(req), res)
      noticeSimilar(req, res, table)
      return next()
    }
    const exchange = receive(rules, target, headOf(req, res, method))
    exchange.notices.forEach(report)
    const entry = recorder?.begin(target, exchange)
    const task = { req, res, next, target, exchange, entry, isRead: true }
    if (exchange.needsBody && hasBody(req)) read(task)
    else settle(task)
  }

  function read(task: Task): void {
    const { req, entry } = task
    task.isRead = false
    if (entry) req.on('close', () => task.isRead || recorder!.abort(entry))
    readBody(req, (body) => {
      task.isRead = true
      settle(task, body)
    })
  }

  function settle(task: Task, body?: ReceivedBody): void {
    const { res, next, exchange, entry } = task
    try {
      const verdict = exchange.decide(body)
      if (!(verdict instanceof Promise)) return carryOut(task, verdict)
      open.track(res)
      if (entry) recorder!.wait(entry)
      verdict
        .then((late) => {
          open.forget(res)
          carryOut(task, late)
        })
        .catch(next)
    } catch (error) {
      next(error) // a bug in this package must not end the dev server
    }
  }

  function carryOut({ req, res, next, target, exchange, entry }: Task, verdict: Verdict): void {
    if (verdict.kind === 'graphiql') {
      graphiql(req, res)
      return entry && recorder!.endByPlugin(entry, res)
    }
    if (verdict.diagnostic) report(verdict.diagnostic)
    if (verdict.kind === 'pass') {
      if (entry) recorder!.pass(entry, res)
      return next()
    }
    const { response, corsHeaders, wait } = verdict
    const takesTime = wait > 0 || response.fault !== undefined
    addHeaders(res, corsHeaders)
    if (!takesTime) writeResponse(req, res, response)
    if (entry) recorder!.respond(entry, target, exchange, verdict, res, takesTime)
    if (takesTime) writeLater(req, res, response, wait, open)
  }
}

/** A request that is being answered. */
interface Task {
  req: IncomingMessage
  res: ServerResponse
  next: Next
  target: Target
  exchange: Exchange
  /** `undefined` when requests are not recorded. */
  entry: JournalEntry | undefined
  /** Whether its body has been read, as far as it is needed. */
  isRead: boolean
}

function headOf(req: IncomingMessage, res: ServerResponse, method: string): RequestHead {
  return {
    method,
    url: fullUrl(req),
    headers: req.headers,
    isSecure: (req.socket as Partial<TLSSocket>).encrypted === true,
    allowedOrigin: res.getHeader('access-control-allow-origin')?.toString(),
  }
}

/** Servers that strip the mount path of a middleware keep the whole URL in `originalUrl`. */
function fullUrl(req: IncomingMessage & { originalUrl?: string }): string {
  return req.originalUrl ?? req.url ?? '/'
}
