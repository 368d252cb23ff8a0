import { passedOn, type ProcessServer } from './process-server.ts'
import { sendRequest } from './send-request.ts'

const tapped = Symbol.for('unplugin-mock-api.tapped-fetch')
const maxRedirects = 20
const redirects = [301, 302, 303, 307, 308]

/** Gives the server, and who sends the next request. */
export interface Tap {
  server: () => ProcessServer
  client: () => string
}

/**
 * Puts a function in the place of the global `fetch`: requests for mock endpoints are answered by the server, all others by
 * the function that was there before. Relative URLs are allowed where there is no page, too.
 */
export function tapFetch(tap: Tap): void {
  const previous = globalThis.fetch as typeof fetch & { [tapped]?: { current: Tap } }
  const own = previous[tapped]
  if (own) return void (own.current = tap)
  const current = { current: tap }

  const answer: typeof fetch = async (input, init) => {
    const { server: serverOf, client: clientOf } = current.current
    const server = serverOf()
    const client = clientOf()
    const target = input instanceof Request ? input : absolute(input)
    await server.ready
    const method = (init?.method ?? (target instanceof Request ? target.method : 'GET')).toUpperCase()
    const url = new URL(target instanceof Request ? target.url : target)
    if (!server.isFor(method, url)) {
      try {
        return await previous(target, init)
      } catch (error) {
        server.noticeFailed(method, url, error)
        throw error
      }
    }
    const request = new Request(target, init)
    return follow(request, 0)

    async function follow(request: Request, count: number): Promise<Response> {
      const copy = request.clone()
      const response = await sendRequest(request, server.connect(client))
      if (response.headers.has(passedOn)) return previous(copy)
      const location = response.headers.get('location')
      if (!redirects.includes(response.status) || location === null || request.redirect === 'manual')
        return response
      await response.body?.cancel()
      if (request.redirect === 'error' || count === maxRedirects)
        throw new TypeError('fetch failed', { cause: new Error('unexpected redirect') })
      const next = redirected(copy, new URL(location, request.url), response.status)
      const last = server.isFor(next.method, new URL(next.url))
        ? await follow(next, count + 1)
        : await previous(next)
      return Object.defineProperty(last, 'redirected', { value: true })
    }
  }
  globalThis.fetch = Object.assign(answer, { [tapped]: current })
}

function absolute(input: string | URL): URL | string {
  if (input instanceof URL) return input
  const { location } = globalThis as { location?: { href?: string } }
  const base = location?.href?.startsWith('http') ? location.href : 'http://localhost/'
  return URL.canParse(input, base) ? new URL(input, base) : input
}

/** As browsers do: 303 is followed by a GET, and so are 301 and 302 after a POST. */
function redirected(request: Request, url: URL, status: number): Request {
  const { method } = request
  const becomesGet = status === 303 ? !['GET', 'HEAD'].includes(method) : status < 303 && method === 'POST'
  if (!becomesGet) return new Request(url, request)
  const headers = new Headers(request.headers)
  for (const name of ['content-type', 'content-length', 'content-encoding']) headers.delete(name)
  return new Request(url, { method: 'GET', headers, signal: request.signal, redirect: request.redirect })
}
