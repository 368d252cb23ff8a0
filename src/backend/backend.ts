import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ReceivedBody } from '../core/answer/exchange.ts'
import type { ResolvedRecord } from '../core/options/record-options.ts'
import { reasonOf } from '../core/values/thrown.ts'
import type { Next } from '../wire/node/request-handler.ts'
import { readProxies, type IsProxied } from './proxied.ts'
import { useBytes } from './replace-body.ts'
import { forward } from './target.ts'

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
 * @param failed is called with the reason if there is no answer
 */
export function send(
  { req, res, next, received }: Sent,
  way: Way,
  { target, secure, headers }: ResolvedRecord,
  { hostBase }: BackendSite,
  failed: (reason: string) => void,
): void {
  if (way !== 'target') return next()
  const url = withoutBase(req.url ?? '/', hostBase)
  const body = received && useBytes(req, received)
  forward(
    req,
    res,
    { target: target!, secure, headers },
    { url, body, failed: (error) => failed(describe(error)) },
  )
}

/** The URL as the backend knows it. */
export function withoutBase(url: string, hostBase: string): string {
  return hostBase !== '' && url.startsWith(`${hostBase}/`) ? url.slice(hostBase.length) : url
}

/** Errors of connections to several addresses have no message of their own. */
function describe(error: Error & { errors?: Error[] }): string {
  const [first] = error.errors ?? []
  return reasonOf(first ?? error)
}
