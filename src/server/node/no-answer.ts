import type { IncomingMessage, ServerResponse } from 'node:http'
import { headerText, type Headers } from '../../core/http/raw-request.ts'

/* Which answers of the next handler are none, for the terminal, the badge and the inspector alike. */

/** Whether a page or a program sent the request with `fetch`: no page, no asset, no part rendered by a server. */
export function isOfScript({ url = '/', headers }: Pick<IncomingMessage, 'url' | 'headers'>): boolean {
  // A program that waits for the dev server asks for a page at `/` or `/app/`.
  const usual = url.split('?', 1)[0]!.endsWith('/') ? 'document' : 'empty'
  const { 'sec-fetch-dest': destination = usual, 'sec-purpose': purpose } = headers
  const isPart = purpose !== undefined || 'hx-request' in headers // prefetched, or asked for by htmx
  return url !== '/' && destination === 'empty' && !isPart && !asksForPage(headers)
}

/** A 404 with a body is the answer of a backend. */
export function isPageOrNothing(res: ServerResponse): boolean {
  return isPage(res) || (res.statusCode === 404 && !res.hasHeader('content-type'))
}

/** A page is no answer to a client that has not asked for one. */
export function isNoAnswer(headers: Headers, res: ServerResponse): boolean {
  return (res.statusCode === 404 || isPage(res)) && !asksForPage(headers)
}

/** A page for every path, or the manifest with which Expo answers them. What a route of Express sends is its answer. */
export function isPage(res: ServerResponse): boolean {
  const { route } = res.req as { route?: { path?: unknown } }
  if (typeof route?.path === 'string' && !route.path.includes('*')) return false
  return (
    res.hasHeader('expo-protocol-version') || String(res.getHeader('content-type')).startsWith('text/html')
  )
}

function asksForPage(headers: Headers): boolean {
  return headerText(headers, 'accept')?.includes('text/html') === true
}
