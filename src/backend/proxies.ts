import type { IncomingMessage } from 'node:http'
import { isRecord } from '../core/values/values.ts'
import { globs, isGlob } from '../loader/find/search-files.ts'

/**
 * Whether the dev server's own proxy gets a request, or one of its entries that are meant. The option is an object by path, or a list in webpack, Rspack and Rsbuild.
 *
 * @see https://vite.dev/config/server-options#server-proxy
 * @see https://github.com/chimurai/http-proxy-middleware/blob/master/recipes/pathFilter.md
 */
export function readProxies(
  proxy: unknown,
  isMeant: (options: unknown) => boolean = () => true,
): (req: IncomingMessage) => boolean {
  if (typeof proxy !== 'object' || proxy === null) return () => false
  const filters = Array.isArray(proxy)
    ? (proxy as unknown[])
        .filter(isMeant)
        .map((one) => (isRecord(one) ? (one['context'] ?? one['pathFilter']) : undefined) ?? '/')
    : Object.entries(proxy).flatMap(([path, options]) => (isMeant(options) ? path : []))
  const matchers = filters.flat().map(toMatcher)
  return (req) => matchers.some((matches) => matches(req.url ?? '/', req))
}

type Matcher = (url: string, req: IncomingMessage) => boolean

function toMatcher(filter: unknown): Matcher {
  const ofPath =
    (matches: Matcher): Matcher =>
    (url, req) =>
      Boolean(matches(url.split('?', 1)[0]!, req))
  if (typeof filter === 'function') return ofPath(filter as Matcher)
  if (typeof filter !== 'string') return () => false
  if (filter.startsWith('^')) {
    const pattern = new RegExp(filter)
    return (url) => pattern.test(url)
  }
  if (!isGlob(filter)) return (url) => url.startsWith(filter)
  const isMatch = globs()(filter)
  return ofPath((path) => isMatch(path))
}
