import { NoSuchFile, RequestValue } from '../request-values/compile-values.ts'
import { diagnoseGraphQL } from '../diagnostics/graphql-texts.ts'
import { diagnoseRequest } from '../diagnostics/request-texts.ts'
import { hasUnreadableErrors, keysOfNoResult, resultToFit, successIn } from '../graphql/result.ts'
import { clientOf } from '../http/client.ts'
import { isNavigation, type RawRequest } from '../http/raw-request.ts'
import type { PagedList } from '../paginate/paginate.ts'
import { describeRequest } from '../request/redact.ts'
import { ParsedRequest } from '../request/parsed-request.ts'
import { givenBy, makeResponse } from '../request-values/make-response.ts'
import { type Given, TooMuchFromRequest } from '../request-values/read-value.ts'
import { applyRange } from '../response/byte-range.ts'
import { prepareResponse, type PreparedResponse } from '../response/prepare-response.ts'
import { anyMethod, type FunctionResponse, type ResponseFunction } from '../schema/schema.ts'
import type { StreamEvent } from '../stream/event.ts'
import type { MockState } from '../state/mock-state.ts'
import { selectRoute } from '../table/match.ts'
import { PredicateError } from '../table/route-index.ts'
import type { AnswerChanges, CompiledRoute, Endpoint } from '../table/route-table.ts'
import { reasonOf } from '../values/thrown.ts'
import type { FormattedError } from '../graphql/formatted-error.ts'
import { answerCollection, refuseWrite } from './collections/answer-collection.ts'
import { changeAnswer } from './change-answer.ts'
import { callResponse, findUnsentBody } from './call-function.ts'
import { answerStream, checkEvent, checkEvents } from './answer-stream.ts'
import type { Answer, Asked, Decision } from './decision.ts'
import { errorResponse, explainError, functionFailed, refusePage, refuseTooMany } from './error-response.ts'
import { explainUnmatched } from './explain-unmatched.ts'
import { backendRoute } from './force-sad-path.ts'
import { resultFor } from './fit-to-operation.ts'
import { errorOf, itemsFor, withErrors, writeBefore } from './collections/item-values.ts'
import { collectionsForFunctions } from './collections/open-collections.ts'
import { needsQueryText, persistedQueryNotFound } from './persisted-query.ts'
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
    const answer = functionFailed(asked, request, route, 'predicate', cause)
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
export function answerOf(decision: Decision, asked: Asked): Answer | Promise<Answer> | undefined {
  const { route, request, by, response: given } = decision
  if (!route || !request || by !== 'route' || given) return undefined
  const { match, raw, rules } = asked
  const { endpoint } = match
  if (route.rateLimit) {
    const wait = rules.limits.countRequest(route, route.rateLimit, rules.isDryRun)
    if (wait > 0) {
      decision.failed = 'rate-limit'
      return refuseTooMany(endpoint, raw, route, wait)
    }
  }
  const response = nextResponse(decision, route, rules)
  switch (response.kind) {
    case 'static':
      return { response: applyRange(response.prepared, raw) }
    case 'paged':
      if (!response.listFor) return pageOf(route, response.list, request, endpoint)
      return withValues(asked, route, () =>
        pageOf(route, response.listFor!(givenFor(asked, route, request)), request, endpoint),
      )
    case 'result':
      return resultFor(endpoint.graphql!, route, response.definition, request)
    case 'collection':
      return answerCollection(asked, route, response, request)
    case 'values':
      return withValues(asked, route, () => {
        const write = route.write && writeBefore(asked, route.write, givenFor(asked, route, request))
        if (write?.problem !== undefined && !endpoint.graphql) return refuseWrite(asked, route, write)
        const errors: FormattedError[] = []
        const items = itemsFor(asked, request, route, write, errors)
        const made = makeResponse(response.value, { ...givenFor(asked, route, request), items })
        if (write?.problem !== undefined && errors.length === 0) errors.push(errorOf(write))
        const answer = prepareReturned(endpoint, route, withErrors(made, errors), request)
        return { ...answer, response: applyRange(answer.response, raw) }
      })
    case 'stream':
      return withValues(asked, route, () => {
        const { definition } = response
        const made =
          definition instanceof RequestValue
            ? makeResponse(definition, givenFor(asked, route, request))
            : definition
        return answerStream(endpoint, route, made, request)
      })
    case 'function':
      return rules.isDryRun
        ? undefined
        : asked.waitFor(callFunction(decision, route, response.respond, request, asked))
    case 'backend':
      return rules.isDryRun ? undefined : askAndChange(asked, route, response.changesFor, request)
    case 'websocket':
      return { response: response.handshake }
    case 'broken':
      // It was logged when its fixture file was read.
      return {
        response: errorResponse(500, response.diagnostic, endpoint, raw),
        reason: response.diagnostic,
      }
  }
}

