import { clientOf } from '../http/whose-state.ts'
import type { PreparedResponse } from '../response/prepare-response.ts'
import type { MockState } from '../state/mock-state.ts'
import type { Decision } from './decision.ts'

/** Changes the scenarios of the client as the answer of its route says, or those of the batch, unless none of it is sent. */
export function changeScenarios(decision: Decision, state: MockState): void {
  if (!decision.response || sendsNothing(decision.response)) return
  for (const { by, route, response, raw } of decision.batch ?? [decision]) {
    const scenario = response?.then?.scenario
    if (by !== 'route' || !route || !scenario || raw.method === 'HEAD') continue
    state.changeScenarios(scenario, clientOf(raw.headers), route.id)
  }
}

/** Names of the scenarios that the answer changes. */
export function changedScenarios(decision: Decision): string[] {
  return (decision.batch ?? [decision]).flatMap(({ response }) =>
    Object.values(response?.then?.scenario ?? {}).flatMap((names) => names as string | string[]),
  )
}

function sendsNothing({ fault }: PreparedResponse): boolean {
  return fault === 'reset' || fault === 'empty' || fault === 'silent'
}
