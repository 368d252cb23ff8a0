import { headerText, type Headers } from './raw-request.ts'

/**
 * Whether a request comes from the address bar of a browser: it names HTML, and would rather have it than JSON. A
 * client that takes anything is no browser.
 */
export function isNavigation(method: string, headers: Headers): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  let html = 0
  let json = 0
  let anything = 0
  for (const range of (headerText(headers, 'accept') ?? '').toLowerCase().split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim())
    const quality = readQuality(parameters)
    if (type === 'text/html' || type === 'application/xhtml+xml') html = Math.max(html, quality)
    else if (type === 'application/json' || type.endsWith('+json')) json = Math.max(json, quality)
    else if (type === '*/*' || type === 'application/*') anything = Math.max(anything, quality)
  }
  return html > json && html >= anything
}

/** @see https://www.rfc-editor.org/rfc/rfc9110#section-12.4.2 */
function readQuality(parameters: readonly string[]): number {
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
  if (weight === undefined) return 1
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight) : 0
}
