import { diagnose, type Diagnostic } from '../diagnostics/diagnostic.ts'
import { hostNameOf, isAddress, isLoopback, parseOrigin } from './host-name.ts'
import { headerText, type Headers } from './raw-request.ts'

/*
 * Which pages are answered (CORS, and requests that pages send without asking), and under which host names (DNS
 * rebinding). Dev servers decide some of this before us; a policy says what is left to us.
 */

/** Which origins and host names are answered, besides those of this machine and the server's own. */
export interface OriginPolicy {
  /** `off` leaves everything about origins to the application; else the origins, in lower case, or every one. */
  origins: 'off' | 'every' | ReadonlySet<string>
  /** Host names in lower case, or every one. A leading dot stands for the domain with its subdomains. */
  hosts: 'every' | readonly string[]
  /** Whether CORS headers and preflights are ours; where they are the host's, only requests are refused. */
  addsHeaders: boolean
  /** Answers pages of other origins too, without CORS headers for them: where the host lets them through on purpose. */
  reflectOnly?: boolean
  /** The options that widen it, in the words of a message. Default: the package's own `cors` and `allowedHosts`. */
  options?: { origins: string; hosts?: string }
}

/** What a host knows of a request besides its headers. */
export interface Connection {
  /** Host and port that the request was sent to, where no header says it. */
  host?: string
  /** Whether it came over TLS, where the certificate proves the host name. */
  isSecure: boolean
  /** The header `access-control-allow-origin` that a middleware before us has set. That decision is kept. */
  allowedOrigin?: string | undefined
}

/** Whether a request is answered, and the CORS headers of the answer, names and values in turn. */
export type OriginDecision =
  { headers: readonly string[]; refused?: never } | { refused: Diagnostic; headers?: never }

const nothingToAdd: OriginDecision = { headers: [] }
const everyOrigin: OriginDecision = { headers: ['access-control-allow-origin', '*'] }

/** Decides whether a request for an endpoint of ours is answered. */
export function decideOrigin(
  policy: OriginPolicy,
  { method, headers }: { method: string; headers: Headers },
  { isSecure, allowedOrigin, ...connection }: Connection,
): OriginDecision {
  const host = headerText(headers, 'host') ?? headerText(headers, ':authority') ?? connection.host
  // Every browser sends a host; a request without one does not come from a page under a foreign name.
  if (host !== undefined && !isSecure && !isAllowedHost(policy, host)) return refuseHost(policy, host)
  if (policy.origins === 'off') return nothingToAdd

  const site = headerText(headers, 'sec-fetch-site') // pages can't set it
  const origin = headerText(headers, 'origin')
  if (origin === undefined) {
    // Browsers send no origin with a link, an image or a script. A link may lead here, as to any page.
    if (site !== 'cross-site' || isLink(method, headers)) return nothingToAdd
    const page = pageOf(headers)
    const isOpen = policy.origins === 'every' || policy.reflectOnly || allowedOrigin === '*'
    return isOpen || isTrusted(policy, page, host) ? nothingToAdd : refuseOrigin(policy, page)
  }
  if (allowedOrigin === '*' || allowedOrigin === origin) return nothingToAdd
  if (isTrusted(policy, origin, host)) {
    return policy.addsHeaders && allowedOrigin === undefined ? reflect(origin) : nothingToAdd
  }
  // Behind a reverse proxy that rewrites the host, the origin differs although the page is the server's own.
  if (site === 'same-origin') return nothingToAdd
  // Every page may read, but none with the visitor's cookies.
  if (policy.origins === 'every') return policy.addsHeaders ? everyOrigin : nothingToAdd
  return policy.reflectOnly ? nothingToAdd : refuseOrigin(policy, origin)
}

function isAllowedHost({ hosts }: OriginPolicy, host: string): boolean {
  if (hosts === 'every') return true
  const name = hostNameOf(host)
  if (name === undefined) return false
  if (isLoopback(name) || isAddress(name)) return true // a page can't have an IP address as a name of its own
  return hosts.some((allowed) =>
    allowed.startsWith('.') ? name === allowed.slice(1) || name.endsWith(allowed) : name === allowed,
  )
}

/** Apps in a native shell (Capacitor, Ionic, Tauri) have pages with these schemes, at `localhost`. */
const localSchemes = new Set(['http', 'https', 'capacitor', 'ionic', 'tauri'])

/** Whether a page is of this machine, of the server's own host, or of an origin that the developer has named. */
function isTrusted({ origins }: OriginPolicy, origin: string, host: string | undefined): boolean {
  if (origins instanceof Set && origins.has(origin.toLowerCase())) return true
  const parsed = parseOrigin(origin)
  if (!parsed) return false // "null": a file, or a sandboxed frame
  if (origins instanceof Set && origins.has(parsed.text)) return true
  if (!localSchemes.has(parsed.scheme)) return false
  return isLoopback(parsed.name) || (host !== undefined && parsed.name === hostNameOf(host))
}

/** Whether a browser follows a link, or opens an address. */
function isLink(method: string, headers: Headers): boolean {
  return (method === 'GET' || method === 'HEAD') && headerText(headers, 'sec-fetch-mode') === 'navigate'
}

/** The origin of the page that a request without an origin comes from, as far as its referrer tells; `null` otherwise. */
function pageOf(headers: Headers): string {
  const referrer = headerText(headers, 'referer') ?? ''
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

function refuseHost({ options }: OriginPolicy, host: string): OriginDecision {
  const name = hostNameOf(host) ?? host.toLowerCase().replace(/:\d*$/, '')
  return { refused: diagnose('host-refused', {}, { host: name, option: options?.hosts }) }
}

function refuseOrigin({ options }: OriginPolicy, origin: string): OriginDecision {
  return { refused: diagnose('origin-refused', {}, { origin, option: options?.origins }) }
}
