import type { Endpoint } from '../table/route-table.ts'
import { waitOf } from '../response/delay.ts'
import { diagnose, type Diagnostic } from '../diagnostics/diagnostic.ts'
import { errorResponse, graphqlErrors } from './error-response.ts'
import { Budget } from '../graphql/budget.ts'
import { checkHead, checkOperation, tooCostly, type Refusal } from '../graphql/check-operation.ts'
import { isMetaOnly } from '../graphql/fields.ts'
import type { MediaType } from '../http/negotiate.ts'
import { readGraphQL, type GraphQLPayload } from '../graphql/payload.ts'
import type { Outcome } from './outcome.ts'
import type { EndpointMatch } from '../table/match.ts'
import { ParsedRequest } from '../request/parsed-request.ts'
import {
  bodyAsText,
  headerOf,
  prepareResponse,
  rawJson,
  type PreparedResponse,
} from '../response/prepare-response.ts'
import { refuseBody } from './refuse-body.ts'
import type { GraphQLEndpoint } from '../graphql/endpoint.ts'
import type { RawRequest } from '../http/raw-request.ts'
import { describeRequest } from '../request/redact.ts'

type Answer = (endpoint: Endpoint, request: ParsedRequest) => Outcome | Promise<Outcome>

/**
 * Decides a request for the GraphQL endpoint: what no server would run is refused, what asks for meta fields alone is
 * answered by the schema, and everything else by a route.
 */
export function handleGraphQL(
  { endpoint, params }: EndpointMatch,
  raw: RawRequest,
  answer: Answer,
): Outcome | Promise<Outcome> {
  const graphql = endpoint.graphql!
  if (graphql.schemaFault) {
    // The terminal has it already, from when the schema was loaded.
    return { kind: 'answered', response: errorResponse(500, graphql.schemaFault, endpoint, raw) }
  }
  const refusal = checkHead(graphql, raw)
  if (refusal) return refuse(refusal, raw)

  const run = (payload: GraphQLPayload): Outcome | Promise<Outcome> => {
    if (payload.malformed !== undefined) return refuseBody(endpoint, raw, payload.malformed)
    const runOne = (entry: ParsedRequest['graphql']) =>
      runOperation(endpoint, graphql, new ParsedRequest(raw, params, entry!.payload, entry), answer)
    if (!payload.batch) return then(runOne(payload.params), (outcome) => withMediaType(outcome, raw))
    return Promise.all(payload.batch.map(async (entry) => runOne(entry)))
      .then((outcomes) => joinBatch(outcomes, raw))
      .then((outcome) => withMediaType(outcome, raw))
  }
  return then(readGraphQL(raw, graphql.read, new Budget(graphql.maxCost)), run)
}

/** Goes on at once where there is nothing to wait for. */
function then<T, R>(value: T | Promise<T>, next: (value: T) => R | Promise<R>): R | Promise<R> {
  return value instanceof Promise ? value.then(next) : next(value)
}

/** Whatever came of an operation is dropped where it took more work than was left: it may be incomplete. */
function runOperation(
  endpoint: Endpoint,
  graphql: GraphQLEndpoint,
  request: ParsedRequest,
  answer: Answer,
): Outcome | Promise<Outcome> {
  const { raw } = request
  const params = request.graphql!
  if (params.budget.isSpent) return refuse(tooCostly(raw, params), raw)
  return then(checkAndAnswer(endpoint, graphql, request, answer), (outcome) =>
    params.budget.isSpent ? refuse(tooCostly(raw, params), raw) : outcome,
  )
}

function checkAndAnswer(
  endpoint: Endpoint,
  graphql: GraphQLEndpoint,
  request: ParsedRequest,
  answer: Answer,
): Outcome | Promise<Outcome> {
  const { raw } = request
  const params = request.graphql!
  const refusal = checkOperation(graphql, raw, params)
  if (refusal) return refuse(refusal, raw)
  const { operation } = params
  if (!graphql.checker || !operation || !isMetaOnly(params.document!, operation))
    return answer(endpoint, request)
  const { result } = graphql.checker.execute(params.document!.ast!, operation, params.variables, {})
  return { kind: 'answered', response: prepareResponse({ body: result }) }
}

function refuse({ status, errors, headers }: Refusal, raw: RawRequest): Outcome {
  const reason = errors.map(({ message }) => message).join(' ')
  const diagnostic = diagnose('graphql-refused', {}, { request: describeRequest(raw), reason })
  return { kind: 'answered', response: graphqlErrors(status, errors, raw, headers), diagnostic }
}

/** A batch is answered as a list, in its order, once the slowest of its answers is due; it fails as the first that does. */
function joinBatch(outcomes: readonly Outcome[], raw: RawRequest): Outcome {
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
    delay: responses.reduce((slowest, { delay }) => Math.max(slowest, waitOf(delay, raw)), 0),
    fault: responses.find(({ fault }) => fault)?.fault,
  })
  return {
    kind: 'answered',
    response,
    diagnostic: worstOf(explained.flatMap(({ diagnostic }) => diagnostic ?? [])),
  }
}

/** One is told of a batch: an error before a warning. */
function worstOf(diagnostics: readonly Diagnostic[]): Diagnostic | undefined {
  return diagnostics.find(({ severity }) => severity === 'error') ?? diagnostics[0]
}

/** The same answer under the media type that the client prefers; a fixture that names a type of its own keeps it. */
function withMediaType(outcome: Outcome, raw: RawRequest): Outcome {
  const type = raw.accepts
  if (outcome.kind !== 'answered' || type !== 'application/graphql-response+json') return outcome
  return { ...outcome, response: renamed(outcome.response, type) }
}

const variants = new WeakMap<PreparedResponse, PreparedResponse>()

function renamed(response: PreparedResponse, type: MediaType): PreparedResponse {
  const known = variants.get(response)
  if (known) return known
  const headers = response.headers.map((text, index) =>
    response.headers[index - 1] === 'content-type' && text.startsWith('application/json;')
      ? `${type}; charset=utf-8`
      : text,
  )
  const variant = { ...response, headers }
  variants.set(response, variant)
  return variant
}
