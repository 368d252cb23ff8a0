import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { chooseProtocol } from '../../core/http/protocols.ts'
import type { SocketRecord } from '../node/recorder.ts'
import { NodeClient, type SocketClient } from './client.ts'

export { serveOperations } from './operations.ts'
export { serveRoute } from './route-session.ts'

/** Parts of a message. */
const maxFragments = 1000

interface Handshake {
  /** Preferred first; `undefined` takes the first that the client names. */
  protocols: readonly string[] | undefined
  /** Lines of the answer. */
  headers: readonly string[]
  /** Bytes of a message: a larger one ends the WebSocket with the code 1009. */
  maxPayload: number
  record: SocketRecord | undefined
}

export function openSocket(
  { protocols, headers, maxPayload, record }: Handshake,
  req: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  serve: (client: SocketClient) => void,
): void {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload,
    maxFragments,
    handleProtocols: (named) => chooseProtocol([...named], protocols) ?? false,
  })
  server.on('headers', (lines) => lines.push(...headers))
  server.handleUpgrade(req, socket, head, (ws) => serve(new NodeClient(ws, socket, record)))
}
