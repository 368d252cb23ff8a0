import { formatDiagnostic } from '../../core/diagnostics/format.ts'
import { isLogged } from '../../core/options/logger.ts'
import { isOutside } from '../../core/http/host-name.ts'
import type { ResolvedMiddlewareOptions } from '../../core/options/resolve-options.ts'
import { originsOf } from '../../core/table/match.ts'
import { describeMissing, describeUnanswered } from '../../core/table/similar.ts'
import { getOrMake } from '../../core/values/collections.ts'
import { startMockServer, type MockServer } from '../../server/mock-server.ts'
import { mayAnswer } from '../../server/web/web-fetch.ts'
import { createMemoryServer } from '../../server/outgoing/memory-server.ts'
import type { MemorySocket } from '../../server/outgoing/memory-connection.ts'
import type { TappedServer } from '../../server/outgoing/taps.ts'
import { noticeLayer } from '../layers.ts'
import { createOwnHosts } from '../own-hosts.ts'

export interface ProcessServer extends TappedServer {
  /** Connects for requests of this package itself. */
  connectToControlApi: () => MemorySocket
  state: MockServer['state']
  /** Texts for requests that have reached nobody, although a route is similar, by the client. */
  nearMisses: Map<string, Set<string>>
  /** Ids of requests that a test has failed for. */
  told: Set<number>
  close: () => Promise<void>
}

/**
 * @param given has `watch: false`
 * @param isSealed whether no request may leave this machine
 * @param entry of this package, for messages
 */
export function startProcessServer(
  given: ResolvedMiddlewareOptions,
  isSealed: boolean,
  entry: string,
): ProcessServer {
  const hosts = createOwnHosts(given)
  const { options } = hosts
  const { enabled, logger, logLevel, base } = options
  const failed = new Set<string>()
  const nearMisses = new Map<string, Set<string>>()
  const server = startMockServer(options)
  const handle = server.createHandler('', options.origins)
  const open = createMemoryServer(handle)

  function answers(method: string, url: URL): boolean {
    const { current } = server.store
    if (!enabled || !current || !mayAnswer(current.table, options, {}, { method, url: url.href }))
      return false
    return originsOf(current.table, url.href).length > 0 || hosts.hasRequest(method, url)
  }

  const made: ProcessServer = {
    isReady: false,
    ready: server.store.ready.then(() => void (made.isReady = true)),
    isFor: (method, url) => answers(method, url) || (isSealed && isOutside(url)),
    noticeFailed(method, url, error, client) {
      const request = `${method} ${url.pathname}`
      const { current } = server.store
      if (!enabled || !current || !isUnreachable(error) || !hosts.has(url)) return undefined
      const notice = describeUnanswered(current.table, method, url.pathname, [base])
      if (!notice) return formatDiagnostic(describeMissing(method, url.pathname, [base]))
      const text = formatDiagnostic(notice)
      getOrMake(nearMisses, client, () => new Set()).add(text) // `fetch` is undici, which is tapped, too
      if (isLogged('warn', logLevel) && !failed.has(request)) logger.warn(text)
      failed.add(request)
      return text
    },
    connect(client, url, method) {
      noticeLayer(entry, logger)
      const isRefused = !answers(method, url)
      const isElsewhere = isRefused || originsOf(server.store.current!.table, url.href).length > 0
      const headers = { 'x-mock-client': client, ...(isSealed && { 'x-mock-unmatched': 'fail' }) }
      return open({ headers, origin: isElsewhere ? url.origin : undefined, isRefused })
    },
    connectToControlApi: () => open(),
    state: server.state,
    nearMisses,
    told: new Set(),
    close: () => server.close(),
  }
  return made
}

/** `fetch` has the error of the connection as its cause. */
function isUnreachable(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: { code?: unknown } }
  return ['ECONNREFUSED', 'ENOTFOUND'].includes(String(code ?? cause?.code))
}
