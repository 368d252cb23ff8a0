import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { formatDiagnostic } from '../../core/diagnostics/format.ts'
import { isLogged } from '../../core/options/logger.ts'
import type { ResolvedMiddlewareOptions } from '../../core/options/resolve-options.ts'
import { describeUnanswered } from '../../core/table/similar.ts'
import { startMockServer, type MockServer } from '../../server/mock-server.ts'
import { mayAnswer } from '../../server/web/web-fetch.ts'
import { noticeLayer } from '../layers.ts'
import { createOwnHosts } from '../own-hosts.ts'
import { MemorySocket } from './memory-connection.ts'

/** A header that tells the sender to send the request elsewhere. */
export const passedOn = 'x-mock-api-passed-on'

/** Reached over connections in memory, without a port. */
export interface ProcessServer {
  ready: Promise<void>
  isReady: boolean
  isFor: (method: string, url: URL) => boolean
  /** Names the route that was probably meant by a request that could not connect. */
  noticeFailed: (method: string, url: URL, error: unknown) => void
  connect: (client: string) => MemorySocket
  /** For requests of this package itself. */
  connectToControlApi: () => MemorySocket
  state: MockServer['state']
  close: () => Promise<void>
}

/** @param given has `watch: false` */
export function startProcessServer(given: ResolvedMiddlewareOptions): ProcessServer {
  const hosts = createOwnHosts(given)
  const { options } = hosts
  const { enabled, logger, logLevel, base } = options
  const failed = new Set<string>()
  const server = startMockServer(options)
  const handle = server.createHandler('', options.origins)
  const http = createServer((req, res) => {
    const { client } = req.socket as Socket & { client?: string }
    if (client !== undefined) req.headers['x-mock-client'] ??= client
    handle(req, res, () => passOn(req, res))
  })
  http.keepAliveTimeout = 1

  function open(client?: string): MemorySocket {
    const [ours, theirs] = MemorySocket.connect()
    http.emit('connection', Object.assign(theirs, { client }))
    return ours
  }

  const made: ProcessServer = {
    isReady: false,
    ready: server.store.ready.then(() => void (made.isReady = true)),
    isFor(method, url) {
      const { current } = server.store
      if (!enabled || !current || !mayAnswer(current.table, options, {}, { method, url: url.href }))
        return false
      return hosts.hasRequest(method, url)
    },
    noticeFailed(method, url, error) {
      const request = `${method} ${url.pathname}`
      const { current } = server.store
      if (!enabled || !current || !isLogged('warn', logLevel) || failed.has(request)) return
      if (!isUnreachable(error) || !hosts.has(url)) return
      failed.add(request)
      const notice = describeUnanswered(current.table, method, url.pathname, [base])
      if (notice) logger.warn(formatDiagnostic(notice))
    },
    connect(client) {
      noticeLayer('unplugin-mock-api/vitest', logger)
      return open(client)
    },
    connectToControlApi: () => open(),
    state: server.state,
    close: () => server.close(),
  }
  return made
}

/** `fetch` has the error of the connection as its cause. */
function isUnreachable(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: { code?: unknown } }
  return ['ECONNREFUSED', 'ENOTFOUND'].includes(String(code ?? cause?.code))
}

function passOn(req: IncomingMessage, res: ServerResponse): void {
  req.resume()
  res.writeHead(404, { [passedOn]: '1', 'content-type': 'text/plain' })
  res.end('No route of the mock server answers this request.')
}
