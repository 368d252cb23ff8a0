import { parseCookie } from 'cookie'
import { textOf, type Headers } from './raw-request.ts'

const asIs = (text: string) => text

/** The value of a cookie as it was sent, still encoded; `undefined` when the request has no such cookie. */
export function cookieValue(headers: Headers, name: string): string | undefined {
  const cookies = textOf(headers['cookie'])
  // Without parsing for nearly every request.
  return cookies?.includes(name) ? parseCookie(cookies, { decode: asIs })[name] : undefined
}
