import { chooseProtocol, graphqlTransport, offeredProtocols } from '../../core/http/protocols.ts'
import type { StreamFault } from '../../core/schema/fault-schema.ts'
import { socketMethod } from '../../core/schema/schema.ts'
import { wait } from '../../wire/web/web-fault.ts'
import type { Reply } from '../reply.ts'
import type { SocketClient } from '../sockets/client.ts'
import { protocolsOf, serveSocket, type SocketContext } from '../sockets/serve-socket.ts'
import { Turns } from '../sockets/turns.ts'

/* WebSockets without Node: those of a runtime's own server, and those that MSW intercepts. */

/** The used part of a WebSocket of workers, Deno and MSW. */
interface WebSocketLike {
  /** 0 while it connects. */
  readyState?: number
  send: (data: string | Uint8Array<ArrayBuffer>) => void
  close: (code?: number, reason?: string) => void
  addEventListener: {
    (type: 'open', listener: () => void): void
    (type: 'message', listener: (event: { data: unknown }) => void): void
    (type: 'close', listener: (event: { code: number; reason: string }) => void): void
  }
}

/** Opens the server's end of a WebSocket. The response is what opens that of the client, with `headers` where the runtime lets us. */
export type Accept = (
  protocol: string | undefined,
  headers: readonly string[],
) => { socket: WebSocketLike; response: Response }

/** A fault of the connection is not exact here: it closes. */
const internalError = 1011
const policyViolation = 1008

/** Messages that may wait, since nothing makes a client wait here. */
const maxWaiting = 100_000

type SocketReply = Reply<Promise<Response | undefined>>

/** A handshake is decided like any other request; the answer 101 opens the WebSocket. */
export function socketReply(reply: SocketReply, accept: Accept, context: SocketContext): SocketReply {
  return {
    ...reply,
    method: socketMethod,
    async openSocket(decision, added) {
      const { route } = decision
      const operations = route ? undefined : await import('../sockets/operations.ts') // it needs graphql-js
      if (decision.wait > 0) await wait(decision.wait, new AbortController().signal)
      const protocol = route
        ? chooseProtocol(offeredProtocols(reply.headers), protocolsOf(decision))
        : graphqlTransport
      const { socket, response } = accept(protocol, added)
      const client = new WebClient(socket, protocol ?? '')
      const serve = () => serveSocket(client, decision, context, operations?.serveOperations)
      if (socket.readyState === 0) socket.addEventListener('open', serve)
      else serve()
      return response
    },
  }
}

class WebClient implements SocketClient {
  #isOver = false
  /** Messages are read in their order, and a `Blob` takes time. */
  #last: Promise<void> = Promise.resolve()
  readonly #turns = new Turns()

  constructor(
    private readonly socket: WebSocketLike,
    readonly protocol: string,
  ) {}

  onMessage(listener: (data: string | Uint8Array) => void): void {
    const add = (data: string | Uint8Array) => {
      this.#turns.add(data.length, () => this.#turns.isOver || listener(data))
      if (this.#turns.weight > maxWaiting) this.close(policyViolation, 'Too many messages.')
    }
    this.socket.addEventListener('message', ({ data }) => {
      if (typeof data === 'string') return void (this.#last = this.#last.then(() => add(data)))
      const bytes = new Response(data as BodyInit).arrayBuffer()
      this.#last = this.#last.then(async () => add(new Uint8Array(await bytes)))
    })
  }

  onClose(listener: (code: number, reason: string) => void): void {
    this.socket.addEventListener('close', ({ code, reason }) => {
      this.#end(1000) // workerd waits for it
      this.#last = this.#last.then(() => this.#turns.add(0, () => listener(code, reason)))
    })
  }

  send(data: string | Uint8Array): void {
    if (!this.#isOver) this.socket.send(data as string)
  }

  close(code: number, reason = ''): void {
    this.#turns.isOver = true
    this.#end(code, reason)
  }

  #end(code: number, reason = ''): void {
    if (this.#isOver) return
    this.#isOver = true
    try {
      this.socket.close(code, reason)
    } catch {
      this.socket.close() // a code that the runtime keeps for itself
    }
  }

  fail(fault: StreamFault): void {
    if (fault !== 'stalled') this.close(internalError, `The fixture's fault "${fault}"`)
    this.#isOver = this.#turns.isOver = true
  }

  end(code: number): void {
    this.close(code)
  }
}

interface Runtime {
  /** https://developers.cloudflare.com/workers/runtime-apis/websockets/ */
  WebSocketPair?: new () => { 0: object; 1: WebSocketLike & { accept: () => void } }
  /** https://docs.deno.com/api/deno/~/Deno.upgradeWebSocket */
  Deno?: {
    upgradeWebSocket: (
      request: Request,
      options: { protocol?: string },
    ) => { socket: WebSocketLike; response: Response }
  }
}

/** `undefined` where the runtime opens no WebSockets for a request. */
export function acceptOf(request: Request): Accept | undefined {
  const { WebSocketPair, Deno } = globalThis as Runtime
  if (WebSocketPair)
    return (protocol, added) => {
      const { 0: webSocket, 1: socket } = new WebSocketPair()
      socket.accept()
      const headers = new Headers()
      if (protocol !== undefined) headers.set('sec-websocket-protocol', protocol)
      for (let i = 0; i < added.length; i += 2) headers.append(added[i]!, added[i + 1]!)
      return { socket, response: new Response(null, { status: 101, webSocket, headers } as ResponseInit) }
    }
  return Deno && ((protocol) => Deno.upgradeWebSocket(request, protocol === undefined ? {} : { protocol }))
}
