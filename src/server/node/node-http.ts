import type { IncomingMessage, ServerResponse } from 'node:http'
import { type FoundRequest, findRequest, pageVisit, scenarioNotices } from '../../core/answer/receive.ts'
import type { Rules } from '../../core/answer/rules.ts'
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import { decideOrigin } from '../../core/http/origin.ts'
import { matchSadPath } from '../../core/sad-path/backend-endpoint.ts'
import type { RouteTable } from '../../core/table/route-table.ts'
import { isLogged } from '../../core/options/logger.ts'
import type { FixtureStore } from '../../loader/fixture-store.ts'
import type { Next, RequestHandler } from '../../wire/node/request-handler.ts'
import { addCookie, addHeaders } from '../../wire/node/write-response.ts'
import { handleRequest } from '../handle-request.ts'
import type { Origins } from '../origins/origins.ts'
import { withinRequest } from '../outgoing/outgoing.ts'
import type { Inspector } from './inspector.ts'
import { connectionOf, fullUrl, NodePort, type NodeHost } from './node-port.ts'
import { createSimilarNotice, isOfDevServer } from './unanswered.ts'
import { recordPassed } from './recorder.ts'

/** A request without a route is passed on synchronously, once the fixtures are loaded. */
export function createRequestHandler(
  store: FixtureStore,
  host: NodeHost,
  rulesNow: () => Rules,
  report: (diagnostic: Diagnostic) => void,
  inspector?: Inspector,
  origins?: Origins,
): RequestHandler {
  const { recording, site, options } = host
  const { bases } = rulesNow()
  const noticeSimilar = isLogged('warn', options.logLevel) ? createSimilarNotice(bases, report) : () => {}

  function mockApiMiddleware(req: IncomingMessage, res: ServerResponse, next: Next): void {
    if (!store.current || recording.starting) return waitUntilReady(req, res, next)
    const { table } = store.current
    const { method = 'GET', url = '/' } = req
    if (origins?.isFor(url)) return origins.serve(req, res, next)
    if (inspector?.isFor(url)) return inspector.serve(req, res, next)
    const rules = rulesNow()
    const visit = pageVisit(rules, table, method, url, req)
    if (visit) {
      visit.notices.forEach(report)
      addCookie(res, visit.cookie)
    }
    const found = findRequest(rules, table, method, url, req) ?? findSadPath(rules, table, req)
    if (found) {
      handleRequest(found, rules, new NodePort(host, req, res, next, found), report).catch(next)
      return
    }
    const mayBeMiss = !isOfDevServer(url)
    if (mayBeMiss) scenarioNotices(rules, table, method, url, req).forEach(report)
    if (host.journal && (mayBeMiss || host.journal.recordsPassed))
      recordPassed(host.journal, req, fullUrl(req), res)
    if (recording.current && isAccepted(req, res, rules))
      return recording.current.pass({ req, res, next }, site)
    noticeSimilar(req, res, table)
    origins?.follow(req, res)
    if (options.outgoing) withinRequest(req, next)
    else next()
  }

  function waitUntilReady(req: IncomingMessage, res: ServerResponse, next: Next): void {
    const ready = Promise.all([store.ready, recording.starting])
    void ready.then(() => mockApiMiddleware(req, res, next)).catch(next)
  }

  return mockApiMiddleware
}

/** A request without a route, which a sad path is for. */
function findSadPath({ state }: Rules, table: RouteTable, req: IncomingMessage): FoundRequest | undefined {
  const match = matchSadPath(state, req.method ?? 'GET', fullUrl(req), req)
  return match && { kind: 'endpoint', match, table }
}

/** Pages of other sites must not reach the backend. */
function isAccepted(req: IncomingMessage, res: ServerResponse, { bases, origins }: Rules): boolean {
  const { method = 'GET', url = '/', headers } = req
  if (!bases.some((base) => base === '' || url.startsWith(`${base}/`))) return false
  const origin = decideOrigin(origins!, { method, headers }, connectionOf(req, res))
  if (!origin.refused) addHeaders(res, origin.headers)
  return !origin.refused
}
