import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { ParsedRequest } from '../request/parsed-request.ts'
import type { PreparedResponse } from '../response/prepare-response.ts'
import type { CompiledRoute } from '../table/route-table.ts'
import type { BackendAnswer } from './backend-answer.ts'

/**
 * What the core decided for a request for one of its endpoints: it is answered, the backend is asked, no route matches, or
 * the route leaves it to the application. (`findTarget` decides whether a request is for an endpoint.)
 */
export type Outcome = Answered | AsksBackend | Unmatched | { kind: 'passthrough' }

/** The host asks the backend, and `finish` turns its answer into that of the route. */
export interface AsksBackend {
  kind: 'backend'
  request?: ParsedRequest | undefined
  /** The body to send instead of the request's own: the operations of a batch that the backend is asked for. */
  body?: Uint8Array | undefined
  finish: (answer: BackendAnswer) => Outcome | Promise<Outcome>
}

export interface Answered extends Explanation {
  kind: 'answered'
  /** The selected route; `undefined` when none has answered: the request was refused, or the schema has answered it. */
  route?: CompiledRoute
  request?: ParsedRequest
  /** Whether an override has chosen the route, whatever its selector. */
  isForced?: boolean
  /** Whether an override has made the request fail. */
  isOverridden?: boolean
  /** The outcomes of a batch. */
  batch?: readonly Outcome[]
}

export interface Unmatched {
  kind: 'unmatched'
  explain: () => Explanation | Promise<Explanation>
  /** The request that no route matches; `undefined` when its body or its operation could not be read. */
  request?: ParsedRequest
}

/** An answer, and a diagnostic for the developer. */
export interface Explanation {
  response: PreparedResponse
  diagnostic?: Diagnostic | undefined
}

/** Changes an outcome: when its promise is there, and one that asks the backend, once that has answered. */
function mapOutcome(
  outcome: Outcome | Promise<Outcome>,
  change: (outcome: Outcome) => Outcome,
): Outcome | Promise<Outcome> {
  if (outcome instanceof Promise) return outcome.then((late) => mapOutcome(late, change))
  if (outcome.kind !== 'backend') return change(outcome)
  const { finish } = outcome
  return { ...outcome, finish: (answer) => mapOutcome(finish(answer), change) }
}

/** Goes on with an outcome: at once, when its promise is there, or once the backend has answered. */
export function continueWith<T>(
  outcome: Outcome | Promise<Outcome>,
  next: (outcome: Outcome, context: T) => Outcome,
  context: T,
): Outcome | Promise<Outcome> {
  const isLate = outcome instanceof Promise || outcome.kind === 'backend'
  return isLate ? continueLater(outcome, next, context) : next(outcome, context)
}

/** A function of its own, so that a request which is answered at once needs no closure. */
function continueLater<T>(
  outcome: Outcome | Promise<Outcome>,
  next: (outcome: Outcome, context: T) => Outcome,
  context: T,
): Outcome | Promise<Outcome> {
  return mapOutcome(outcome, (late) => next(late, context))
}
