import { checkOptions, type MiddlewareOptions, resolveOrigins } from './core/options/options.ts'
import { startMockServer } from './hosts/mock-server.ts'
import type { RequestHandler } from './hosts/node/node-http.ts'
import { summarise } from './loader/fixture-state.ts'

export type { Logger, LogLevel, MiddlewareOptions, Options } from './core/options/options.ts'
export type { Next, RequestHandler } from './hosts/node/node-http.ts'

/** A connect-style middleware with a life of its own: it loads fixture files, and watches them. */
export interface MockMiddleware extends RequestHandler {
  /** Resolves when the fixture files have been loaded, errors or not; requests before that wait for it. */
  ready: Promise<void>
  /**
   * Stops watching, and ends answers that are delayed or never end, so that the server can close. Requests go on to be
   * answered from what was loaded last, without delays.
   */
  close: () => Promise<void>
}

/**
 * Makes a middleware for any connect-style server: connect, Express, `node:http`, webpack-dev-middleware, Storybook.
 *
 * @param options see {@link MiddlewareOptions}; `root` defaults to the working directory, `logger` to the console
 * @throws MockApiError when an option is unknown or has a value of the wrong kind
 *
 * @example
 * import connect from 'connect'
 * import { createMiddleware } from 'unplugin-mock-api/connect'
 *
 * connect().use(createMiddleware()).listen(3000)
 */
export function createMiddleware(options: MiddlewareOptions = {}): MockMiddleware {
  checkOptions(options, 'middleware')
  const { cors, allowedHosts, ...pluginOptions } = options
  if (options.enabled === false) {
    const passOn: RequestHandler = (_req, _res, next) => next()
    return Object.assign(passOn, { ready: Promise.resolve(), close: () => Promise.resolve() })
  }
  const server = startMockServer(pluginOptions, { root: process.cwd(), logger: console })
  const { store } = server
  const ready = store.ready.then(() => server.options.logger.info(`[mock-api] ${summarise(store.current!)}`))
  const handler = server.createHandler('', resolveOrigins({ cors, allowedHosts }))
  return Object.assign(handler, { ready, close: server.close })
}
