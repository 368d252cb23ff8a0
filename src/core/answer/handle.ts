import { parseBody } from '../http/body.ts'
import { handleGraphQL } from './handle-graphql.ts'
import type { EndpointMatch } from '../table/match.ts'
import { ParsedRequest } from '../request/parsed-request.ts'
import type { Outcome } from './outcome.ts'
import { refuseBody } from './refuse-body.ts'
import { selectAndRespond } from './respond.ts'
import type { RawRequest } from '../http/raw-request.ts'
import type { Running } from './running.ts'

/** Decides a request: selects a route and computes its response. Returns a promise only if a response function needs it. */
export function handle(match: EndpointMatch, raw: RawRequest, running: Running): Outcome | Promise<Outcome> {
  const { endpoint, params } = match
  if (endpoint.graphql) return handleGraphQL(match, raw, running)
  if (!endpoint.needsBody) {
    const request = new ParsedRequest(raw, params, undefined)
    return selectAndRespond({ endpoint, request, running })
  }
  const body = parseBody(raw)
  if (body.malformed !== undefined) return refuseBody(endpoint, raw, body.malformed)
  const request = new ParsedRequest(raw, params, body.value, undefined, body.isForm)
  return selectAndRespond({ endpoint, request, running })
}
