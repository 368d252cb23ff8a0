import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { readProxies } from '../../backend/proxies.ts'
import { type FoundRequest, findSocket } from '../../core/answer/receive.ts'
import type { Rules } from '../../core/answer/rules.ts'
import { refusedUpgrade } from '../../core/diagnostics/request-texts.ts'
import { socketMethod } from '../../core/schema/schema.ts'
import { hasStream } from '../../core/table/compile-endpoint.ts'
import { matchEndpoint } from '../../core/table/match.ts'
import { describeUnanswered } from '../../core/table/similar.ts'
import type { Endpoint } from '../../core/table/route-table.ts'
import { isRecord } from '../../core/values/values.ts'
import { isWebSocketUpgrade } from '../../wire/node/take-socket.ts'
import { handleRequest } from '../handle-request.ts'
import { type CreateFeature, fullUrl, type NodeHost } from '../node/feature.ts'
import { noteMiss } from '../journal/note-passed.ts'
import { SocketReply } from './socket-reply.ts'
import { countUpgradeListeners, type Taker, takeUpgrades } from './upgrades.ts'

export interface UpgradeHandler extends Taker {
  /** Takes an upgrade that arrives as a request, on a server without a listener. @returns whether it answers */
  takeRequest: (req: IncomingMessage, res: ServerResponse) => boolean
}

export function createUpgradeHandler(host: NodeHost): UpgradeHandler {
  const { store, rulesNow, report, site, recording } = host
  const { origins, isOfHost = () => false } = host.sockets
  const rulesOfUpgrade = (): Rules => ({ ...rulesNow(), origins })
  const isProxied = readProxies(site.proxy, (options) => isRecord(options) && takesSockets(options))
  const isReady = () => store.current && !recording.starting

  /** Subscriptions may be left to the backend, where the dev server proxies WebSockets or has another listener for them. */
  function isAnswered(endpoint: Endpoint, req: IncomingMessage): boolean {
    return hasStream(endpoint) || (!isProxied(req) && !(site.nextIsBackend && countUpgradeListeners(req) > 0))
  }

  function find(req: IncomingMessage): FoundRequest | undefined {
    const found = findSocket(rulesNow(), store.current!.table, fullUrl(req), req)
    return found?.kind !== 'operations' || isAnswered(found.match.endpoint, req) ? found : undefined
  }

  function answer(found: FoundRequest, req: IncomingMessage, res: ServerResponse, head: Buffer): void {
    const { table } = found
    const rules = rulesOfUpgrade()
    const next = () => void res.destroy()
    const passing = { req, res, next, url: fullUrl(req), origin: '', rules, table }
    const context = { findAgain: () => find(req), rulesOfUpgrade, report, hub: host.hub }
    handleRequest(found, rules, new SocketReply(host, passing, head, found, context), host).catch(next)
  }

  return {
    take(req, socket, head) {
      if (!isWebSocketUpgrade(req) || isOfHost(req)) return false
      if (!isReady()) {
        socket.on('error', ignore) // it has no other listener while the fixtures are loading
        return Promise.all([store.ready, recording.starting]).then(() => {
          socket.off('error', ignore)
          return this.take(req, socket, head)
        })
      }
      const found = find(req)
      if (found) answer(found, req, responseTo(req, socket as Socket), head)
      return found !== undefined
    },
    takeRequest(req, res) {
      const found = find(req)
      if (found) answer(found, req, res, Buffer.alloc(0))
      return found !== undefined
    },
    refuses(req) {
      const { bases } = rulesNow()
      return ['GET', 'POST'].some(
        (method) => store.current && matchEndpoint(store.current.table, method, fullUrl(req), bases),
      )
    },
    tell(req) {
      if (this.refuses(req)) return report(refusedUpgrade(fullUrl(req)))
      if (!isWebSocketUpgrade(req) || isOfHost(req) || !store.current) return
      const url = fullUrl(req)
      if (host.inspector) noteMiss(host.inspector.journal, socketMethod, url, req.headers)
      const notice = describeUnanswered(store.current.table, socketMethod, url, rulesNow().bases)
      if (notice) report(notice)
    },
  }
}

/** A feature for upgrades that arrive as requests, on a server without a listener for upgrades. */
export const upgradesOf =
  (handler: UpgradeHandler): CreateFeature =>
  () => ({
    attach: (server) => takeUpgrades(server, handler),
    arrive: (req, res) => isWebSocketUpgrade(req) && handler.takeRequest(req, res),
    pass({ req, decision, next: leave }, next) {
      if (decision || !isWebSocketUpgrade(req)) return next()
      handler.tell(req)
      leave()
    },
  })

/** Refusals and faults of a handshake are written like those of any other request. */
function responseTo(req: IncomingMessage, socket: Socket): ServerResponse {
  const res = new ServerResponse(req)
  res.shouldKeepAlive = false
  res.assignSocket(socket)
  res.once('finish', () => socket.destroySoon())
  socket.on('error', ignore)
  return res
}

/** @see https://vite.dev/config/server-options#server-proxy */
function takesSockets({ ws, target }: Record<string, unknown>): boolean {
  return ws === true || (typeof target === 'string' && /^wss?:/.test(target))
}

function ignore(): void {}
