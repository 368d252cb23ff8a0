import type { GraphQLEndpoint } from '../graphql/endpoint.ts'
import type { ResultResponse } from '../graphql/result.ts'
import type { RawRequest } from '../http/raw-request.ts'
import type { ParsedRequest } from '../request/parsed-request.ts'
import type { MockState } from '../state/mock-state.ts'
import type { EndpointMatch } from '../table/match.ts'
import type { CompiledRoute, Endpoint } from '../table/route-table.ts'
import type * as overlays from './apply-overlay.ts'
import type * as explanations from './explanations.ts'
import type { LaterPart } from './later-part.ts'
import type { Limits } from './limits.ts'
import type { Explanation, Outcome } from './outcome.ts'

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
  /** For a GraphQL request. */
  results?: ResultAdapter
}

/** Adapts results to the operation of a request. Passed, since all code for GraphQL is imported with the first request. */
export interface ResultAdapter {
  /** The response of a route with a fixed body, adapted to the operation; cached for equal requests. */
  cachedResultFor: (
    graphql: GraphQLEndpoint,
    route: CompiledRoute,
    result: { definition: ResultResponse; part: number },
    request: ParsedRequest,
  ) => Explanation
  /** A response with its body adapted to the operation, and a diagnostic of what the fixture lacks. */
  resultFor: (
    graphql: GraphQLEndpoint,
    route: CompiledRoute,
    response: ResultResponse,
    request: ParsedRequest,
  ) => Explanation
}
