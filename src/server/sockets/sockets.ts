import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { chooseProtocol } from '../../core/http/protocols.ts'
import type { SocketNotes } from '../journal/request-notes.ts'
import type { Decided } from '../reply.ts'
import { NodeClient } from './client.ts'
import { serveOperations } from './operations.ts'
import { protocolsOf, serveSocket, type SocketContext } from './serve-socket.ts'

const maxFragments = 1000

interface Opening {
  decision: Decided
  /** Alternating names and values. */
  headers: readonly string[]
  context: SocketContext
  /** Bytes of a message: a larger one ends the WebSocket with the code 1009. */
  maxPayload: number
  record: SocketNotes | undefined
  /** Called before the first message. */
  opened: () => void
}

export function openSocket(
  { decision, headers, context, maxPayload, record, opened }: Opening,
  req: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload,
    maxFragments,
    handleProtocols: (named) => chooseProtocol([...named], protocolsOf(decision)) ?? false,
  })
  server.on('headers', (lines) => {
    for (let i = 0; i < headers.length; i += 2) lines.push(`${headers[i]}: ${headers[i + 1]}`)
  })
  server.handleUpgrade(req, socket, head, (ws) => {
    opened()
    serveSocket(new NodeClient(ws, socket, record), decision, context, serveOperations, record?.id)
  })
}
