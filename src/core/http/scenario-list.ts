import { percentDecoded } from './path.ts'

/** The names in a comma-separated list. Each, or the whole, may be percent-encoded: headers and cookies are ASCII. */
export function readScenarioNames(text: string): string[] {
  const names = text.split(',').flatMap((part) => percentDecoded(part.trim()).split(','))
  return [...new Set(names.map((name) => name.trim()))].filter((name) => name !== '')
}

/**
 * The header `set-cookie` that makes a browser name scenarios in all of its requests until it is closed. Without a name,
 * it makes the browser forget the cookie. The names are encoded, so that nothing in them can end the value.
 */
export function scenarioCookie(names: readonly string[]): string {
  const value = names.map((name) => encodeURIComponent(name)).join(',')
  return `mock-scenario=${value}; Path=/; SameSite=Lax${value === '' ? '; Max-Age=0' : ''}`
}
