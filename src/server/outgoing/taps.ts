/* Whatever sends requests in Node gets the mock server's answers: fetch, node:http, and undici. */
import { errorMonitor } from 'node:events'
import {
  Agent,
  type AgentOptions,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http'
import type * as Http2 from 'node:http2'
import { syncBuiltinESMExports } from 'node:module'
import { Server } from 'node:net'
import { pipeline, type Readable } from 'node:stream'
import { codingsOf } from '../../core/http/body.ts'
import { isLoopback } from '../../core/http/host-name.ts'
import { withNetworkValues } from '../../core/http/network-values.ts'
import { isPlainObject } from '../../core/values/values.ts'
import { codings } from '../../wire/node/codings.ts'
import { setImmediate } from '../../wire/node/timers.ts'
import { sendRequest, type MemorySocket } from './memory-connection.ts'

/** A header that tells the sender to send the request elsewhere. */
export const passedOn = 'x-mock-api-passed-on'

/** Reached over connections in memory, without a port. */
export interface TappedServer {
  ready: Promise<void>
  isReady: boolean
  isFor: (method: string, url: URL) => boolean
  /** @returns what there is to say if it reached nobody at an address of the application */
  noticeFailed?: (method: string, url: URL, error: unknown, client: string) => string | undefined
  connect: (client: string, url: URL, method: string) => MemorySocket
}

export interface Tap {
  /** Taps of different kinds follow each other. */
  kind: 'tests' | 'outgoing'
  server: () => TappedServer
  /** Rules out nearly all requests of an application by their address or host. */
  mayBeFor?: (address: string) => boolean
  client: () => string
  enter: <T>(client: string, run: () => T) => T
}

/** The next test file of a process, with its own copy of this module, only sets another tap. */
type Tapped = Record<symbol, { current: Tap } | undefined>

const keyOf = ({ kind }: Tap) => Symbol.for(`unplugin-mock-api.tapped.${kind}`)

/** @param replace is called the first time */
function tapOnce(target: Tapped, tap: Tap, replace: (taps: { current: Tap }) => void): void {
  const there = Object.hasOwn(target, keyOf(tap)) ? target[keyOf(tap)] : undefined
  if (there) there.current = tap
  else replace((target[keyOf(tap)] = { current: tap }))
}

const maxRedirects = 20
const redirects = [301, 302, 303, 307, 308]

/** Requests for mock endpoints are answered by the server. Relative URLs are allowed without a page, too. */
export function tapFetch(tap: Tap, scope = globalThis): void {
  const previous = scope.fetch as typeof fetch & Tapped
  const there = previous[keyOf(tap)]
  if (there) return void (there.current = tap)
  const taps = { current: tap }

  const answer: typeof fetch = (input, init) => {
    const { mayBeFor } = taps.current
    const isRuledOut = mayBeFor?.(input instanceof Request ? input.url : String(input)) === false
    return isRuledOut ? previous(input, init) : look(input, init)
  }

  const look: typeof fetch = async (input, init) => {
    const server = taps.current.server()
    const client = taps.current.client()
    const target = input instanceof Request ? input : absolute(input, scope)
    await server.ready
    const method = (init?.method ?? (target instanceof Request ? target.method : 'GET')).toUpperCase()
    const url = new URL(target instanceof Request ? target.url : target)
    if (server.isFor(method, url)) return follow(new Request(target, init), 0)
    try {
      return await previous(target, withClient(target, init, url, client))
    } catch (error) {
      const text = server.noticeFailed?.(method, url, error, client)
      // Port 80 is not what a relative URL means.
      if (text === undefined || typeof input !== 'string' || URL.canParse(input)) throw error
      throw new TypeError(text, { cause: (error as Error).cause })
    }

    async function follow(request: Request, count: number): Promise<Response> {
      const copy = request.clone()
      const response = await sendRequest(
        request,
        server.connect(client, new URL(request.url), request.method),
        decoded,
      )
      if (response.headers.has(passedOn)) return previous(copy)
      const location = response.headers.get('location')
      if (!redirects.includes(response.status) || location === null || request.redirect === 'manual')
        return response
      await response.body?.cancel()
      if (request.redirect === 'error' || count === maxRedirects)
        throw new TypeError('fetch failed', { cause: new Error('unexpected redirect') })
      const next = redirected(copy, new URL(location, request.url), response.status)
      const isOurs = server.isFor(next.method, new URL(next.url))
      const last = isOurs ? await follow(next, count + 1) : await previous(next)
      return withNetworkValues(last, { redirected: true })
    }
  }
  scope.fetch = Object.assign(answer, keysOf(previous), { [keyOf(tap)]: taps })
}

/** A tap that is replaced stays known to the next one of its kind. */
function keysOf(previous: Tapped): object {
  const keys = Object.getOwnPropertySymbols(previous)
  return Object.fromEntries(keys.map((key) => [key, previous[key]]))
}

function absolute(input: string | URL, { location }: { location?: { href?: string } }): URL | string {
  if (typeof input !== 'string') return input
  const base = location?.href?.startsWith('http') ? location.href : 'http://localhost/'
  return URL.canParse(input, base) ? new URL(input, base) : input
}

/** The request after a redirect, as in browsers: 303 becomes a GET, and so do 301 and 302 after a POST. */
function redirected(request: Request, url: URL, status: number): Request {
  const { method } = request
  const becomesGet = status === 303 ? !['GET', 'HEAD'].includes(method) : status < 303 && method === 'POST'
  const headers = new Headers(request.headers)
  const isElsewhere = url.origin !== new URL(request.url).origin
  for (const name of [...(becomesGet ? ofBody : []), ...(isElsewhere ? ofOrigin : [])]) headers.delete(name)
  const { signal, redirect } = request
  return becomesGet
    ? new Request(url, { method: 'GET', headers, signal, redirect })
    : new Request(new Request(url, request), { headers })
}

const ofBody = ['content-type', 'content-length', 'content-encoding']
/** Credentials, which no other origin is told. */
const ofOrigin = ['authorization', 'proxy-authorization', 'cookie', 'host']

/** `fetch` decodes bodies, unless it does not know a coding. */
function decoded(answer: IncomingMessage): Readable {
  const steps = codingsOf(answer.headers)?.map((coding) => codings.get(coding)) ?? []
  if (steps.length === 0 || steps.includes(undefined)) return answer
  return pipeline([answer, ...steps.map((coding) => coding!.stream())], () => {}) as unknown as Readable
}

type TappedAgent = Tapped & {
  options: AgentOptions
  addRequest: (this: TappedAgent, req: ClientRequest & { timeout?: number }, ...rest: unknown[]) => void
}

/**
 * For axios, got, and the `XMLHttpRequest` of jsdom and happy-dom. Every agent inherits the method that is replaced;
 * requests without an agent are left alone.
 */
export function tapHttp(tap: Tap): void {
  const prototype = Agent.prototype as unknown as TappedAgent
  tapOnce(prototype, tap, (taps) => {
    const { addRequest } = prototype
    prototype.addRequest = function (req, ...rest) {
      const { server: serverOf, client, mayBeFor } = taps.current
      if (mayBeFor?.(req.host) === false) return addRequest.call(this, req, ...rest)
      const server = serverOf()
      const url = urlOf(req)
      const add = () => {
        const from = client()
        if (url && server.isFor(req.method, url)) {
          const socket = server.connect(from, url, req.method)
          req.onSocket(socket as never)
          return void socket.setTimeout(req.timeout ?? this.options.timeout ?? 0)
        }
        const isNamed = from === '' || req.hasHeader(clientHeader)
        if (url && isLoopback(url.hostname) && !isNamed && !req.headersSent) req.setHeader(clientHeader, from)
        if (url) req.once(errorMonitor, (error) => server.noticeFailed?.(req.method, url, error, from))
        addRequest.call(this, req, ...rest)
      }
      if (server.isReady) add()
      else void server.ready.then(add)
    }
  })
}

/* What a server in this process asks for a test's request belongs to the test, which the request names. */

const clientHeader = 'x-mock-client'

function withClient(target: Request | string | URL, init: RequestInit | undefined, url: URL, client: string) {
  if (client === '' || !isLoopback(url.hostname)) return init
  const headers = new Headers(init?.headers ?? (target instanceof Request ? target.headers : undefined))
  if (!headers.has(clientHeader)) headers.set(clientHeader, client)
  return { ...init, headers }
}

/** Servers of HTTP, HTTPS and HTTP/2 are servers of `node:net`, too. */
export function tapServers(tap: Tap): void {
  const prototype = Server.prototype as Server & Tapped
  tapOnce(prototype, tap, (taps) => {
    // eslint-disable-next-line @typescript-eslint/unbound-method -- it is called with its server
    const emit = prototype.emit as (...event: unknown[]) => boolean
    prototype.emit = function (this: Server, ...event: unknown[]) {
      const client = headersOf(event)?.[clientHeader]
      const run = () => emit.apply(this, event)
      return typeof client === 'string' ? taps.current.enter(client, run) : run()
    }
  })
}

/** Taps HTTP/2, and so gRPC, too. The class of its sessions is not exported. */
export function tapHttp2(tap: Tap): void {
  const http2 = process.getBuiltinModule('node:http2') as typeof Http2 & Tapped
  tapOnce(http2, tap, (taps) => {
    const connect = http2.connect as (address: string | URL, ...rest: unknown[]) => Http2.ClientHttp2Session
    http2.connect = (address: string | URL, ...rest: unknown[]) => {
      const session = connect(address, ...rest)
      const request = session.request.bind(session)
      const { hostname } = typeof address === 'string' ? new URL(address) : address // or an object like a URL
      if (isLoopback(hostname))
        session.request = (headers, options) =>
          request(ofClient(headers ?? {}, taps.current.client()), options)
      return session
    }
    syncBuiltinESMExports()
  })
}

/** HTTP/2 also has an event with the stream of a request. */
function headersOf([name, request, headers]: unknown[]): IncomingHttpHeaders | undefined {
  if (name === 'stream') return headers as IncomingHttpHeaders
  return name === 'request' ? (request as { headers: IncomingHttpHeaders }).headers : undefined
}

function urlOf(req: ClientRequest): URL | undefined {
  const host = String(req.getHeader('host') ?? req.host)
  const url = `${req.protocol}//${host}${req.path}`
  return URL.canParse(url) ? new URL(url) : undefined
}

interface UndiciTarget {
  origin?: string | URL
  path: string
  method: string
  headers?: unknown
}
interface UndiciHandler {
  onResponseError?: (controller: unknown, error: unknown) => unknown
  /** Used by undici before version 7. */
  onError?: (error: unknown) => unknown
}
interface Dispatcher extends Tapped {
  constructor: new (options: object) => Dispatcher
  dispatch: (target: UndiciTarget, handler: UndiciHandler) => boolean
}

/** Taps undici, for jsdom 28 and later. Each version of its interface may have a global dispatcher. */
export function tapUndici(tap: Tap): void {
  for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
    if (!symbol.description?.startsWith('undici.globalDispatcher.')) continue
    const dispatcher = (globalThis as { [symbol]?: Dispatcher })[symbol]
    if (dispatcher) tapOnce(dispatcher, tap, (taps) => tapDispatcher(dispatcher, taps))
  }
}

