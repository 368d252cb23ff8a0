import { percentDecoded } from './path.ts'

/** Each name, or the whole list, may be percent-encoded, since headers and cookies are ASCII. */
export function readScenarioNames(text: string): string[] {
  const names = text.split(',').flatMap((part) => percentDecoded(part.trim()).split(','))
  return [...new Set(names.map((name) => name.trim()))].filter((name) => name !== '')
}

/**
 * Makes a browser name scenarios in all of its requests until it is closed; without a name, it forgets the cookie. The
 * names are encoded, so that nothing in them can end the value.
 */
export function scenarioCookie(names: readonly string[]): string {
  const value = names.map((name) => encodeURIComponent(name)).join(',')
  return `mock-scenario=${value}; Path=/; SameSite=Lax${value === '' ? '; Max-Age=0' : ''}`
}
