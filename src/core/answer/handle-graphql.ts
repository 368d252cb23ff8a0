import { oncePerObject } from '../values/collections.ts'
import { diagnoseGraphQL } from '../diagnostics/graphql-texts.ts'
import { errorResponse, graphqlErrors } from './error-response.ts'
import { Budget } from '../graphql/budget.ts'
import { documentReaderOf } from '../graphql/document.ts'
import {
  checkHead,
  checkOperation,
  findTolerated,
  notRun,
  tooCostly,
  type Refusal,
} from '../graphql/check-operation.ts'
import { describeErrors, type FormattedError } from '../graphql/formatted-error.ts'
import type { GraphQLParams } from '../graphql/params.ts'
import { isMetaOnly } from '../graphql/selections.ts'
import { readGraphQL } from '../graphql/payload.ts'
import { codeFrame } from '../diagnostics/format.ts'
import { withPart } from './later-part.ts'
import { joinBatch } from './join-batch.ts'
import type { BackendAnswer } from './backend-answer.ts'
import { entryOfBatch } from './entry-of-batch.ts'
import { continueWith, type Answered, type Outcome } from './outcome.ts'
import { PredicateError } from '../table/route-index.ts'
import { isSelected, type EndpointMatch } from '../table/match.ts'
import { ParsedRequest } from '../request/parsed-request.ts'
import { prepareResponse, type PreparedResponse } from '../response/prepare-response.ts'
import { refuseBody } from './refuse-body.ts'
import { selectAndRespond } from './respond.ts'
import { resultFor } from './fit-to-operation.ts'
import type { EndpointRequest, Running } from './running.ts'
import type { RawRequest } from '../http/raw-request.ts'
import { describeRequest } from '../request/redact.ts'

/**
 * Decides a request for the GraphQL endpoint: invalid operations are refused, operations with only meta fields are answered
 * by the schema, and everything else by a route.
 */
export function handleGraphQL(
  { endpoint, params }: EndpointMatch,
  raw: RawRequest,
  running: Running,
): Outcome | Promise<Outcome> {
  const graphql = endpoint.graphql!
  if (graphql.schemaError) {
    // It was logged when the schema was loaded.
    return { kind: 'answered', response: errorResponse(500, graphql.schemaError, endpoint, raw) }
  }
  const refusal = checkHead(graphql, raw)
  if (refusal) return refuse(refusal, raw)
  const payload = readGraphQL(raw, documentReaderOf(graphql), new Budget(graphql.maxCost))
  if (payload.malformed !== undefined) return refuseBody(endpoint, raw, payload.malformed)
  if (payload.batch) return handleBatch(payload.batch, { endpoint, params }, raw, running)
  const request = new ParsedRequest(raw, params, payload.params.payload, payload.params)
  return continueWith(runOperation({ endpoint, request, running, resultFor }), withMediaType, raw)
}

function handleBatch(
  batch: readonly GraphQLParams[],
  { endpoint, params }: Pick<EndpointMatch, 'endpoint' | 'params'>,
  raw: RawRequest,
  running: Running,
): Promise<Outcome> {
  const run = (entry: GraphQLParams) =>
    runOperation({
      endpoint,
      request: new ParsedRequest(raw, params, entry.payload, entry),
      running,
      resultFor,
    })
  // Each entry is counted before the next one runs, so that those before the budget is spent are answered.
  const fit = (outcome: Outcome, entry: GraphQLParams) => fitInBatch(outcome, entry, raw)
  return Promise.all(batch.map(async (entry) => continueWith(run(entry), fit, entry)))
    .then((outcomes) => askForBatch(outcomes, batch, raw))
    .then((outcome) => withMediaType(outcome, raw))
}

const charactersPerUnit = 512

/** A batch can repeat the body of a route many times, and its answer is a single string. */
function fitInBatch(outcome: Outcome, params: GraphQLParams, raw: RawRequest): Outcome {
  if (outcome.kind !== 'answered') return outcome
  const units = Math.floor(outcome.response.body.length / charactersPerUnit)
  return params.budget.spend('fields', units) ? outcome : refuse(tooCostly(raw, params), raw)
}

/** A batch in which some operations need the backend: it gets these as one batch, in the same order. */
function askForBatch(
  outcomes: readonly Outcome[],
  batch: readonly GraphQLParams[],
  raw: RawRequest,
): Outcome | Promise<Outcome> {
  const asking = batch.filter((_, index) => outcomes[index]!.kind === 'backend')
  if (asking.length === 0) return joinBatch(outcomes, raw)
  const body = new TextEncoder().encode(JSON.stringify(asking.map(({ payload }) => payload)))
  const finish = async (answer: BackendAnswer) => {
    let asked = 0
    const finished = outcomes.map(async (outcome) =>
      outcome.kind === 'backend' ? outcome.finish(entryOfBatch(answer, asked++)) : outcome,
    )
    return joinBatch(await Promise.all(finished), raw)
  }
  return { kind: 'backend', body, finish }
}

