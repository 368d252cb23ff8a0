import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Listeners that Node itself removes before it emits `upgrade`; but that of `close`, which frees the parser. */
const ofHttp = /^(?:bound )?socketOn(?:Data|End|Drain|Error|Timeout)$/

/**
 * Takes the connection of a request that has not been answered. Without a listener for upgrades, Node hands an upgrade on as an
 * ordinary request, and its parser would read what follows.
 * @see https://github.com/nodejs/node/blob/v24.11.0/lib/_http_server.js#L1019
 */
export function takeSocket({ socket }: IncomingMessage, res: ServerResponse): Socket {
  res.detachSocket(socket)
  for (const event of ['data', 'end', 'drain', 'error', 'timeout'])
    for (const listener of socket.listeners(event))
      if (ofHttp.test(listener.name)) socket.removeListener(event, listener as () => void)
  return socket
}

export function isWebSocketUpgrade({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket'
}
