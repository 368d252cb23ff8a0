import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { refusedUpgrade } from '../diagnostics/request-texts.ts'
import { isNavigation } from '../http/negotiate.ts'
import { decideOrigin, type Connection, type OriginPolicy } from '../http/origin.ts'
import { headerText, textOf, type Headers, type HeaderSource, type RawRequest } from '../http/raw-request.ts'
import { namedScenarios, pageScenarios } from '../http/client.ts'
import { scenarioCookie } from '../http/scenario-list.ts'
import { prepareResponse, type PreparedResponse } from '../response/prepare-response.ts'
import { unknownScenarios } from '../state/unknown-scenarios.ts'
import { matchEndpoint, matchGraphQL, matchInScenarios, type EndpointMatch } from '../table/match.ts'
import type { Endpoint, RouteTable } from '../table/route-table.ts'
import type { Decision } from './decision.ts'
import { explainError, plainError } from './error-response.ts'
import type { Rules } from './rules.ts'

/* What is decided about a request before its body is read: whether it is for an endpoint, and whether it is refused. */

/** What a request is for: an endpoint, a CORS preflight of one, or the GraphiQL page. */
export interface FoundRequest {
  kind: 'endpoint' | 'preflight' | 'graphiql'
  match: EndpointMatch
  table: RouteTable
}

/**
 * What a request is for; `undefined` when no mock endpoint has its path. Synchronous and without allocations for other
 * requests, so that they are not slower.
 *
 * @param source has the headers. They are only read if the URL may be one of an endpoint: `IncomingMessage.headers` is a
 * getter that builds them.
 */
export function findRequest(
  { bases, origins, graphiql, state }: Rules,
  table: RouteTable,
  method: string,
  url: string,
  source: HeaderSource,
): FoundRequest | undefined {
  const match = matchEndpoint(table, method, url, bases, state, source)
  if (graphiql && (method === 'GET' || method === 'HEAD') && (!match || isFromAddressBar(method, source))) {
    const page = matchGraphQL(table, url, bases, state, source)
    if (page && isFromAddressBar(method, source)) return { kind: 'graphiql', match: page, table }
  }
  if (match) return { kind: 'endpoint', match, table }
  if (method !== 'OPTIONS' || !origins) return undefined
  const asked = matchPreflight(origins, table, url, source.headers, bases)
  return asked && { kind: 'preflight', match: asked, table }
}

function isFromAddressBar(method: string, { headers }: HeaderSource): boolean {
  return isNavigation(method, textOf(headers['accept']))
}

/**
 * The endpoint that an `OPTIONS` request is about; `undefined` when it is not a CORS preflight for a mock endpoint. A
 * preflight has no cookies and no headers of the request that follows, so every scenario may be active for that.
 */
export function matchPreflight(
  policy: OriginPolicy,
  table: RouteTable,
  url: string,
  headers: Headers,
  bases: readonly string[],
): EndpointMatch | undefined {
  if (policy.origins === 'off' || !policy.addsHeaders) return undefined
  const asked = headerText(headers, 'access-control-request-method')
  if (asked === undefined || headerText(headers, 'origin') === undefined) return undefined
  return matchEndpoint(table, asked, url, bases) ?? matchInScenarios(table, asked, url, bases)
}

/** What a host does when a browser opens a page with `?mock-scenario=…`, whoever answers with the page. */
export interface PageVisit {
  /** The header `set-cookie` that makes the browser keep the scenarios. */
  cookie: string
  notices: readonly Diagnostic[]
}

/** `undefined` for nearly every request, which its URL rules out. */
export function pageVisit(
  { state }: Rules,
  table: RouteTable,
  method: string,
  url: string,
  source: HeaderSource,
): PageVisit | undefined {
  const named = pageScenarios(method, url, source)
  return named && { cookie: scenarioCookie(named.names), notices: unknownScenarios(state, table, named) }
}

/** A diagnostic for each scenario that a request names and that no route has. */
export function scenarioNotices(
  { state }: Rules,
  table: RouteTable,
  method: string,
  url: string,
  source: HeaderSource,
): readonly Diagnostic[] {
  return unknownScenarios(state, table, namedScenarios(method, url, source))
}

/** What the head of a request decides. */
interface Received {
  /** Headers in addition to those of the response, as alternating names and values. */
  corsHeaders: readonly string[]
  /** If the head alone decides the request. */
  decision?: Decision
}

/** Whether a request that was found is answered at all, or by its head alone. */
export function receive(
  rules: Rules,
  { kind, match, table }: FoundRequest,
  raw: RawRequest,
  connection: Connection,
): Received {
  const decided = { match, raw, wait: 0 }
  // A server without a listener for upgrades passes them on as requests.
  if (textOf(raw.headers['upgrade'])?.toLowerCase() === 'websocket') {
    const diagnostic = refusedUpgrade(raw.url)
    const response = plainError(501, diagnostic)
    return { corsHeaders: [], decision: { ...decided, by: 'refused', response, diagnostic } }
  }
  const origin = rules.origins && decideOrigin(rules.origins, raw, connection)
  if (origin?.refused) {
    const diagnostic = origin.refused
    // If the next handler may have the endpoint too, it gets requests that are refused here.
    const decision: Decision =
      rules.unmatched === 'passthrough'
        ? { ...decided, by: 'passed-on', diagnostic }
        : { ...decided, by: 'refused', ...explainError(403, diagnostic, match.endpoint, raw) }
    return { corsHeaders: [], decision }
  }
  const corsHeaders = origin?.headers ?? []
  if (kind !== 'preflight') return { corsHeaders }
  const response = preflightResponse(table, match.endpoint, raw.headers)
  return { corsHeaders, decision: { ...decided, by: 'plugin', response } }
}

/** The answer to a preflight from an allowed origin: the path's methods, and the requested headers. */
export function preflightResponse(
  { endpoints }: RouteTable,
  { path }: Endpoint,
  headers: Headers,
): PreparedResponse {
  const methods = endpoints.filter((endpoint) => endpoint.path === path).map(({ method }) => method)
  const asked = headerText(headers, 'access-control-request-headers')
  return prepareResponse({
    status: 204,
    headers: {
      'access-control-allow-methods': methods.join(', '),
      ...(asked !== undefined && { 'access-control-allow-headers': asked }),
    },
  })
}
