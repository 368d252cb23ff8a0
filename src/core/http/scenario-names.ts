import { cookieValue } from './cookie-value.ts'
import { headerText, type Headers } from './raw-request.ts'
import { readScenarioNames } from './scenario-list.ts'

/** Where a request, or the page that it opens, names scenarios, as messages call it. */
export type NamedIn = 'header "x-mock-scenario"' | 'cookie "mock-scenario"' | 'parameter "mock-scenario"'

/** The scenarios that a request names itself. An empty list means that it wants none. */
export interface NamedScenarios {
  names: readonly string[]
  place: NamedIn
}

/** The scenarios that a request names: in the header `x-mock-scenario`, else in the cookie `mock-scenario`. */
export function namedScenarios(headers: Headers): NamedScenarios | undefined {
  const header = headerText(headers, 'x-mock-scenario')
  if (header !== undefined) return { names: readScenarioNames(header), place: 'header "x-mock-scenario"' }
  const cookie = cookieValue(headers, 'mock-scenario')
  if (cookie === undefined) return undefined
  return { names: readScenarioNames(cookie), place: 'cookie "mock-scenario"' }
}
