import { canonicalPath } from '../core/http/path.ts'
import { findPathProblem } from '../core/http/path-problem.ts'
import { splitOrigin } from '../core/http/route-url.ts'
import { holdsSecret, redactUrl } from '../core/redact/redact.ts'
import type { PathParameter } from './exchange/exchange.ts'

export interface EndpointPath {
  template: string
  /** Percent-decoded; `undefined` for a credential. */
  params: Record<string, string | undefined>
}

const ids = [
  /^\d+$/,
  /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i, // UUIDs
  /^(?=.*\d)(?:[\da-f]{12,}|[\dA-HJKMNP-TV-Z]{26})$/, // ObjectIds, hashes, and ULIDs
  /^[a-z]{1,8}[_-](?=[A-Za-z]*\d)[A-Za-z\d]{6,}$/, // `cus_NffrFeUfNV2Hib`, `ord-01HZX3`: a prefix, and digits
]

/**
 * A segment is a parameter by its form alone, so that an endpoint does not depend on what else was recorded.
 * The first segment stays: `/:id` would take every page of the application.
 *
 * @param named parameters that are known, by the index of their segment
 */
export function endpointPath(path: string, named: readonly (PathParameter | undefined)[] = []): EndpointPath {
  const { origin, pathname } = splitOrigin(path)
  const segments = pathname.split('/').slice(1)
  const shown = redactUrl(pathname).split('/').slice(1)
  const isSecret = segments.map((segment, index) => segment !== shown[index])
  const values = segments.map((segment, index) =>
    named[index] || (index > 0 && (isSecret[index] || isId(segment)))
      ? decodeURIComponent(segment)
      : undefined,
  )
  const last = values.findLastIndex((value) => value !== undefined)
  const names = new Map<string, number>()
  const params: EndpointPath['params'] = {}
  const template = segments.map((segment, index) => {
    const value = values[index]
    if (value === undefined) return literalSegment(segment)
    const given = named[index]
    const made = index === last ? 'id' : `${itemName(segments[index - 1] ?? '')}Id`
    const name = freeName(given?.name ?? made, names)
    if (given?.isKnown !== false) params[name] = isSecret[index] ? undefined : value
    return `:${name}`
  })
  return { template: `${origin}/${template.join('/')}`, params }
}

function isId(segment: string): boolean {
  const value = decodeURIComponent(segment)
  return ids.some((id) => id.test(value))
}

/** `undefined` if a route can have the path. */
export function whyUnwritable(path: string): string | undefined {
  if (holdsSecret(path)) return 'its path has a credential' // the first segment can't be a parameter
  if (/\/\.\.?(?:\/|$)/.test(path)) return 'clients leave a segment of dots out of its path'
  const problem = findPathProblem(canonicalPath(splitOrigin(path).pathname))
  return problem && `its path can't be written: ${problem.reason}`
}

/** `{ path }`, or `{ url }` for another origin. */
export function placeOfRoute(path: string): { path: string } | { url: string } {
  return path.startsWith('/') ? { path } : { url: path }
}

export function belowBase(path: string, base: string): string | undefined {
  return base === '' || path === base || path.startsWith(`${base}/`)
    ? path.slice(base.length) || '/'
    : undefined
}

export function literalSegment(segment: string): string {
  return segment.replace(
    /[:*(){}+?\\]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** `orders` gives `order`, `categories` gives `category`. */
export function singular(word: string): string {
  if (/ies$/.test(word)) return word.replace(/ies$/, 'y')
  return /[^s]s$/.test(word) ? word.slice(0, -1) : word
}

/** `order-lines` gives `orderLine`; a segment without a word gives `item`. */
export function itemName(segment: string): string {
  const words = segment.split(/[^A-Za-z\d]+/).filter(Boolean)
  const capitalised = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  const name = capitalised.charAt(0).toLowerCase() + capitalised.slice(1)
  return singular(name.replace(/^\d+/, '')) || 'item'
}

/** @param taken the names in use, with the last number that was tried for each */
export function freeName(
  name: string,
  taken: Map<string, number>,
  toName = (number: number) => `${name}${number}`,
): string {
  let number = taken.get(name) ?? 1
  let free = name
  while (taken.has(free)) free = toName(++number)
  taken.set(name, number)
  if (free !== name) taken.set(free, 1)
  return free
}

export function slug(text: string): string {
  return text
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .replace(/[^A-Za-z\d]+/g, '-')
    .toLowerCase()
    .slice(0, 60)
    .replace(/^-+|-+$/g, '')
    .replace(/^(?:con|prn|aux|nul|com\d|lpt\d)$/, '$&-') // Windows has devices with these names
}
