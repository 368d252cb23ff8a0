import { parseBody } from '../http/body.ts'
import type { EndpointMatch } from '../table/match.ts'
import { ParsedRequest } from '../request/parsed-request.ts'
import type { Outcome } from './outcome.ts'
import { refuseBody } from './refuse-body.ts'
import { selectAndRespond } from './respond.ts'
import type { RawRequest } from '../http/raw-request.ts'
import type { Running } from './running.ts'

/**
 * Decides a request: selects a route and computes its response. Returns a promise only if a response function needs it, or
 * what answers GraphQL is not imported yet.
 */
export function handle(match: EndpointMatch, raw: RawRequest, running: Running): Outcome | Promise<Outcome> {
  const { endpoint } = match
  if (endpoint.graphql) {
    const { handle: handleGraphQL } = running.graphql
    return handleGraphQL ? handleGraphQL(match, raw, running) : loadAndHandle(match, raw, running)
  }
  const request = readPlainRequest(match, raw)
  if (typeof request === 'string') return refuseBody(endpoint, raw, request)
  return selectAndRespond({ endpoint, request, running })
}

async function loadAndHandle(match: EndpointMatch, raw: RawRequest, running: Running): Promise<Outcome> {
  const handleGraphQL = await running.graphql.load()
  return handleGraphQL(match, raw, running)
}

/** A request as the selectors of an endpoint without GraphQL read it, or why its body can't be read. */
export function readPlainRequest(
  { endpoint, params }: EndpointMatch,
  raw: RawRequest,
): ParsedRequest | string {
  if (!endpoint.needsBody) return new ParsedRequest(raw, params, undefined)
  const body = parseBody(raw)
  if (body.malformed !== undefined) return body.malformed
  return new ParsedRequest(raw, params, body.value, undefined, body.isForm)
}
