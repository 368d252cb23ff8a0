import type { IncomingMessage } from 'node:http'
import { canonicalTarget } from '../core/http/host-name.ts'
import { ownValue } from '../core/values/values.ts'
import { globs, isGlob } from '../loader/find/search-files.ts'

/**
 * Whether the dev server's own proxy gets a request, or one of its entries that are meant. The option is an object by path, or a
 * list in webpack, Rspack and Rsbuild.
 *
 * @see https://vite.dev/config/server-options#server-proxy
 * @see https://github.com/chimurai/http-proxy-middleware/blob/master/recipes/pathFilter.md
 */
export function readProxies(
  proxy: unknown,
  isMeant: (options: unknown) => boolean = () => true,
): (req: IncomingMessage) => boolean {
  const entries = entriesOf(proxy).filter(({ options }) => isMeant(options))
  return (req) => entries.some(({ takes }) => takes(req))
}

/** Addresses that the proxies lead to, as far as they are written as text. */
export function proxyTargets(proxy: unknown): string[] {
  return [...new Set(entriesOf(proxy).flatMap(({ options }) => targetOf(options) ?? []))]
}

/** Where the first proxy for a URL sends a request for it. `undefined` without one. */
export function proxiedUrl(proxy: unknown, url: string): string | undefined {
  const req = { url, method: 'GET', headers: {} } as IncomingMessage
  const { options } = entriesOf(proxy).find(({ takes }) => takes(req)) ?? {}
  const target = targetOf(options)
  const rewrite = ownValue(options, 'rewrite') ?? ownValue(options, 'pathRewrite')
  return target && `${target}${rewritten(url, rewrite)}`
}

/** Where proxies lead to, each with the prefix that its rewrite may remove. Those that take the request come first. */
export function proxiedStarts(proxy: unknown, req: IncomingMessage): [target: unknown, prefix: string][] {
  const entries = entriesOf(proxy)
  const asked = entries.filter(({ takes }) => takes(req))
  return [...asked, ...entries].map(({ options, filters: [first] }) => {
    const isRewritten = ['rewrite', 'pathRewrite'].some((key) => ownValue(options, key) !== undefined)
    const prefix = isRewritten && typeof first === 'string' && first.startsWith('/') ? first : ''
    return [typeof options === 'string' ? options : ownValue(options, 'target'), prefix]
  })
}

interface ProxyEntry {
  options: unknown
  filters: readonly unknown[]
  takes: (req: IncomingMessage) => boolean
}

function entriesOf(proxy: unknown): ProxyEntry[] {
  if (typeof proxy !== 'object' || proxy === null) return []
  const pairs: [filter: unknown, options: unknown][] = Array.isArray(proxy)
    ? (proxy as unknown[]).map((one) => [ownValue(one, 'context') ?? ownValue(one, 'pathFilter') ?? '/', one])
    : Object.entries(proxy)
  return pairs.map(([filter, options]) => {
    const filters = [filter].flat()
    const matchers = filters.map(toMatcher)
    return { options, filters, takes: (req) => matchers.some((matches) => matches(req.url ?? '/', req)) }
  })
}

function targetOf(options: unknown): string | undefined {
  const target = typeof options === 'string' ? options : ownValue(options, 'target')
  return typeof target === 'string' || target instanceof URL ? canonicalTarget(String(target)) : undefined
}

/** @param rewrite the function of Vite, or the expressions and their replacements of http-proxy-middleware, of which one is used */
function rewritten(url: string, rewrite: unknown): string {
  if (typeof rewrite === 'function') return String((rewrite as (url: string) => unknown)(url))
  const [pattern, replacement] =
    Object.entries(rewrite ?? {}).find(([one]) => new RegExp(one).test(url)) ?? []
  return pattern === undefined ? url : url.replace(new RegExp(pattern), String(replacement))
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
