import type { RawRequest } from '../http/raw-request.ts'
import type { ParsedRequest } from '../request/parsed-request.ts'
import type { MockState } from '../state/mock-state.ts'
import type { EndpointMatch } from '../table/match.ts'
import type { Endpoint } from '../table/route-table.ts'
import type * as overlays from './apply-overlay.ts'
import type * as explanations from './explanations.ts'
import type { LaterPart } from './later-part.ts'
import type { Limits } from './limits.ts'
import type { resultFor } from './fit-to-operation.ts'
import type { Outcome } from './outcome.ts'

/** What an answer may depend on besides the request and its route. */
export interface Running {
  limits: Limits
  state: MockState
  graphql: LaterPart<GraphQLPart>
  explanations: LaterPart<typeof explanations>
  overlays: LaterPart<typeof overlays>
}

/** What answers the requests for a GraphQL endpoint. With the parser of graphql-js, it is a third of all that answers. */
interface GraphQLPart {
  handleGraphQL: (match: EndpointMatch, raw: RawRequest, running: Running) => Outcome | Promise<Outcome>
}

/** A request for an endpoint, with its body read. */
export interface EndpointRequest {
  endpoint: Endpoint
  request: ParsedRequest
  running: Running
  /** For a GraphQL request, since all code for GraphQL is imported with the first one. */
  resultFor?: typeof resultFor
}
