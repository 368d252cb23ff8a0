import { formatDiagnostic } from '../core/diagnostics/format.ts'
import { diagnoseRequest } from '../core/diagnostics/request-texts.ts'
import { hostNameOf } from '../core/http/host-name.ts'
import { isAllowedHost } from '../core/http/origin.ts'
import type { ResolvedMiddlewareOptions } from '../core/options/resolve-options.ts'

/** This machine, IP addresses, the host of the page, and the option `allowedHosts`; all others belong to someone else. */
export function createOwnHosts(options: ResolvedMiddlewareOptions) {
  const { origins, logger } = options
  const isEmpty = origins.origins instanceof Set && origins.origins.size === 0
  const noticed = new Set<string>()
  const isHttp = ({ protocol }: URL) => protocol === 'http:' || protocol === 'https:'
  const has = (url: URL) => isHttp(url) && (url.host === pageHost() || isAllowedHost(origins, url.host))
  const accepted = {
    ...origins,
    hosts: 'every' as const,
    origins: isEmpty ? ('every' as const) : origins.origins,
  }
  return {
    /** Options of a handler that only gets requests of the application to these hosts. */
    options: { ...options, origins: accepted },
    has,
    /** Like `has`, for a request that a route would answer. Warns once of each other host. */
    hasRequest(method: string, url: URL): boolean {
      const { host, pathname } = url
      if (has(url)) return true
      if (!isHttp(url) || noticed.has(host)) return false
      noticed.add(host)
      const facts = { request: `${method} ${pathname}`, host: hostNameOf(host) ?? host }
      logger.warn(formatDiagnostic(diagnoseRequest('host-not-own', {}, facts)))
      return false
    },
  }
}

function pageHost(): string | undefined {
  return (globalThis as { location?: { host?: string } }).location?.host
}
