import { parseBody } from '../http/body.ts'
import type { EndpointMatch } from '../table/match.ts'
import { ParsedRequest } from '../request/parsed-request.ts'
import type { Outcome } from './outcome.ts'
import { withPart } from './later-part.ts'
import { selectAndRespond } from './respond.ts'
import type { RawRequest } from '../http/raw-request.ts'
import type { Running } from './running.ts'

/**
 * Decides a request: selects a route and computes its response. Returns a promise only if a response function needs it, or
 * a part that is not imported yet.
 */
export function handle(match: EndpointMatch, raw: RawRequest, running: Running): Outcome | Promise<Outcome> {
  const { endpoint } = match
  if (endpoint.graphql) {
    const { loaded } = running.graphql
    return loaded ? loaded.handleGraphQL(match, raw, running) : loadAndHandle(match, raw, running)
  }
  const request = readPlainRequest(match, raw)
  if (typeof request === 'string') return refuse(match, raw, request, running)
  return selectAndRespond({ endpoint, request, running })
}

/* Functions of their own, since a function with a closure allocates memory for it even when it takes another branch. */

async function loadAndHandle(match: EndpointMatch, raw: RawRequest, running: Running): Promise<Outcome> {
  const { handleGraphQL } = await running.graphql.load()
  return handleGraphQL(match, raw, running)
}

function refuse({ endpoint }: EndpointMatch, raw: RawRequest, reason: string, { explanations }: Running) {
  return withPart(explanations, ({ refuseBody }) => refuseBody(endpoint, raw, reason))
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
