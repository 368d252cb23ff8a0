import type { IncomingMessage, ServerResponse } from 'node:http'
import type { BackendSite } from '../../backend/backend.ts'
import type { RecordingSwitch } from '../../backend/recording-switch.ts'
import type { BackendAnswer, Decision } from '../../core/answer/decision.ts'
import type { FoundRequest } from '../../core/answer/receive.ts'
import type { Rules } from '../../core/answer/rules.ts'
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import type { ReceivedBody } from '../../core/http/body.ts'
import type { Connection } from '../../core/http/origin.ts'
import { splitOrigin } from '../../core/http/route-url.ts'
import { streamToken } from '../../core/http/protocols.ts'
import { headerText, type Headers, type RawRequest } from '../../core/http/raw-request.ts'
import { clientOf } from '../../core/http/client.ts'
import { describeSadPath } from '../../core/sad-path/describe-sad-path.ts'
import type { ResolvedOptions } from '../../core/options/resolve-options.ts'
import { inspectorFolder } from '../../inspector/inspector-folder.ts'
import type { Journal } from '../../inspector/journal.ts'
import type { FixtureStore } from '../../loader/fixture-store.ts'
import type { OpenAnswers } from '../../wire/node/open-answers.ts'
import { hasBody, readBody } from '../../wire/node/read-body.ts'
import type { Next } from '../../wire/node/request-handler.ts'
import { isSecure } from '../../wire/node/this-machine.ts'
import { writeLater } from '../../wire/node/write-later.ts'
import { writeStream } from '../../wire/node/write-stream.ts'
import { addHeaders, writeResponse } from '../../wire/node/write-response.ts'
import type { Decided, RequestPort } from '../handle-request.ts'
import { chunksOf } from '../live/chunks.ts'
import type { Hub, StreamOwner } from '../live/hub.ts'
import type { SharedStreams } from '../live/shared-streams.ts'
import type { GraphiQLHandler } from './graphiql.ts'
import { askingReal } from '../outgoing/outgoing.ts'
import { isOfServer } from '../outgoing/memory-server.ts'
import { Recorder } from './recorder.ts'

/** What answers on one server of a host. */
export interface NodeHost {
  options: ResolvedOptions
  store: FixtureStore
  rulesNow: () => Rules
  report: (diagnostic: Diagnostic) => void
  open: OpenAnswers
  hub: Hub
  recording: RecordingSwitch
  site: BackendSite
  /** `undefined` if requests are not recorded. */
  journal: Journal | undefined
  graphiql: GraphiQLHandler
  sharedStreams: SharedStreams
}

export class NodePort implements RequestPort<void> {
  readonly method: string
  readonly url: string
  readonly headers: Headers
  readonly connection: Connection
  readonly hub: Hub
  readonly isServer: boolean
  protected readonly recorder: Recorder | undefined
  private received: ReceivedBody | undefined
  private out: Next | undefined

  constructor(
    protected readonly host: NodeHost,
    protected readonly req: IncomingMessage,
    protected readonly res: ServerResponse,
    private readonly depart: () => Next,
    { match }: FoundRequest,
  ) {
    this.method = req.method ?? 'GET'
    this.url = fullUrl(req)
    this.headers = req.headers
    this.connection = connectionOf(req, res)
    this.hub = host.hub
    this.isServer = isOfServer(req)
    this.recorder = host.journal && new Recorder(host.journal, this, match)
  }

  async readBody(): Promise<ReceivedBody | undefined> {
    const { req, host } = this
    if (hasBody(req)) this.received = await readBody(req, host.options.bodyLimit)
    return this.received
  }

  askBackend = async (body: Uint8Array | undefined): Promise<BackendAnswer> => {
    const { req, res, received, host } = this
    const { record } = host.options
    const { origin } = splitOrigin(this.url)
    const isOrigin = origin !== ''
    if (isOrigin) req.url = this.url.slice(origin.length)
    const target = isOrigin ? { ...record, target: origin, headers: {} } : record
    const site = isOrigin ? siteOfOrigin(host.site) : host.site
    // Few projects ask a backend: its proxy is loaded with the first such request.
    const asked = import('../../backend/ask-backend.ts').then(({ askBackend }) => {
      const ask = () => askBackend({ req, res, next: this.next(), received }, body, target, site)
      return isOrigin ? askingReal(ask) : ask()
    })
    return this.waitFor(asked)
  }

  /** A server that closes ends the answer. */
  waitFor = async <T>(work: Promise<T>): Promise<T> => {
    const { open } = this.host
    open.track(this.res)
    this.recorder?.wait()
    const value = await work
    open.forget(this.res)
    return value
  }

  /** Once: a page gets one script. */
  private next(): Next {
    return (this.out ??= this.depart())
  }

  inspectorAddress(): string | undefined {
    const { req, connection } = this
    const host = headerText(req.headers, 'host') ?? headerText(req.headers, ':authority')
    const path = this.inspectorPath()
    if (host === undefined || path === undefined) return path
    return `${connection.isSecure ? 'https' : 'http'}://${host}${path}`
  }

  private inspectorPath(): string | undefined {
    const { recorder, host, req } = this
    return recorder && inspectorPathOf(host, req, recorder.id)
  }

