import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { RawRequest } from '../http/raw-request.ts'
import type { ParsedRequest } from '../request/parsed-request.ts'
import type { PreparedResponse } from '../response/prepare-response.ts'
import type { PreparedStream } from '../stream/stream.ts'
import { distanceTo, findUnmet, type UnmetCondition } from '../select/failed-conditions.ts'
import { isThere, type EndpointMatch } from '../table/match.ts'
import { findNearest } from '../table/route-index.ts'
import type { CompiledRoute, Endpoint, RouteTable } from '../table/route-table.ts'
import type { Rules } from './rules.ts'

export interface Answer {
  response: PreparedResponse
  diagnostic?: Diagnostic | undefined
  /** Why the answer is an error or broken on purpose, which the log does not report. */
  reason?: Diagnostic | undefined
  /** The stream sent after the head, event by event, unless the response has a fault. */
  stream?: PreparedStream | undefined
}

type DecidedBy =
  /** A route, or the routes of a batch, including one that fails or whose rate limit refuses the request. */
  | 'route'
  /** An override of the control API, which makes it fail. */
  | 'override'
  /** None of the endpoint's routes matches. */
  | 'nothing'
  /** No route was asked: the origin, the body or the GraphQL operation is refused. */
  | 'refused'
  /** A preflight, or a GraphQL request that needs no route. */
  | 'plugin'
  | 'passed-on'

/** The code that answers makes the decision; the inspector and the texts of errors read it. */
export interface Decision extends Partial<Answer> {
  by: DecidedBy
  match: EndpointMatch
  raw: RawRequest
  /** `undefined` for an unread or unreadable body, and for a batch. */
  request?: ParsedRequest | undefined
  route?: CompiledRoute | undefined
  /** An override chooses the route, its selector matches, or no selector of the endpoint does. */
  choice?: 'forced' | 'selected' | 'default' | undefined
  /** The step of a sequence, from 0. */
  step?: number | undefined
  /** The rate limit of the route is used up, a function of it has failed, or it is one of those that fail sometimes. */
  failed?: 'rate-limit' | 'function' | 'fail' | undefined
  batch?: readonly Decision[]
  /** Makes the answer that says why no route answers, unless the request is passed on. */
  explain?: (() => Answer) | undefined
  /** Milliseconds before the answer. */
  wait: number
}

export interface Asked {
  match: EndpointMatch
  table: Pick<RouteTable, 'endpoints' | 'collections'>
  raw: RawRequest
  rules: Rules
  /** Asks the backend. A given body replaces that of the request. */
  askBackend: AskBackend
  waitFor: <T>(work: Promise<T>) => Promise<T>
}

/** A request, with the route that answers it. */
export interface Answering extends Asked {
  endpoint: Endpoint
  route: CompiledRoute
  request: ParsedRequest
}

/** The answer of the backend, read completely and decoded. The host requests it: see `AskBackend`. */
export type BackendAnswer =
  | {
      kind: 'complete'
      status: number
      /** Headers by lower-case name. */
      headers: Readonly<Record<string, string | readonly string[]>>
      body: Uint8Array
    }
  /** The backend is down, or has broken off its answer. */
  | { kind: 'unreachable'; target: string | undefined; reason: string }
  /** Nothing says where it is. `instead`: what the dev server itself has at the path. */
  | { kind: 'unknown'; instead?: 'page' | 'nothing' }
  /** The body of the request can't be sent on. */
  | { kind: 'body-used' }
  /** Too large, or in a coding that is not supported. */
  | { kind: 'unreadable'; reason: string }

export type AskBackend = (body: Uint8Array | undefined) => Promise<BackendAnswer>

export interface Candidate {
  route: CompiledRoute
  isInactive: boolean
  unmet: readonly UnmetCondition[]
}

/** Nearest first. Predicates count as not met by default: they were called when the route was selected. */
export function candidatesOf(
  endpoint: Endpoint,
  request: ParsedRequest,
  selected?: CompiledRoute,
  callsPredicates = false,
): Candidate[] {
  return findNearest(endpoint.routes, request)
    .filter((route) => route !== selected)
    .map((route) => {
      const unmet = unmetOf(route, request, callsPredicates)
      const distance = route.selector ? distanceTo(route.selector, unmet) : 0
      return { route, isInactive: !isThere(endpoint, route), unmet, distance }
    })
    .sort(
      (a, b) =>
        Number(a.isInactive) - Number(b.isInactive) ||
        a.distance - b.distance ||
        a.unmet.length - b.unmet.length,
    )
}

function unmetOf({ selector }: CompiledRoute, request: ParsedRequest, calls: boolean): UnmetCondition[] {
  if (!selector) return []
  try {
    return findUnmet(selector, request, calls)
  } catch {
    return findUnmet(selector, request) // a predicate that throws does not hold
  }
}
