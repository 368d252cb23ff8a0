import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import { resolveMiddlewareOptions } from './core/options/resolve-options.ts'
import type { MiddlewareOptions } from './core/options/options.ts'
import { startMockServer, type MockServer } from './server/mock-server.ts'
import { diagnoseSetup } from './core/diagnostics/setup-texts.ts'
import { endUpgrade } from './server/upgrades/upgrades.ts'
import { askedInspector } from './server/node/asked-inspector.ts'
import { createLastInLine } from './server/node/last-in-line.ts'
import { inProcess } from './wire/in-process.ts'
import { paint } from './wire/node/paint.ts'
import type { Next } from './wire/node/request-handler.ts'
import { createReporter } from './server/report.ts'

export type { Logger, LogLevel, MiddlewareOptions, Options } from './core/options/options.ts'
export type { Next, RequestHandler } from './wire/node/request-handler.ts'

/** A connect-style middleware that loads and watches fixture files. */
export interface MockMiddleware {
  /** Without `next`, a request that no route answers gets a 404 in JSON. */
  (req: IncomingMessage | Http2ServerRequest, res: ServerResponse | Http2ServerResponse, next?: Next): void
  /**
   * A listener that answers WebSockets: `server.on('upgrade', middleware.upgrade)`. Without it, the middleware
   * answers them only once it has received a request.
   */
  upgrade: (req: IncomingMessage, socket: Duplex, head: Buffer) => void
  /** Resolves when the fixture files have been loaded, with or without errors. Earlier requests wait for it. */
  ready: Promise<void>
  /**
   * Stops watching, and ends answers that are delayed or never end, so that the server can close. Later requests are
   * answered from the last loaded fixtures, without delays.
   */
  close: () => Promise<void>
}

/** Mock servers of all middlewares in this process: one application may have one for each base. */
const running = inProcess('middlewares', () => new Set<MockServer>())

/**
 * Creates a middleware for `node:http`, `node:http2` and any connect-style server: connect, Express,
 * webpack-dev-middleware, Storybook.
 *
 * @param options see {@link MiddlewareOptions}; `root` defaults to the working directory, `logger` to the console
 * @throws MockApiError when an option is unknown or has a value of the wrong kind
 *
 * @example
 * import { createServer } from 'node:http'
 * import { createMiddleware } from 'unplugin-mock-api/connect'
 *
 * createServer(createMiddleware()).listen(3000)
 *
 * @example
 * // Express, connect: requests that no route answers go on to the next handler
 * app.use(createMiddleware())
 */
export function createMiddleware(options: MiddlewareOptions = {}): MockMiddleware {
  const resolved = resolveMiddlewareOptions(options, { root: process.cwd(), logger: console, paint })
  const { enabled, origins, logger } = resolved
  const server = enabled ? startMockServer(resolved) : undefined
  const report = createReporter(resolved)
  const hasElsewhere = (name: string) => [...running].some((one) => one.knowsScenario(name))
  const handler = server?.createHandler('', origins, {
    nextIsBackend: true,
    insertsBadge: true,
    hasElsewhere,
  })
  const endpoints = () => server?.store.current?.table.endpoints ?? []
  const lastInLine = createLastInLine(endpoints, origins, report)
  const announce = ({ summary, origins: named }: MockServer) => {
    logger.info(summary())
    const [origin] = options.outgoing === undefined ? named() : []
    if (origin !== undefined) report(diagnoseSetup('outgoing-off', {}, { origin }))
  }
  let isInspectorTold = !enabled || !resolved.inspector.dev
  /** The first request shows where the server listens. */
  function tellInspector(req: IncomingMessage): void {
    isInspectorTold = true
    const address = askedInspector(req)
    if (address !== undefined) logger.info(`inspector: ${address}`)
  }
  if (server) running.add(server)
  function mockApiMiddleware(req: IncomingMessage, res: ServerResponse, next = lastInLine(req, res)): void {
    if (!isInspectorTold) tellInspector(req)
    return handler ? handler(req, res, next) : next()
  }
  // The parts of HTTP/2's compatibility API used here are the same as in `node:http`, but the types differ.
  return Object.assign(mockApiMiddleware as MockMiddleware, {
    upgrade: handler?.upgrade ?? ((_req: IncomingMessage, socket: Duplex) => endUpgrade(socket)),
    ready: server ? server.store.ready.then(() => announce(server)) : Promise.resolve(),
    async close() {
      if (server) running.delete(server)
      await server?.close()
    },
  })
}
