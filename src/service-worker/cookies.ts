import { parseSetCookie } from 'cookie'

/*
 * A service worker sees no cookies: requests have no header `cookie`, and the header `set-cookie` of its responses has no
 * effect. Where the browser has a cookie store, both work as on a server, except for cookies that are `HttpOnly`.
 */

/** The header `cookie` of requests below the worker's scope. The store gives no others, such as those of a deeper path. */
export async function cookieHeader(store: CookieStore | undefined): Promise<string | undefined> {
  const cookies = (await store?.getAll()) ?? []
  if (cookies.length === 0) return undefined
  return cookies.map(({ name, value }) => `${name ?? ''}=${value ?? ''}`).join('; ')
}

/** Sets the cookies of headers `set-cookie`. A cookie that is not valid is left out, as browsers do. */
export async function setCookies(
  store: CookieStore | undefined,
  headers: readonly string[],
  url: string,
): Promise<void> {
  const folder = new URL(url).pathname.replace(/\/[^/]*$/, '') || '/'
  for (const header of headers) {
    const {
      name,
      value = '',
      path,
      maxAge,
      expires,
      sameSite,
    } = parseSetCookie(header, { decode: (text) => text })
    const until = maxAge === undefined ? expires?.getTime() : Date.now() + maxAge * 1000
    const cookie = {
      name,
      value,
      path: path ?? folder,
      sameSite: toSameSite(sameSite),
      ...(until !== undefined && { expires: until }),
    }
    await store?.set(cookie as never).catch(() => {})
  }
}

function toSameSite(given: boolean | string | undefined): string {
  const name = String(given).toLowerCase()
  return name === 'none' || name === 'strict' ? name : 'lax'
}
