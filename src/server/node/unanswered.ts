import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RouteTable } from '../../core/table/route-table.ts'
import { describeUnanswered } from '../../core/table/similar.ts'
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import { notFoundResponse, plainError } from '../../core/answer/error-response.ts'
import { diagnoseRequest } from '../../core/diagnostics/request-texts.ts'
import { decideOrigin, type OriginPolicy } from '../../core/http/origin.ts'
import { redactUrl } from '../../core/request/redact.ts'
import { reasonOf } from '../../core/values/thrown.ts'
import type { Next } from '../../wire/node/request-handler.ts'
import { isSecure } from '../../wire/node/this-machine.ts'
import { setHeaders, writeResponse } from '../../wire/node/write-response.ts'

/** Number and length of the URLs that are compared; an application does not mistype more of them. */
const maxUrls = 1000
export const maxLength = 500

/**
 * Warns once per URL that is similar to a route's, or has routes in inactive scenarios, if nothing else answered:
 * the response was a 404 or the fallback page of the dev server.
 */
export function createSimilarNotice(bases: readonly string[], report: (diagnostic: Diagnostic) => void) {
  const seen = new Set<string>()

  return function noticeSimilar(req: IncomingMessage, res: ServerResponse, table: RouteTable): void {
    const url = req.url ?? '/'
    if (isOfDevServer(url) || seen.has(url) || seen.size >= maxUrls || url.length > maxLength) return
    seen.add(url)
    res.once('finish', () => {
      if (req.headers.accept?.includes('text/html') || !isUnanswered(res)) return
      const notice = describeUnanswered(table, req.method ?? 'GET', url, bases)
      if (notice) report(notice)
    })
  }
}

/** Files and modules of the dev server have a dot in the last part of their path, or an @. */
export function isOfDevServer(url: string): boolean {
  if (!url.startsWith('/') /* `*`, or a whole URL */ || url.includes('@')) return true
  const query = url.indexOf('?')
  const end = query === -1 ? url.length : query
  return url.lastIndexOf('.', end) > url.lastIndexOf('/', end)
}

/** A page is no answer to a client that has not asked for one. */
export function isUnanswered(res: ServerResponse): boolean {
  return res.statusCode === 404 || String(res.getHeader('content-type')).startsWith('text/html')
}

/** The `next` of a middleware that gets none, as in `http.createServer(createMiddleware())`. */
export function createLastInLine(
  endpoints: () => RouteTable['endpoints'],
  origins: OriginPolicy,
  report: (diagnostic: Diagnostic) => void,
): (req: IncomingMessage, res: ServerResponse) => Next {
  return (req, res) => (error) => {
    const { method = 'GET', url = '/', headers } = req
    const request = `${method} ${redactUrl(url.split('?', 1)[0]!)}`
    const { refused, headers: corsHeaders } = decideOrigin(
      origins,
      { method, headers },
      { isSecure: isSecure(req) },
    )
    if (refused) return writeResponse(req, res, plainError(403, refused))
    if (!res.headersSent) setHeaders(res, 404, corsHeaders)
    if (error === undefined) return writeResponse(req, res, notFoundResponse(request, endpoints()))
    const failure = diagnoseRequest('internal-error', {}, { request, reason: reasonOf(error) })
    report(failure)
    writeResponse(req, res, plainError(500, failure))
  }
}
