import type { IncomingMessage } from 'node:http'
import type { RouteTable } from '../../core/table/route-table.ts'
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import { findSimilar } from '../../core/table/similar.ts'

/** How many paths are looked at; an application that asks for more has no slip in each of them. */
const maxPaths = 1000

/**
 * Tells of a request that is nearly one of ours: once for each path, and off the path of the request itself, which has
 * gone on by then.
 */
export function createSimilarNotice(bases: readonly string[], report: (diagnostic: Diagnostic) => void) {
  const seen = new Set<string>()

  return function noticeSimilar(req: IncomingMessage, table: RouteTable): void {
    const url = req.url ?? '/'
    // Files and the modules of dev servers have a dot or an @; what is left is an API's, or a page of the application.
    if (
      url.charCodeAt(0) !== 47 /* no path: `*`, or a whole URL */ ||
      url.charCodeAt(url.length - 3) === 46 ||
      url.includes('.') ||
      url.includes('@') ||
      seen.has(url) ||
      seen.size >= maxPaths
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
