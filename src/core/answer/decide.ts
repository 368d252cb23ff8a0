import { loadGraphQL } from '../graphql/later.ts'
import { parseBody, type ReceivedBody } from '../http/body.ts'
import { clientOf } from '../http/whose-state.ts'
import { isNavigation, type RawRequest } from '../http/raw-request.ts'
import { ParsedRequest } from '../request/parsed-request.ts'
import { waitOf } from '../response/delay.ts'
import { prepareResponse, withHeaders, withoutHeader } from '../response/prepare-response.ts'
import type { OverrideEffect } from '../state/overrides.ts'
import type { EndpointMatch } from '../table/match.ts'
import { andThen } from '../values/values.ts'
import { answerOf, failOrRefuse, selectFor, withAnswer } from './by-route.ts'
import type { Asked, Decision } from './decision.ts'
import { forceSadPath } from './force-sad-path.ts'
import { failAsWanted, reasonOfOverride, refuseBody, refuseUnreadable } from './error-response.ts'

/*
 * The decision about a request for an endpoint, once its body has been read as far as it is needed:
 *
 *   decide      overrides, then the routes; who answers if none does
 *   selectFor   the route, and why that one (by-route.ts)
 *   answerOf    the route's answer (by-route.ts)
 */

/** A promise only for a function, the backend and the first operation of GraphQL. `body` is `undefined` where no route needs it. */
export function decide(asked: Asked, body?: ReceivedBody): Decision | Promise<Decision> {
  const { match, raw, rules } = asked
  const { endpoint } = match
  if (body && body.kind !== 'complete')
    return finish(failOrRefuse(asked, refuseUnreadable(asked, body)), asked)
  raw.body = body?.bytes
  const { overrides } = rules.state
  const override = overrides.isOn
    ? overrides.take(clientOf(raw.headers), `${endpoint.method} ${endpoint.path}`, rules.isDryRun)
    : undefined
  const failed = override?.failure && failAtOnce(asked, override.failure)
  const decided = failed ?? (endpoint.graphql ? handleOperation(asked) : decidePlain(asked))
  return andThen(decided, (decision) =>
    finish(override ? answerAsAsked(decision, asked) : decision, asked, override),
  )
}

let handleOperation: typeof decide = async (asked) => {
  const [{ handleGraphQL }] = await Promise.all([import('./operations/handle-graphql.ts'), loadGraphQL()])
  return handleOperationsBy(handleGraphQL)(asked)
}

/** Gives at once what is loaded with the first operation otherwise: a service worker can't import later. */
export function handleOperationsBy(handle: typeof decide): typeof decide {
  return (handleOperation = handle)
}

/** The next answer of an endpoint may be one that somebody has written for it. */
function answerAsAsked(decision: Decision, { match, raw, rules }: Asked): Decision {
  const { by, request } = decision
  if (by !== 'route' && by !== 'nothing') return decision
  const { state, isDryRun } = rules
  const endpoint = `${match.endpoint.method} ${match.endpoint.path}`
  const answer = state.overrides.takeAnswer(clientOf(raw.headers), endpoint, request?.operationName, isDryRun)
  return answer
    ? { by: 'override', match, raw, request, response: prepareResponse(answer), wait: 0 }
    : decision
}

function finish(decision: Decision, { raw, rules }: Asked, override?: OverrideEffect): Decision {
  const fault = override?.failure && 'fault' in override.failure ? override.failure.fault : undefined
  if (fault !== undefined && decision.response) {
    decision.by = 'override'
    decision.response = { ...decision.response, fault }
    decision.reason = reasonOfOverride(raw, `the fault ${fault}`)
  }
  if (decision.explain) {
    const { unmatched, navigation } = rules
    if (unmatched === 'passthrough' || (navigation === 'passthrough' && isNavigation(raw.method, raw)))
      return { ...decision, by: 'passed-on' }
    Object.assign(decision, decision.explain())
  }
  const { response } = decision
  if (!response) return decision
  decision.wait = waitOf(response.delay, raw) + (override?.delay ?? 0)
  if (!rules.routeHeader) decision.response = withoutHeader(response, 'x-mock-route')
  if (raw.method === 'HEAD' && response.headLength !== undefined)
    decision.response = withHeaders(decision.response!, {
      'content-length': response.headLength || undefined,
    })
  return decision
}

function decidePlain(asked: Asked): Decision | Promise<Decision> {
  const request = readPlainRequest(asked.match, asked.raw)
  if (typeof request === 'string') return failOrRefuse(asked, refuseBody(asked, request))
  const decision = selectFor(asked, request)
  return andThen(answerOf(decision, asked), (answer) =>
    forceSadPath(withAnswer(decision, answer, asked), asked),
  )
}

export function readPlainRequest({ endpoint, params }: EndpointMatch, raw: RawRequest) {
  if (!endpoint.needsBody) return new ParsedRequest(raw, params, undefined)
  const body = parseBody(raw)
  if (body.malformed !== undefined) return body.malformed
  return new ParsedRequest(raw, params, body.value, undefined, body.isForm)
}

/** `undefined` for a fault that needs a body, and so a route. */
function failAtOnce({ match, raw }: Asked, failure: NonNullable<OverrideEffect['failure']>) {
  const decision: Decision = { by: 'override', match, raw, wait: 0 }
  if ('status' in failure) {
    const { status } = failure
    const asked = { endpoint: match.endpoint, raw }
    return { ...decision, ...failAsWanted(asked, status, reasonOfOverride(raw, String(status))) }
  }
  const { fault } = failure
  const isBeforeHead = fault === 'reset' || fault === 'empty' || fault === 'silent'
  return isBeforeHead ? { ...decision, response: prepareResponse({ status: 503, fault }) } : undefined
}
