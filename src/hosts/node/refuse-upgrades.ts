import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { diagnose, type Diagnostic } from '../../core/diagnostics/diagnostic.ts'

/** The end of a connection that asked for a WebSocket. */
const refusal = 'HTTP/1.1 501 Not Implemented\r\nconnection: close\r\ncontent-length: 0\r\n\r\n'

export function describeRefusal({ url = '/' }: IncomingMessage): Diagnostic {
  return diagnose('upgrade-refused', {}, { path: url.split('?', 1)[0]! })
}

/** Milliseconds in which a backend has to accept a WebSocket that a proxy hands on. */
const defaultPatience = 5000

/**
 * Refuses WebSockets on paths of ours that nobody else takes. A server that listens to upgrades, for the hot reload of the
 * dev server, leaves all others without an answer, so their client would wait for ever.
 *
 * Without such a server nothing is done: Node then hands an upgrade to the middlewares, as any other request.
 *
 * @param isOurs whether a route answers the URL
 * @see https://nodejs.org/docs/latest-v20.x/api/http.html#event-upgrade
 */
export function refuseUpgrades(
  server: Server,
  isOurs: (url: string) => boolean,
  report: (diagnostic: Diagnostic) => void,
  patience = defaultPatience,
): void {
  // By the first connection, everybody who takes upgrades listens.
  server.once('connection', () => {
    if (server.listenerCount('upgrade') > 0) server.prependListener('upgrade', refuseUntaken)
  })

  function refuseUntaken(req: IncomingMessage, socket: Duplex): void {
    if (!isOurs(req.url ?? '/')) return
    const listeners = countListeners(socket)
    const refuse = () => {
      if (socket.destroyed || (socket as Socket).bytesWritten > 0) return
      report(describeRefusal(req))
      socket.on('error', () => {}) // the client has left
      socket.end(refusal)
    }
    // All others have been called by then. One that listens to the socket may be a proxy, whose backend has to answer, or
    // Vite 8, which listens to the errors of every socket.
    setImmediate(() => {
      if (countListeners(socket) === listeners) refuse()
      else setTimeout(refuse, patience).unref()
    })
  }
}

function countListeners(socket: Duplex): number {
  return socket.eventNames().reduce((count, name) => count + socket.listenerCount(name), 0)
}
