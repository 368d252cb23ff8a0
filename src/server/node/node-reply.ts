import type { IncomingMessage, ServerResponse } from 'node:http'
import type { BackendAnswer, Decision } from '../../core/answer/decision.ts'
import type { FoundRequest } from '../../core/answer/receive.ts'
import type { ReceivedBody } from '../../core/http/body.ts'
import type { Connection } from '../../core/http/origin.ts'
import type { Headers } from '../../core/http/raw-request.ts'
import { splitOrigin } from '../../core/http/route-url.ts'
import type { PreparedResponse } from '../../core/response/prepare-response.ts'
import { hasBody, readBody } from '../../wire/node/read-body.ts'
import { addHeaders, writeResponse } from '../../wire/node/write-response.ts'
import { writeLater } from '../../wire/node/write-later.ts'
import { writeStream } from '../../wire/node/write-stream.ts'
import { originOf } from '../../wire/node/listening-origin.ts'
import { otherMachine, ownOriginOf } from '../../wire/node/this-machine.ts'
import { askingReal } from '../outgoing/outgoing.ts'
import { isOfServer } from '../outgoing/memory-server.ts'
import type { Decided, StreamOpener, Reply } from '../reply.ts'
import {
  connectionOf,
  inspectorPathOf,
  type NodeHost,
  type Passing,
  passOn,
  siteOfOrigin,
} from './feature.ts'
import { RequestNotes } from '../journal/request-notes.ts'

export class NodeReply implements Reply<void> {
  readonly method: string
  readonly url: string
  readonly headers: Headers
  readonly connection: Connection
  readonly isServer: boolean
  readonly req: IncomingMessage
  readonly notes: RequestNotes | undefined
  readonly graphiql: () => PreparedResponse
  protected readonly res: ServerResponse
  private received: ReceivedBody | undefined

  constructor(
    readonly host: NodeHost,
    private readonly passing: Passing,
    { match }: FoundRequest,
  ) {
    const { req, res, url } = passing
    const { inspector, graphiql } = host
    this.req = req
    this.res = res
    this.method = req.method ?? 'GET'
    this.url = url
    this.headers = req.headers
    this.connection = connectionOf(req, res)
    this.isServer = isOfServer(req)
    this.notes = inspector && new RequestNotes(inspector.journal, this, match)
    this.graphiql = graphiql
  }

  async readBody(): Promise<ReceivedBody | undefined> {
    const { req, host } = this
    if (hasBody(req)) this.received = await readBody(req, host.options.bodyLimit)
    return this.received
  }

  askBackend = async (body: Uint8Array | undefined): Promise<BackendAnswer> => {
    const { req, res, received, host, passing } = this
    const { record } = host.options
    const { origin } = splitOrigin(this.url)
    const isOrigin = origin !== ''
    if (isOrigin) req.url = this.url.slice(origin.length)
    const target = isOrigin ? { ...record, target: origin, headers: {} } : record
    const site = isOrigin ? siteOfOrigin(host.site) : host.site
    const next = () => passOn(host.hooks.pass, { ...passing, isAsked: true })
    // Few projects ask a backend: its proxy is loaded with the first such request.
    const asked = import('../../backend/ask-backend.ts').then(({ askBackend }) => {
      const ask = () => askBackend({ req, res, next, received }, body, target, site)
      return isOrigin ? askingReal(ask) : ask()
    })
    return this.waitFor(asked)
  }

  /** A server that closes ends the answer. */
  waitFor = async <T>(work: Promise<T>): Promise<T> => {
    const { open } = this.host
    open.track(this.res)
    this.notes?.wait()
    const value = await work
    open.forget(this.res)
    return value
  }

  otherMachine(): string | undefined {
    return otherMachine(this.req.socket)
  }

  inspectorAddress(): string | undefined {
    const { req, notes, isServer } = this
    const { inspector } = this.host
    if (!notes || !inspector) return undefined
    // Code asks in memory, also where nothing listens, and under the name of another host.
    const origin = isServer
      ? [...inspector.servers].map((one) => originOf(one)).find(Boolean)
      : (ownOriginOf(req) ?? '')
    return origin === undefined ? undefined : `${origin}${inspectorPathOf(this.host, req, notes.id)}`
  }

  send(decision: Decided, headers: readonly string[]): void {
    const { req, res, notes, host } = this
    const { response, wait } = decision
    const takesTime = wait > 0 || response.fault !== undefined
    this.begin(headers)
    if (!takesTime) writeResponse(req, res, response)
    this.discardBody()
    notes?.respond(decision, res, takesTime)
    if (takesTime) writeLater(req, res, response, wait, host.open)
  }

  stream(decision: Decided, headers: readonly string[], open: StreamOpener): void {
    const { req, res, notes, host } = this
    const { response, wait, stream } = decision
    this.begin(headers)
    this.discardBody()
    if (!stream) notes?.endByPlugin(res)
    const note = stream && notes?.stream(decision, res)
    const start = () => {
      if (!host.open.hold(res)) return
      const { chunks, signal, close } = open(note, notes?.id)
      res.once('close', close)
      writeStream(req, res, response, chunks, signal).catch(() => res.destroy())
    }
    if (wait > 0) host.open.later(res, wait, start)
    else start()
  }

  pass(decision: Decision): void {
    const { host, passing, notes, received } = this
    passOn(host.hooks.pass, { ...passing, decision, notes, received })
  }

  leave(): void {
    this.notes?.abort()
  }

  private begin(headers: readonly string[]): void {
    this.noteBody() // before the answer has ended: then, Node discards what has not been read
    addHeaders(this.res, headers)
  }

  /** Reads the rest of the body, which the connection would wait for. */
  private discardBody(): void {
    if (this.received) this.req.resume()
  }

  /** Notes the body for the inspector. It may arrive after the answer was sent. */
  private noteBody(): void {
    const { req, notes, received, host } = this
    if (!notes || received || !hasBody(req)) return
    readBody(req, host.options.bodyLimit).then(
      (body) => {
        notes.keepBody(body)
        req.resume()
      },
      () => {}, // the client has disconnected
    )
  }
}
