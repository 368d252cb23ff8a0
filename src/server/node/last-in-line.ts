import type { IncomingMessage, ServerResponse } from 'node:http'
import { notFoundResponse, plainError } from '../../core/answer/error-response.ts'
import type { Report } from '../../core/diagnostics/diagnostic.ts'
import { diagnoseRequest } from '../../core/diagnostics/request-texts.ts'
import { decideOrigin, type OriginPolicy } from '../../core/http/origin.ts'
import { describeAsked } from '../../core/redact/redact.ts'
import type { RouteTable } from '../../core/table/route-table.ts'
import { reasonOf } from '../../core/values/thrown.ts'
import { type Next, unansweredResponses } from '../../wire/node/request-handler.ts'
import { isSecure } from '../../wire/node/this-machine.ts'
import { setHeaders, writeResponse } from '../../wire/node/write-response.ts'

/** The `next` of a middleware that gets none, as in `http.createServer(createMiddleware())`. */
export function createLastInLine(
  endpoints: () => RouteTable['endpoints'],
  origins: OriginPolicy,
  report: Report,
): (req: IncomingMessage, res: ServerResponse) => Next {
  return (req, res) => (error) => {
    const { method = 'GET', url = '/', headers } = req
    const request = describeAsked(method, url)
    const { refused, headers: corsHeaders } = decideOrigin(
      origins,
      { method, headers },
      { isSecure: isSecure(req) },
    )
    if (refused) return writeResponse(req, res, plainError(403, refused))
    if (!res.headersSent) setHeaders(res, 404, corsHeaders)
    if (error === undefined) unansweredResponses.add(res)
    if (error === undefined) return writeResponse(req, res, notFoundResponse(request, endpoints()))
    const failure = diagnoseRequest('internal-error', {}, { request, reason: reasonOf(error) })
    report(failure)
    writeResponse(req, res, plainError(500, failure))
  }
}