/** `HEAD` takes no turn. Synchronous, so that the order of requests is the order of the turns. */
function nextResponse(decision: Decision, { response, source }: CompiledRoute, { state, isDryRun }: Rules) {
  if (response.kind !== 'sequence') return response
  const { parts, repeats } = response
  const { params, method, headers } = decision.request!
  const client = clientOf(headers)
  const key = Object.keys(params).length === 0 ? '' : JSON.stringify(params)
  // `source` stays the same object until its file is read again.
  const isPeek = isDryRun || method === 'HEAD'
  const turn = isPeek ? state.nextTurn(source, key, client) : state.takeTurn(source, key, client)
  decision.step = repeats ? turn % parts.length : Math.min(turn, parts.length - 1)
  return parts[decision.step]!
}

/** Characters of the name of a file in a message. */
const maxFileName = 200

/** The answer of a route with values of the request, which may be too large. */
function withValues(
  { match: { endpoint }, raw }: Asked,
  { name, source }: CompiledRoute,
  make: () => Answer,
): Answer {
  try {
    return make()
  } catch (error) {
    const request = describeRequest(raw)
    if (error instanceof NoSuchFile) {
      const details = { request, name, file: error.file.slice(0, maxFileName) }
      return explainError(404, diagnoseRequest('value-file-missing', source, details), endpoint, raw)
    }
    return error instanceof TooMuchFromRequest
      ? explainError(413, diagnoseRequest('value-too-large', source, { request, name }), endpoint, raw)
      : explainError(
          500,
          diagnoseRequest('body-not-json', source, { reason: reasonOf(error) }),
          endpoint,
          raw,
        )
  }
}

/** What values of the request are made from. */
export function givenFor(
  { rules, raw }: Pick<Asked, 'rules' | 'raw'>,
  { id }: CompiledRoute,
  request: ParsedRequest,
): Given {
  const { state, limits, seed, isDryRun } = rules
  return givenBy(request, limits.now, () => {
    const client = clientOf(raw.headers)
    const isPeek = isDryRun || raw.method === 'HEAD'
    const key = `uuid ${id}`
    const turn = isPeek ? state.nextTurn(state, key, client) : state.takeTurn(state, key, client)
    return `${seed} ${client} ${id} ${turn}`
  })
}

async function callFunction(
  decision: Decision,
  route: CompiledRoute,
  respond: ResponseFunction,
  request: ParsedRequest,
  asked: Asked,
): Promise<Answer> {
  try {
    const returned = await callResponse(respond, request, asked.rules.limits)
    if (returned.stream !== undefined) return streamOfFunction(asked, route, returned, request)
    const answer = prepareReturned(asked.match.endpoint, route, returned, request)
    return { diagnostic: findUnsentBody(route, returned), ...answer }
  } catch (error) {
    decision.failed = 'function'
    return functionFailed(asked, request, route, 'response', error)
  }
}

