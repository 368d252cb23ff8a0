import type { MockState } from '../state/mock-state.ts'
import type { Limits } from './limits.ts'

/** What an answer may depend on besides the request and its route. */
export interface Running {
  limits: Limits
  state: MockState
}
