import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { createProxyServer } from 'httpxy'
import picomatch from 'picomatch'
import type { ReceivedBody } from '../core/http/body.ts'
import { withoutBase } from '../core/http/path.ts'
import type { ResolvedRecord } from '../core/options/options.ts'
import { reasonOf } from '../core/values/thrown.ts'
import { decodedCodings } from '../wire/node/read-body.ts'
import type { Next } from '../wire/node/request-handler.ts'

/** Where the backend of one middleware is. */
export interface BackendSite {
  /** The dev server's own option `proxy`; `undefined` if it has none. */
  proxy: unknown
  /** The path below which the host serves everything, which the backend does not know; empty if there is none. */
  hostBase: string
  /** Whether what answers behind the plugin is a backend, and not a dev server with files of its own. */
  nextIsBackend: boolean
  /** Whether the host answers navigations with pages of the application. */
  hasPages: boolean
}

/** Who answers a request without the mock: the dev server's proxy, the target of the option, or any later handler. */
export type Way = 'proxy' | 'target' | 'next'

const matchers = new WeakMap<BackendSite, IsProxied>()

export function wayOf(req: IncomingMessage, { target }: ResolvedRecord, site: BackendSite): Way {
  let isProxied = matchers.get(site)
  if (!isProxied) matchers.set(site, (isProxied = readProxies(site.proxy)))
  if (isProxied(req)) return 'proxy'
  return target === undefined ? 'next' : 'target'
}

/** Whether the dev server's own proxy gets a request. */
export type IsProxied = (req: IncomingMessage) => boolean

/** One entry of a list of proxies, as webpack-dev-server, Rspack and Rsbuild have it. */
interface ProxyEntry {
  context?: unknown
  pathFilter?: unknown
}

/**
 * Reads the option `proxy` of a dev server: an object of proxies by path, or a list of proxies.
 *
 * @see https://vite.dev/config/server-options#server-proxy
 * @see https://github.com/chimurai/http-proxy-middleware/blob/master/recipes/pathFilter.md
 */
export function readProxies(proxy: unknown): IsProxied {
  if (typeof proxy !== 'object' || proxy === null) return () => false
  const filters = Array.isArray(proxy)
    ? (proxy as (ProxyEntry | undefined)[]).map((entry) => entry?.context ?? entry?.pathFilter ?? '/')
    : Object.keys(proxy)
  const matchers = filters.flat().map(toMatcher)
  return (req) => {
    const url = req.url ?? '/'
    return matchers.some((matches) => matches(url, req))
  }
}

function toMatcher(filter: unknown): (url: string, req: IncomingMessage) => boolean {
  const pathOf = (url: string) => url.split('?', 1)[0]!
  if (typeof filter === 'function')
    return (url, req) =>
      Boolean((filter as (path: string, req: IncomingMessage) => unknown)(pathOf(url), req))
  if (typeof filter !== 'string') return () => false
  if (filter.startsWith('^')) {
    const pattern = new RegExp(filter)
    return (url) => pattern.test(url)
  }
  if (picomatch.scan(filter).isGlob) {
    const matches = picomatch(filter)
    return (url) => matches(pathOf(url))
  }
  return (url) => url.startsWith(filter)
}

/** A request on its way to the backend. */
export interface Sent {
  req: IncomingMessage
  res: ServerResponse
  next: Next
  /** Its body, if it has been read. */
  received?: ReceivedBody | undefined
}

/**
 * Sends a request to the backend, which writes its answer.
 *
 * @param failed is called with the reason if there is no answer; nothing has been sent then
 */
export function send(
  { req, res, next, received }: Sent,
  way: Way,
  record: ResolvedRecord,
  { hostBase }: BackendSite,
  failed: (reason: string) => void,
): void {
  if (way !== 'target') return next()
  const given = req.url
  const body = received && useBytes(req, received)
  // A redirect to the backend itself leads to where the client has sent its request; cookies are those of its host.
  const proxy = createProxyServer({
    target: record.target!,
    secure: record.secure,
    changeOrigin: true,
    autoRewrite: true,
    protocolRewrite: 'encrypted' in req.socket ? 'https' : 'http',
    cookieDomainRewrite: '',
    headers: { ...record.headers },
    ...(body && { buffer: Readable.from([body]) }),
  })
  req.url = withoutBase(given ?? '/', hostBase) // it is read synchronously
  proxy.web(req, res).catch((error: unknown) => {
    if (!res.headersSent && !res.destroyed) failed(describe(error as Error))
  })
  if (given !== undefined) req.url = given
}

/** Errors of connections to several addresses have no message of their own. */
function describe(error: Error & { errors?: Error[] }): string {
  const [first] = error.errors ?? []
  return reasonOf(first ?? error)
}

/** Asks for an answer that is not from a cache, and in codings that can be undone here. */
export function askUncached({ headers }: IncomingMessage): void {
  delete headers['if-none-match']
  delete headers['if-modified-since']
  if (headers['accept-encoding'] !== undefined) headers['accept-encoding'] = decodedCodings.join(', ')
}

/** Where earlier body parsers put the parsed value. */
type Request = IncomingMessage & { body?: unknown }

/** Puts another JSON body in the place of one that was read and put back, or that an earlier middleware has parsed. */
export function replaceBody(req: Request, bytes: Uint8Array): ReceivedBody {
  describeBytes(req, bytes)
  if (req.readableEnded) req.body = JSON.parse(Buffer.from(bytes).toString()) as unknown
  else {
    while (req.read() !== null); // in the same turn, before the stream ends
    req.unshift(bytes)
  }
  return { kind: 'complete', bytes }
}

/**
 * The bytes to send if nothing can be read from the request any more, since an earlier middleware has read it; `undefined` if
 * it can be piped.
 */
function useBytes(req: IncomingMessage, received: ReceivedBody): Uint8Array | undefined {
  if (!req.readableEnded || received.kind !== 'complete' || !received.bytes) return undefined
  const [first, second, third] = received.bytes
  const hasMark = first === 0xef && second === 0xbb && third === 0xbf
  const bytes = hasMark ? received.bytes.subarray(3) : received.bytes
  describeBytes(req, bytes)
  return bytes
}

function describeBytes({ headers }: IncomingMessage, bytes: Uint8Array): void {
  headers['content-length'] = String(bytes.length)
  delete headers['transfer-encoding']
  delete headers['content-encoding']
}
