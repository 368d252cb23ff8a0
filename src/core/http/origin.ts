import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { diagnoseRequest } from '../diagnostics/request-texts.ts'
import { hostNameOf, isAddress, isLoopback, parseOrigin } from './host-name.ts'
import { hostIn, textOf, type Headers } from './raw-request.ts'

/**
 * Guards against requests of other pages (with CORS or without a preflight) and against DNS rebinding. A policy covers
 * what the dev server leaves to the plugin.
 */

/** Accepted besides local origins and the server's own. */
export interface OriginPolicy {
  /** `off` leaves origins to the application; otherwise the accepted origins, in lower case, or `every`. */
  origins: 'off' | 'every' | ReadonlySet<string>
  /** Host names in lower case, or `every`. A leading dot means the domain and its subdomains. */
  hosts: 'every' | readonly string[]
  /** Whether the plugin sends CORS headers and answers preflights. Otherwise, it only refuses requests. */
  addsHeaders: boolean
  /** Answers pages of other origins without CORS headers, for hosts that let them through on purpose. */
  reflectOnly?: boolean
  /** The options that accept more, as named in a message. Default: the package's own `cors` and `allowedHosts`. */
  options?: { origins: string; hosts?: string }
}

export interface Connection {
  /** Host and port that the request was sent to, if no header has them. */
  host?: string
  /** TLS proves the host name by the certificate. */
  isSecure: boolean
  /** The header `access-control-allow-origin` of an earlier middleware, which is kept. */
  allowedOrigin?: string | undefined
}

type OriginDecision =
  { headers: readonly string[]; refused?: never } | { refused: Diagnostic; headers?: never }

const nothingToAdd: OriginDecision = { headers: [] }
const everyOrigin: OriginDecision = { headers: ['access-control-allow-origin', '*'] }

export function decideOrigin(
  policy: OriginPolicy,
  { method, headers }: { method: string; headers: Headers },
  connection: Connection,
): OriginDecision {
  const { isSecure, allowedOrigin } = connection
  const host = hostIn(headers) ?? connection.host
  // Every browser sends a host, so a request without one does not come from a page with a foreign host name.
  if (host !== undefined && !isSecure && !isAllowedHost(policy, host)) return refuseHost(policy, host)
  if (policy.origins === 'off') return nothingToAdd

  const site = textOf(headers['sec-fetch-site']) // pages can't set it
  const origin = textOf(headers['origin'])
  if (origin === undefined) {
    // Browsers send no origin with links, images and scripts. Following a link is allowed.
    if (site !== 'cross-site' || isLink(method, headers)) return nothingToAdd
    const page = pageOf(headers)
    const isOpen = policy.origins === 'every' || policy.reflectOnly || allowedOrigin === '*'
    return isOpen || isTrusted(policy, page, host) ? nothingToAdd : refuseOrigin(policy, page)
  }
  if (allowedOrigin === '*' || allowedOrigin === origin) return nothingToAdd
  if (isTrusted(policy, origin, host)) {
    return policy.addsHeaders && allowedOrigin === undefined ? reflect(origin) : nothingToAdd
  }
  // Behind a reverse proxy that rewrites the host, the origin of the server's own pages differs from the host.
  if (site === 'same-origin') return nothingToAdd
  // Every page may read the answer, but not with the visitor's cookies.
  if (policy.origins === 'every') return policy.addsHeaders ? everyOrigin : nothingToAdd
  return policy.reflectOnly ? nothingToAdd : refuseOrigin(policy, origin)
}

export function isAllowedHost({ hosts }: OriginPolicy, host: string): boolean {
  if (hosts === 'every') return true
  const name = hostNameOf(host)
  if (name === undefined) return false
  if (isLoopback(name) || isAddress(name)) return true // DNS rebinding needs a name, not an IP address
  return hosts.some((allowed) =>
    allowed.startsWith('.') ? name === allowed.slice(1) || name.endsWith(allowed) : name === allowed,
  )
}

/** Apps in a native shell (Capacitor, Ionic, Tauri) use these schemes, with the host `localhost`. */
const localSchemes = new Set(['http', 'https', 'capacitor', 'ionic', 'tauri'])

/** Whether the origin is local, on the server's own host, or of the policy. */
function isTrusted({ origins }: OriginPolicy, origin: string, host: string | undefined): boolean {
  if (origins instanceof Set && origins.has(origin.toLowerCase())) return true
  const parsed = parseOrigin(origin)
  if (!parsed) return false // "null": a file, or a sandboxed frame
  if (origins instanceof Set && origins.has(parsed.text)) return true
  if (!localSchemes.has(parsed.scheme)) return false
  return isLoopback(parsed.name) || (host !== undefined && parsed.name === hostNameOf(host))
}

/** Whether a browser follows a link or opens an address. */
function isLink(method: string, headers: Headers): boolean {
  return (method === 'GET' || method === 'HEAD') && textOf(headers['sec-fetch-mode']) === 'navigate'
}

/** The origin in the referrer, for a request without `Origin`; `null` if unknown. */
function pageOf(headers: Headers): string {
  const referrer = textOf(headers['referer']) ?? ''
  return URL.canParse(referrer) ? new URL(referrer).origin : 'null'
}

function reflect(origin: string): OriginDecision {
  return {
    headers: [
      'access-control-allow-origin',
      origin,
      'access-control-allow-credentials',
      'true',
      'vary',
      'Origin',
    ],
  }
}

export function refuseHost({ options }: OriginPolicy, host: string): { refused: Diagnostic } {
  const name = hostNameOf(host) ?? host.toLowerCase().replace(/:\d*$/, '')
  return { refused: diagnoseRequest('host-refused', {}, { host: name, option: options?.hosts }) }
}

function refuseOrigin({ options }: OriginPolicy, origin: string): OriginDecision {
  return { refused: diagnoseRequest('origin-refused', {}, { origin, option: options?.origins }) }
}
