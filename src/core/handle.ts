import { parseBody } from './body.ts'
import { callResponse, functionFailed } from './call-function.ts'
import type { CompiledRoute, Endpoint } from './compile-routes.ts'
import { diagnose, type Diagnostic } from './diagnostics.ts'
import { errorResponse, explainUnmatched, refuseTooMany } from './error-response.ts'
import {
  complete,
  completeKept,
  isResult,
  needsCompletion,
  resultIn,
  type CompletedResponse,
} from './graphql/complete.ts'
import { handleGraphQL } from './handle-graphql.ts'
import { noLimits, type Limits } from './limits.ts'
import { selectRoute, type EndpointMatch } from './match.ts'
import type { PagedList } from './paginate.ts'
import { describeRequest, ParsedRequest, type RawRequest } from './request.ts'
import { prepareResponse, type PreparedResponse } from './respond.ts'
import { PredicateError } from './route-index.ts'
import type { FixtureResponse, ResponseFunction } from './schema.ts'

/**
 * What the core decided for a request that is for one of its endpoints. (A request that is for none is `passthrough`,
 * decided by `matchEndpoint`.)
 */
export type Outcome =
  | { kind: 'answered'; response: PreparedResponse; diagnostic?: Diagnostic | undefined }
  | { kind: 'unmatched'; explain: () => Explanation }

/** An answer and what the developer is told of it. */
export interface Explanation {
  response: PreparedResponse
  diagnostic?: Diagnostic | undefined
}

/**
 * Decides a request: select a route, work out its response. A promise only where a response function needs it.
 *
 * @param limits what the host counts and times
 */
export function handle(
  match: EndpointMatch,
  raw: RawRequest,
  limits: Limits = noLimits,
): Outcome | Promise<Outcome> {
  const { endpoint, params } = match
  if (!endpoint.needsBody) return answer(endpoint, new ParsedRequest(raw, params, undefined), limits)
  if (endpoint.graphql) {
    return handleGraphQL(match, raw, (endpoint, request) => answer(endpoint, request, limits))
  }
  const body = parseBody(raw)
  if (body.malformed !== undefined) return refuseBody(endpoint, raw, body.malformed)
  return answer(endpoint, new ParsedRequest(raw, params, body.value), limits)
}

/** The outcome for a body that can't be read as what it says it is: it fits no route. */
export function refuseBody(endpoint: Endpoint, raw: RawRequest, reason: string): Outcome {
  const diagnostic = diagnose('request-body-malformed', {}, { request: describeRequest(raw), reason })
  return {
    kind: 'unmatched',
    explain: () => ({ response: errorResponse(400, diagnostic, endpoint, raw), diagnostic }),
  }
}

function answer(endpoint: Endpoint, request: ParsedRequest, limits: Limits): Outcome | Promise<Outcome> {
  let route: CompiledRoute | undefined
  try {
    route = selectRoute(endpoint, request)
  } catch (error) {
    if (!(error instanceof PredicateError)) throw error
    return functionFailed(endpoint, request, error.route, 'predicate', error.cause)
  }
  if (!route) return { kind: 'unmatched', explain: () => explainUnmatched(endpoint, request) }
  const { answer, rateLimit } = route
  if (rateLimit) {
    const wait = limits.countRequest(route, rateLimit)
    if (wait > 0) return { kind: 'answered', response: refuseTooMany(endpoint, request.raw, route, wait) }
  }
  switch (answer.kind) {
    case 'static':
      return { kind: 'answered', response: answer.response }
    case 'paged':
      return answerPage(endpoint, route, answer.list, request)
    case 'completed':
      return { kind: 'answered', ...completeKept(endpoint.graphql!, route, answer.response, request) }
    case 'function':
      return callFunction(endpoint, route, answer.respond, request, limits)
  }
}

function respondTo(
  endpoint: Endpoint,
  route: CompiledRoute,
  response: FixtureResponse,
  request: ParsedRequest,
) {
  const { graphql } = endpoint
  const { body } = response
  if (!graphql || !isResult(body) || !needsCompletion(graphql, route.shape ?? graphql.shape, body)) {
    return { response: prepareResponse(response, route.name) }
  }
  return complete(graphql, route, { ...response, body }, request)
}

async function callFunction(
  endpoint: Endpoint,
  route: CompiledRoute,
  respond: ResponseFunction,
  request: ParsedRequest,
  limits: Limits,
): Promise<Outcome> {
  try {
    const response = await callResponse(respond, request, limits)
    return { kind: 'answered', ...respondTo(endpoint, route, response, request) }
  } catch (error) {
    return functionFailed(endpoint, request, route, 'response', error)
  }
}

function answerPage(
  endpoint: Endpoint,
  route: CompiledRoute,
  list: PagedList,
  request: ParsedRequest,
): Outcome {
  try {
    const page = list.answer(request)
    if ('response' in page) {
      const { notice } = page
      const diagnostic =
        notice && diagnose('page-not-selected', route.source, { name: route.name, ...notice })
      const completed = completePage(endpoint, route, list, page.response, request)
      return {
        kind: 'answered',
        response: completed.response,
        diagnostic: diagnostic ?? completed.diagnostic,
      }
    }
    const { reason, ...details } = page.refused
    const [status, code] =
      reason === 'malformed' ? [400, 'page-malformed' as const] : [404, 'page-out-of-range' as const]
    const diagnostic = diagnose(code, route.source, details)
    return {
      kind: 'answered',
      response: errorResponse(status, diagnostic, endpoint, request.raw),
      diagnostic,
    }
  } catch (error) {
    const diagnostic = diagnose('body-not-json', route.source, { reason: (error as Error).message })
    return { kind: 'answered', response: errorResponse(500, diagnostic, endpoint, request.raw), diagnostic }
  }
}

/** A connection is a part of an operation's result, so that it is shaped as any. */
function completePage(
  { graphql }: Endpoint,
  route: CompiledRoute,
  list: PagedList,
  page: PreparedResponse,
  request: ParsedRequest,
): CompletedResponse {
  const body = graphql && resultIn(page)
  if (!body || !needsCompletion(graphql, route.shape ?? graphql.shape, body)) return { response: page }
  return complete(graphql, route, { ...list.response, body }, request)
}
