import { checkOptions, type Options } from './core/options.ts'
import { startMockServer } from './hosts/mock-server.ts'
import type { RequestHandler } from './hosts/node-http.ts'
import { summarise } from './loader/fixture-store.ts'

export type { Logger, LogLevel, Options } from './core/options.ts'
export type { Next, RequestHandler } from './hosts/node-http.ts'

/** A connect-style middleware with a life of its own: it loads fixture files, and watches them. */
export interface MockMiddleware extends RequestHandler {
  /** Resolves when the fixture files have been loaded, errors or not; requests before that wait for it. */
  ready: Promise<void>
  /** Stops watching. Requests go on to be answered from what was loaded last. */
  close: () => Promise<void>
}

/**
 * Makes a middleware for any connect-style server: connect, Express, `node:http`, webpack-dev-middleware, Storybook.
 *
 * @param options see {@link Options}; `root` defaults to the working directory, `logger` to the console
 * @throws MockApiError when an option is unknown or has a value of the wrong kind
 *
 * @example
 * import connect from 'connect'
 * import { createMiddleware } from 'unplugin-mock-api/connect'
 *
 * connect().use(createMiddleware()).listen(3000)
 */
export function createMiddleware(options: Options = {}): MockMiddleware {
  if (options.enabled === false) {
    checkOptions(options)
    const passOn: RequestHandler = (_req, _res, next) => next()
    return Object.assign(passOn, { ready: Promise.resolve(), close: () => Promise.resolve() })
  }
  const server = startMockServer(options, { root: process.cwd(), logger: console })
  const { store } = server
  const ready = store.ready.then(() => server.options.logger.info(`[mock-api] ${summarise(store.current!)}`))
  return Object.assign(server.createHandler(), { ready, close: server.close })
}
