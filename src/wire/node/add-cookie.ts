import type { ServerResponse } from 'node:http'

type HeadArguments = Parameters<ServerResponse['writeHead']>

/**
 * Adds a cookie to a response that the host is going to write. What comes later may replace the cookies that are set now:
 * a proxy does, and so do headers that are given to `writeHead`. So the cookie is added again with the head, if needed.
 */
export function addCookie(res: ServerResponse, cookie: string): void {
  if (hasCookie(res, cookie)) return // by another instance of the plugin
  res.appendHeader('set-cookie', cookie)
  // eslint-disable-next-line @typescript-eslint/unbound-method -- it is called with its response
  const { writeHead } = res
  res.writeHead = function (this: ServerResponse, ...head: unknown[]) {
    if (!this.headersSent) {
      if (!hasCookie(this, cookie)) this.appendHeader('set-cookie', cookie)
      const headers = head.at(-1)
      if (typeof headers === 'object' && headers !== null) head[head.length - 1] = withCookie(headers, cookie)
    }
    return writeHead.apply(this, head as HeadArguments)
  }
}

function hasCookie(res: ServerResponse, cookie: string): boolean {
  return [res.getHeader('set-cookie')].flat().includes(cookie)
}

/** The headers that `writeHead` is given. Their cookies, if there are any, replace those of the response. */
function withCookie(headers: object, cookie: string): object {
  if (!Array.isArray(headers)) {
    const name = Object.keys(headers).find(isSetCookie)
    if (name === undefined) return headers
    const own = (headers as Record<string, string | string[]>)[name]!
    return { ...headers, [name]: [own, cookie].flat() }
  }
  // In a flat list, Node 20 takes the last of several values.
  const list = headers as unknown[]
  const others: unknown[] = []
  const cookies: unknown[] = []
  for (let i = 0; i < list.length; i += 2) {
    if (isSetCookie(list[i])) cookies.push(list[i + 1])
    else others.push(list[i], list[i + 1])
  }
  return cookies.length > 0 ? [...others, 'set-cookie', [...cookies.flat(), cookie]] : list
}

function isSetCookie(name: unknown): boolean {
  return typeof name === 'string' && name.toLowerCase() === 'set-cookie'
}
