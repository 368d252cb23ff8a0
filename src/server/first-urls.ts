import { isSocketIo } from '../core/stream/socket-framing.ts'

/** Number and length of the URLs that are remembered; an application does not mistype more of them. */
const maxUrls = 1000
const maxLength = 500

/** @returns whether a method and a URL are to be compared with the routes: only the first time */
export function createFirstUrls(): (method: string, url: string) => boolean {
  const seen = new Set<string>()
  return (method, given) => {
    // A client of Socket.IO asks again and again, each time with a query of its own.
    const url = isSocketIo(given) ? given.split('?', 1)[0]! : given
    const asked = method === 'GET' ? url : `${method} ${url}` // most requests make no text
    if (seen.has(asked) || seen.size >= maxUrls || url.length > maxLength) return false
    seen.add(asked)
    return true
  }
}

/** Files and modules of the dev server have a dot in the last part of their path, or an @. Its control API may be off. */
export function isOfDevServer(url: string): boolean {
  if (!url.startsWith('/') /* `*`, or a whole URL */ || url.includes('@') || url.startsWith('/__mock-api/'))
    return true
  const query = url.indexOf('?')
  const end = query === -1 ? url.length : query
  return url.lastIndexOf('.', end) > url.lastIndexOf('/', end)
}
