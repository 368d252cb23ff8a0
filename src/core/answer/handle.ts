import { parseBody } from '../http/body.ts'
import type { handleGraphQL as HandleGraphQL } from './handle-graphql.ts'
import type { EndpointMatch } from '../table/match.ts'
import { ParsedRequest } from '../request/parsed-request.ts'
import type { Outcome } from './outcome.ts'
import { refuseBody } from './refuse-body.ts'
import { selectAndRespond } from './respond.ts'
import type { RawRequest } from '../http/raw-request.ts'
import type { Running } from './running.ts'

let handleGraphQL: typeof HandleGraphQL | undefined

/** Imports what answers GraphQL: with the parser, a third of all code that answers requests. */
export async function loadGraphQL(): Promise<void> {
  handleGraphQL ??= (await import('./handle-graphql.ts')).handleGraphQL
}

/**
 * Decides a request: selects a route and computes its response. Returns a promise only for the first GraphQL requests, until
 * `loadGraphQL` is done, and if a response function needs it.
 */
export function handle(match: EndpointMatch, raw: RawRequest, running: Running): Outcome | Promise<Outcome> {
  const { endpoint } = match
  if (endpoint.graphql)
    return handleGraphQL ? handleGraphQL(match, raw, running) : loadAndHandle(match, raw, running)
  const request = readPlainRequest(match, raw)
  if (typeof request === 'string') return refuseBody(endpoint, raw, request)
  return selectAndRespond({ endpoint, request, running })
}

async function loadAndHandle(match: EndpointMatch, raw: RawRequest, running: Running): Promise<Outcome> {
  await loadGraphQL()
  return handle(match, raw, running)
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
