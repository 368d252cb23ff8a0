import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import { refusedUpgrade } from '../../core/diagnostics/request-texts.ts'

const refusal = 'HTTP/1.1 501 Not Implemented\r\nconnection: close\r\ncontent-length: 0\r\n\r\n'

/** Milliseconds in which a backend has to accept a WebSocket that a proxy passes on. */
const defaultPatience = 5000

/**
 * A server that listens to upgrades for hot reload leaves clients of other WebSockets waiting forever. Without such
 * a listener, Node passes an upgrade to the middlewares like any other request.
 * @see https://nodejs.org/docs/latest-v20.x/api/http.html#event-upgrade
 */
export function refuseUpgrades(
  server: Server,
  isOurs: (url: string) => boolean,
  report: (diagnostic: Diagnostic) => void,
  patience = defaultPatience,
): void {
  // At the first connection, all other listeners have been added.
  server.once('connection', () => {
    if (server.listenerCount('upgrade') > 0) server.prependListener('upgrade', refuseUntaken)
  })

  function refuseUntaken(req: IncomingMessage, socket: Duplex): void {
    if (!isOurs(req.url ?? '/')) return
    const listeners = countListeners(socket)
    const refuse = () => {
      if (socket.destroyed || (socket as Socket).bytesWritten > 0) return
      report(refusedUpgrade(req.url ?? '/'))
      socket.on('error', () => {}) // the client has disconnected
      socket.end(refusal)
    }
    // All other listeners have been called by now. A new listener of the socket is a proxy that waits for its
    // backend, or Vite 8, which listens to the errors of every socket.
    setImmediate(() => {
      if (countListeners(socket) === listeners) refuse()
      else setTimeout(refuse, patience).unref()
    })
  }
}

function countListeners(socket: Duplex): number {
  return socket.eventNames().reduce((count, name) => count + socket.listenerCount(name), 0)
}
