import * as v from 'valibot'
import { parseBody } from './body.ts'
import type { CompiledRoute, Endpoint } from './compile-routes.ts'
import { describeValue, diagnose, type Diagnostic } from './diagnostics.ts'
import { errorResponse, explainUnmatched, placeInStack } from './error-response.ts'
import { locate, readGraphQL, type GraphQLParams } from './graphql.ts'
import { selectRoute, type EndpointMatch } from './match.ts'
import { ParsedRequest, type RawRequest } from './request.ts'
import {
  bodyAsText,
  headerOf,
  needsLocations,
  prepareResponse,
  withLocations,
  type PreparedResponse,
} from './respond.ts'
import { PredicateError } from './route-index.ts'
import { responseSchema, type FixtureResponse, type ResponseFunction } from './schema.ts'
import { readField } from './selector.ts'
import { isPlainObject } from './values.ts'

/**
 * What the core decided for a request that is for one of its endpoints. (A request that is for none is `passthrough`,
 * decided by `matchEndpoint`.)
 */
export type Outcome =
  | { kind: 'answered'; response: PreparedResponse; diagnostic?: Diagnostic | undefined }
  | { kind: 'unmatched'; respond: () => PreparedResponse; diagnostic: Diagnostic }

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
  const diagnostic = diagnose('request-body-too-large', {}, { request: target(raw), limit })
  return { kind: 'answered', response: errorResponse(413, diagnostic, endpoint), diagnostic }
}

function refuseBody(endpoint: Endpoint, raw: RawRequest, reason: string): Outcome {
  const diagnostic = diagnose('request-body-malformed', {}, { request: target(raw), reason })
  return { kind: 'answered', response: errorResponse(400, diagnostic, endpoint), diagnostic }
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
  const responses = outcomes.map((outcome) =>
    outcome.kind === 'answered' ? outcome.response : outcome.respond(),
  )
  const entries = responses.map((response) => {
    const text = bodyAsText(response.body)
    return headerOf(response, 'content-type')?.includes('json') ? text : JSON.stringify(text)
  })
  const names = new Set(responses.map((response) => headerOf(response, 'x-mock-route')).filter(Boolean))
  const response = prepareResponse({
    headers: { 'content-type': 'application/json; charset=utf-8', 'x-mock-route': [...names].join(', ') },
    body: `[${entries.join(',')}]`,
    delay: Math.max(...responses.map(({ delay }) => delay)),
  })
  return { kind: 'answered', response, diagnostic: outcomes.find(({ diagnostic }) => diagnostic)?.diagnostic }
}

function answer(endpoint: Endpoint, request: ParsedRequest): Outcome | Promise<Outcome> {
  let route: CompiledRoute | undefined
  try {
    route = selectRoute(endpoint, request)
  } catch (error) {
    if (!(error instanceof PredicateError)) throw error
    return functionFailed(endpoint, request, error.route, 'predicate', error.cause)
  }
  if (!route) return unmatched(endpoint, request)
  const { answer } = route
  switch (answer.kind) {
    case 'static':
      return { kind: 'answered', response: answer.response, diagnostic: pagingNotice(route, request) }
    case 'located':
      return { kind: 'answered', response: respondTo(request, route, answer.response) }
    case 'function':
      return callFunction(endpoint, route, answer.respond, request)
  }
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
    const [issue] = v.safeParse(responseSchema, response).issues ?? []
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
    request: target(request.raw),
    name: route.name,
    part,
    reason,
  })
  return { kind: 'answered', response: errorResponse(500, diagnostic, endpoint), diagnostic }
}

function unmatched(endpoint: Endpoint, request: ParsedRequest): Outcome {
  const diagnostic = diagnose('route-unmatched', {}, { request: target(request.raw) })
  const respond = () => errorResponse(404, diagnostic, endpoint, explainUnmatched(endpoint, request))
  return { kind: 'unmatched', respond, diagnostic }
}

/** A request as messages name it. */
function target({ method, path, search }: RawRequest): string {
  return `${method} ${path}${search && `?${search}`}`
}

/** A page that the list does not have gets the first one, as the contract says; the developer is told of it. */
function pagingNotice(route: CompiledRoute, request: ParsedRequest): Diagnostic | undefined {
  if (!route.standsFor) return undefined
  const { field, value } = route.standsFor
  const received = readField(request, field)
  if (received === undefined || received === value) return undefined
  const details = { name: route.name, parameter: field.path[0]!, value: String(received) }
  return diagnose('page-not-selected', route.source, details)
}
