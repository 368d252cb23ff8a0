import type { IncomingMessage, ServerResponse } from 'node:http'
import { parseCookie, stringifyCookie } from 'cookie'
import { cookiesHeader, originFolder } from '../../core/http/route-url.ts'
import { splitLogin } from '../../core/values/url-user.ts'
import { changeHeaders } from '../../wire/node/write-response.ts'
import { isOfServer } from '../outgoing/memory-server.ts'

/* Pages ask other origins below `originFolder` of their own server; with `omit`, without cookies of that origin. */

const omit = 'omit/'

export interface OriginRequest {
  /** The whole URL that the page asks. */
  url: string
  /** The path below which the origin's requests come. */
  folder: string
  sendsCookies: boolean
}

/** @param mounts paths below which the server is */
export function readOriginRequest(url: string, mounts: readonly string[]): OriginRequest | undefined {
  for (const mount of mounts) {
    const folder = `${mount}${originFolder}`
    if (!url.startsWith(folder)) continue
    const sendsCookies = !url.startsWith(omit, folder.length)
    const rest = url.slice(folder.length + (sendsCookies ? 0 : omit.length))
    const [, scheme = '', address = ''] = /^(https?):\/+(.*)$/is.exec(rest) ?? []
    const whole = `${scheme}://${address}`
    if (address === '' || !URL.canParse(whole) || splitLogin(whole).login) return undefined
    return { url: whole, folder, sendsCookies }
  }
  return undefined
}

/** The request and its answer become those of the origin. */
export function actAsOrigin(
  req: IncomingMessage & { originalUrl?: string },
  res: ServerResponse,
  { url, folder, sendsCookies: mayHaveCookies }: OriginRequest,
  page: string,
  isAskedHere: (url: string) => boolean,
): void {
  const { host, origin } = new URL(url)
  const { headers } = req
  const sendsCookies = mayHaveCookies && headers[cookiesHeader] !== 'omit'
  delete headers[cookiesHeader]
  req.url = req.originalUrl = url
  if (isOfServer(req)) return void (headers.host = host)
  if (headers.cookie !== undefined) headers.cookie = ownCookies(headers.cookie, origin, sendsCookies)
  if (headers.cookie === '') delete headers.cookie
  // A browser sends these across origins, and none of them to its own.
  if (headers['sec-fetch-mode'] === 'cors') headers.origin ??= page
  if (headers.referer !== undefined) headers.referer = `${page}/`
  if (headers['sec-fetch-site'] !== undefined) headers['sec-fetch-site'] = 'cross-site'
  headers.host = host
  changeHeaders(res, {
    'set-cookie': (text) => (sendsCookies ? asOwnCookie(text, `${folder}${origin}`, origin) : undefined),
    location: (text) => {
      if (!URL.canParse(text, url)) return text
      const target = new URL(text, url)
      return isAskedHere(target.origin) ? `${folder}${sendsCookies ? '' : omit}${target.href}` : target.href
    },
  })
}

/* Cookies of another origin are kept below its folder, under names that no other cookie of the page has. */

const prefixOf = (origin: string) => `mock-origin.${origin.replace(/[^\w.-]/g, '_')}.`

/** Cookies for the third party. Cookies of this package stay: they say whose state answers. */
function ownCookies(text: string, origin: string, sendsCookies: boolean): string {
  const prefix = prefixOf(origin)
  const cookies = Object.entries(parseCookie(text, { decode: (value) => value })).flatMap(([name, value]) => {
    if (/^mock-(?:client|scenario|unmatched)$/.test(name)) return [[name, value]]
    return sendsCookies && name.startsWith(prefix) ? [[name.slice(prefix.length), value]] : []
  })
  return stringifyCookie(Object.fromEntries(cookies) as Record<string, string>, { encode: (value) => value })
}

function asOwnCookie(text: string, path: string, origin: string): string {
  const [pair = '', ...attributes] = text.split(';')
  const kept = attributes.filter((one) => !/^\s*(?:domain|path|secure|samesite|partitioned)\b/i.test(one))
  return [`${prefixOf(origin)}${pair.trim()}`, ...kept, ` Path=${path}`, ' SameSite=Lax'].join(';')
}
