import { clientOf } from '../http/client.ts'
import type { Headers } from '../http/raw-request.ts'
import { namedScenarios } from '../http/scenario-names.ts'
import type { MockState } from './mock-state.ts'

/**
 * The scenarios that are active for a request, from the first of these that says so: the header `x-mock-scenario`, the
 * cookie `mock-scenario`, what is set for the client, what is set for everyone.
 */
export function activeScenarios(state: MockState, headers: Headers): readonly string[] {
  return namedScenarios(headers)?.names ?? state.scenariosOf(clientOf(headers))
}
