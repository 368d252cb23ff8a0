import { OperationTypeNode } from 'graphql/language/ast.js'
import { codeFrame } from '../../diagnostics/format.ts'
import { diagnoseGraphQL } from '../../diagnostics/graphql-texts.ts'
import { Budget } from '../../graphql/budget.ts'
import {
  checkHead,
  checkOperation,
  findTolerated,
  notRun,
  tooCostly,
  type Refusal,
} from '../../graphql/check-operation.ts'
import { documentReaderOf } from '../../graphql/document.ts'
import { describeErrors, type FormattedError } from '../../graphql/formatted-error.ts'
import { readGraphQL, type GraphQLParams } from '../../graphql/params.ts'
import { isResult, jsonIn } from '../../graphql/result.ts'
import { isMetaOnly } from '../../graphql/selections.ts'
import type { GraphQLSettings } from '../../graphql/settings.ts'
import { acceptedGraphQL, headerText, type RawRequest } from '../../http/raw-request.ts'
import { ParsedRequest } from '../../request/parsed-request.ts'
import { describeRequest, redactText } from '../../redact/redact.ts'
import { prepareResponse, type PreparedResponse } from '../../response/prepare-response.ts'
import { type StreamEvent, createFraming } from '../../stream/frames.ts'
import { isOfKind } from '../../table/compile-endpoint.ts'
import { andThen, isRecord } from '../../values/values.ts'
import { answerInParts } from './answer-in-parts.ts'
import { answerOf, failOrRefuse, selectFor, withAnswer } from '../by-route.ts'
import { askOnce, joinBatch } from './batch.ts'
import type { Asked, Decision } from '../decision.ts'
import { findOtherData } from './other-data.ts'
import { forceSadPath } from '../force-sad-path.ts'
import { failAsWanted, graphqlErrors, refuseBody } from '../error-response.ts'
import { explainUnmatched, explainUnparsed } from '../explain-unmatched.ts'

/** The schema answers operations with only meta fields, routes answer the rest. */
export function handleGraphQL(asked: Asked): Decision | Promise<Decision> {
  const { match, raw } = asked
  const graphql = match.endpoint.graphql!
  if (graphql.schemaError) {
    // It was logged when the schema was loaded.
    const answer = failAsWanted({ endpoint: match.endpoint, raw }, 500, graphql.schemaError)
    return { by: 'refused', match, raw, wait: 0, ...answer }
  }
  const refusal = checkHead(graphql, raw)
  if (refusal) return failOrRefuse(asked, refuse(asked, refusal))
  const payload = readGraphQL(raw, documentReaderOf(graphql), new Budget(graphql.maxCost))
  if (payload.malformed !== undefined) return failOrRefuse(asked, refuseBody(asked, payload.malformed))
  const decision = payload.batch
    ? decideBatch(asked, payload.batch)
    : decideOperation(asked, requestOf(asked, payload.params))
  return andThen(decision, withMediaType)
}

function requestOf({ match, raw }: Asked, params: GraphQLParams): ParsedRequest {
  return new ParsedRequest(raw, match.params, params.payload, params)
}

async function decideBatch(asked: Asked, batch: readonly GraphQLParams[]): Promise<Decision> {
  const backend = askOnce(batch, asked.askBackend)
  const decisions = await Promise.all(
    batch.map(async (params, index) => {
      const own = { ...asked, askBackend: () => backend.ask(index) }
      try {
        return await decideOperation(own, requestOf(asked, params), true)
      } finally {
        backend.decided(index)
      }
    }),
  )
  return joinBatch(asked, decisions)
}

/** Synchronous if it can be: the operations of a batch before the budget is spent are answered. */
function decideOperation(asked: Asked, request: ParsedRequest, isInBatch = false) {
  const params = request.graphql!
  const refuseCostly = () => refuse(asked, tooCostly(asked.raw, params), request)
  if (params.budget.isSpent) return refuseCostly()
  const decision = checkOrSelect(asked, request, isInBatch)
  return andThen(answerOf(decision, asked), (answer) => {
    forceSadPath(withAnswer(decision, answer, asked), asked)
    tellMistake(decision, params)
    if (isInBatch) spendAnswer(decision, params)
    else sendInParts(decision)
    // The result of an operation that spent the budget may be incomplete.
    return params.budget.isSpent ? refuseCostly() : decision
  })
}

function sendInParts(decision: Decision): void {
  const parts = decision.by === 'route' && answerInParts(decision.match.endpoint, decision)
  if (parts) Object.assign(decision, { ...parts, diagnostic: decision.diagnostic ?? parts.diagnostic })
}

const charactersPerUnit = 256

/** A batch can repeat the body of a route many times, and its answer is a single string. */
function spendAnswer({ response }: Decision, { budget }: GraphQLParams): void {
  if (response) budget.spend('fields', Math.floor(response.body.length / charactersPerUnit))
}

