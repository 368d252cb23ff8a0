import type { IncomingMessage } from 'node:http'
import type { RouteTable } from '../../core/table/route-table.ts'
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import { findSimilar } from '../../core/table/similar.ts'

/** How many URLs are looked at, and how long they may be; an application that asks for more did not mistype each of them. */
const maxUrls = 1000
const maxLength = 500

/**
 * Warns of a request that is nearly one of ours: once for each URL, and after the request has been handed on, so that it
 * does not wait.
 */
export function createSimilarNotice(bases: readonly string[], report: (diagnostic: Diagnostic) => void) {
  const seen = new Set<string>()

  return function noticeSimilar(req: IncomingMessage, table: RouteTable): void {
    const url = req.url ?? '/'
    // The URLs of files and of a dev server's modules have a dot or an @; the others are an API's, or the application's pages.
    if (
      url.charCodeAt(0) !== 47 /* `*`, or a whole URL */ ||
      url.charCodeAt(url.length - 3) === 46 ||
      url.includes('.') ||
      url.includes('@') ||
      seen.has(url) ||
      seen.size >= maxUrls ||
      url.length > maxLength
    )
      return
    seen.add(url)
    setImmediate(() => {
      if (req.headers.accept?.includes('text/html')) return
      const path = url.split('?', 1)[0]!
      const base = bases.find((prefix) => path.startsWith(`${prefix}/`)) ?? ''
      const similar = findSimilar(table, req.method ?? 'GET', path.slice(base.length))
      if (similar) report(similar)
    })
  }
}
