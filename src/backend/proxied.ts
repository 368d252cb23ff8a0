import type { IncomingMessage } from 'node:http'
import picomatch from 'picomatch'

/** Whether the dev server's own proxy gets a request. */
export type IsProxied = (req: IncomingMessage) => boolean

/** One entry of a list of proxies, as webpack-dev-server, Rspack and Rsbuild have it. */
interface ProxyEntry {
  context?: unknown
  pathFilter?: unknown
}

/**
 * Reads the option `proxy` of a dev server: an object of proxies by path, or a list of proxies.
 *
 * @see https://vite.dev/config/server-options#server-proxy
 * @see https://github.com/chimurai/http-proxy-middleware/blob/master/recipes/pathFilter.md
 */
export function readProxies(proxy: unknown): IsProxied {
  if (typeof proxy !== 'object' || proxy === null) return () => false
  const filters = Array.isArray(proxy)
    ? (proxy as (ProxyEntry | undefined)[]).map((entry) => entry?.context ?? entry?.pathFilter ?? '/')
    : Object.keys(proxy)
  const matchers = filters.flat().map(toMatcher)
  return (req) => {
    const url = req.url ?? '/'
    return matchers.some((matches) => matches(url, req))
  }
}

function toMatcher(filter: unknown): (url: string, req: IncomingMessage) => boolean {
  const pathOf = (url: string) => url.split('?', 1)[0]!
  if (typeof filter === 'function')
    return (url, req) =>
      Boolean((filter as (path: string, req: IncomingMessage) => unknown)(pathOf(url), req))
  if (typeof filter !== 'string') return () => false
  if (filter.startsWith('^')) {
    const pattern = new RegExp(filter)
    return (url) => pattern.test(url)
  }
  if (picomatch.scan(filter).isGlob) {
    const matches = picomatch(filter)
    return (url) => matches(pathOf(url))
  }
  return (url) => url.startsWith(filter)
}
