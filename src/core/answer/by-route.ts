import { NoSuchFile, RequestValue } from '../request-values/compile-values.ts'
import { diagnoseRequest } from '../diagnostics/request-texts.ts'
import { findUnreadable, isFitted, jsonIn, resultToFit, successIn } from '../graphql/result.ts'
import { clientOf } from '../http/whose-state.ts'
import { isNavigation, type RawRequest } from '../http/raw-request.ts'
import type { PagedList } from '../paginate/paginate.ts'
import { describeRequest } from '../redact/redact.ts'
import { ParsedRequest } from '../request/parsed-request.ts'
import { givenBy, makeResponse } from '../request-values/make-response.ts'
import { type ValueSource, TooMuchFromRequest } from '../request-values/read-value.ts'
import { applyRange } from '../response/byte-range.ts'
import {
  headerValue,
  prepareResponse,
  type PreparedResponse,
  withHeaders,
  withoutHeader,
} from '../response/prepare-response.ts'
import { anyMethod, type FunctionResponse, type ResponseFunction } from '../schema/schema.ts'
import { type StreamEvent, bytesFraming } from '../stream/frames.ts'
import type { MockState } from '../state/mock-state.ts'
import { selectRoute } from '../table/match.ts'
import { PredicateError } from '../table/route-index.ts'
import type { AnswerChanges, CompiledRoute, Endpoint } from '../table/route-table.ts'
import { reasonOf } from '../values/thrown.ts'
import { andThen } from '../values/values.ts'
import type { FormattedError } from '../graphql/formatted-error.ts'
import { answerCollection, refuseWrite } from './collections/answer-collection.ts'
import { changeAnswer } from './change-answer.ts'
import { callResponse, findUnsentBody, type OpenResponse, piecesOf } from './call-function.ts'
import { answerStream, checkEvent } from './answer-stream.ts'
import type { Answer, Answering, Asked, Decision } from './decision.ts'
import {
  answerPage,
  errorResponse,
  explainError,
  failAsWanted,
  functionFailed,
  refuseTooMany,
} from './error-response.ts'
import { explainUnmatched } from './explain-unmatched.ts'
import { type Chance, paramsKey, takeChance, takeTurn } from './fail-sometimes.ts'
import { backendRoute } from './force-sad-path.ts'
import { resultFor } from './operations/fit-to-operation.ts'
import { errorOf, itemsFor, withErrors, writeBefore } from './collections/item-values.ts'
import { collectionsForFunctions } from './collections/open-collections.ts'
import { needsQueryText, persistedQueryNotFound } from './operations/persisted-query.ts'
import type { Rules } from './rules.ts'

/** The route, and why that one. `answerOf` makes its answer, unless the decision has one already. */
export function selectFor(asked: Asked, request: ParsedRequest): Decision {
  const { match, raw, rules } = asked
  const { endpoint } = match
  const decision: Decision = { by: 'route', match, raw, request, wait: 0 }
  if (asked.table.collections.size > 0) request.openCollections ??= () => collectionsForFunctions(asked)
  try {
    const forced = forcedRoute(rules.state, endpoint, raw)
    decision.route = forced ?? selectRoute(endpoint, request) ?? backendRoute(asked)
    decision.choice = forced ? 'forced' : decision.route?.selector ? 'selected' : 'default'
  } catch (error) {
    if (!(error instanceof PredicateError)) throw error
    const { route, cause } = error
    const answer = functionFailed({ endpoint, raw, route }, 'predicate', cause)
    return { ...decision, ...answer, route, choice: 'selected', failed: 'function' }
  }
  const { route } = decision
  if (needsQueryText(endpoint, route, request))
    return { ...decision, by: 'plugin', route: undefined, response: persistedQueryNotFound() }
  if (!route) return { ...decision, by: 'nothing', explain: () => explainUnmatched(endpoint, request) }
  if (route.navigation === 'passthrough' && isNavigation(raw.method, raw)) decision.by = 'passed-on'
  return decision
}