  write(decision: Decided, corsHeaders: readonly string[]): void {
    const { req, res, recorder, host } = this
    const { response, wait, stream, route } = decision
    const isStream = stream !== undefined && route !== undefined && response.fault === undefined
    const takesTime = wait > 0 || response.fault !== undefined
    this.recordBody() // before the answer has ended: then, Node discards what has not been read
    addHeaders(res, corsHeaders)
    if (isMiss(decision) && recorder) tellMiss(host, req, res, recorder.id)
    if (host.options.badge) tellSwitched(host, req, res)
    const token = decision.match.endpoint.graphql && streamToken(decision.raw)
    const accepted = token === undefined ? undefined : host.sharedStreams.accept(token, decision)
    if (accepted) {
      writeResponse(req, res, accepted)
      if (this.received) req.resume()
      return recorder?.respond({ ...decision, response: accepted }, res, false)
    }
    if (!takesTime && !isStream) writeResponse(req, res, response)
    if (this.received) req.resume() // otherwise, the connection would wait for somebody to read the body
    if (isStream) return this.writeStream(decision, { stream, route })
    recorder?.respond(decision, res, takesTime)
    if (takesTime) writeLater(req, res, response, wait, host.open)
  }

  serveSharedStream(raw: RawRequest, corsHeaders: readonly string[]): void {
    const { req, res, host } = this
    addHeaders(res, corsHeaders)
    const { response, stream } = host.sharedStreams.serve(raw)
    if (!stream) writeResponse(req, res, response)
    else if (host.open.hold(res)) {
      res.once('close', stream.close)
      writeStream(req, res, response, stream.chunks, stream.signal).catch(() => res.destroy())
    }
    this.recorder?.endByPlugin(res)
  }

  private writeStream(decision: Decided, { stream, route }: Pick<StreamOwner, 'stream' | 'route'>): void {
    const { req, res, recorder, host } = this
    const { response, wait } = decision
    const note = recorder?.stream(decision, res) ?? (() => {})
    const start = () => {
      if (!host.open.hold(res)) return
      const open = host.hub.open({ stream, route, client: clientOf(req.headers), request: recorder?.id })
      res.once('close', open.close)
      const chunks = chunksOf(open, stream.framing, note)
      writeStream(req, res, response, chunks, open.signal).catch(() => res.destroy())
    }
    if (wait > 0) host.open.later(res, wait, start)
    else start()
  }

  /** For the inspector alone. The body may arrive after the answer was sent. */
  private recordBody(): void {
    const { req, recorder, received, host } = this
    if (!recorder || received || !hasBody(req)) return
    readBody(req, host.options.bodyLimit).then(
      (body) => {
        recorder.keepBody(body)
        req.resume()
      },
      () => {}, // the client has disconnected
    )
  }

  pass(decision: Decision): void {
    const { req, res, received, host } = this
    this.recorder?.pass(res, decision)
    const recorded = splitOrigin(this.url).origin === '' ? host.recording.of('') : undefined
    // A refused request must not reach the backend either.
    const next = this.next()
    return recorded && !decision.diagnostic ? recorded.pass({ req, res, next, received }, host.site) : next()
  }

  showGraphiQL(): void {
    this.host.graphiql(this.req, this.res)
    this.recorder?.endByPlugin(this.res)
  }

  leave(): void {
    this.recorder?.abort()
  }
}

/** Another origin is its own backend. The headers of the option are secrets of its target. */
export function siteOfOrigin({ report }: Pick<BackendSite, 'report'>): BackendSite {
  return { report, proxy: undefined, hostBase: '', nextIsBackend: false, hasPages: false, isOrigin: true }
}

/** Pages find it in the timing of their own requests. */
const missMetric = 'mock-api-miss'

/** Lets the badge of the page count the miss. */
export function tellMiss(host: NodeHost, req: IncomingMessage, res: ServerResponse, id: number): void {
  if (host.options.badge)
    addHeaders(res, ['server-timing', `${missMetric};desc="${inspectorPathOf(host, req, id)}"`])
}

/** The badge of the page names the scenarios and the sad path that are on for its client. */
function tellSwitched(host: NodeHost, req: IncomingMessage, res: ServerResponse): void {
  const { method = 'GET', url = '/', headers } = req
  const { state } = host.rulesNow()
  const scenarios = host.store.current?.table.scenarios ? state.activeFor(method, url, req) : []
  const sadPath = state.overrides.isOn ? state.overrides.get(clientOf(headers)).sadPath : undefined
  if (sadPath === undefined && scenarios.length === 0) return
  const text = [...scenarios, ...(sadPath === undefined ? [] : [describeSadPath(sadPath)])].join(', ')
  const path = inspectorPathOf(host, req)
  addHeaders(res, ['server-timing', `mock-api-switched;desc="${encodeURIComponent(text)} ${path}"`])
}

/** With an id, where it shows that request. */
function inspectorPathOf({ site }: NodeHost, req: IncomingMessage, id?: number): string {
  const [url, { url: own = '' }] = [fullUrl(req), req]
  // Where a server strips the mount path of the middleware, the inspector is below that.
  const mount = url.endsWith(own) ? url.slice(0, url.length - own.length) : ''
  return `${mount}${site.hostBase}/${inspectorFolder}/${id === undefined ? '' : `#/requests/${id}`}`
}

function isMiss({ by, batch }: Decision): boolean {
  return by === 'nothing' || (batch?.some((one) => one.by === 'nothing') ?? false)
}

export function connectionOf(req: IncomingMessage, res: ServerResponse): Connection {
  return {
    isSecure: isSecure(req),
    allowedOrigin: res.getHeader('access-control-allow-origin')?.toString(),
  }
}

/** Servers that strip the mount path of a middleware keep the whole URL in `originalUrl`. */
export function fullUrl(req: IncomingMessage & { originalUrl?: string }): string {
  return req.originalUrl ?? req.url ?? '/'
}
