import type { CompiledRoute } from '../table/route-table.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { diagnoseRequest } from '../diagnostics/request-texts.ts'
import { resultToFit } from '../graphql/result.ts'
import { clientOf } from '../http/client.ts'
import type { MockState } from '../state/mock-state.ts'
import type { EndpointRequest } from './running.ts'
import { selectRoute } from '../table/match.ts'
import type { WrongParameter } from '../paginate/page-styles.ts'
import type { PagedList } from '../paginate/paginate.ts'
import type { ParsedRequest } from '../request/parsed-request.ts'
import { applyRange } from '../response/byte-range.ts'
import type { Overlay } from '../response/overlay.ts'
import { prepareResponse, type PreparedResponse } from '../response/prepare-response.ts'
import { PredicateError } from '../table/route-index.ts'
import type { FixtureResponse, ResponseFunction } from '../schema/schema.ts'
import type { BackendAnswer } from './backend-answer.ts'
import { withPart } from './later-part.ts'
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
    return predicateFailed(asked, error)
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

function unmatched({ endpoint, request, running }: EndpointRequest): Outcome {
  const explain = () =>
    withPart(running.explanations, ({ explainUnmatched }) => explainUnmatched(endpoint, request))
  return { kind: 'unmatched', explain, request }
}

function predicateFailed(
  asked: EndpointRequest,
  { route, cause }: PredicateError,
): Outcome | Promise<Outcome> {
  return withPart(asked.running.explanations, ({ functionFailed }) =>
    answered(functionFailed(asked, route, 'predicate', cause), route, asked.request),
  )
}

function tooMany(
  { endpoint, request, running }: EndpointRequest,
  route: CompiledRoute,
  wait: number,
): Explanation | Promise<Explanation> {
  return withPart(running.explanations, ({ refuseTooMany }) => ({
    response: refuseTooMany(endpoint, request.raw, route, wait),
  }))
}

/** A route with a mistake that was logged when its fixture file was read. */
function broken({ endpoint, request, running }: EndpointRequest, diagnostic: Diagnostic) {
  return withPart(running.explanations, ({ errorResponse }) => ({
    response: errorResponse(500, diagnostic, endpoint, request.raw),
  }))
}

function fail(
  { endpoint, request, running }: EndpointRequest,
  status: number,
  diagnostic: Diagnostic,
): Explanation | Promise<Explanation> {
  return withPart(running.explanations, ({ explainError }) =>
    explainError(status, diagnostic, endpoint, request.raw),
  )
}

function answerLater(
  explained: Promise<Explanation> | FromBackend,
  route: CompiledRoute,
  request: ParsedRequest,
  isForced: boolean,
): Outcome | Promise<Outcome> {
  const finish = (late: Explanation) => answered(late, route, request, isForced)
  if (typeof explained === 'function')
    return { kind: 'backend', request, finish: async (answer) => finish(await explained(answer)) }
  return explained.then(finish)
}

/** The response of a route that changes the answer of the backend. */
type FromBackend = (answer: BackendAnswer) => Explanation | Promise<Explanation>

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
    if (wait > 0) return tooMany(asked, route, wait)
  }
  const response = nextResponse(route, request, running.state)
  switch (response.kind) {
    case 'static':
      return { response: applyRange(response.prepared, request.raw) }
    case 'paged':
      return respondWithPage(asked, route, response.list)
    case 'result':
      return asked.resultFor!(endpoint.graphql!, route, response.definition, request)
    case 'function':
      return respondWithFunction(asked, route, response.respond)
    case 'backend':
      return changeAnswer(asked, route, response.overlay)
    case 'broken':
      return broken(asked, response.diagnostic)
  }
}

function changeAnswer(
  { endpoint, request, running }: EndpointRequest,
  route: CompiledRoute,
  overlay: Overlay,
): FromBackend {
  return (answer) =>
    withPart(running.overlays, ({ applyOverlay }) =>
      applyOverlay(overlay, answer, { endpoint, route, request }),
    )
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
  // Imported with the first function, since only fixture files with functions need the schema here.
  const { callResponse, findUnsentBody } = await import('./call-function.ts')
  try {
    const returned = await callResponse(respond, asked.request, asked.running.limits)
    return { diagnostic: findUnsentBody(route, returned), ...prepareReturned(asked, route, returned) }
  } catch (error) {
    const { functionFailed } = await asked.running.explanations.load()
    return functionFailed(asked, route, 'response', error)
  }
}

function prepareReturned(
  { endpoint, request, resultFor }: EndpointRequest,
  route: CompiledRoute,
  response: FixtureResponse,
): Explanation {
  const { graphql } = endpoint
  const prepared = prepareResponse(response, route.name, route.textType)
  const body = resultToFit(graphql, route.shape, response.body, prepared)
  return body ? resultFor!(graphql!, route, { ...response, body }, request) : { response: prepared }
}

function respondWithPage(
  asked: EndpointRequest,
  route: CompiledRoute,
  list: PagedList,
): Explanation | Promise<Explanation> {
  const { request } = asked
  try {
    const page = list.pageFor(request)
    if ('response' in page) {
      const { notice } = page
      const fitted = fitPage(asked, route, list, page.response)
      if (!notice) return fitted
      const diagnostic = diagnoseRequest('page-not-selected', route.source, { name: route.name, ...notice })
      return { response: fitted.response, diagnostic }
    }
    return refused(asked, route, page.refused)
  } catch (error) {
    const { message } = error as Error
    return fail(asked, 500, diagnoseRequest('body-not-json', route.source, { reason: message }))
  }
}

function refused(
  { endpoint, request, running }: EndpointRequest,
  route: CompiledRoute,
  wrong: WrongParameter,
): Explanation | Promise<Explanation> {
  return withPart(running.explanations, ({ refusePage }) => refusePage(endpoint, request.raw, route, wrong))
}

/** A connection is part of an operation's result, which is adapted to the operation as a whole. */
function fitPage(
  { endpoint: { graphql }, request, resultFor }: EndpointRequest,
  route: CompiledRoute,
  list: PagedList,
  page: PreparedResponse,
): Explanation {
  const isCut = (route.shape ?? graphql?.shape) || graphql?.checker?.hasSchema
  const body = resultToFit(graphql, route.shape, isCut ? list.result : undefined, page)
  return body ? resultFor!(graphql!, route, { ...list.response, body }, request) : { response: page }
}
