import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { type FoundRequest, findRequest, pageVisit, scenarioNotices } from '../../core/answer/receive.ts'
import type { Rules } from '../../core/answer/rules.ts'
import type { ReceivedBody } from '../../core/http/body.ts'
import { decideOrigin } from '../../core/http/origin.ts'
import { type BackendPaths, matchSadPath } from '../../core/sad-path/backend-endpoint.ts'
import type { RouteTable } from '../../core/table/route-table.ts'
import { isLogged } from '../../core/options/logger.ts'
import { hasBody, readBody } from '../../wire/node/read-body.ts'
import type { Next } from '../../wire/node/request-handler.ts'
import { addCookie, addHeaders } from '../../wire/node/write-response.ts'
import { andThen } from '../../core/values/values.ts'
import { isWebSocketUpgrade } from '../../wire/node/take-socket.ts'
import { handleRequest } from '../handle-request.ts'
import type { Origins } from '../origins/origins.ts'
import { refuseElsewhere } from '../origins/refuse-elsewhere.ts'
import type { SealingHandler } from '../outgoing/memory-server.ts'
import { withinRequest } from '../outgoing/outgoing.ts'
import type { Inspector } from './inspector.ts'
import { connectionOf, fullUrl, NodePort, tellMiss, type NodeHost } from './node-port.ts'
import { createUnansweredNotice, isOfDevServer } from './unanswered.ts'
import { recordPassed } from './recorder.ts'
import type { UpgradeHandler } from './upgrade-handler.ts'
import { countUpgradeListeners, endUpgrade, serverOf } from './upgrades.ts'

export interface MockRequestHandler extends SealingHandler {
  /** Whether a route has the path for `OPTIONS`. */
  takesOptions: (req: IncomingMessage) => boolean
  /** A listener of `upgrade`. */
  upgrade: (req: IncomingMessage, socket: Duplex, head: Buffer) => void
}

interface Parts {
  upgrades: UpgradeHandler
  /** Called for a server before its first request is answered. */
  attach: (server: Server) => void
  inspector?: Inspector | undefined
  origins?: Origins | undefined
}

/** A request without a route is passed on synchronously, once the fixtures are loaded. */
export function createRequestHandler(
  host: NodeHost,
  { upgrades, attach, inspector, origins }: Parts,
): MockRequestHandler {
  const { store, rulesNow, report, recording, site, options } = host
  const { bases } = rulesNow()
  const paths: BackendPaths = { graphql: options.graphql, bases }
  const noticeUnanswered = isLogged('warn', options.logLevel)
    ? createUnansweredNotice(bases, report)
    : () => {}

  let lastServer: Server | undefined

  function mockApiMiddleware(req: IncomingMessage, res: ServerResponse, next: Next): void {
    const server = serverOf(req)
    if (server !== lastServer) {
      lastServer = server
      if (server) attach(server)
    }
    if (!store.current || recording.starting) return waitUntilReady(req, res, next)
    const { table } = store.current
    const { method = 'GET', url = '/' } = req
    if (origins?.isFor(url)) return origins.serve(req, res, next)
    if (inspector?.isFor(url)) return inspector.serve(req, res, next)
    const isUpgrade = isWebSocketUpgrade(req)
    if (isUpgrade && upgrades.takeRequest(req, res)) return
    const rules = rulesNow()
    const visit = pageVisit(rules, table, method, url, req)
    if (visit) {
      visit.notices.forEach(report)
      addCookie(res, visit.cookie)
    }
    const found = findRequest(rules, table, method, url, req) ?? findSadPath(rules, table, req, paths)
    if (found) {
      handleRequest(
        found,
        rules,
        new NodePort(host, req, res, () => depart(req, res, next), found),
        report,
      ).catch(next)
      return
    }
    if (isUpgrade) {
      upgrades.tell(req)
      return next()
    }
    const mayBeMiss = !isOfDevServer(url)
    if (mayBeMiss) scenarioNotices(rules, table, method, url, req).forEach(report)
    const { journal } = host
    const pass = (received?: ReceivedBody) => {
      if (journal && (mayBeMiss || journal.recordsPassed))
        recordPassed(journal, req, fullUrl(req), res, paths, (id) => tellMiss(host, req, res, id), received)
      passOn(req, res, next, rules, table)
    }
    if (journal?.recordsPassed && hasBody(req))
      readBody(req, options.bodyLimit)
        .then(pass, () => pass())
        .catch(next)
    else pass()
  }

  function passOn(
    req: IncomingMessage,
    res: ServerResponse,
    next: Next,
    rules: Rules,
    table: RouteTable,
  ): void {
    const recorded = recording.of('')
    const isRecorded = recorded && isAccepted(req, res, rules)
    if (!isRecorded) noticeUnanswered(req, res, table)
    const out = depart(req, res, next)
    if (isRecorded) recorded.pass({ req, res, next: out }, site)
    else out()
  }

  /** The one way out: whatever the host answers, a page gets the script, and what it calls belongs to the client. */
  function depart(req: IncomingMessage, res: ServerResponse, next: Next): Next {
    origins?.follow(req, res)
    if (!options.outgoing) return next
    return (error) => (error === undefined ? withinRequest(req, next) : next(error))
  }

  function waitUntilReady(req: IncomingMessage, res: ServerResponse, next: Next): void {
    const ready = Promise.all([store.ready, recording.starting])
    void ready.then(() => mockApiMiddleware(req, res, next)).catch(next)
  }

  /** A server without another listener would leave the client waiting. */
  function upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void {
    void andThen(upgrades.take(req, socket, head), (isTaken) => {
      if (isTaken || countUpgradeListeners(req) > 1) return
      upgrades.tell(req)
      endUpgrade(socket)
    })
  }

  const refuse = (req: IncomingMessage, res: ServerResponse) =>
    refuseElsewhere(host.journal, req, res, fullUrl(req))

  const takesOptions = (req: IncomingMessage) =>
    store.current !== undefined &&
    findRequest(rulesNow(), store.current.table, 'OPTIONS', req.url ?? '/', req) !== undefined

  return Object.assign(mockApiMiddleware, { upgrade, refuse, takesOptions })
}

/** A request without a route, which a sad path is for. */
function findSadPath(
  { state }: Rules,
  table: RouteTable,
  req: IncomingMessage,
  paths: BackendPaths,
): FoundRequest | undefined {
  const match = matchSadPath(state, req.method ?? 'GET', fullUrl(req), req, paths)
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