function checkOrSelect(asked: Asked, request: ParsedRequest, isInBatch: boolean): Decision {
  const { match, raw } = asked
  const { endpoint } = match
  const params = request.graphql!
  const { checker } = endpoint.graphql!
  const isSubscription = request.operationType === OperationTypeNode.SUBSCRIPTION
  const selected = isSubscription ? selectFor(asked, request) : undefined
  const mayStream = !isInBatch && selected !== undefined && opensStream(selected)
  const refusal = checkOperation(endpoint.graphql!, raw, params, mayStream)
  // A default route does not answer operations of an unsupported type.
  if (refusal?.isUnserved && selected?.choice !== 'selected') {
    const routes = endpoint.routes.filter(({ response }) => isOfKind('stream', response))
    const isNamed = routes.length > 0
    const explain = () =>
      isNamed ? explainUnmatched({ ...endpoint, routes }, request) : answerOfRefusal(refusal, raw)
    const by = isNamed ? 'nothing' : 'refused'
    return failOrRefuse(asked, { by, match, raw, request, wait: 0, explain }, request)
  }
  if (refusal) return failOrRefuse(asked, refuse(asked, refusal, request), request)
  const { document, operation, variables, budget } = params
  if (!operation || !checker || !isMetaOnly(document!, operation))
    return selected ?? selectFor(asked, request)
  const { result } = checker.execute(document!.ast!, operation, variables, {}, budget)
  return { by: 'plugin', match, raw, request, wait: 0, response: prepareResponse({ body: result }) }
}

/** A subscription needs a route with a stream, or with a function that may open one. */
function opensStream({ route, failed }: Decision): boolean {
  if (failed === 'function') return true
  if (!route) return false
  const { response, selector } = route
  return isOfKind('stream', response) || (isOfKind('function', response) && selector !== undefined)
}

/** A query without an operation to run gets a warning if a route has answered, the error if no route matches. */
function tellMistake(decision: Decision, params: GraphQLParams): void {
  const wrong = params.operation ? undefined : findTolerated(params)
  const { match, raw, request, route, by } = decision
  if (route && by === 'route' && decision.choice === 'default')
    decision.diagnostic ??= findOtherData(route, params)
  if (!wrong || by === 'refused') return
  if (by === 'nothing' && params.document!.syntaxError)
    decision.explain = () => explainUnparsed(match.endpoint, request!, notRun(raw, [wrong]))
  else if (route && decision.response && !decision.diagnostic)
    decision.diagnostic = describeMistake(raw, params, route.name, wrong)
}

function describeMistake(raw: RawRequest, { query }: GraphQLParams, name: string, wrong: FormattedError) {
  const details = { request: describeRequest(raw), name, reason: describeErrors([wrong]) }
  const { line, column } = wrong.locations?.[0] ?? { line: 1 }
  const frame = redactText(codeFrame(query!, line, column))
  return { ...diagnoseGraphQL('graphql-query-wrong', {}, details), frame }
}

function refuse({ match, raw }: Asked, refusal: Refusal, request?: ParsedRequest): Decision {
  return { by: 'refused', match, raw, request, wait: 0, ...answerOfRefusal(refusal, raw) }
}

function answerOfRefusal({ status, errors, headers }: Refusal, raw: RawRequest) {
  const details = { request: describeRequest(raw), reason: describeErrors(errors) }
  const diagnostic = diagnoseGraphQL('graphql-refused', {}, details)
  return { response: graphqlErrors(status, errors, raw, headers), diagnostic }
}

/** The media type that the client prefers, unless the fixture sets its own. */
function withMediaType(decision: Decision): Decision {
  const { match, response, raw, stream, explain } = decision
  const acceptsOnlyEvents =
    acceptedGraphQL(raw) === undefined && headerText(raw.headers, 'accept')?.includes('text/event-stream')
  if (response && !stream && acceptsOnlyEvents) decision.response = asEvents(response)
  if (explain && acceptsOnlyEvents)
    decision.explain = () => {
      const answer = explain()
      return { ...answer, response: asEvents(answer.response) }
    }
  if (response && acceptedGraphQL(raw) === 'application/graphql-response+json')
    decision.response = asGraphQLResponse(response, match.endpoint.graphql!)
  return decision
}

/** A client of graphql-sse sends queries and mutations like subscriptions. */
function asEvents(response: PreparedResponse): PreparedResponse {
  const result = jsonIn(response)
  if (!isResult(result)) return response
  const { contentType, start, frame, end } = createFraming('graphql-sse')
  const headers = { 'content-type': contentType, 'cache-control': 'no-cache, no-transform' }
  const { delay, fault, then } = response
  const event = frame(result as StreamEvent) as string // only streams of functions have bytes
  return prepareResponse({ headers, delay, fault, then, body: `${start}${event}${end()}` })
}

/** @see https://graphql.github.io/graphql-over-http/draft/#sec-Partial-success */
const partialSuccess = 294

function asGraphQLResponse(response: PreparedResponse, graphql: Pick<GraphQLSettings, 'partialSuccess'>) {
  const at = response.headers.indexOf('content-type') + 1
  if (!response.headers[at]?.startsWith('application/json;')) return response
  const headers = response.headers.with(at, 'application/graphql-response+json; charset=utf-8')
  const isPartial = graphql.partialSuccess && response.status === 200 && isPartialResult(jsonIn(response))
  return { ...response, headers, status: isPartial ? partialSuccess : response.status }
}

function isPartialResult(result: unknown): boolean {
  return (
    isRecord(result) &&
    Object.hasOwn(result, 'data') &&
    Array.isArray(result['errors']) &&
    result['errors'].length > 0
  )
}
