import { percentDecoded } from './path.ts'

/** Each name, or the whole list, may be percent-encoded, since headers and cookies are ASCII. */
export function readScenarioNames(text: string): string[] {
  const names = text.split(',').flatMap((part) => percentDecoded(part.trim()).split(','))
  return [...new Set(names.map((name) => name.trim()))].filter((name) => name !== '')
}

/**
 * Lasts until the browser is closed; without a name, the cookie is removed. Encoding keeps names from ending the value.
 */
export function scenarioCookie(names: readonly string[]): string {
  const value = names.map((name) => encodeURIComponent(name)).join(',')
  return `mock-scenario=${value}; Path=/; SameSite=Lax${value === '' ? '; Max-Age=0' : ''}`
}
