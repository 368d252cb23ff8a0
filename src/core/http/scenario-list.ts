/** The names in a comma-separated list. Each, or the whole, may be percent-encoded: headers and cookies are ASCII. */
export function readScenarioNames(text: string): string[] {
  const names = text.split(',').flatMap((part) => decode(part.trim()).split(','))
  return [...new Set(names.map((name) => name.trim()))].filter((name) => name !== '')
}

/** The names as the value of a cookie or a header: with nothing in it that could end the value. */
export function writeScenarioNames(names: readonly string[]): string {
  return names.map(encodeURIComponent).join(',')
}

/** The text as it is if it is not percent-encoded: a name may contain `%`. */
function decode(text: string): string {
  try {
    return text.includes('%') ? decodeURIComponent(text) : text
  } catch {
    return text
  }
}
