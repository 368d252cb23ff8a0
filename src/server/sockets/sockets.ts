import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { RouteTable } from '../../core/table/route-table.ts'
import type { RawRequest } from '../../core/http/raw-request.ts'
import type { SocketRecord } from '../node/recorder.ts'
import { Client } from './client.ts'
import { type OperationContext, serveOperations } from './operations.ts'
import { RouteSession, type RouteContext } from './route-session.ts'

/** Close code for clients that are to connect again. */
const serviceRestart = 1012
/** Parts of a message. */
const maxFragments = 1000

export interface Handshake {
  /** Preferred first; `undefined` takes the first that the client names. */
  protocols: readonly string[] | undefined
  /** Lines of the answer. */
  headers: readonly string[]
  record: SocketRecord | undefined
}

/** All open WebSockets of a mock server. */
export class Sockets {
  readonly #open = new Set<Client>()
  #isClosed = false

  /** @param maxPayload bytes of a message: a larger one ends the WebSocket with the code 1009 */
  constructor(private readonly maxPayload: number) {}

  open(
    { protocols, headers, record }: Handshake,
    req: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    serve: (client: Client) => void,
  ): void {
    if (this.#isClosed) return void socket.destroy()
    const server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      maxPayload: this.maxPayload,
      maxFragments,
      handleProtocols: (named) =>
        protocols ? (protocols.find((one) => named.has(one)) ?? false) : [...named][0]!,
    })
    server.on('headers', (lines) => lines.push(...headers))
    server.handleUpgrade(req, socket, head, (ws) => {
      const client = new Client(ws, socket, record)
      this.#open.add(client)
      ws.once('close', () => this.#open.delete(client))
      serve(client)
    })
  }

  serveRoute(client: Client, context: RouteContext): void {
    client.route = context.route
    new RouteSession(client, context).start()
  }

  serveOperations(client: Client, raw: RawRequest, context: OperationContext): void {
    serveOperations(client, raw, context)
  }

  /** Ends those of routes that have changed: their clients connect again. */
  reload({ endpoints }: RouteTable): void {
    // The source of an unchanged file stays the same object.
    const sources = new Set(endpoints.flatMap(({ routes }) => routes.map(({ source }) => source)))
    for (const client of this.#open)
      if (client.route && !sources.has(client.route.source)) client.end(serviceRestart)
  }

  close(): void {
    this.#isClosed = true
    for (const client of this.#open) client.end()
  }
}
