import { callResponse, functionFailed } from './call-function.ts'
import type { CompiledRoute } from '../table/route-table.ts'
import { diagnoseRequest } from '../diagnostics/request-texts.ts'
import { errorResponse, explainError, explainUnmatched, refuseTooMany } from './error-response.ts'
import { resultToFit } from '../graphql/result.ts'
import { clientOf } from '../http/client.ts'
import type { MockState } from '../state/mock-state.ts'
import type { EndpointRequest } from './running.ts'
import { selectRoute } from '../table/match.ts'
import type { PagedList } from '../paginate/paginate.ts'
import type { ParsedRequest } from '../request/parsed-request.ts'
import { applyRange } from '../response/byte-range.ts'
import type { Overlay } from '../response/overlay.ts'
import { prepareResponse, type PreparedResponse } from '../response/prepare-response.ts'
import { PredicateError } from '../table/route-index.ts'
import type { FixtureResponse, ResponseFunction } from '../schema/schema.ts'
import { applyOverlay } from './apply-overlay.ts'
import type { BackendAnswer } from './backend-answer.ts'
import type { Explanation, Outcome } from './outcome.ts'
import { forcedRoute } from './override.ts'
import { needsQueryText, persistedQueryNotFound } from './persisted-query.ts'

/** Selects the route for a request and responds with it. */
export function selectAndRespond(asked: EndpointRequest): Outcome | Promise<Outcome> {
  const { endpoint, request, running } = asked
  let route: CompiledRoute | undefined
  let isForced: boolean
  try {
    const forced = forcedRoute(running.state, endpoint, request.raw)
    isForced = forced !== undefined
    route = forced ?? selectRoute(endpoint, request)
  } catch (error) {
    if (!(error instanceof PredicateError)) throw error
    return answered(functionFailed(asked, error.route, 'predicate', error.cause), error.route, request)
  }
  if (needsQueryText(endpoint, route, request))
    return { kind: 'answered', response: persistedQueryNotFound() }
  if (!route) return unmatched(asked)
  if (route.navigation === 'passthrough' && request.raw.isNavigation) return { kind: 'passthrough' }
  const explained = respondWith(asked, route)
  return typeof explained === 'function' || explained instanceof Promise
    ? answerLater(explained, route, request, isForced)
    : answered(explained, route, request, isForced)
}

/* Functions of their own, since a function with a closure allocates memory for it even when it takes another branch. */

function unmatched({ endpoint, request }: EndpointRequest): Outcome {
  return { kind: 'unmatched', explain: () => explainUnmatched(endpoint, request), request }
}

function answerLater(
  explained: Promise<Explanation> | FromBackend,
  route: CompiledRoute,
  request: ParsedRequest,
  isForced: boolean,
): Outcome | Promise<Outcome> {
  const finish = (late: Explanation) => answered(late, route, request, isForced)
  if (typeof explained === 'function')
    return { kind: 'backend', request, finish: (answer) => finish(explained(answer)) }
  return explained.then(finish)
}

/** The response of a route that changes the answer of the backend. */
type FromBackend = (answer: BackendAnswer) => Explanation

function answered(
  { response, diagnostic }: Explanation,
  route: CompiledRoute,
  request: ParsedRequest,
  isForced = false,
): Outcome {
  const { raw } = request
  // Neither route nor option says whether the route or a page of the application answers.
  const isUnclear = route.navigation === undefined && raw.hasPages && raw.isNavigation
  const notice = isUnclear
    ? diagnoseRequest('navigation-answered', route.source, { name: route.name })
    : undefined
  return { kind: 'answered', response, diagnostic: diagnostic ?? notice, route, request, isForced }
}