/** "The API is down" is a failure for every method, and so for what would be refused before a route is selected. */
export function failOrRefuse(
  asked: Asked,
  refused: Decision,
  request = new ParsedRequest(asked.raw, asked.match.params, undefined),
): Decision {
  const decision = selectFor(asked, request)
  const { route } = decision
  if (!route?.id.startsWith(`${anyMethod} `) || route.response.kind !== 'static') return refused
  const { status, fault } = route.response.prepared
  const isFailure = status >= 400 || fault !== undefined
  return isFailure ? withAnswer(decision, answerOf(decision, asked) as Answer, asked) : refused
}

export function withAnswer(decision: Decision, answer: Answer | undefined, { rules }: Asked): Decision {
  if (!answer) return decision
  const { route, raw } = decision
  decision.response = answer.response
  decision.stream = answer.stream
  decision.diagnostic = answer.diagnostic
  decision.reason = answer.reason ?? reasonOfFault(route!, answer.response)
  // Nobody has said whether the route or a page of the application answers.
  if (
    !answer.diagnostic &&
    route!.navigation === undefined &&
    rules.hasPages &&
    isNavigation(raw.method, raw)
  )
    decision.diagnostic = diagnoseRequest('navigation-answered', route!.source, { name: route!.name })
  return decision
}

function reasonOfFault({ name, source }: CompiledRoute, { fault }: PreparedResponse) {
  if (fault === undefined) return undefined
  return diagnoseRequest('fault-sent', source, { name, fault: typeof fault === 'string' ? fault : 'dribble' })
}

/**
 * `undefined` if there is no answer to make, or if a function or the backend would answer a dry run. A promise only
 * for these two, so that the operations of a batch are answered one after the other.
 */
export function answerOf(decision: Decision, given: Asked): Answer | Promise<Answer> | undefined {
  const { route, request, by } = decision
  if (!route || !request || by !== 'route' || decision.response) return undefined
  const { match, table, raw, rules, askBackend, waitFor } = given
  const { endpoint } = match
  // Field by field: a spread and more fields take an engine's slow path, a third of the time of a request.
  const asked: Answering = { match, table, raw, rules, askBackend, waitFor, endpoint, route, request }
  if (route.rateLimit) {
    const wait = rules.limits.countRequest(route, route.rateLimit, rules.isDryRun)
    if (wait > 0) {
      decision.failed = 'rate-limit'
      return refuseTooMany(asked, wait)
    }
  }
  const response = nextResponse(decision, route, rules)
  const chance = takeChance(asked, 'fails' in response ? response.fails : undefined)
  if (!chance) return respond(decision, asked, response)
  const answer = chance.fail
    ? failWith(decision, asked, response, chance)
    : respond(decision, asked, response)
  const seed = headerValue(`${rules.seed}; call=${chance.call}`)
  return (
    answer &&
    andThen(answer, (given) => ({
      ...given,
      response: withHeaders(given.response, { 'x-mock-seed': seed }),
    }))
  )
}

type OneResponse = ReturnType<typeof nextResponse>

/** Answers with what a failure says instead of the response, or with the response and its fault. */
function failWith(decision: Decision, asked: Answering, response: OneResponse, chance: Chance) {
  const { call, fail: { value, fault } = {}, isChaos } = chance
  const { route, raw, rules } = asked
  const name = isChaos ? undefined : route.name
  const details = { request: describeRequest(raw), name, call, seed: rules.seed }
  const reason = diagnoseRequest('fail-sent', isChaos ? {} : route.source, details)
  decision.failed = 'fail'
  if (isChaos) decision.by = 'override'
  if (value === undefined) {
    const answer = respond(decision, asked, response)
    return (
      answer && andThen(answer, (given) => ({ ...given, response: { ...given.response, fault }, reason }))
    )
  }
  return withValues(asked, () => {
    const made = makeResponse(value, givenFor(asked))
    const { status = 500, body = jsonIn(errorResponse(asked, status, reason)) } = made
    return { ...prepareReturned(asked, { ...made, body }), reason }
  })
}

