import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RouteTable } from '../../core/table/route-table.ts'
import { describeMissing, describeUnanswered } from '../../core/table/similar.ts'
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import { notFoundResponse, plainError } from '../../core/answer/error-response.ts'
import { scenarioNotices } from '../../core/answer/receive.ts'
import { diagnoseRequest } from '../../core/diagnostics/request-texts.ts'
import { headerText, type Headers } from '../../core/http/raw-request.ts'
import { decideOrigin, type OriginPolicy } from '../../core/http/origin.ts'
import { redactUrl } from '../../core/request/redact.ts'
import { isLogged } from '../../core/options/logger.ts'
import { reasonOf } from '../../core/values/thrown.ts'
import type { Next } from '../../wire/node/request-handler.ts'
import { isSecure } from '../../wire/node/this-machine.ts'
import { setHeaders, writeResponse } from '../../wire/node/write-response.ts'
import type { CreateFeature } from './feature.ts'

/** Number and length of the URLs that are compared; an application does not mistype more of them. */
const maxUrls = 1000
export const maxLength = 500

/**
 * Warns once per URL that nothing else answered: the response was a 404 or the fallback page of the dev server. Names the route that was
 * probably meant. Without one, only what a script has asked for is told, with the route to write.
 */
export const unanswered: CreateFeature = ({ options, rulesNow, recording, report }) => {
  const isTold = isLogged('warn', options.logLevel)
  const { bases } = rulesNow()
  const seen = new Set<string>()
  return {
    pass({ req, res, origin, rules, table, decision, isAsked }, next) {
      if (!decision && !isAsked && origin === '') {
        const { method = 'GET', url = '/' } = req
        const isOurs = !isOfDevServer(url)
        if (isOurs) scenarioNotices(rules, table, method, url, req).forEach(report)
        if (isOurs && isTold && !recording.of('') && !isKnown(url)) noticeLater(req, res, table)
      }
      next()
    },
  }

  function isKnown(url: string): boolean {
    if (seen.has(url) || seen.size >= maxUrls || url.length > maxLength) return true
    seen.add(url)
    return false
  }

  function noticeLater(req: IncomingMessage, res: ServerResponse, table: RouteTable): void {
    const { method = 'GET', url = '/' } = req
    res.once('finish', () => {
      if (!isMiss(req.headers, res)) return
      const notice =
        describeUnanswered(table, method, url, bases) ??
        (isOfScript(req) && isPageOrNothing(res)
          ? describeMissing(method, url, bases, isPage(res))
          : undefined)
      if (notice) report(notice)
    })
  }
}

/** What a `fetch` of a page or a program asks for: no page, no asset, and no part of a page that a server renders. */
export function isOfScript({ url = '/', headers }: IncomingMessage): boolean {
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

/** Files and modules of the dev server have a dot in the last part of their path, or an @. */
export function isOfDevServer(url: string): boolean {
  if (!url.startsWith('/') /* `*`, or a whole URL */ || url.includes('@')) return true
  const query = url.indexOf('?')
  const end = query === -1 ? url.length : query
  return url.lastIndexOf('.', end) > url.lastIndexOf('/', end)
}

/** A page is no answer to a client that has not asked for one. */
export function isMiss(headers: Headers, res: ServerResponse): boolean {
  return (res.statusCode === 404 || isPage(res)) && !asksForPage(headers)
}

function isPage(res: ServerResponse): boolean {
  return String(res.getHeader('content-type')).startsWith('text/html')
}

function asksForPage(headers: Headers): boolean {
  return headerText(headers, 'accept')?.includes('text/html') === true
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
