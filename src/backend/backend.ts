import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { createProxyServer } from 'httpxy'
import { diagnoseBackend } from '../core/diagnostics/backend-texts.ts'
import type { Report } from '../core/diagnostics/diagnostic.ts'
import type { ReceivedBody } from '../core/http/body.ts'
import { withoutBase } from '../core/http/path.ts'
import type { ResolvedRecord } from '../core/options/resolve-options.ts'
import { oncePerObject } from '../core/values/collections.ts'
import { reasonOf } from '../core/values/thrown.ts'
import { decodedCodings } from '../wire/node/read-body.ts'
import type { Next } from '../wire/node/request-handler.ts'
import { isHttp2Response, ofConnection } from '../wire/node/write-response.ts'
import { readProxies } from './proxies.ts'
import { otherMachine, schemeOf } from '../wire/node/this-machine.ts'

export interface BackendSite {
  proxy: unknown
  /** The path below which the host serves everything; the backend does not know it. Empty if there is none. */
  hostBase: string
  /** Whether the next handler is a backend, and not a dev server with files of its own. */
  nextIsBackend: boolean
  hasPages: boolean
  /** Whether pages get the badge from us: the host has no client that could have it. */
  insertsBadge?: boolean
  /** Whether the backend is another origin that a page asks: its answers stay as they are. */
  isOrigin?: boolean
  report: Report
}

/** Who answers instead of the mock: the dev server's proxy, the target of the option, or a later handler. */
export type Way = 'proxy' | 'target' | 'next'

export function wayOf(req: IncomingMessage, { target }: ResolvedRecord, site: BackendSite): Way {
  if (proxiesOf(site)(req)) return 'proxy'
  return target === undefined ? 'next' : 'target'
}

/** Whether a request that passes on reaches a backend, and not only files of the dev server. */
export function isAnsweredByBackend(req: IncomingMessage, site: BackendSite): boolean {
  return site.nextIsBackend || proxiesOf(site)(req)
}

/** After a dev server without a proxy, there are only its own files. */
export function hasNoBackend({ target, include }: ResolvedRecord, { proxy, nextIsBackend }: BackendSite) {
  return (
    target === undefined && include.length === 0 && !nextIsBackend && Object.keys(proxy ?? {}).length === 0
  )
}

const proxiesOf = oncePerObject(({ proxy }: BackendSite) => readProxies(proxy))

export interface PassedRequest {
  req: IncomingMessage
  res: ServerResponse
  next: Next
  received?: ReceivedBody | undefined
}

/** @param fail is called with the reason if there is no answer, or none that can be passed on */
export function send(
  { req, res, next, received }: PassedRequest,
  way: Way,
  record: ResolvedRecord,
  { hostBase, isOrigin = false, report }: BackendSite,
  fail: (reason: string) => void,
): void {
  if (way !== 'target') return next()
  const given = req.url
  const body = received && useBytes(req, received)
  // The headers usually contain the credentials of the developer.
  const address = otherMachine(req.socket)
  if (address !== undefined && Object.keys(record.headers).length > 0)
    report(diagnoseBackend('record-headers-withheld', {}, { address }))
  // A redirect to the backend leads to where the client has sent its request; cookies are those of its host.
  const proxy = createProxyServer({
    target: record.target!,
    secure: record.secure,
    // A kept connection may have just been closed, and the request on it would fail. The proxies of Vite and webpack keep none.
    agent: false,
    changeOrigin: true,
    ...(!isOrigin && {
      autoRewrite: true,
      protocolRewrite: schemeOf(req),
      cookieDomainRewrite: '',
    }),
    headers: { ...(address === undefined && record.headers) },
    ...(body && { buffer: Readable.from([body]) }),
  })
  const failAndEnd = (reason: string) => {
    fail(reason)
    if (!res.headersSent && !res.destroyed) res.end()
  }
  // Without a listener, Node closes the connection and says nothing.
  proxy.on('proxyReq', (request) =>
    request.once('upgrade', (_, socket) => {
      socket.destroy()
      failAndEnd(switched)
    }),
  )
  proxy.on('proxyRes', ({ headers }) => {
    if (isHttp2Response(res))
      for (const name of Object.keys(headers)) if (ofConnection.test(name)) delete headers[name]
    const { location } = headers
    if (location === undefined || URL.canParse(location, record.target)) return
    delete headers.location // the proxy would throw
    fail('its header "location" is not a URL')
  })
  req.url = withoutBase(given ?? '/', hostBase) // it is read synchronously
  proxy.web(req, res).catch((error: unknown) => {
    // Errors of connections to several addresses have no message of their own.
    const [first] = (error as { errors?: unknown[] }).errors ?? []
    failAndEnd(reasonOf(first ?? error))
  })
  if (given !== undefined) req.url = given
}

export const switched = 'it has switched to another protocol (HTTP 101)'

/** Requests an answer that is not from a cache, in encodings that can be decoded here. */
export function askUncached({ headers }: IncomingMessage): void {
  delete headers.expect // this server has answered it
  delete headers['if-none-match']
  delete headers['if-modified-since']
  if (headers['accept-encoding'] !== undefined) headers['accept-encoding'] = decodedCodings.join(', ')
}

/** Replaces a JSON body that was put back, or that an earlier middleware has parsed. */
export function replaceBody(req: IncomingMessage & { body?: unknown }, bytes: Uint8Array): ReceivedBody {
  describeBytes(req, bytes)
  if (req.readableEnded) req.body = JSON.parse(Buffer.from(bytes).toString()) as unknown
  else {
    while (req.read() !== null); // in the same turn, before the stream ends
    req.unshift(bytes)
  }
  return { kind: 'complete', bytes }
}

/** The bytes of a body that an earlier middleware has read; `undefined` if the request can be piped. */
function useBytes(req: IncomingMessage, received: ReceivedBody): Uint8Array | undefined {
  if (!req.readableEnded || received.kind !== 'complete' || !received.bytes) return undefined
  describeBytes(req, received.bytes)
  return received.bytes
}

function describeBytes({ headers }: IncomingMessage, bytes: Uint8Array): void {
  headers['content-length'] = String(bytes.length)
  delete headers['transfer-encoding']
  delete headers['content-encoding']
}
