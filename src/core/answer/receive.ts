import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { diagnoseRequest, refusedUpgrade } from '../diagnostics/request-texts.ts'
import {
  type Headers,
  type HeaderSource,
  headerText,
  isNavigation,
  type RawRequest,
  textOf,
} from '../http/raw-request.ts'
import { decideOrigin, type Connection, type OriginPolicy } from '../http/origin.ts'
import { graphqlTransport, namesGraphQL, offeredProtocols, streamToken } from '../http/protocols.ts'
import { clientOf, namedScenarios, pageScenarios, scenarioCookie } from '../http/whose-state.ts'
import { prepareResponse } from '../response/prepare-response.ts'
import { anyMethod, socketMethod } from '../schema/schema.ts'
import { isSocketIo } from '../stream/socket-framing.ts'
import { unknownScenarios } from '../state/mock-state.ts'
import { hasStream } from '../table/compile-endpoint.ts'
import { matchEndpoint, matchGraphQL, matchInScenarios, type EndpointMatch } from '../table/match.ts'
import type { Endpoint, RouteTable } from '../table/route-table.ts'
import type { Decision } from './decision.ts'
import { explainError, plainError } from './error-response.ts'
import type { Rules } from './rules.ts'

/* Decisions before the body of a request is read. */

export interface FoundRequest {
  /** `operations`: a WebSocket of a GraphQL endpoint. `shared-stream`: a stream for several operations. */
  kind: 'endpoint' | 'preflight' | 'graphiql' | 'operations' | 'shared-stream' | 'socket.io'
  match: EndpointMatch
  table: RouteTable
}

/**
 * `undefined` if no mock endpoint has the path. Synchronous, and other requests leave nothing to collect but
 * parts of their URL.
 * `source.headers` may be a getter that builds them, so it is only read for a URL that may be an endpoint's.
 */
export function findRequest(
  { bases, origins, graphiql, state }: Rules,
  table: RouteTable,
  method: string,
  url: string,
  source: HeaderSource,
): FoundRequest | undefined {
  const polled = matchSocketIo(table, url, bases, state, source)
  if (polled && method !== 'OPTIONS') return { kind: 'socket.io', match: polled, table }
  const match = matchEndpoint(table, method, url, bases, state, source)
  if (graphiql && (method === 'GET' || method === 'HEAD') && (!match || isNavigation(method, source))) {
    const page = matchGraphQL(table, url, bases, state, source)
    if (page && isNavigation(method, source)) return { kind: 'graphiql', match: page, table }
  }
  // Only a route that names it answers a preflight: with `method: '*'`, the request that follows gets the answer.
  if (method === 'OPTIONS' && origins && match?.endpoint.method !== method) {
    const asked = matchPreflight(origins, table, url, source.headers, bases)
    if (asked) return { kind: 'preflight', match: asked, table }
  }
  if (match) return { kind: 'endpoint', match, table }
  const shared = matchSharedStream(table, method, url, bases, state, source)
  if (!shared) return undefined
  const { headers } = source
  const isNamed = method === 'PUT' || streamToken({ method, headers, search: shared.search }) !== undefined
  return isNamed ? { kind: 'shared-stream', match: shared, table } : undefined
}

/** Like `findRequest`, for an upgrade to a WebSocket: that of a route, or of GraphQL. */
export function findSocket(
  { bases, state }: Rules,
  table: RouteTable,
  url: string,
  source: HeaderSource,
): FoundRequest | undefined {
  if (table.hasSockets) {
    const match = matchEndpoint(table, socketMethod, url, bases, state, source)
    if (match?.endpoint.method === socketMethod)
      return { kind: speaksSocketIo(match.endpoint) ? 'socket.io' : 'endpoint', match, table }
  }
  if (!namesGraphQL(source.headers)) return undefined
  const match = matchGraphQL(table, url, bases, state, source)
  return match && { kind: 'operations', match, table }
}

/** Matches a request of a client of Socket.IO, which polls before it has a WebSocket. */
export function matchSocketIo(
  table: RouteTable,
  url: string,
  bases: readonly string[],
  scenarios?: Parameters<typeof matchEndpoint>[4],
  source?: HeaderSource,
): EndpointMatch | undefined {
  if (!table.hasSockets || !isSocketIo(url)) return undefined
  const match = matchEndpoint(table, socketMethod, url, bases, scenarios, source)
  return match && speaksSocketIo(match.endpoint) ? match : undefined
}

function speaksSocketIo({ routes }: Endpoint): boolean {
  return routes.some(
    ({ response }) => response.kind === 'websocket' && response.socket.framing === 'socket.io',
  )
}

