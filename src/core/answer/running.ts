import type { ParsedRequest } from '../request/parsed-request.ts'
import type { MockState } from '../state/mock-state.ts'
import type { Endpoint } from '../table/route-table.ts'
import type { Limits } from './limits.ts'

/** What an answer may depend on besides the request and its route. */
export interface Running {
  limits: Limits
  state: MockState
}

/** A request for an endpoint, with its body read. */
export interface EndpointRequest {
  endpoint: Endpoint
  request: ParsedRequest
  running: Running
}
