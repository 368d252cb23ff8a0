import type { Diagnostic } from '../core/diagnostics/diagnostic.ts'
import { diagnoseRequest } from '../core/diagnostics/request-texts.ts'
import { hostNameOf } from '../core/http/host-name.ts'
import { isAllowedHost } from '../core/http/origin.ts'
import type { ResolvedMiddlewareOptions } from '../core/options/options.ts'

/** Whose requests are answered. */
export interface OwnHosts {
  /** The options for a handler that only gets requests of these hosts, from the application itself. */
  options: ResolvedMiddlewareOptions
  has: (url: URL) => boolean
  /** What to say about a request to another host that a route would answer: once for each host. */
  notice: (method: string, url: URL) => Diagnostic | undefined
}

/**
 * The hosts whose requests are answered where an application's own requests are intercepted, whatever host they are for:
 * this machine and IP addresses, the host of the page, and those of the option `allowedHosts`. All others belong to someone else.
 */
export function createOwnHosts(options: ResolvedMiddlewareOptions): OwnHosts {
  const { origins } = options
  const noticed = new Set<string>()
  return {
    options: {
      ...options,
      origins: {
        ...origins,
        hosts: 'every',
        origins: origins.origins instanceof Set && origins.origins.size === 0 ? 'every' : origins.origins,
      },
    },
    has({ host, protocol }) {
      if (protocol !== 'http:' && protocol !== 'https:') return false
      if (host === pageHost()) return true
      return isAllowedHost(origins, host)
    },
    notice(method, { host, pathname, protocol }) {
      if (!protocol.startsWith('http') || noticed.has(host)) return undefined
      noticed.add(host)
      return diagnoseRequest(
        'host-not-own',
        {},
        { request: `${method} ${pathname}`, host: hostNameOf(host) ?? host },
      )
    },
  }
}

/** The host of the page, in a browser and in environments that imitate one. */
function pageHost(): string | undefined {
  return (globalThis as { location?: { host?: string } }).location?.host
}
