import { clientOf } from '../http/client.ts'
import { waitOf } from '../response/delay.ts'
import { prepareResponse, type PreparedResponse } from '../response/prepare-response.ts'
import { answeredOf, subjectOf } from '../sad-path/answered.ts'
import { requestName, requestOfId, type SadChange, type Subject } from '../sad-path/sad-path.ts'
import { findSadPath } from '../sad-path/sad-paths-of.ts'
import { changeAnswer } from './change-answer.ts'
import type { Asked, BackendAnswer, Decision } from './decision.ts'
import { reasonOfOverride } from './error-response.ts'

/** The answer of a route goes wrong as an override says. An answer that does not have the place is sent as it is. */
export function forceSadPath(decision: Decision, asked: Asked): Decision {
  const { rules, table } = asked
  const { overrides } = rules.state
  const { match, raw, request, route, response } = decision
  if (!overrides.isOn || decision.by !== 'route' || !request || !route || !response) return decision
  const client = clientOf(raw.headers)
  const own = overrides.get(client)
  const { sadPath: id } = own
  const { endpoint } = match
  const subject = id === undefined ? undefined : subjectIn(id, subjectOf(endpoint, request))
  if (id === undefined || !subject) return decision
  const change = findSadPath({ ...answeredOf(endpoint, request, response, table), subject }, id)?.change
  if (!change) return decision
  if (change.isAlternating) {
    const { state, isDryRun } = rules
    const turn = isDryRun ? state.nextTurn(own, id, client) : state.takeTurn(own, id, client)
    if (turn % 2 === 1) return decision
  }
  const changed = changeBy(change, response, { endpoint, route, request })
  const delay = waitOf(response.delay, raw) + (change.delay ?? 0)
  decision.by = 'override'
  decision.reason = reasonOfOverride(raw, `the sad path "${id}"`)
  decision.response = { ...changed, delay, fault: change.fault ?? response.fault }
  return decision
}

/** Without the name of an operation, every operation of the endpoint is meant. */
function subjectIn(id: string, { operationName, ...endpoint }: Subject): Subject | undefined {
  const asked = requestOfId(id)
  return [{ ...endpoint, operationName }, endpoint].find((subject) => requestName(subject) === asked)
}

function changeBy(
  { status, headers = {}, patch = [], errors = [], ...others }: SadChange,
  response: PreparedResponse,
  asked: Parameters<typeof changeAnswer>[2],
): PreparedResponse {
  if ('body' in others)
    return prepareResponse(
      { status: status ?? response.status, headers, body: others.body },
      asked.route.name,
    )
  if (patch.length + errors.length === 0) return response
  return changeAnswer({ status, headers, patch, errors }, asAnswer(response), asked).response
}

function asAnswer({ status, headers: list, body }: PreparedResponse): BackendAnswer {
  const headers: Record<string, string> = {}
  for (let i = 0; i < list.length; i += 2) headers[list[i]!.toLowerCase()] = list[i + 1]!
  return {
    kind: 'complete',
    status,
    headers,
    body: typeof body === 'string' ? new TextEncoder().encode(body) : body,
  }
}
