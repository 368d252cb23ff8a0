import { callResponse, functionFailed } from './call-function.ts'
import type { CompiledRoute, Endpoint } from '../table/route-table.ts'
import { diagnose } from '../diagnostics/diagnostic.ts'
import { errorResponse, explainError, explainUnmatched, refuseTooMany } from './error-response.ts'
import { isResult, dependsOnOperation, resultIn } from '../graphql/result.ts'
import { clientOf } from '../http/client.ts'
import type { MockState } from '../state/mock-state.ts'
import type { Running } from './running.ts'
import { selectRoute } from '../table/match.ts'
import type { PagedList } from '../paginate/paginate.ts'
import type { ParsedRequest } from '../request/parsed-request.ts'
import { applyRange } from '../response/byte-range.ts'
import { prepareResponse, type PreparedResponse } from '../response/prepare-response.ts'
import { PredicateError } from '../table/route-index.ts'
import type { FixtureResponse, ResponseFunction } from '../schema/schema.ts'
import { cachedResultFor, resultFor } from './operation-result.ts'
import type { Explanation, Outcome } from './outcome.ts'
import { forcedRoute } from './override.ts'
import { needsQueryText, persistedQueryNotFound } from './persisted-query.ts'

/** Selects the route for a request and responds with it. */
export function selectAndRespond(
  endpoint: Endpoint,
  request: ParsedRequest,
  running: Running,
): Outcome | Promise<Outcome> {
  let route: CompiledRoute | undefined
  let forced: CompiledRoute | undefined
  try {
    forced = forcedRoute(running.state, endpoint, request.raw)
    route = forced ?? selectRoute(endpoint, request)
  } catch (error) {
    if (!(error instanceof PredicateError)) throw error
    const failure = functionFailed(endpoint, request, error.route, 'predicate', error.cause)
    return answered(failure, error.route, request)
  }
  if (needsQueryText(endpoint, route, request)) return { kind: 'answered', response: persistedQueryNotFound }
  if (!route) return { kind: 'unmatched', explain: () => explainUnmatched(endpoint, request), request }
  if (route.navigation === 'passthrough' && request.raw.isNavigation) return { kind: 'passthrough' }
  const explained = respondWith(endpoint, route, request, running)
  return explained instanceof Promise
    ? explained.then((late) => answered(late, route, request, forced !== undefined))
    : answered(explained, route, request, forced !== undefined)
}

function answered(
  { response, diagnostic }: Explanation,
  route: CompiledRoute,
  request: ParsedRequest,
  isForced = false,
): Outcome {
  const { raw } = request
  // Neither route nor option says whether the route or a page of the application answers.
  const isUnclear = route.navigation === undefined && raw.hasPages && raw.isNavigation
  const notice = isUnclear ? diagnose('navigation-answered', route.source, { name: route.name }) : undefined
  return { kind: 'answered', response, diagnostic: diagnostic ?? notice, route, request, isForced }
}

function respondWith(
  endpoint: Endpoint,
  route: CompiledRoute,
  request: ParsedRequest,
  running: Running,
): Explanation | Promise<Explanation> {
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
      return respondWithPage(endpoint, route, response.list, request)
    case 'result':
      return cachedResultFor(endpoint.graphql!, route, response, request)
    case 'function':
      return respondWithFunction(endpoint, route, response.respond, request, running)
    case 'broken': // the diagnostic was logged when the fixture file was read
      return { response: errorResponse(500, response.diagnostic, endpoint, request.raw) }
  }
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

function prepareReturned(
  { graphql, path }: Endpoint,
  route: CompiledRoute,
  response: FixtureResponse,
  request: ParsedRequest,
): Explanation {
  const prepared = prepareResponse(response, route.name, path)
  const body = graphql && (isResult(response.body) ? response.body : resultIn(prepared))
  if (!body || !dependsOnOperation(graphql, route.shape ?? graphql.shape, body)) return { response: prepared }
  return resultFor(graphql, route, { ...response, body }, request)
}

async function respondWithFunction(
  endpoint: Endpoint,
  route: CompiledRoute,
  respond: ResponseFunction,
  request: ParsedRequest,
  { limits }: Running,
): Promise<Explanation> {
  try {
    const response = await callResponse(respond, request, limits)
    return prepareReturned(endpoint, route, response, request)
  } catch (error) {
    return functionFailed(endpoint, request, route, 'response', error)
  }
}

function respondWithPage(
  endpoint: Endpoint,
  route: CompiledRoute,
  list: PagedList,
  request: ParsedRequest,
): Explanation {
  try {
    const page = list.pageFor(request)
    if ('response' in page) {
      const { notice } = page
      const fitted = fitPage(endpoint, route, list, page.response, request)
      if (!notice) return fitted
      const diagnostic = diagnose('page-not-selected', route.source, { name: route.name, ...notice })
      return { response: fitted.response, diagnostic }
    }
    const { reason, ...details } = page.refused
    const [status, code] =
      reason === 'malformed' ? [400, 'page-malformed' as const] : [404, 'page-out-of-range' as const]
    return explainError(status, diagnose(code, route.source, details), endpoint, request.raw)
  } catch (error) {
    const diagnostic = diagnose('body-not-json', route.source, { reason: (error as Error).message })
    return explainError(500, diagnostic, endpoint, request.raw)
  }
}

/** A connection is part of an operation's result, which is adapted to the operation as a whole. */
function fitPage(
  { graphql }: Endpoint,
  route: CompiledRoute,
  list: PagedList,
  page: PreparedResponse,
  request: ParsedRequest,
): Explanation {
  if (!graphql) return { response: page }
  const shape = route.shape ?? graphql.shape
  const isFitted = shape || graphql.checker?.hasSchema === true
  const body = isFitted && list.result ? list.result : resultIn(page)
  if (!body || !dependsOnOperation(graphql, shape, body)) return { response: page }
  return resultFor(graphql, route, { ...list.response, body }, request)
}
