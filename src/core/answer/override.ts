import { clientOf } from '../http/client.ts'
import type { RawRequest } from '../http/raw-request.ts'
import { prepareResponse } from '../response/prepare-response.ts'
import type { MockState } from '../state/mock-state.ts'
import type { Forced, OverrideFault } from '../state/overrides.ts'
import type { CompiledRoute, Endpoint } from '../table/route-table.ts'
import { withPart } from './later-part.ts'
import { continueWith, type Answered, type Outcome } from './outcome.ts'
import type { Running } from './running.ts'

/** Faults that happen before a byte of the answer is sent, so that no route has to answer. */
const bodiless: readonly OverrideFault[] = ['reset', 'empty', 'silent']

/** What the overrides do to a request; `undefined` while nothing is switched on. */
export function takeOverride(
  state: MockState,
  { method, path }: Endpoint,
  { headers }: RawRequest,
): Forced | undefined {
  return state.overrides.isOn ? state.takeOverride(clientOf(headers), `${method} ${path}`) : undefined
}

/** The outcome of a request that is made to fail, or of its route. */
export function failOrAnswer(
  { failure }: Forced,
  endpoint: Endpoint,
  raw: RawRequest,
  { explanations }: Pick<Running, 'explanations'>,
  answer: () => Outcome | Promise<Outcome>,
): Outcome | Promise<Outcome> {
  if (!failure) return answer()
  if ('status' in failure) {
    const { status } = failure
    return withPart(explanations, ({ failByOverride }) =>
      overridden({ kind: 'answered', response: failByOverride(status, endpoint, raw) }),
    )
  }
  const { fault } = failure
  if (bodiless.includes(fault)) {
    return overridden({ kind: 'answered', response: prepareResponse({ status: 503, fault }) })
  }
  const withFault = (outcome: Outcome): Outcome =>
    outcome.kind === 'answered'
      ? overridden({ ...outcome, response: { ...outcome.response, fault } })
      : outcome
  return continueWith(answer(), withFault, undefined)
}

function overridden(outcome: Answered): Answered {
  return { ...outcome, isOverridden: true }
}

/** The route that overrides choose for an endpoint. An id whose route no longer exists is ignored. */
export function forcedRoute(
  { overrides }: MockState,
  endpoint: Endpoint,
  { headers }: RawRequest,
): CompiledRoute | undefined {
  if (!overrides.isOn) return undefined
  const id = overrides.routeFor(clientOf(headers), `${endpoint.method} ${endpoint.path}`)
  return id === undefined ? undefined : routeWithId(endpoint, id)
}

/** The route with an id such as `GET /items #2`: its number counts the routes of the endpoint from 1. */
export function routeWithId({ method, path, routes }: Endpoint, id: string): CompiledRoute | undefined {
  const prefix = `${method} ${path} #`
  return id.startsWith(prefix) ? routes[Number(id.slice(prefix.length)) - 1] : undefined
}
