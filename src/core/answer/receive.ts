import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { isNavigation } from '../http/negotiate.ts'
import { decideOrigin, type Connection, type OriginPolicy } from '../http/origin.ts'
import { namedScenarios } from '../http/scenario-names.ts'
import { headerText, RawRequest, type Headers, type HeaderSource } from '../http/raw-request.ts'
import { waitOf } from '../response/delay.ts'
import { withoutHeader, type PreparedResponse } from '../response/prepare-response.ts'
import { unknownScenarios } from '../state/unknown-scenarios.ts'
import { matchEndpoint, matchGraphQL, type EndpointMatch } from '../table/match.ts'
import type { RouteTable } from '../table/route-table.ts'
import { errorResponse } from './error-response.ts'
import { handle } from './handle.ts'
import type { Outcome } from './outcome.ts'
import { matchPreflight, preflightResponse } from './preflight.ts'
import { refuseUnreadable, type UnreadableBody } from './refuse-body.ts'
import type { Running } from './running.ts'

/*
 * How a request is received, the same for every host. A host calls three steps and carries out the result:
 *
 *   findTarget   from method and URL: is the request for a mock endpoint?
 *   receive      from its headers: may it be answered, and is its body needed?
 *   decide       from its body, if needed: the verdict
 */

/** Settings for all requests of a host. */
export interface ReceiveRules extends Running {
  /** Path prefixes below which the routes are. */
  bases: readonly string[]
  /** Which pages and host names are accepted; `undefined` for all. */
  origins: OriginPolicy | undefined
  unmatched: 'error' | 'passthrough'
  /** Who answers a navigation that no route matches. */
  navigation: 'answer' | 'passthrough'
  /** Whether the host may answer navigations with pages of the application, and no option says who answers them. */
  hasPages: boolean
  /** Whether responses name their route in `x-mock-route`. */
  routeHeader: boolean
  /** Whether a browser that opens the GraphQL endpoint gets GraphiQL. */
  graphiql: boolean
}

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

/** The body that a host has read: its decoded bytes, or why there are none. */
export type ReceivedBody = { kind: 'complete'; bytes: Uint8Array | undefined } | UnreadableBody

/** What a host has to do, and what it has to log. */
export type Verdict =
  | {
      kind: 'respond'
      response: PreparedResponse
      /** Headers in addition to those of the response, as alternating names and values. */
      corsHeaders: readonly string[]
      /** Milliseconds to wait before the answer. */
      wait: number
      diagnostic?: Diagnostic | undefined
      /** What the core decided; `undefined` for a request that was refused before. */
      outcome?: Outcome
    }
  /** The next handler gets the request, with its body. */
  | { kind: 'pass'; diagnostic?: Diagnostic | undefined }
  | { kind: 'graphiql' }

/** A request with a target, whose head has been received. */
export interface Exchange {
  raw: RawRequest
  /** Whether `decide` needs the request's body. */
  needsBody: boolean
  /** What to log besides the verdict. */
  notices: readonly Diagnostic[]
  /** The verdict. A promise only if a function of a fixture, or an upload, needs one. */
  decide: (body?: ReceivedBody) => Verdict | Promise<Verdict>
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
  if (graphiql && (method === 'GET' || method === 'HEAD')) {
    const match = matchGraphQL(table, url, bases, state, source)
    if (match && isNavigation(method, headerText(source.headers, 'accept')))
      return { kind: 'graphiql', match, table }
  }
  const match = matchEndpoint(table, method, url, bases, state, source)
  if (match) return { kind: 'endpoint', match, table }
  if (method !== 'OPTIONS' || !origins) return undefined
  const asked = matchPreflight(origins, table, url, source.headers, bases)
  return asked && { kind: 'preflight', match: asked, table }
}

/** Begins to answer a request with a target. */
export function receive(rules: ReceiveRules, target: Target, head: RequestHead): Exchange {
  const { match, table, kind } = target
  const { endpoint, path, search, params } = match
  const { method, url, headers } = head
  const raw = new RawRequest({ method, url, path, search, headers, params, hasPages: rules.hasPages })
  const origin = rules.origins && decideOrigin(rules.origins, head, head)
  if (origin?.refused) return settled(raw, refuse(rules, match, raw, origin.refused))
  if (kind === 'graphiql') return settled(raw, { kind: 'graphiql' })
  const corsHeaders = origin?.headers ?? noHeaders
  const finish = (outcome: Outcome) => toVerdict(rules, raw, outcome, corsHeaders)
  if (kind === 'preflight') {
    return settled(raw, finish({ kind: 'answered', response: preflightResponse(table, endpoint, headers) }))
  }
  return {
    raw,
    needsBody: endpoint.needsBody,
    notices: unknownScenarios(rules.state, table, namedScenarios(method, url, head)),
    decide(body) {
      if (body && body.kind !== 'complete') return finish(refuseUnreadable(endpoint, raw, body))
      raw.body = body?.bytes // set, and not copied with the rest: a copy costs more than all of the matching
      const outcome = handle(match, raw, rules)
      return outcome instanceof Promise ? outcome.then(finish) : finish(outcome)
    },
  }
}

const noHeaders: readonly string[] = []

/** An exchange whose verdict does not depend on the body. */
function settled(raw: RawRequest, verdict: Verdict): Exchange {
  return { raw, needsBody: false, notices: [], decide: () => verdict }
}

/** If the next handler may have the endpoint too, it gets requests that are refused here. */
function refuse(
  { unmatched }: ReceiveRules,
  { endpoint }: EndpointMatch,
  raw: RawRequest,
  diagnostic: Diagnostic,
): Verdict {
  if (unmatched === 'passthrough') return { kind: 'pass', diagnostic }
  const response = errorResponse(403, diagnostic, endpoint, raw)
  return { kind: 'respond', response, corsHeaders: noHeaders, wait: 0, diagnostic }
}

function toVerdict(
  { unmatched, routeHeader, navigation }: ReceiveRules,
  raw: RawRequest,
  outcome: Outcome,
  corsHeaders: readonly string[],
): Verdict {
  if (outcome.kind === 'passthrough') return { kind: 'pass' }
  if (outcome.kind === 'unmatched') {
    if (unmatched === 'passthrough' || (navigation === 'passthrough' && raw.isNavigation))
      return { kind: 'pass' }
  }
  const { response, diagnostic } = outcome.kind === 'answered' ? outcome : outcome.explain()
  return {
    kind: 'respond',
    response: routeHeader ? response : withoutHeader(response, 'x-mock-route'),
    corsHeaders,
    wait: response.delay === 0 ? 0 : waitOf(response.delay, raw),
    diagnostic,
    outcome,
  }
}
