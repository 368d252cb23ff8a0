import { clientOf } from '../http/whose-state.ts'
import { defaultGraphQL } from '../graphql/settings.ts'
import { waitOf } from '../response/delay.ts'
import {
  headerPairs,
  headerRecord,
  prepareResponse,
  type PreparedResponse,
} from '../response/prepare-response.ts'
import { answeredOf, subjectOf } from '../sad-path/answered.ts'
import { matchBackend } from '../sad-path/backend-endpoint.ts'
import { isSadPathOf, requestName, requestOfId, type SadChange, type Subject } from '../sad-path/sad-path.ts'
import { findSadPath } from '../sad-path/sad-paths-of.ts'
import type { CompiledRoute } from '../table/route-table.ts'
import { changeAnswer } from './change-answer.ts'
import type { Asked, BackendAnswer, Decision } from './decision.ts'
import { reasonOfOverride } from './error-response.ts'

/** The answer of a route goes wrong as an override says. An answer that does not have the place is sent as it is. */
export function forceSadPath(decision: Decision, { rules, table }: Asked): Decision {
  const { state, isDryRun } = rules
  const { match, raw, request, route, response } = decision
  if (!state.overrides.isOn || decision.by !== 'route' || !request || !route || !response) return decision
  const client = clientOf(raw.headers)
  const overrides = state.overrides.get(client)
  const { sadPath: id } = overrides
  const { endpoint } = match
  const subject = id === undefined ? undefined : subjectIn(id, subjectOf(endpoint, request))
  if (id === undefined || !subject) return decision
  const itemBefore = state.lastItems.get(overrides)
  const answered = { ...answeredOf(endpoint, request, response, table), subject, itemBefore }
  const { change, lastItem } = findSadPath(answered, id) ?? {}
  if (!isDryRun) state.lastItems.set(overrides, lastItem)
  if (!change) return decision
  if (change.isAlternating) {
    const turn = isDryRun ? state.nextTurn(overrides, id, client) : state.takeTurn(overrides, id, client)
    if (turn % 2 === 1) return decision
  }
  if (!isDryRun) state.seeSadPath(id, client)
  decision.by = 'override'
  decision.reason = reasonOfOverride(raw, `the sad path "${id}"`)
  decision.stream = undefined
  decision.response = breakAnswer(change, response, { endpoint, route, request })
  return decision
}

/** The route of a request to the backend whose answer has to go wrong; any other is passed on. */
export function backendRoute({ match: { endpoint }, raw, rules }: Asked): CompiledRoute | undefined {
  const { overrides } = rules.state
  if (!overrides.isOn || rules.unmatched !== 'passthrough') return undefined
  const { sadPath } = overrides.get(clientOf(raw.headers))
  if (sadPath === undefined || !isSadPathOf(sadPath, endpoint)) return undefined
  const { graphql = defaultGraphQL } = endpoint
  return matchBackend({ graphql, bases: rules.bases }, raw.method, raw.url).endpoint.routes[0]
}

/** Without the name of an operation, every operation of the endpoint is meant. */
function subjectIn(id: string, { operationName, ...endpoint }: Subject): Subject | undefined {
  const asked = requestOfId(id)
  return [{ ...endpoint, operationName }, endpoint].find((subject) => requestName(subject) === asked)
}

export function breakAnswer(
  change: SadChange,
  response: PreparedResponse,
  asked: Parameters<typeof changeAnswer>[2],
): PreparedResponse {
  const { status, headers = {}, patch = [], errors = [] } = change
  const changed =
    'body' in change
      ? prepareResponse({ status: status ?? response.status, headers, body: change.body }, asked.route.name)
      : patch.length + errors.length > 0
        ? changeAnswer({ status, headers, patch, errors }, asAnswer(response), asked).response
        : response
  const delay = waitOf(response.delay, asked.request.raw) + (change.delay ?? 0)
  return { ...changed, delay, fault: change.fault ?? response.fault }
}

function asAnswer(response: PreparedResponse): BackendAnswer {
  const { status, body } = response
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  return { kind: 'complete', status, headers: headerRecord(headerPairs(response)), body: bytes }
}
