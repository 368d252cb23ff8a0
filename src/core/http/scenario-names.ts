import { cookieValue } from './cookie-value.ts'
import { headerText, type Headers } from './raw-request.ts'

/** Where a request, or the page that it opens, names scenarios, as messages call it. */
export type NamedIn = 'header "x-mock-scenario"' | 'cookie "mock-scenario"' | 'parameter "mock-scenario"'

/** The scenarios that a request names itself. An empty list means that it wants none. */
export interface NamedScenarios {
  names: readonly string[]
  place: NamedIn
}

/** The names in a comma-separated list. Each, or the whole, may be percent-encoded: headers and cookies are ASCII. */
export function readScenarioNames(text: string): string[] {
  const names = text.split(',').flatMap((part) => decode(part.trim()).split(','))
  return [...new Set(names.map((name) => name.trim()))].filter((name) => name !== '')
}

/** The names as the value of a cookie or a header: with nothing in it that could end the value. */
export function writeScenarioNames(names: readonly string[]): string {
  return names.map(encodeURIComponent).join(',')
}

/** The scenarios that a request names: in the header `x-mock-scenario`, else in the cookie `mock-scenario`. */
export function namedScenarios(headers: Headers): NamedScenarios | undefined {
  const header = headerText(headers, 'x-mock-scenario')
  if (header !== undefined) return { names: readScenarioNames(header), place: 'header "x-mock-scenario"' }
  const cookie = cookieValue(headers, 'mock-scenario')
  if (cookie === undefined) return undefined
  return { names: readScenarioNames(cookie), place: 'cookie "mock-scenario"' }
}

/** The text as it is if it is not percent-encoded: a name may contain `%`. */
function decode(text: string): string {
  try {
    return text.includes('%') ? decodeURIComponent(text) : text
  } catch {
    return text
  }
}