/** A function, if the route's response depends on the answer of the backend. */
function respondWith(
  asked: EndpointRequest,
  route: CompiledRoute,
): Explanation | Promise<Explanation> | FromBackend {
  const { endpoint, request, running } = asked
  const { rateLimit } = route
  if (rateLimit) {
    const wait = running.limits.countRequest(route, rateLimit)
    if (wait > 0) return { response: refuseTooMany(endpoint, request.raw, route, wait) }
  }
  const response = nextResponse(route, request, running.state)
  switch (response.kind) {
    case 'static':
      return { response: applyRange(response.prepared, request.raw) }
    case 'paged':
      return respondWithPage(asked, route, response.list)
    case 'result':
      return asked.results!.cachedResultFor(endpoint.graphql!, route, response, request)
    case 'function':
      return respondWithFunction(asked, route, response.respond)
    case 'backend':
      return changeAnswer(response.overlay, { endpoint, route, request })
    case 'broken': // the diagnostic was logged when the fixture file was read
      return { response: errorResponse(500, response.diagnostic, endpoint, request.raw) }
  }
}

function changeAnswer(overlay: Overlay, asked: Parameters<typeof applyOverlay>[2]): FromBackend {
  return (answer) => applyOverlay(overlay, answer, asked)
}

/**
 * The response of a route whose turn it is. `HEAD` asks what a `GET` would get, so it takes no turn. Selecting and this are
 * synchronous, so that the order of requests, also of those in one batch, is the order of the turns.
 */
function nextResponse({ response, source }: CompiledRoute, request: ParsedRequest, state: MockState) {
  if (response.kind !== 'sequence') return response
  const { parts, repeats } = response
  const { params, method, headers } = request
  const client = clientOf(headers)
  const key = Object.keys(params).length === 0 ? '' : JSON.stringify(params)
  // The object `source` is the same until the file is read again, also when a route of another file is compiled anew.
  const turn = method === 'HEAD' ? state.nextTurn(source, key, client) : state.takeTurn(source, key, client)
  return parts[repeats ? turn % parts.length : Math.min(turn, parts.length - 1)]!
}

async function respondWithFunction(
  asked: EndpointRequest,
  route: CompiledRoute,
  respond: ResponseFunction,
): Promise<Explanation> {
  try {
    return prepareReturned(asked, route, await callResponse(respond, asked.request, asked.running.limits))
  } catch (error) {
    return functionFailed(asked, route, 'response', error)
  }
}

function prepareReturned(
  { endpoint, request, results }: EndpointRequest,
  route: CompiledRoute,
  response: FixtureResponse,
): Explanation {
  const { graphql } = endpoint
  const prepared = prepareResponse(response, route.name, route.textType)
  const body = resultToFit(graphql, route.shape, response.body, prepared)
  return body ? results!.resultFor(graphql!, route, { ...response, body }, request) : { response: prepared }
}

function respondWithPage(asked: EndpointRequest, route: CompiledRoute, list: PagedList): Explanation {
  const { endpoint, request } = asked
  try {
    const page = list.pageFor(request)
    if ('response' in page) {
      const { notice } = page
      const fitted = fitPage(asked, route, list, page.response)
      if (!notice) return fitted
      const diagnostic = diagnoseRequest('page-not-selected', route.source, { name: route.name, ...notice })
      return { response: fitted.response, diagnostic }
    }
    const { reason, ...details } = page.refused
    const [status, code] =
      reason === 'malformed' ? [400, 'page-malformed' as const] : [404, 'page-out-of-range' as const]
    return explainError(status, diagnoseRequest(code, route.source, details), endpoint, request.raw)
  } catch (error) {
    const diagnostic = diagnoseRequest('body-not-json', route.source, { reason: (error as Error).message })
    return explainError(500, diagnostic, endpoint, request.raw)
  }
}

/** A connection is part of an operation's result, which is adapted to the operation as a whole. */
function fitPage(
  { endpoint: { graphql }, request, results }: EndpointRequest,
  route: CompiledRoute,
  list: PagedList,
  page: PreparedResponse,
): Explanation {
  const isCut = (route.shape ?? graphql?.shape) || graphql?.checker?.hasSchema
  const body = resultToFit(graphql, route.shape, isCut ? list.result : undefined, page)
  return body ? results!.resultFor(graphql!, route, { ...list.response, body }, request) : { response: page }
}