function runOperation(asked: EndpointRequest): Outcome | Promise<Outcome> {
  const { raw, graphql: params } = asked.request
  if (params!.budget.isSpent) return refuse(tooCostly(raw, params!), raw)
  return continueWith(checkAndAnswer(asked), unlessTooCostly, asked.request)
}

/** Drops the result of an operation that spent the budget, since it may be incomplete. */
function unlessTooCostly(outcome: Outcome, { raw, graphql }: ParsedRequest): Outcome {
  return graphql!.budget.isSpent ? refuse(tooCostly(raw, graphql!), raw) : outcome
}

function checkAndAnswer(asked: EndpointRequest): Outcome | Promise<Outcome> {
  const { raw, graphql: params } = asked.request
  const { checker } = asked.endpoint.graphql!
  const refusal = checkOperation(asked.endpoint.graphql!, raw, params!)
  if (refusal?.isUnserved && !isServed(asked)) {
    return { kind: 'unmatched', explain: () => refuse(refusal, raw) }
  }
  if (refusal) return refuse(refusal, raw)
  const { document, operation, variables, budget } = params!
  if (!operation) return answerTolerated(asked)
  if (!checker || !isMetaOnly(document!, operation)) return selectAndRespond(asked)
  const { result } = checker.execute(document!.ast!, operation, variables, {}, budget)
  return { kind: 'answered', response: prepareResponse({ body: result }) }
}

/** Answers a request without an operation to run: it has no query, or one that a GraphQL server would refuse. */
function answerTolerated(asked: EndpointRequest): Outcome | Promise<Outcome> {
  const wrong = findTolerated(asked.request.graphql!)
  const outcome = selectAndRespond(asked)
  return wrong ? continueWith(outcome, tellMistake, { asked, wrong }) : outcome
}

/**
 * Says what is wrong with the query of a request: as a warning when a route has answered, and as the error when no route fits
 * a query that can't be parsed, since without its operation no route can be selected by it.
 */
function tellMistake(
  outcome: Outcome,
  { asked: { endpoint, request, running }, wrong }: { asked: EndpointRequest; wrong: FormattedError },
): Outcome {
  const { raw, graphql } = request
  const { query, document } = graphql!
  if (outcome.kind === 'unmatched' && document!.syntaxError) {
    const refusal = notRun(raw, [wrong])
    const explain = () =>
      withPart(running.explanations, ({ explainUnparsed }) => explainUnparsed(endpoint, request, refusal))
    return { ...outcome, explain }
  }
  if (outcome.kind !== 'answered' || !outcome.route || outcome.diagnostic) return outcome
  const details = { request: describeRequest(raw), name: outcome.route.name, reason: describeErrors([wrong]) }
  const { line, column } = wrong.locations?.[0] ?? { line: 1 }
  const frame = codeFrame(query!, line, column)
  return { ...outcome, diagnostic: { ...diagnoseGraphQL('graphql-query-wrong', {}, details), frame } }
}

/** Whether the selector of a route matches. A default route is not meant for an operation that is not served. */
function isServed({ endpoint, request }: EndpointRequest): boolean {
  try {
    return isSelected(endpoint, request)
  } catch (error) {
    if (error instanceof PredicateError) return true
    throw error
  }
}

function refuse({ status, errors, headers }: Refusal, raw: RawRequest): Answered {
  const details = { request: describeRequest(raw), reason: describeErrors(errors) }
  const diagnostic = diagnoseGraphQL('graphql-refused', {}, details)
  return { kind: 'answered', response: graphqlErrors(status, errors, raw, headers), diagnostic }
}

/** The same answer with the media type that the client prefers, unless the fixture sets its own. */
function withMediaType(outcome: Outcome, raw: RawRequest): Outcome {
  if (outcome.kind !== 'answered' || raw.accepts !== 'application/graphql-response+json') return outcome
  return { ...outcome, response: asGraphQLResponse(outcome.response) }
}

const asGraphQLResponse = oncePerObject((response: PreparedResponse): PreparedResponse => {
  const headers = response.headers.map((text, index) =>
    response.headers[index - 1] === 'content-type' && text.startsWith('application/json;')
      ? 'application/graphql-response+json; charset=utf-8'
      : text,
  )
  return { ...response, headers }
})
