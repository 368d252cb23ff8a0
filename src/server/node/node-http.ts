import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { type FoundRequest, findRequest } from '../../core/answer/receive.ts'
import type { Rules } from '../../core/answer/rules.ts'
import type { RouteTable } from '../../core/table/route-table.ts'
import { andThen } from '../../core/values/values.ts'
import type { Next } from '../../wire/node/request-handler.ts'
import { handleRequest } from '../handle-request.ts'
import { refuseElsewhere } from '../origins/refuse-elsewhere.ts'
import type { SealingHandler } from '../outgoing/memory-server.ts'
import { addHooks } from '../feature.ts'
import { fullUrl, type NodeHost, passOn } from './feature.ts'
import { nodeFeatures } from './features.ts'
import { NodeReply } from './node-reply.ts'
import { createUpgradeHandler } from '../upgrades/upgrade-handler.ts'
import { countUpgradeListeners, endUpgrade, serverOf } from '../upgrades/upgrades.ts'

export interface MockRequestHandler extends SealingHandler {
  /** Whether a route has the path for `OPTIONS`, once the fixtures are loaded. */
  takesOptions: (req: IncomingMessage) => Promise<boolean>
  upgrade: (req: IncomingMessage, socket: Duplex, head: Buffer) => void
  /** Called for a server before its first request is answered. */
  attach: (server: Server) => void
}

/**
 * A request without a route is passed on synchronously, once the fixtures are loaded.
 *
 * @param ends what to do when the mock server closes
 */
export function createRequestHandler(host: NodeHost, ends: Set<() => void>): MockRequestHandler {
  const { store, rulesNow, recording, hooks } = host
  const upgrades = createUpgradeHandler(host)
  for (const create of nodeFeatures(upgrades)) addHooks(hooks, create(host))
  const attached = new Set<Server>()
  let lastServer: Server | undefined

  function mockApiMiddleware(req: IncomingMessage, res: ServerResponse, next: Next): void {
    const server = serverOf(req)
    if (server !== lastServer) {
      lastServer = server
      if (server) attach(server)
    }
    if (!store.current || recording.starting) return waitUntilReady(req, res, next)
    for (const arrives of hooks.arrive) if (arrives(req, res, next)) return
    const rules = rulesNow()
    const { table } = store.current
    const found = find(rules, table, req)
    const passing = { req, res, next, url: fullUrl(req), origin: '', rules, table }
    if (!found) return passOn(hooks.pass, passing)
    handleRequest(found, rules, new NodeReply(host, passing, found), host).catch(next)
  }

  function find(rules: Rules, table: RouteTable, req: IncomingMessage): FoundRequest | undefined {
    const found = findRequest(rules, table, req.method ?? 'GET', req.url ?? '/', req)
    if (found) return found
    for (const finds of hooks.find) {
      const other = finds(rules, table, req)
      if (other) return other
    }
    return undefined
  }

  function attach(server: Server): void {
    if (attached.has(server)) return
    attached.add(server)
    for (const attaches of hooks.attach) ends.add(attaches(server))
  }

  function waitUntilReady(req: IncomingMessage, res: ServerResponse, next: Next): void {
    void whenReady()
      .then(() => mockApiMiddleware(req, res, next))
      .catch(next)
  }

  const whenReady = () => Promise.all([store.ready, recording.starting])

  /** A server without another listener would leave the client waiting. */
  function upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void {
    void andThen(upgrades.take(req, socket, head), (isTaken) => {
      if (isTaken || countUpgradeListeners(req) > 1) return
      upgrades.tell(req)
      endUpgrade(socket)
    })
  }

  const refuse = (req: IncomingMessage, res: ServerResponse) =>
    refuseElsewhere(host.inspector?.journal, req, res, fullUrl(req))

  async function takesOptions(req: IncomingMessage): Promise<boolean> {
    await whenReady()
    return findRequest(rulesNow(), store.current!.table, 'OPTIONS', req.url ?? '/', req) !== undefined
  }

  return Object.assign(mockApiMiddleware, { upgrade, refuse, takesOptions, attach })
}
