import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { ParsedRequest } from '../request/parsed-request.ts'
import type { PreparedResponse } from '../response/prepare-response.ts'
import type { CompiledRoute } from '../table/route-table.ts'

/**
 * What the core decided for a request for one of its endpoints: it is answered, no route matches, or the route leaves it to
 * the application. (`findTarget` decides whether a request is for an endpoint.)
 */
export type Outcome = Answered | Unmatched | { kind: 'passthrough' }

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
  explain: () => Explanation
  /** The request that no route matches; `undefined` when its body or its operation could not be read. */
  request?: ParsedRequest
}

/** An answer, and a diagnostic for the developer. */
export interface Explanation {
  response: PreparedResponse
  diagnostic?: Diagnostic | undefined
}
