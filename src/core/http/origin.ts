import { diagnose, type Diagnostic } from '../diagnostics/diagnostic.ts'
import { headerText, type Headers } from './raw-request.ts'

/*
 * What a dev server decides before us, for servers that have no such check: which pages may read the answers (CORS),
 * and under which host names they are given (DNS rebinding).
 */

/** Which origins and host names are answered, besides those of this machine. */
export interface OriginPolicy {
  /** `off` leaves CORS to the application; else the origins, in lower case, or every one. */
  origins: 'off' | 'every' | ReadonlySet<string>
  /** Host names in lower case, or every one. A leading dot stands for the domain with its subdomains. */
  hosts: 'every' | readonly string[]
  /** Answers other origins too, without headers for them: where the host has refused already what it will. */
  reflectOnly?: boolean
}

/** For a host that checks its host name, and whose `headers` widen this, but that adds no CORS headers by itself. */
export const reflectOwnOrigins: OriginPolicy = { origins: new Set(), hosts: 'every', reflectOnly: true }

/** Whether a request is answered, and the CORS headers of the answer, names and values in turn. */
export type OriginDecision =
  { headers: readonly string[]; refused?: never } | { refused: Diagnostic; headers?: never }

/** What a host knows of a request besides its headers. */
export interface Connection {
  /** Host and port that the request was sent to, where no header says it. */
  host?: string
  /** Whether it came over TLS, where a certificate vouches for the host name. */
  isSecure: boolean
  /** Whether a CORS middleware before us has decided already: then its decision stands. */
  hasCorsHeaders?: boolean
}

const nothingToAdd: OriginDecision = { headers: [] }
const everyOrigin: OriginDecision = { headers: ['access-control-allow-origin', '*'] }

/** Decides whether a request for an endpoint of ours is answered. */
export function decideOrigin(
  policy: OriginPolicy,
  headers: Headers,
  { isSecure, hasCorsHeaders = false, ...connection }: Connection,
): OriginDecision {
  const hostHeader = headerText(headers, 'host') ?? headerText(headers, ':authority') ?? connection.host
  const host = hostHeader === undefined ? undefined : hostNameOf(hostHeader.toLowerCase())
  // Every browser sends a host; what sends none is no page under a foreign name.
  if (host !== undefined && !isSecure && !isAllowedHost(policy, host)) {
    return { refused: diagnose('host-refused', {}, { host }) }
  }
  const origin = headerText(headers, 'origin')
  if (origin === undefined || hasCorsHeaders || policy.origins === 'off') return nothingToAdd
  if (isTrustedOrigin(policy, origin.toLowerCase(), host)) {
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
  // Every page may read, but none with the visitor's cookies.
  if (policy.origins === 'every') return everyOrigin
  return policy.reflectOnly ? nothingToAdd : { refused: diagnose('origin-refused', {}, { origin }) }
}

function isAllowedHost({ hosts }: OriginPolicy, host: string): boolean {
  if (hosts === 'every' || isLoopback(host) || isAddress(host)) return true
  return hosts.some((allowed) =>
    allowed.startsWith('.') ? host === allowed.slice(1) || host.endsWith(allowed) : host === allowed,
  )
}

function isTrustedOrigin({ origins }: OriginPolicy, origin: string, host: string | undefined): boolean {
  if (origins instanceof Set && origins.has(origin)) return true
  const afterScheme = origin.indexOf('://')
  if (afterScheme === -1) return false // "null": a file, or a sandboxed frame
  const name = hostNameOf(origin.slice(afterScheme + 3))
  return isLoopback(name) || name === host
}

/** `host:port` without the port, and without the dot that makes a name absolute. */
function hostNameOf(host: string): string {
  return host.replace(/:\d*$/, '').replace(/\.$/, '')
}

function isLoopback(host: string): boolean {
  if (host === 'localhost' || host === '[::1]' || host.endsWith('.localhost')) return true
  return host.startsWith('127.') && isAddress(host)
}

/** No page has an IP address as its own name, so none can be bound to another one. */
function isAddress(host: string): boolean {
  return /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]+\])$/.test(host)
}
