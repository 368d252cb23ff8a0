import { parseCookie } from 'cookie'
import { type Headers, type HeaderSource, headerText, isNavigation, textOf } from './raw-request.ts'
import { percentDecoded } from './path.ts'

/** The header `x-mock-client`, else the cookie `mock-client`, else the empty string, which means everyone. */
export function clientOf(headers: Headers): string {
  return headerText(headers, 'x-mock-client') ?? cookieValue(headers, 'mock-client') ?? ''
}

/** Whether a test wants a request to fail that no route answers, instead of leaving this machine. */
export function failsUnmatched(headers: Headers): boolean {
  return (headerText(headers, 'x-mock-unmatched') ?? cookieValue(headers, 'mock-unmatched')) === 'fail'
}

/** The scenarios of a request. An empty list means none. */
export interface NamedScenarios {
  names: readonly string[]
  by: 'header "x-mock-scenario"' | 'cookie "mock-scenario"' | 'page parameter "mock-scenario"' | 'key "then"'
}

/** Precedence: the header `x-mock-scenario`, the page that the request opens, the cookie `mock-scenario`. */
export function namedScenarios(
  method: string,
  url: string,
  source: HeaderSource,
): NamedScenarios | undefined {
  const header = textOf(source.headers['x-mock-scenario'])
  if (header !== undefined) return { names: readScenarioNames(header), by: 'header "x-mock-scenario"' }
  const page = pageScenarios(method, url, source)
  if (page) return page
  const cookie = cookieValue(source.headers, 'mock-scenario')
  return cookie === undefined ? undefined : { names: readScenarioNames(cookie), by: 'cookie "mock-scenario"' }
}

/** A page is opened with `?mock-scenario=payment-down`. Nearly every URL is ruled out without reading the headers. */
export function pageScenarios(method: string, url: string, source: HeaderSource): NamedScenarios | undefined {
  const start = url.indexOf('?')
  if (start === -1 || !url.includes('mock-scenario', start)) return undefined
  const values = new URLSearchParams(url.slice(start)).getAll('mock-scenario')
  if (values.length === 0 || !isNavigation(method, source)) return undefined
  return { names: readScenarioNames(values.join()), by: 'page parameter "mock-scenario"' }
}

const asIs = (text: string) => text

/** The cookie as sent, still encoded; `undefined` when there is none. */
function cookieValue(headers: Headers, name: string): string | undefined {
  const cookies = textOf(headers['cookie'])
  // Without parsing for nearly every request.
  return cookies?.includes(name) ? parseCookie(cookies, { decode: asIs })[name] : undefined
}

/** Each name, or the whole list, may be percent-encoded, since headers and cookies are ASCII. */
export function readScenarioNames(text: string): string[] {
  const names = text.split(',').flatMap((part) => percentDecoded(part.trim()).split(','))
  return [...new Set(names.map((name) => name.trim()))].filter((name) => name !== '')
}

/** Lasts until the browser is closed; without a name, the cookie is removed. Encoding keeps names from ending the value. */
export function scenarioCookie(names: readonly string[]): string {
  const value = names.map((name) => encodeURIComponent(name)).join(',')
  return `mock-scenario=${value}; Path=/; SameSite=Lax${value === '' ? '; Max-Age=0' : ''}`
}
