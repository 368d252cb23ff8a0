import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FoundRequest } from '../../core/answer/receive.ts'
import type { RawRequest } from '../../core/http/raw-request.ts'
import { diagnoseRequest } from '../../core/diagnostics/request-texts.ts'
import { prepareResponse } from '../../core/response/prepare-response.ts'
import { socketMethod } from '../../core/schema/schema.ts'
import { opened } from '../../core/websocket/compile-socket.ts'
import { reasonOf } from '../../core/values/thrown.ts'
import { takeSocket } from '../../wire/node/take-socket.ts'
import type { Decided } from '../handle-request.ts'
import type { OperationContext } from '../sockets/operations.ts'
import type { SocketClient } from '../sockets/client.ts'
import type * as Sockets from '../sockets/sockets.ts'
import { NodePort, type NodeHost } from './node-port.ts'

type Serve = (sockets: typeof Sockets, client: SocketClient, id: number | undefined) => void

/** A handshake is decided like any other request; the answer 101 opens the WebSocket. */
export class SocketPort extends NodePort {
  override readonly method = socketMethod

  constructor(
    host: NodeHost,
    req: IncomingMessage,
    res: ServerResponse,
    private readonly head: Buffer,
    found: FoundRequest,
    private readonly context: OperationContext,
  ) {
    super(host, req, res, () => () => res.destroy(), found)
  }

  override write(decision: Decided, corsHeaders: readonly string[]): void {
    const { response, route, request, match, wait } = decision
    if (route?.response.kind !== 'websocket' || response.status !== opened || response.fault !== undefined)
      return super.write(decision, corsHeaders)
    const { socket } = route.response
    const { rulesOfUpgrade, report, hub } = this.context
    const start = () =>
      this.open(decision, socket.protocols, (sockets, client, id) =>
        sockets.serveRoute(client, {
          match,
          route,
          socket,
          request: request!,
          rules: rulesOfUpgrade(),
          report,
          hub,
          id,
        }),
      )
    if (wait > 0) this.host.open.later(this.res, wait, start)
    else start()
  }

  openOperations(raw: RawRequest, found: FoundRequest): void {
    const { context } = this
    const response = prepareResponse({ status: opened })
    const decision: Decided = { by: 'plugin', match: found.match, raw, response, wait: 0 }
    this.open(decision, undefined, (sockets, client, id) =>
      sockets.serveOperations(client, raw, { ...context, id }),
    )
  }

  private open(decision: Decided, protocols: readonly string[] | undefined, serve: Serve): void {
    const { req, res, host, head, recorder } = this
    const { headers } = decision.response
    const name = headers.indexOf('x-mock-route')
    const shown = name === -1 ? [] : [`x-mock-route: ${headers[name + 1]}`]
    const socket = takeSocket(req, res)
    const record = recorder?.open(decision)
    let isOpen = false
    socket.once('close', () => {
      if (!isOpen) record?.end('left')
    })
    // With the first WebSocket: no other request needs `ws`.
    import('../sockets/sockets.ts')
      .then((sockets) => {
        const { bodyLimit: maxPayload } = host.options
        const handshake = { protocols, headers: shown, maxPayload, record }
        sockets.openSocket(handshake, req, socket, head, (client) => {
          isOpen = true
          serve(sockets, client, record?.id)
        })
      })
      .catch((error: unknown) => {
        socket.destroy()
        const request = `${req.method} ${req.url}`
        this.context.report(diagnoseRequest('internal-error', {}, { request, reason: reasonOf(error) }))
      })
  }
}
