import * as v from 'valibot'
import { parseBody } from './body.ts'
import type { CompiledRoute, Endpoint } from './compile-routes.ts'
import { describeValue, diagnose, type Diagnostic } from './diagnostics.ts'
import { errorResponse, explainUnmatched, placeInStack } from './error-response.ts'
import { locate, locationsKey, readGraphQL, type GraphQLParams } from './graphql.ts'
import { selectRoute, type EndpointMatch } from './match.ts'
import type { PagedList } from './paginate.ts'
import { describeRequest, ParsedRequest, type RawRequest } from './request.ts'
import {
  bodyAsText,
  headerOf,
  needsLocations,
  prepareResponse,
  rawJson,
  withLocations,
  type PreparedResponse,
} from './respond.ts'
import { PredicateError } from './route-index.ts'
import { functionResponseSchema, type FixtureResponse, type ResponseFunction } from './schema.ts'
import { isPlainObject } from './values.ts'

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

/** Decides a request: select a route, work out its response. A promise only where a response function needs it. */
export function handle(match: EndpointMatch, raw: RawRequest): Outcome | Promise<Outcome> {
  const { endpoint, params } = match
  if (!endpoint.needsBody) return answer(endpoint, new ParsedRequest(raw, params, undefined))
  if (endpoint.isGraphQL) return handleGraphQL(match, raw)
  const body = parseBody(raw)
  if (body.malformed !== undefined) return refuseBody(endpoint, raw, body.malformed)
  return answer(endpoint, new ParsedRequest(raw, params, body.value))
}

/** The outcome for a body that was not read to its end, since it is larger than the limit in bytes. */
export function refuseLargeBody(endpoint: Endpoint, raw: RawRequest, limit: number): Outcome {
  const diagnostic = diagnose('request-body-too-large', {}, { request: describeRequest(raw), limit })
  return { kind: 'answered', response: errorResponse(413, diagnostic, endpoint, raw), diagnostic }
}

function refuseBody(endpoint: Endpoint, raw: RawRequest, reason: string): Outcome {
  const diagnostic = diagnose('request-body-malformed', {}, { request: describeRequest(raw), reason })
  return { kind: 'answered', response: errorResponse(400, diagnostic, endpoint, raw), diagnostic }
}

function handleGraphQL({ endpoint, params }: EndpointMatch, raw: RawRequest): Outcome | Promise<Outcome> {
  const payload = readGraphQL(raw)
  if (payload.malformed !== undefined) return refuseBody(endpoint, raw, payload.malformed)
  const parse = (graphql: GraphQLParams) => new ParsedRequest(raw, params, graphql.payload, graphql)
  if (!payload.batch) return answer(endpoint, parse(payload.params))
  return Promise.all(payload.batch.map(async (entry) => answer(endpoint, parse(entry)))).then(joinBatch)
}

/** A batch is answered as a list, in its order, once the slowest of its answers is due. */
function joinBatch(outcomes: readonly Outcome[]): Outcome {
  const explained = outcomes.map((outcome) => (outcome.kind === 'answered' ? outcome : outcome.explain()))
  const responses = explained.map(({ response }) => response)
  const entries = responses.map((response) => {
    const text = bodyAsText(response.body)
    if (text === '') return 'null'
    return headerOf(response, 'content-type')?.includes('json') ? text : JSON.stringify(text)
  })
  const names = new Set(responses.map((response) => headerOf(response, 'x-mock-route')).filter(Boolean))
  const response = prepareResponse({
    ...(names.size > 0 && { headers: { 'x-mock-route': [...names].join(', ') } }),
    body: rawJson(`[${entries.join(',')}]`),
    delay: Math.max(...responses.map(({ delay }) => delay)),
  })
  return {
    kind: 'answered',
    response,
    diagnostic: explained.find(({ diagnostic }) => diagnostic)?.diagnostic,
  }
}

function answer(endpoint: Endpoint, request: ParsedRequest): Outcome | Promise<Outcome> {
  let route: CompiledRoute | undefined
  try {
    route = selectRoute(endpoint, request)
  } catch (error) {
    if (!(error instanceof PredicateError)) throw error
    return functionFailed(endpoint, request, error.route, 'predicate', error.cause)
  }
  if (!route) return { kind: 'unmatched', explain: () => explainUnmatched(endpoint, request) }
  const { answer } = route
  switch (answer.kind) {
    case 'static':
      return { kind: 'answered', response: answer.response }
    case 'paged':
      return answerPage(endpoint, route, answer.list, request)
    case 'located':
      return { kind: 'answered', response: respondLocated(request, route, answer.response) }
    case 'function':
      return callFunction(endpoint, route, answer.respond, request)
  }
}

/** Responses by route and by what their locations depend on: they are worked out once for each query text. */
const located = new WeakMap<CompiledRoute, WeakMap<object, PreparedResponse>>()

function respondLocated(
  request: ParsedRequest,
  route: CompiledRoute,
  response: FixtureResponse,
): PreparedResponse {
  const key = request.graphql && locationsKey(request.graphql)
  if (!key) return respondTo(request, route, response)
  let responses = located.get(route)
  if (!responses) located.set(route, (responses = new WeakMap()))
  let known = responses.get(key)
  if (!known) responses.set(key, (known = respondTo(request, route, response)))
  return known
}

function respondTo(
  request: ParsedRequest,
  route: CompiledRoute,
  response: FixtureResponse,
): PreparedResponse {
  const { graphql } = request
  if (!graphql || !needsLocations(response.body)) return prepareResponse(response, route.name)
  const body = withLocations(response.body, (path) => locate(graphql, path))
  return prepareResponse({ ...response, body }, route.name)
}

async function callFunction(
  endpoint: Endpoint,
  route: CompiledRoute,
  respond: ResponseFunction,
  request: ParsedRequest,
): Promise<Outcome> {
  try {
    const response = await respond(request)
    if (!isPlainObject(response))
      throw new TypeError(`it returned ${describeValue(response)}, not a response`)
    const [issue] = v.safeParse(functionResponseSchema, response).issues ?? []
    if (issue) throw new TypeError(`in what it returned, ${v.getDotPath(issue)}: ${issue.message}`)
    return { kind: 'answered', response: respondTo(request, route, response) }
  } catch (error) {
    return functionFailed(endpoint, request, route, 'response', error)
  }
}

function functionFailed(
  endpoint: Endpoint,
  request: ParsedRequest,
  route: CompiledRoute,
  part: 'predicate' | 'response',
  error: unknown,
): Outcome {
  const place = { ...route.source, ...placeInStack(error, route.source.file) }
  const reason =
    error instanceof Error ? `${error.name}: ${error.message}` : `it threw ${describeValue(error)}`
  const diagnostic = diagnose('function-failed', place, {
    request: describeRequest(request.raw),
    name: route.name,
    part,
    reason,
  })
  return { kind: 'answered', response: errorResponse(500, diagnostic, endpoint, request.raw), diagnostic }
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
      const { response, notice } = page
      const diagnostic =
        notice && diagnose('page-not-selected', route.source, { name: route.name, ...notice })
      return { kind: 'answered', response, diagnostic }
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
