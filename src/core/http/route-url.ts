import { parseOrigin } from './host-name.ts'
import { canonicalPath } from './path.ts'

/*
 * A route of another origin has its whole address as its path: `https://api.example.com/orders/:id`. A request names that
 * origin by a whole URL as its target, as a proxy gets it (RFC 9112, "absolute-form").
 */

/** Folder where pages of the dev server ask other origins: `/__mock-api/origin/https://api.example.com/orders`. */
export const originFolder = '/__mock-api/origin/'

/** Header of requests below `originFolder`: whether they have cookies of the other origin, `omit` or `include`. */
export const cookiesHeader = 'x-mock-cookies'

/** The address of another origin that a page means by one of the dev server. */
export function askedAddress(url: string): string {
  return url.replace(/^[^?]*?\/__mock-api\/origin\/(?:omit\/)?/, '')
}

/** Why an address is not one of a route: the end of a sentence. */
export interface AddressProblem {
  reason: string
  fix?: string
}

/** The address as it is compared: scheme and host in lower case, without the scheme's own port. */
export function readRouteUrl(url: string): { path: string } | AddressProblem {
  const [, scheme = '', host = '', path = ''] = /^([a-z][a-z\d+.-]*):\/\/([^/?#]*)(.*)$/is.exec(url) ?? []
  if (scheme === '') {
    const fix = url.startsWith('/') ? `Write path: ${url}` : `Write url: https://${url}`
    return { reason: 'it has no scheme.', fix: `${fix}.` }
  }
  if (/^wss?$/i.test(scheme)) return { reason: 'WebSockets to other origins are not answered.' }
  if (!/^https?$/i.test(scheme)) return { reason: `${scheme}: is not http or https.` }
  const [user] = /^(?:[^/]*|[^/:[]+:(?!\d*\/).*)@/.exec(host + path) ?? [] // a password may have a slash
  if (user !== undefined) {
    const fix = `Write it without them: ${scheme}://${(host + path).slice(user.length)}`
    return { reason: 'it has credentials, which no request has in its address.', fix }
  }
  const [wildcard = ''] = /^\*\./.exec(host) ?? []
  const name = host.slice(wildcard.length)
  const parsed = name.includes('*') ? undefined : parseOrigin(`${scheme}://${name}`)
  if (!parsed || (wildcard !== '' && !parsed.name.includes('.')))
    return {
      reason: `${JSON.stringify(host)} is not a host.`,
      fix: 'Write a name and perhaps a port, and "*." in front of a domain for all its subdomains.',
    }
  const start = scheme.length + 3
  return { path: `${parsed.text.slice(0, start)}${wildcard}${parsed.text.slice(start)}${rooted(path)}` }
}

function rooted(path: string): string {
  return canonicalPath(path.startsWith('/') ? path : `/${path}`)
}

/** The origin is empty for a path of the application itself. */
export function splitOrigin(path: string): { origin: string; pathname: string } {
  if (path.charCodeAt(0) === slash) return { origin: '', pathname: path }
  const scheme = path.indexOf('://')
  const end = scheme === -1 ? -1 : path.indexOf('/', scheme + 3)
  return end === -1
    ? { origin: path, pathname: '/' }
    : { origin: path.slice(0, end), pathname: path.slice(end) }
}

const slash = 47

/** The path that the router has: the origin is a segment that no request's own path can be, since `%3A` is never canonical. */
export function routerPath(path: string): string {
  const { origin, pathname } = splitOrigin(path)
  return origin === '' ? path : `/${encodeURIComponent(origin).replaceAll('*', '%2A')}${pathname}`
}

/** The origins that include the asked one: the same, then the domains that it is below. */
export function fittingOrigins(origins: readonly string[], asked: string): readonly string[] {
  const parsed = origins.length === 0 ? undefined : parseOrigin(asked)
  if (!parsed) return []
  const { text, scheme } = parsed
  return origins.filter((one) => {
    const domain = one.indexOf('*')
    return domain === -1
      ? one === text
      : one.startsWith(`${scheme}://`) && text.endsWith(one.slice(domain + 1))
  })
}