/** Matches a request without a route: PUT, GET and DELETE of a client whose subscriptions share one stream. */
export function matchSharedStream(
  table: RouteTable,
  method: string,
  url: string,
  bases: readonly string[],
  scenarios?: Parameters<typeof matchGraphQL>[3],
  source?: HeaderSource,
): EndpointMatch | undefined {
  if (!table.hasSubscriptions || !sharedStreamMethods.includes(method)) return undefined
  const match = matchGraphQL(table, url, bases, scenarios, source)
  return match && hasStream(match.endpoint) ? match : undefined
}

const sharedStreamMethods = ['PUT', 'GET', 'DELETE']

/** A preflight has no cookies and no headers of the request that follows: every scenario may be active for that. */
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
  return (
    matchEndpoint(table, asked, url, bases) ??
    matchInScenarios(table, asked, url, bases) ??
    matchSharedStream(table, asked, url, bases) ??
    matchSocketIo(table, url, bases)
  )
}

/**
 * A browser opens a page with `?mock-scenario=…`, whichever server sends the page. `undefined` for nearly every request, which
 * its URL rules out.
 *
 * @returns a `set-cookie` that makes the browser keep the scenarios
 */
export function pageVisit(
  rules: Rules,
  table: RouteTable,
  method: string,
  url: string,
  source: HeaderSource,
) {
  const named = pageScenarios(method, url, source)
  if (named) rules.state.openPage(named.names, clientOf(source.headers))
  return named && { cookie: scenarioCookie(named.names), notices: unknownScenarios(rules, table, named) }
}

/** A notice for each scenario that a request names and that no route has. */
export function scenarioNotices(
  rules: Rules,
  table: RouteTable,
  method: string,
  url: string,
  source: HeaderSource,
): readonly Diagnostic[] {
  return unknownScenarios(rules, table, namedScenarios(method, url, source))
}

/**
 * @returns headers in addition to those of the response, as alternating names and values, and the decision, if the head alone
 *   decides the request
 */
export function receive(
  rules: Rules,
  { kind, match, table }: FoundRequest,
  raw: RawRequest,
  connection: Connection,
): { corsHeaders: readonly string[]; decision?: Decision } {
  const decided = { match, raw, wait: 0 }
  const origin = rules.origins && decideOrigin(rules.origins, raw, connection)
  if (origin?.refused) {
    const diagnostic = origin.refused
    // The next handler may have the endpoint too, so it gets requests that are refused here.
    const decision: Decision =
      rules.unmatched === 'passthrough'
        ? { ...decided, by: 'passed-on', diagnostic }
        : { ...decided, by: 'refused', ...explainError({ endpoint: match.endpoint, raw }, 403, diagnostic) }
    return { corsHeaders: [], decision }
  }
  const diagnostic = findRefusedUpgrade(kind, match, raw)
  if (diagnostic) {
    const response = plainError(501, diagnostic)
    return { corsHeaders: [], decision: { ...decided, by: 'refused', response, diagnostic } }
  }
  const corsHeaders = origin?.headers ?? []
  if (kind !== 'preflight') return { corsHeaders }
  const response = preflightResponse(table, match.endpoint, raw.headers)
  return { corsHeaders, decision: { ...decided, by: 'plugin', response } }
}

/** A server without a listener for upgrades passes them on as requests. */
function findRefusedUpgrade(
  kind: FoundRequest['kind'],
  { endpoint }: EndpointMatch,
  { headers, url }: RawRequest,
): Diagnostic | undefined {
  if (textOf(headers['upgrade'])?.toLowerCase() !== 'websocket' || endpoint.method === socketMethod)
    return undefined
  if (kind !== 'operations') return refusedUpgrade(url)
  return offeredProtocols(headers).includes(graphqlTransport)
    ? undefined
    : diagnoseRequest('subscriptions-legacy', {})
}

export function preflightResponse({ endpoints }: RouteTable, endpoint: Endpoint, headers: Headers) {
  const named = endpoints
    .filter(({ path, method }) => path === endpoint.path && method !== socketMethod)
    .map(({ method }) => method)
    .concat(endpoint.graphql && hasStream(endpoint) ? sharedStreamMethods : [])
    .concat(speaksSocketIo(endpoint) ? ['GET', 'POST'] : [])
  // With credentials, `*` is no wildcard in this header.
  const any = headerText(headers, 'access-control-request-method')!
  const methods = new Set(named.map((method) => (method === anyMethod ? any : method)))
  const asked = headerText(headers, 'access-control-request-headers')
  return prepareResponse({
    status: 204,
    headers: {
      'access-control-allow-methods': [...methods].join(', '),
      ...(asked !== undefined && { 'access-control-allow-headers': asked }),
    },
  })
}
