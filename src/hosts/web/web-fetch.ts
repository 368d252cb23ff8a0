import type { RouteTable } from '../../core/table/route-table.ts'
import { waitOf } from '../../core/response/delay.ts'
import { diagnose, type Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import { errorResponse } from '../../core/answer/error-response.ts'
import type { Outcome } from '../../core/answer/outcome.ts'
import { matchEndpoint } from '../../core/table/match.ts'
import type { ResolvedOptions } from '../../core/options/options.ts'
import { decideOrigin, type OriginPolicy } from '../../core/http/origin.ts'
import { withoutHeader, type PreparedResponse } from '../../core/response/prepare-response.ts'
import { refuseUnreadable } from '../../core/answer/refuse-body.ts'
import { createLimits } from '../limits.ts'
import { readWebBody } from './read-web-body.ts'
import { createReporter } from '../report.ts'
import { faultyBody, wait } from './web-fault.ts'
import { handle } from '../../core/answer/handle.ts'
import { matchPreflight } from '../../core/answer/preflight.ts'
import { preflightResponse } from '../../core/answer/preflight.ts'
import type { RawRequest } from '../../core/http/raw-request.ts'
import { describeRequest } from '../../core/request/redact.ts'

/** Answers a request, or leaves it to the caller: then it resolves to `undefined`, and the request's body is unread. */
export type FetchHandler = (request: Request) => Promise<Response | undefined>

/** The handler over `Request` and `Response`. Web standards only, so that it runs wherever these exist. */
export function createWebHandler(
  table: RouteTable,
  options: ResolvedOptions,
  origins: OriginPolicy,
): FetchHandler {
  const { base, bodyLimit, unmatched, functionTimeout, routeHeader } = options
  const bases = [base]
  const report = createReporter(options.logger)
  const limits = createLimits(functionTimeout)

  return async function mockApiHandler(request) {
    const { method } = request
    const url = targetOf(request.url)
    const own = matchEndpoint(table, method, url, bases)
    // The headers are copied only where they are needed.
    if (!own && method !== 'OPTIONS') return undefined
    const headers = Object.fromEntries(request.headers)
    const match = own ?? matchPreflight(origins, table, method, url, headers, bases)
    if (!match) return undefined
    const { endpoint, path, search } = match
    const raw: RawRequest = { method, url, path, search, headers }

    const { refused, headers: corsHeaders = [] } = decideOrigin(
      origins,
      { host: new URL(request.url).host, ...headers },
      request.url.startsWith('https:'),
    )
    const refuse = (status: number, diagnostic: Diagnostic): Outcome => {
      return { kind: 'answered', response: errorResponse(status, diagnostic, endpoint, raw), diagnostic }
    }
    if (refused) {
      if (unmatched === 'error') return respond(request, raw, refuse(403, refused), [])
      report(refused)
      return undefined
    }
    if (!own) {
      const response = preflightResponse(table, endpoint, headers)
      return respond(request, raw, { kind: 'answered', response }, corsHeaders)
    }
    if (!endpoint.needsBody) return respond(request, raw, await handle(match, raw, limits), corsHeaders)
    const body = await readWebBody(request, headers, bodyLimit, unmatched === 'passthrough')
    switch (body.kind) {
      case 'complete':
        raw.body = body.bytes
        return respond(request, raw, await handle(match, raw, limits), corsHeaders)
      case 'used': {
        const diagnostic = diagnose('request-body-used', {}, { request: describeRequest(raw) })
        return respond(request, raw, refuse(500, diagnostic), corsHeaders)
      }
      case 'aborted':
        return new Response(null, { status: 400 }) // nobody is there to read it
      default:
        return respond(request, raw, refuseUnreadable(endpoint, raw, body), corsHeaders)
    }
  }

  async function respond(
    request: Request,
    raw: RawRequest,
    outcome: Outcome,
    corsHeaders: readonly string[],
  ): Promise<Response | undefined> {
    if (outcome.kind === 'unmatched' && unmatched === 'passthrough') return undefined
    const { response: named, diagnostic } = outcome.kind === 'answered' ? outcome : outcome.explain()
    const response = routeHeader ? named : withoutHeader(named, 'x-mock-route')
    if (diagnostic) report(diagnostic)
    const delay = response.fault === 'silent' ? Infinity : waitOf(response.delay, raw)
    if (delay > 0) await wait(delay, request.signal)
    return toResponse(request.method, response, corsHeaders)
  }
}

function toResponse(method: string, response: PreparedResponse, corsHeaders: readonly string[]): Response {
  const { status, headers: own, body, fault } = response
  const headers = new Headers()
  for (const list of [corsHeaders, own]) {
    for (let i = 0; i < list.length; i += 2) headers.append(list[i]!, list[i + 1]!)
  }
  if (fault !== undefined) return new Response(faultyBody(method, response), { status, headers })
  // An empty text would get a content type, and a status such as 204 must not have even that.
  const sent = method === 'HEAD' || body.length === 0 ? null : (body as BodyInit)
  return new Response(sent, { status, headers })
}

/** Path and query of an absolute URL, as HTTP carries them. */
function targetOf(url: string): string {
  const hash = url.indexOf('#')
  const path = url.indexOf('/', url.indexOf('://') + 3)
  return url.slice(path, hash === -1 ? undefined : hash)
}
