import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { refusedUpgrade } from '../diagnostics/request-texts.ts'
import { isNavigation } from '../http/negotiate.ts'
import { decideOrigin, type Connection } from '../http/origin.ts'
import { scenarioCookie } from '../http/scenario-list.ts'
import { namedScenarios, pageScenarios } from '../http/scenario-names.ts'
import { textOf, RawRequest, type Headers, type HeaderSource } from '../http/raw-request.ts'
import { unknownScenarios } from '../state/unknown-scenarios.ts'
import { matchEndpoint, matchGraphQL, type EndpointMatch } from '../table/match.ts'
import type { RouteTable } from '../table/route-table.ts'
import { Exchange, type Verdict } from './exchange.ts'
import { withPart } from './later-part.ts'
import type { Explanation } from './outcome.ts'
import { matchPreflight, preflightResponse } from './preflight.ts'
import type { ReceiveRules } from './receive-rules.ts'

/*
 * How a request is received, the same for every host. A host calls three steps and carries out the result:
 *
 *   findTarget        from method and URL: is the request for a mock endpoint?
 *   receive           from its headers: may it be answered, and is its body needed?
 *   exchange.decide   from its body, if needed: the verdict
 */

/** What a request is for: an endpoint, a CORS preflight of one, or the GraphiQL page. */
export interface Target {
  kind: 'endpoint' | 'preflight' | 'graphiql'
  match: EndpointMatch
  table: RouteTable
}

/** What a host passes about a request with a target. */
export interface RequestHead extends Connection {
  method: string
  /** Request target as received, with `base` and the query. */
  url: string
  headers: Headers
}

/**
 * What a request is for; `undefined` when no mock endpoint has its path. Synchronous and without allocations for other
 * requests, so that they are not slower.
 *
 * @param source has the headers. They are only read if the URL may have a target: `IncomingMessage.headers` is a getter
 * that builds them.
 */
export function findTarget(
  { bases, origins, graphiql, state }: ReceiveRules,
  table: RouteTable,
  method: string,
  url: string,
  source: HeaderSource,
): Target | undefined {
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

/** What a host does when a browser opens a page with `?mock-scenario=…`, whoever answers with the page. */
export interface PageVisit {
  /** The header `set-cookie` that makes the browser keep the scenarios. */
  cookie: string
  notices: readonly Diagnostic[]
}

/** `undefined` for nearly every request, which its URL rules out. */
export function pageVisit(
  { state }: ReceiveRules,
  table: RouteTable,
  method: string,
  url: string,
  source: HeaderSource,
): PageVisit | undefined {
  const named = pageScenarios(method, url, source)
  return named && { cookie: scenarioCookie(named.names), notices: unknownScenarios(state, table, named) }
}

/** The scenarios that no route has, of a request without a target. It is passed on, and what answers it does not know them. */
export function passedNotices(
  { state }: ReceiveRules,
  table: RouteTable,
  method: string,
  url: string,
  source: HeaderSource,
): readonly Diagnostic[] {
  return unknownScenarios(state, table, namedScenarios(method, url, source))
}

/** Begins to answer a request with a target. */
export function receive(rules: ReceiveRules, { kind, match, table }: Target, head: RequestHead): Exchange {
  const { path, search, params } = match
  const { method, url, headers } = head
  const raw = new RawRequest({ method, url, path, search, headers, params, hasPages: rules.hasPages })
  const exchange = new Exchange(rules, match, raw)
  // A server without a listener for upgrades passes them on as requests.
  if (textOf(headers['upgrade'])?.toLowerCase() === 'websocket') {
    const diagnostic = refusedUpgrade(url)
    exchange.settled = withPart(rules.explanations, ({ plainError }) =>
      respondWith({ response: plainError(501, diagnostic), diagnostic }),
    )
    return exchange
  }
  if (rules.origins) {
    const origin = decideOrigin(rules.origins, head, head)
    if (origin.refused) {
      exchange.settled = refuse(exchange, origin.refused)
      return exchange
    }
    exchange.corsHeaders = origin.headers
  }
  if (kind === 'graphiql') exchange.settled = { kind }
  else if (kind === 'preflight') {
    const response = preflightResponse(table, match.endpoint, headers)
    exchange.settled = exchange.toVerdict({ kind: 'answered', response })
  } else exchange.notices = unknownScenarios(rules.state, table, namedScenarios(method, url, head))
  return exchange
}

/** If the next handler may have the endpoint too, it gets requests that are refused here. */
function refuse({ rules, match, raw }: Exchange, diagnostic: Diagnostic): Verdict | Promise<Verdict> {
  if (rules.unmatched === 'passthrough') return { kind: 'pass', diagnostic }
  return withPart(rules.explanations, ({ explainError }) =>
    respondWith(explainError(403, diagnostic, match.endpoint, raw)),
  )
}

function respondWith(explained: Explanation): Verdict {
  return { kind: 'respond', ...explained, corsHeaders: [], wait: 0 }
}
