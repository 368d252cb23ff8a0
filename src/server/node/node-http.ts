import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TLSSocket } from 'node:tls'
import type { BackendSite } from '../../backend/backend.ts'
import type { Exchange } from '../../core/answer/exchange.ts'
import {
  findTarget,
  pageVisit,
  passedNotices,
  receive,
  type RequestHead,
  type Target,
} from '../../core/answer/receive.ts'
import { receiveRules, type ReceiveRules } from '../../core/answer/receive-rules.ts'
import { decideOrigin, type OriginPolicy } from '../../core/http/origin.ts'
import { isLogged } from '../../core/options/logger.ts'
import type { ResolvedOptions } from '../../core/options/options.ts'
import type { FixtureStore } from '../../loader/fixture-store.ts'
import { createReporter } from '../report.ts'
import { addCookie } from '../../wire/node/add-cookie.ts'
import { createResponder, Task, type Running } from './responder.ts'
import type { Inspector } from './inspector.ts'
import { createSimilarNotice, isOfDevServer } from './notice-similar.ts'
import { createBodyReader, hasBody } from '../../wire/node/read-body.ts'
import { Recorder, recordPassed } from './recorder.ts'
import { withName, type Next, type RequestHandler } from '../../wire/node/request-handler.ts'
import { addHeaders } from '../../wire/node/write-response.ts'

/**
 * Makes the middleware over `node:http`. A request without a route is passed on synchronously and unchanged. Only requests
 * before the fixtures are loaded have to wait.
 *
 * @param running rate limits, time limits, scenarios, and the answers to end when the server closes
 * @param bases path prefixes below which the routes are
 * @param origins which pages and host names are accepted
 * @param site where the backend is
 * @param inspector records requests, and serves the inspector; `undefined` where there is none
 */
export function createRequestHandler(
  store: FixtureStore,
  options: ResolvedOptions,
  running: Running,
  bases: readonly string[],
  origins: OriginPolicy,
  site: BackendSite,
  inspector?: Inspector,
): RequestHandler {
  const report = createReporter(options)
  const { logLevel, navigationGiven, graphql } = options
  const host = { bases, origins, graphiql: graphql.graphiql, hasPages: site.hasPages && !navigationGiven }
  const rules = receiveRules(options, running, host)
  const noticeSimilar = isLogged('warn', logLevel) ? createSimilarNotice(bases, report) : () => {}
  /** While a recording runs, what no route answers goes to the backend. */
  const recordingRules: ReceiveRules = { ...rules, unmatched: 'passthrough' }
  const { recording } = running
  const isReadAgain = () => store.current!.table.asksBackend || recording.current !== undefined
  const readBody = createBodyReader(options, isReadAgain)
  const respond = createResponder(options, running, report, site)

  return withName(handle)

  function handle(req: IncomingMessage, res: ServerResponse, next: Next): void {
    if (!store.current || recording.starting) return waitUntilReady(req, res, next)
    const { table } = store.current
    const { method = 'GET', url = '/' } = req
    if (inspector?.isFor(url)) return inspector.serve(req, res, next)
    const visit = pageVisit(rules, table, method, url, req)
    if (visit) {
      visit.notices.forEach(report)
      addCookie(res, visit.cookie)
    }
    const target = findTarget(rules, table, method, url, req)
    if (!target) {
      if (!isOfDevServer(url)) passedNotices(rules, table, method, url, req).forEach(report)
      if (inspector?.journal.recordsPassed) recordPassed(inspector.journal, req, fullUrl(req), res)
      if (recording.current && isAccepted(req, res)) return recording.current.pass({ req, res, next }, site)
      noticeSimilar(req, res, table)
      return next()
    }
    const head = headOf(req, res, method)
    const exchange = receive(recording.current ? recordingRules : rules, target, head)
    exchange.notices.forEach(report)
    answer(req, res, next, target, exchange)
  }

  function answer(
    req: IncomingMessage,
    res: ServerResponse,
    next: Next,
    target: Target,
    exchange: Exchange,
  ): void {
    const recorder = inspector && new Recorder(inspector.journal, target, exchange.raw)
    const task = new Task(req, res, next, exchange, recorder, respond)
    if (!hasBody(req)) return respond(task)
    if (exchange.needsBody) return readBody(req, task)
    if (recorder) recordBody(task, recorder)
    respond(task)
  }

  /** No route needs the body, but the inspector shows it. */
  function recordBody(task: Task, recorder: Recorder): void {
    task.recordBody = () => readBody(task.req, { receive: (body) => recorder.keepBody(body) })
  }

  function waitUntilReady(req: IncomingMessage, res: ServerResponse, next: Next): void {
    const ready = Promise.all([store.ready, recording.starting])
    void ready.then(() => handle(req, res, next)).catch(next)
  }

  /** Whether a request that no route answers may be sent to the backend: pages of other sites must not reach it. */
  function isAccepted(req: IncomingMessage, res: ServerResponse): boolean {
    const { method = 'GET', url = '/', headers } = req
    if (!bases.some((base) => base === '' || url.startsWith(`${base}/`))) return false
    const origin = decideOrigin(origins, { method, headers }, headOf(req, res, method))
    if (!origin.refused) addHeaders(res, origin.headers)
    return !origin.refused
  }
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