/** What fails after the head was sent breaks the connection. */
function streamOfFunction(
  asked: Asked,
  route: CompiledRoute,
  returned: FunctionResponse,
  request: ParsedRequest,
): Answer {
  const answer = answerStream(asked.match.endpoint, route, returned, request)
  const { stream } = answer
  if (!stream) return answer
  if (Array.isArray(stream.events))
    return { ...answer, stream: { ...stream, events: stream.events.map(checkEvent) } }
  const events = async function* (): AsyncGenerator<StreamEvent, void> {
    try {
      yield* checkEvents(stream.events)
    } catch (error) {
      const { diagnostic } = functionFailed(asked, request, route, 'response', error)
      yield { fault: 'truncated', diagnostic }
    }
  }
  return { ...answer, stream: { ...stream, events: events() } }
}

function prepareReturned(
  { graphql }: Endpoint,
  route: CompiledRoute,
  response: Omit<FunctionResponse, 'stream'>,
  request: ParsedRequest,
): Answer {
  const prepared = prepareResponse(response, route.name, route.textType)
  const body = resultToFit(graphql, route.shape, response.body, prepared)
  if (body) return resultFor(graphql!, route, { ...response, body }, request)
  const { name, source } = route
  const sent = graphql && successIn(prepared)
  const keys = keysOfNoResult(sent)
  if (keys.length > 0)
    return { response: prepared, diagnostic: diagnoseGraphQL('graphql-data-missing', source, { name, keys }) }
  if (!hasUnreadableErrors(sent)) return { response: prepared }
  return { response: prepared, diagnostic: diagnoseGraphQL('graphql-errors-unreadable', source, { name }) }
}

async function askAndChange(
  asked: Asked,
  route: CompiledRoute,
  changesFor: (given: Given) => AnswerChanges,
  request: ParsedRequest,
): Promise<Answer> {
  const { endpoint } = asked.match
  const answer = await asked.askBackend(undefined)
  return withValues(asked, route, () => {
    const changes = changesFor(givenFor(asked, route, request))
    return changeAnswer(changes, answer, { endpoint, route, request })
  })
}

function pageOf(route: CompiledRoute, list: PagedList, request: ParsedRequest, endpoint: Endpoint): Answer {
  const { name, source } = route
  try {
    const page = list.pageFor(request)
    if ('refused' in page) return refusePage(endpoint, request.raw, route, page.refused)
    const fitted = fitPage(route, list, page.response, request, endpoint)
    if (!page.notice) return fitted
    const diagnostic = diagnoseRequest('page-not-selected', source, { name, ...page.notice })
    return { response: fitted.response, diagnostic }
  } catch (error) {
    const diagnostic = diagnoseRequest('body-not-json', source, { reason: (error as Error).message })
    return explainError(500, diagnostic, endpoint, request.raw)
  }
}

/** A connection is part of an operation's result, which is adapted as a whole. */
function fitPage(
  route: CompiledRoute,
  list: PagedList,
  page: PreparedResponse,
  request: ParsedRequest,
  { graphql }: Endpoint,
): Answer {
  // Without an operation, nothing cuts the whole list to the page.
  const isCut = request.graphql?.operation && ((route.shape ?? graphql?.shape) || graphql?.checker?.hasSchema)
  const body = resultToFit(graphql, route.shape, isCut ? list.result : undefined, page)
  return body ? resultFor(graphql!, route, { ...list.response, body }, request) : { response: page }
}

/** An override with the id of a route that no longer exists is ignored. */
export function forcedRoute(
  { overrides }: MockState,
  endpoint: Endpoint,
  { headers }: RawRequest,
): CompiledRoute | undefined {
  if (!overrides.isOn) return undefined
  const id = overrides.routeFor(clientOf(headers), `${endpoint.method} ${endpoint.path}`)
  return id === undefined ? undefined : endpoint.routes.find((route) => route.id === id)
}