function respond(
  decision: Decision,
  asked: Answering,
  response: OneResponse,
): Answer | Promise<Answer> | undefined {
  const { route, endpoint, raw, rules } = asked
  switch (response.kind) {
    case 'static':
      return { response: applyRange(response.prepared, raw) }
    case 'paged':
      if (!response.listFor) return pageOf(asked, response.list)
      return withValues(asked, () => pageOf(asked, response.listFor!(givenFor(asked))))
    case 'result':
      return resultFor(asked, response.definition)
    case 'collection':
      return answerCollection(asked, response)
    case 'values':
      return withValues(asked, () => {
        const write = route.write && writeBefore(asked, route.write, givenFor(asked))
        if (write?.problem !== undefined && !endpoint.graphql) return refuseWrite(asked, write)
        const errors: FormattedError[] = []
        const items = itemsFor(asked, write, errors)
        const made = makeResponse(response.value, { ...givenFor(asked), items })
        if (write?.problem !== undefined && errors.length === 0) errors.push(errorOf(write))
        const answer = prepareReturned(asked, withErrors(made, errors))
        return { ...answer, response: applyRange(answer.response, raw) }
      })
    case 'stream':
      return withValues(asked, () => {
        const { definition } = response
        const isMade = definition instanceof RequestValue
        return answerStream(asked, isMade ? makeResponse(definition, givenFor(asked)) : definition)
      })
    case 'function':
      return rules.isDryRun ? undefined : asked.waitFor(callFunction(decision, asked, response.respond))
    case 'backend':
      return rules.isDryRun ? undefined : askAndChange(asked, response.changesFor)
    case 'websocket':
      return { response: response.handshake }
    case 'broken':
      return failAsWanted(asked, 500, response.diagnostic) // it was logged when its fixture file was read
  }
}

/** Synchronous, so that the order of requests is the order of the turns. */
function nextResponse(decision: Decision, { response, source }: CompiledRoute, rules: Rules) {
  if (response.kind !== 'sequence') return response
  const { parts, repeats } = response
  const request = decision.request!
  // `source` stays the same object until its file is read again.
  const turn = takeTurn(rules, request, source, paramsKey(request))
  decision.step = repeats ? turn % parts.length : Math.min(turn, parts.length - 1)
  return parts[decision.step]!
}

const maxFileName = 200

/** An answer with values of the request, which may be too large. */
function withValues(asked: Answering, make: () => Answer): Answer {
  try {
    return make()
  } catch (error) {
    const { name, source } = asked.route
    const request = describeRequest(asked.raw)
    if (error instanceof NoSuchFile) {
      const details = { request, name, file: error.file.slice(0, maxFileName) }
      return explainError(asked, 404, diagnoseRequest('value-file-missing', source, details))
    }
    return error instanceof TooMuchFromRequest
      ? explainError(asked, 413, diagnoseRequest('value-too-large', source, { request, name }))
      : explainError(asked, 500, diagnoseRequest('body-not-json', source, { reason: reasonOf(error) }))
  }
}

export function givenFor({ rules, route, request }: Pick<Answering, 'rules' | 'route' | 'request'>) {
  const { state, limits, seed } = rules
  return givenBy(request, limits.now, () => {
    const turn = takeTurn(rules, request, state, `uuid ${route.id}`)
    return `${seed} ${clientOf(request.headers)} ${route.id} ${turn}`
  })
}

