import type { FoundRequest } from '../../core/answer/receive.ts'
import { diagnoseRequest } from '../../core/diagnostics/request-texts.ts'
import { reasonOf } from '../../core/values/thrown.ts'
import { socketMethod } from '../../core/schema/schema.ts'
import { takeSocket } from '../../wire/node/take-socket.ts'
import type { Decided } from '../reply.ts'
import type { SocketContext } from '../sockets/serve-socket.ts'
import type { NodeHost, Passing } from '../node/feature.ts'
import { NodeReply } from '../node/node-reply.ts'

/** A handshake is decided like any other request; the answer 101 opens the WebSocket. */
export class SocketReply extends NodeReply {
  override readonly method = socketMethod

  constructor(
    host: NodeHost,
    passing: Passing,
    private readonly head: Buffer,
    found: FoundRequest,
    private readonly context: SocketContext,
  ) {
    super(host, passing, found)
  }

  openSocket(decision: Decided, headers: readonly string[]): void {
    const { host, res } = this
    const open = () => this.open(decision, headers)
    if (decision.wait > 0) host.open.later(res, decision.wait, open)
    else open()
  }

  private open(decision: Decided, added: readonly string[]): void {
    const { req, res, host, head, notes, context } = this
    const { headers: own } = decision.response
    const name = own.indexOf('x-mock-route')
    const headers = [...(name === -1 ? [] : own.slice(name, name + 2)), ...added]
    const socket = takeSocket(req, res)
    const record = notes?.open(decision)
    let isOpen = false
    socket.once('close', () => {
      if (!isOpen) record?.end('left')
    })
    const opened = () => void (isOpen = true)
    const { bodyLimit: maxPayload } = host.options
    // With the first WebSocket: no other request needs `ws`.
    import('../sockets/sockets.ts')
      .then(({ openSocket }) =>
        openSocket({ decision, headers, context, maxPayload, record, opened }, req, socket, head),
      )
      .catch((error: unknown) => {
        socket.destroy()
        const request = `${req.method} ${req.url}`
        host.report(diagnoseRequest('internal-error', {}, { request, reason: reasonOf(error) }))
      })
  }
}