function tapDispatcher(dispatcher: Dispatcher, taps: { current: Tap }): void {
  const dispatch = dispatcher.dispatch.bind(dispatcher)
  dispatcher.dispatch = (target, handler) => {
    const { server: serverOf, client, mayBeFor } = taps.current
    if (mayBeFor?.(String(target.origin)) === false) return dispatch(target, handler)
    const server = serverOf()
    const url = URL.canParse(target.path, target.origin) ? new URL(target.path, target.origin) : undefined
    const send = () => {
      if (!url) return dispatch(target, handler)
      const from = client()
      if (!server.isFor(target.method, url)) {
        const notice = (error: unknown) => server.noticeFailed?.(target.method, url, error, from)
        return dispatch(withClientHeader(target, url, from), withNotice(handler, notice))
      }
      const socket = server.connect(from, url, target.method)
      // Later: undici does not expect to be connected at once.
      const connect = (_: unknown, done: (error: null, socket: unknown) => void) =>
        void setImmediate(() => done(null, socket))
      const own = new dispatcher.constructor({ connect, keepAliveTimeout: 1, keepAliveMaxTimeout: 1 })
      return own.dispatch(target, handler)
    }
    if (server.isReady) return send()
    void server.ready.then(send)
    return true
  }
}

function withClientHeader(target: UndiciTarget, url: URL, client: string): UndiciTarget {
  return isLoopback(url.hostname) ? { ...target, headers: ofClient(target.headers ?? {}, client) } : target
}

/** @param headers an object, or a list of names and values */
function ofClient<T>(headers: T, client: string): T {
  if (client === '') return headers
  if (Array.isArray(headers)) return [...(headers as unknown[]), clientHeader, client] as T
  return isPlainObject(headers) ? { [clientHeader]: client, ...headers } : headers
}

function withNotice(handler: UndiciHandler, notice: (error: unknown) => void): UndiciHandler {
  return new Proxy(handler, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        if (name === 'onResponseError' || name === 'onError') notice(args.at(-1))
        return Reflect.apply(value, target, args) as unknown // it may have private fields
      }
    },
  })
}
