import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { RawRequest } from '../http/raw-request.ts'
import type { ParsedRequest } from '../request/parsed-request.ts'
import type { PreparedResponse } from '../response/prepare-response.ts'
import { findUnmet, type UnmetCondition } from '../select/failed-conditions.ts'
import { isThere, type EndpointMatch } from '../table/match.ts'
import { findNearest } from '../table/route-index.ts'
import type { CompiledRoute, Endpoint } from '../table/route-table.ts'
import type { BackendAnswer } from './backend-answer.ts'
import type { Rules } from './rules.ts'

/** What is sent, and a diagnostic for the developer. */
export interface Answer {
  response: PreparedResponse
  diagnostic?: Diagnostic | undefined
}

/** Who answers a request. */
type DecidedBy =
  /** A route, or the routes of a batch. Also if its rate limit refuses the request, or if it fails. */
  | 'route'
  /** An override of the control API, which makes it fail. */
  | 'override'
  /** No route: none of the endpoint's routes matches. */
  | 'nothing'
  /** No route was asked: its origin, its body or its GraphQL operation is refused. */
  | 'refused'
  /** The package itself: a preflight, or a GraphQL request that needs no route. */
  | 'plugin'
  /** The next handler. */
  | 'passed-on'

/**
 * What was decided about a request for an endpoint, and why. The code that answers makes it; the inspector and the texts of
 * errors read it.
 */
export interface Decision extends Partial<Answer> {
  by: DecidedBy
  match: EndpointMatch
  raw: RawRequest
  /** `undefined` if its body was not read or can't be read, and for a batch. */
  request?: ParsedRequest | undefined
  /** The route that answers. */
  route?: CompiledRoute | undefined
  /** Why that route: an override chooses it, its selector matches, or no selector of the endpoint does. */
  choice?: 'forced' | 'selected' | 'default' | undefined
  /** Which step of a sequence answers, from 0. */
  step?: number | undefined
  /** What the answer has instead of the route's own: its rate limit is used up, or a function of it has failed. */
  failed?: 'rate-limit' | 'function' | undefined
  /** The decisions about the operations of a batch. */
  batch?: readonly Decision[]
  /** Makes the answer that says why no route answers, unless the request is passed on. */
  explain?: (() => Answer) | undefined
  /** Milliseconds to wait before the answer. */
  wait: number
}

/** A request to decide, and what a host does for it. */
export interface Asked {
  match: EndpointMatch
  raw: RawRequest
  rules: Rules
  /** Asks the backend, with a body instead of the request's own if there is one. */
  askBackend: AskBackend
  /** Waits for a function of a fixture. */
  waitFor: <T>(work: Promise<T>) => Promise<T>
}

export type AskBackend = (body: Uint8Array | undefined) => Promise<BackendAnswer>

/** A route of an endpoint, and why it does not answer a request. */
export interface Candidate {
  route: CompiledRoute
  /** Whether it is in scenarios that are not active. */
  isInactive: boolean
  /** The conditions of its selector that the request does not meet. */
  unmet: readonly UnmetCondition[]
}

/**
 * The routes that a request does not get, the nearest first. They are worked out when somebody asks.
 *
 * @param selected the route that it gets
 * @param callsPredicates whether predicates are called to see whether they hold: by default they count as not met, since
 * they were called when the route was selected
 */
export function candidatesOf(
  endpoint: Endpoint,
  request: ParsedRequest,
  selected?: CompiledRoute,
  callsPredicates = false,
): Candidate[] {
  return findNearest(endpoint.routes, request)
    .filter((route) => route !== selected)
    .map((route) => ({
      route,
      isInactive: !isThere(endpoint, route),
      unmet: unmetOf(route, request, callsPredicates),
    }))
    .sort((a, b) => Number(a.isInactive) - Number(b.isInactive) || a.unmet.length - b.unmet.length)
}

function unmetOf({ selector }: CompiledRoute, request: ParsedRequest, calls: boolean): UnmetCondition[] {
  if (!selector) return []
  try {
    return findUnmet(selector, request, calls)
  } catch {
    return findUnmet(selector, request) // a predicate that throws does not hold
  }
}
