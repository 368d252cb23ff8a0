import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { PreparedResponse } from '../response/prepare-response.ts'

/**
 * What the core decided for a request that is for one of its endpoints. (A request that is for none is `passthrough`,
 * decided by `matchEndpoint`.)
 */
export type Outcome = Answered | { kind: 'unmatched'; explain: () => Explanation }

export interface Answered extends Explanation {
  kind: 'answered'
}

/** An answer and what the developer is told of it. */
export interface Explanation {
  response: PreparedResponse
  diagnostic?: Diagnostic | undefined
}
