import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { PreparedResponse } from '../response/prepare-response.ts'

/**
 * What the core decided for a request that is for one of its endpoints: it is answered, no route fits, or the route leaves
 * it to the application. (That a request is for none of them is decided by `findTarget`.)
 */
export type Outcome = Answered | { kind: 'unmatched'; explain: () => Explanation } | { kind: 'passthrough' }

export interface Answered extends Explanation {
  kind: 'answered'
}

/** An answer and what the developer is told of it. */
export interface Explanation {
  response: PreparedResponse
  diagnostic?: Diagnostic | undefined
}
