import { callResponse, functionFailed } from './call-function.ts'
import type { CompiledRoute, Endpoint } from '../table/route-table.ts'
import { diagnose } from '../diagnostics/diagnostic.ts'
import { errorResponse, explainUnmatched, refuseTooMany } from './error-response.ts'
import { isResult, dependsOnOperation, resultIn } from '../graphql/result.ts'
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
import { needsQueryText, persistedQueryNotFound } from './persisted-query.ts'

/** Selects the route for a request and responds with it. */
export function selectAndRespond(
  endpoint: Endpoint,
  request: ParsedRequest,
  running: Running,
): Outcome | Promise<Outcome> {
  let route: CompiledRoute | undefined
  try {
    route = selectRoute(endpoint, request)
  } catch (error) {
    if (!(error instanceof PredicateError)) throw error
    return withRoute(
      functionFailed(endpoint, request, error.route, 'predicate', error.cause),
      error.route,
      request,
    )
  }
  if (needsQueryText(endpoint, route, request)) return { kind: 'answered', response: persistedQueryNotFound }
  if (!route) return { kind: 'unmatched', explain: () => explainUnmatched(endpoint, request), request }
  const { raw } = request
  if (route.navigation === 'passthrough' && raw.isNavigation) return { kind: 'passthrough' }
  const outcome = respondWith(endpoint, route, request, running)
  return outcome instanceof Promise
    ? outcome.then((late) => withRoute(late, route, request))
    : withRoute(outcome, route, request)
}

/** Adds what the journal needs, and the diagnostic for a navigation, to the outcome of a route. */
function withRoute(outcome: Outcome, route: CompiledRoute, request: ParsedRequest): Outcome {
  if (outcome.kind !== 'answered') return outcome
  outcome.route = route
  outcome.request = request
  const { raw } = request
  // Neither route nor option says whether the route or a page of the application answers.
  if (route.navigation === undefined && raw.hasPages && raw.isNavigation)
    outcome.diagnostic ??= diagnose('navigation-answered', route.source, { name: route.name })
  return outcome
}

function respondWith(
  endpoint: Endpoint,
  route: CompiledRoute,
  request: ParsedRequest,
  running: Running,
): Outcome | Promise<Outcome> {
  const { response, rateLimit } = route
  if (rateLimit) {
    const wait = running.limits.countRequest(route, rateLimit)
    if (wait > 0) return { kind: 'answered', response: refuseTooMany(endpoint, request.raw, route, wait) }
  }
  switch (response.kind) {
    case 'static':
      return { kind: 'answered', response: applyRange(response.prepared, request.raw) }
    case 'paged':
      return respondWithPage(endpoint, route, response.list, request)
    case 'result':
      return { kind: 'answered', ...cachedResultFor(endpoint.graphql!, route, response.definition, request) }
    case 'function':
      return respondWithFunction(endpoint, route, response.respond, request, running)
    case 'broken': // the diagnostic was logged when the fixture file was read
      return { kind: 'answered', response: errorResponse(500, response.diagnostic, endpoint, request.raw) }
  }
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
  running: Running,
): Promise<Outcome> {
  try {
    const response = await callResponse(respond, request, running.limits)
    return { kind: 'answered', ...prepareReturned(endpoint, route, response, request) }
  } catch (error) {
    return functionFailed(endpoint, request, route, 'response', error)
  }
}

function respondWithPage(
  endpoint: Endpoint,
  route: CompiledRoute,
  list: PagedList,
  request: ParsedRequest,
): Outcome {
  try {
    const page = list.pageFor(request)
    if ('response' in page) {
      const { notice } = page
      const diagnostic =
        notice && diagnose('page-not-selected', route.source, { name: route.name, ...notice })
      const fitted = fitPage(endpoint, route, list, page.response, request)
      return {
        kind: 'answered',
        response: fitted.response,
        diagnostic: diagnostic ?? fitted.diagnostic,
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
