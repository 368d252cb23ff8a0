import type { IncomingMessage, ServerResponse } from 'node:http'
import type { MiddlewareOptions } from './core/options/options.ts'
import { createMiddleware } from './connect.ts'

export type { MiddlewareOptions } from './core/options/options.ts'

/** A part of the proxy configuration, in the form of Vite and webpack-dev-server. */
export interface ProxyEntry {
  /** The address that gets what the mock API does not answer. */
  target?: unknown
  /** Decides whether a request stays here: a path or `false` answer it, and nothing sends it to `target`. */
  bypass?: (
    req: IncomingMessage,
    res: ServerResponse | undefined,
    options: object,
  ) => string | false | null | undefined | void | Promise<string | false | null | undefined | void>
  [option: string]: unknown
}

/**
 * The proxy configuration of Angular's dev server (`proxyConfig` in angular.json), with the mock API in it.
 *
 * @param options as for `createMiddleware`; `root` defaults to the working directory
 * @param proxy the project's own entries, which get what no route answers
 *
 * @example
 * // proxy.conf.mjs
 * import { mockApi } from 'unplugin-mock-api/angular'
 *
 * export default mockApi()
 *
 * @see https://angular.dev/tools/cli/serve#proxying-to-a-backend-server
 */
export function mockApi(
  options: MiddlewareOptions = {},
  proxy: Record<string, string | ProxyEntry> = {},
): Record<string, ProxyEntry> {
  const middleware = createMiddleware({ outgoing: true, ...options })
  /** Never settles if the mock API answers. A proxy asks this for upgrades, too, without a response. */
  const unanswered = (req: IncomingMessage, res: ServerResponse | undefined) =>
    new Promise<void>((resolve, reject) => {
      const next = (error?: unknown) =>
        error === undefined ? resolve() : reject(error instanceof Error ? error : new Error(String(error)))
      if (res) middleware(req, res, next)
      else next()
    })
  const entries = Object.entries(proxy).map(([path, given]): [string, ProxyEntry] => {
    const entry = typeof given === 'string' ? { target: given } : given
    const bypass: ProxyEntry['bypass'] = async (req, res, all) => {
      await unanswered(req, res)
      return entry.bypass?.(req, res, all)
    }
    return [path, { ...entry, bypass }]
  })
  const rest: ProxyEntry = {
    target: 'http://localhost',
    bypass: async (req, res) => {
      await unanswered(req, res)
      return req.url
    },
  }
  return { ...Object.fromEntries(entries), '/': rest }
}
