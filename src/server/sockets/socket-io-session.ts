import { diagnoseRequest } from '../../core/diagnostics/request-texts.ts'
import { ParsedRequest } from '../../core/request/parsed-request.ts'
import {
  enginePacket as engine,
  eventAsJson,
  packet,
  packetOf,
  readPacket,
  separator,
} from '../../core/stream/socket-framing.ts'
import type { Hub } from '../live/hub.ts'
import type { SocketClient } from './client.ts'
import { withTextsOf } from './opening-headers.ts'
import { type RouteContext, serveRoute } from './route-session.ts'

/* A session of Socket.IO, over a WebSocket or polling, and in it the namespaces, as WebSockets of their own. */

/** Milliseconds, as in a real server: https://socket.io/docs/v4/server-options/#pinginterval */
const pingInterval = 25_000
const pingTimeout = 20_000
const maxPayload = 1_000_000

const sessionsOf = new WeakMap<Hub, Map<string, Session>>()

export function sessionsIn(hub: Hub): Map<string, Session> {
  const known = sessionsOf.get(hub) ?? new Map<string, Session>()
  sessionsOf.set(hub, known)
  return known
}

type Timer = ReturnType<typeof setTimeout> & { unref?: () => void }

export class Session {
  readonly #sid = crypto.randomUUID()
  readonly #namespaces = new Map<string, Namespace>()
  /** Packets for the next request of a client that polls. */
  readonly #waiting: string[] = []
  #answerPoll: ((text: string) => void) | undefined
  #client: SocketClient | undefined
  #timer: Timer | undefined
  /** The client waits for the answer to its last poll, also to one that comes late. */
  #isProbed = false
  #isOver = false

  constructor(readonly context: RouteContext) {
    sessionsIn(context.hub).set(this.#sid, this)
    this.#beat()
  }

  /** @param isWebSocket whether there is nothing to upgrade to */
  handshake(isWebSocket = false): string {
    const upgrades = isWebSocket ? [] : ['websocket']
    const settings = { sid: this.#sid, upgrades, pingInterval, pingTimeout, maxPayload }
    return `${engine.open}${JSON.stringify(settings)}`
  }

  attach(client: SocketClient, isFirst = false): void {
    this.#client = client
    if (isFirst) {
      client.send(this.handshake(true))
      client.onMessage((data) => this.receive(data))
    }
    client.onClose(() => this.over())
    for (const one of this.#waiting.splice(0)) client.send(one)
  }

  /** The client tries the WebSocket first, and waits until its last request has an answer. */
  upgrade(client: SocketClient): void {
    client.onClose(() => void (this.#isProbed = false))
    client.onMessage((data) => {
      if (this.#client) return this.receive(data)
      if (data === `${engine.ping}probe`) {
        client.send(`${engine.pong}probe`)
        this.#isProbed = true
        this.#answerPoll?.(engine.noop)
      } else if (data === engine.upgrade) this.attach(client)
    })
  }

  poll(): Promise<string> {
    this.#answerPoll?.(engine.noop)
    return new Promise((resolve) => {
      this.#answerPoll = (text) => {
        this.#answerPoll = undefined
        resolve(text)
      }
      if (this.#isProbed) this.#answerPoll(engine.noop)
      else this.#flush()
    })
  }

  #flush(): void {
    if (this.#waiting.length > 0) this.#answerPoll?.(this.#waiting.splice(0).join(separator))
  }

  send(text: string): void {
    if (this.#isOver) return
    if (this.#client) return this.#client.send(text)
    this.#waiting.push(text)
    this.#flush()
  }

  receive(data: string | Uint8Array): void {
    if (this.#isOver) return
    const [type] = data
    if (typeof data !== 'string' || type === 'b') return this.#tellBinary()
    if (type === engine.pong) this.#beat()
    else if (type === engine.close) this.end(1000)
    else if (type === engine.message) this.#read(data.slice(1))
  }

  #read(text: string): void {
    const read = readPacket(text)
    if (!read) return this.end(1000)
    const { type, namespace, data } = read
    const open = this.#namespaces.get(namespace)
    if (type === '5' || type === '6') this.#tellBinary()
    else if (type === packet.connect && !open) this.#connect(namespace, data)
    else if (type === packet.disconnect) open?.over()
    else if (type === packet.event) open?.receive(eventAsJson(read))
  }

  #connect(namespace: string, auth: unknown): void {
    const { context } = this
    const socket = namespace === '/' ? context.socket : context.socket.namespaces.get(namespace)
    if (!socket) return this.send(packetOf(packet.refused, namespace, '{"message":"Invalid namespace"}'))
    const { raw, params } = context.request
    const request = new ParsedRequest({ ...raw, headers: withTextsOf(raw.headers, auth) }, params, auth)
    const client = new Namespace(
      (type, rest) => this.send(packetOf(type, namespace, rest)),
      this,
      () => this.#namespaces.delete(namespace),
    )
    this.#namespaces.set(namespace, client)
    this.send(packetOf(packet.connect, namespace, `{"sid":"${crypto.randomUUID()}"}`))
    serveRoute(client, { ...context, socket, request })
  }

  #tellBinary(): void {
    const { report, route } = this.context
    report(diagnoseRequest('socket-io', route.source, { why: 'binary' }))
  }

  #beat(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.send(engine.ping)
      this.#timer = setTimeout(() => this.end(1000), pingTimeout)
      this.#timer.unref?.()
    }, pingInterval)
    this.#timer.unref?.()
  }

  /** Closes the connection, so that the client connects again. */
  end(code: number): void {
    const client = this.#client
    if (!client) this.send(engine.close)
    this.over()
    client?.end(code)
  }

  fail(fault: Parameters<SocketClient['fail']>[0]): void {
    if (!this.#client) return this.end(1000)
    this.#client.fail(fault)
    if (fault !== 'stalled') this.over()
  }

  over(): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#timer)
    sessionsIn(this.context.hub).delete(this.#sid)
    this.#answerPoll?.(engine.close)
    for (const namespace of [...this.#namespaces.values()]) namespace.over()
  }
}

class Namespace implements SocketClient {
  readonly protocol = ''
  #read: ((data: string) => void) | undefined
  #closed: ((code: number, reason: string) => void) | undefined

  constructor(
    private readonly write: (type: string, rest?: string) => void,
    private readonly session: Session,
    private readonly left: () => void,
  ) {}

  onMessage(listener: (data: string) => void): void {
    this.#read = listener
  }

  onClose(listener: (code: number, reason: string) => void): void {
    this.#closed = listener
  }

  receive(message: string | undefined): void {
    if (message !== undefined) this.#read?.(message)
  }

  send(text: string | Uint8Array): void {
    if (typeof text === 'string') this.write(text[0]!, text.slice(1))
  }

  /** Disconnects, as `socket.disconnect()` of a real server: the client stays away until it is told to connect. */
  close(): void {
    this.write(packet.disconnect)
    this.over()
  }

  over(): void {
    this.left()
    this.#closed?.(1000, '')
    this.#closed = this.#read = undefined
  }

  fail(fault: Parameters<SocketClient['fail']>[0]): void {
    this.session.fail(fault)
  }

  end(code: number): void {
    this.session.end(code)
  }
}
