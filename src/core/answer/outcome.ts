import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { PreparedResponse } from '../response/prepare-response.ts'

/**
 * What the core decided for a request for one of its endpoints: it is answered, no route matches, or the route leaves it to
 * the application. (`findTarget` decides whether a request is for an endpoint.)
 */
export type Outcome = Answered | { kind: 'unmatched'; explain: () => Explanation } | { kind: 'passthrough' }

export interface Answered extends Explanation {
  kind: 'answered'
}

/** An answer, and a diagnostic for the developer. */
export interface Explanation {
  response: PreparedResponse
  diagnostic?: Diagnostic | undefined
}