async function callFunction(decision: Decision, asked: Answering, respond: ResponseFunction) {
  try {
    const called = await callResponse(respond, asked.request, asked.rules.limits)
    const { then } = asked.route
    const returned = then && (called.status ?? 200) < 400 ? { then, ...called } : called
    if ('open' in returned) return openAnswer(asked, returned)
    if (returned.stream !== undefined) return streamOfFunction(asked, returned)
    return { diagnostic: findUnsentBody(asked.route, returned), ...prepareReturned(asked, returned) }
  } catch (error) {
    decision.failed = 'function'
    return functionFailed(asked, 'response', error)
  }
}

/** The answer with the stream of a function. An error after the head was sent breaks the connection. */
function streamOfFunction(asked: Answering, returned: FunctionResponse): Answer {
  const answer = answerStream(asked, returned)
  const { stream } = answer
  if (!stream) return answer
  if (Array.isArray(stream.events))
    return { ...answer, stream: { ...stream, events: stream.events.map(checkEvent) } }
  return { ...answer, stream: { ...stream, events: untilFailure(asked, stream.events, checkEvent) } }
}

async function* untilFailure<T>(
  asked: Answering,
  given: AsyncIterable<T> | Iterable<T>,
  toEvent: (one: T) => StreamEvent,
): AsyncGenerator<StreamEvent, void> {
  try {
    for await (const one of given) yield toEvent(one)
  } catch (error) {
    const { diagnostic } = functionFailed(asked, 'response', error)
    yield { fault: 'truncated', diagnostic }
  }
}

/** A body that is still made is sent as it comes. */
function openAnswer(asked: Answering, { open, ...head }: OpenResponse): Answer {
  const { route, raw } = asked
  const events = untilFailure(asked, piecesOf(open), (data) => ({ data }))
  const cancel = () => void open.reader.cancel().catch(() => {})
  return {
    response: withoutHeader(prepareResponse(head, route.name, route.textType), 'content-length'),
    stream: { events, end: 'complete', on: [], framing: bytesFraming, raw, cancel },
  }
}

function prepareReturned(asked: Answering, response: Omit<FunctionResponse, 'stream'>): Answer {
  const { endpoint, route } = asked
  const { graphql } = endpoint
  const prepared = prepareResponse(response, route.name, route.textType)
  const body = resultToFit(graphql, route.shape, response.body, prepared)
  if (body) return resultFor(asked, { ...response, body })
  const [diagnostic] = graphql ? findUnreadable(route, [successIn(prepared)]) : []
  return { response: prepared, ...(diagnostic && { diagnostic }) }
}

async function askAndChange(asked: Answering, changesFor: (given: ValueSource) => AnswerChanges) {
  const answer = await asked.askBackend(undefined)
  return withValues(asked, () => changeAnswer(changesFor(givenFor(asked)), answer, asked))
}

function pageOf(asked: Answering, list: PagedList): Answer {
  try {
    return answerPage(asked, list, (page) => fitPage(asked, list, page))
  } catch (error) {
    const reason = (error as Error).message
    return explainError(asked, 500, diagnoseRequest('body-not-json', asked.route.source, { reason }))
  }
}

/** A connection is part of an operation's result, which is adapted as a whole. */
function fitPage(asked: Answering, list: PagedList, page: PreparedResponse): Answer {
  const { endpoint, request, route } = asked
  // Without an operation, nothing cuts the whole list to the page.
  const isCut = request.graphql?.operation && isFitted(endpoint.graphql, route.shape)
  const body = resultToFit(endpoint.graphql, route.shape, isCut ? list.result : undefined, page)
  return body ? resultFor(asked, { ...list.response, body }) : { response: page }
}

/** An override with the id of a route that no longer exists is ignored. */
function forcedRoute({ overrides }: MockState, endpoint: Endpoint, { headers }: RawRequest) {
  if (!overrides.isOn) return undefined
  const id = overrides.routeFor(clientOf(headers), `${endpoint.method} ${endpoint.path}`)
  return id === undefined ? undefined : endpoint.routes.find((route) => route.id === id)
}
