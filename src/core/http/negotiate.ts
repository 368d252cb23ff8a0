// The rest of the package is about languages, charsets and codings.
import preferredMediaTypes from 'negotiator/lib/mediaType.js'

export type MediaType = 'application/json' | 'application/graphql-response+json'

/**
 * By `q`, then the more specific type, then the first. `application/json` without a preference, `undefined` when neither
 * is accepted.
 *
 * @see https://graphql.github.io/graphql-over-http/draft/#sec-Accept
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-12.5.1
 */
export function acceptedGraphQL(accept: string | undefined): MediaType | undefined {
  if (!accept?.trim() || accept === '*/*') return 'application/json'
  // Most clients list their preferred type first, without a weight. Parsing would take a tenth of a request's time.
  const first = firstRange.exec(accept)?.[1]
  if (first) return first as MediaType
  const preferred = preferredType(accept, offered)
  return preferred?.split(';', 1)[0] as MediaType | undefined
}

const firstRange = /^(application\/(?:graphql-response\+)?json)(?:,|$)/

/** With the charset that is sent, so that ranges match with and without that parameter. */
const offered = ['application/json; charset=utf-8', 'application/graphql-response+json; charset=utf-8']

/** A browser's address bar prefers HTML to JSON, unlike a client that accepts anything. */
export function isNavigation(method: string, accept: string | undefined): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  if (!accept?.toLowerCase().includes('html')) return false // most requests, without parsing
  return pages.includes(preferredType(accept, [...data, ...pages]) ?? '')
}

const data = ['application/json', 'application/graphql-response+json']
const pages = ['text/html; charset=utf-8', 'application/xhtml+xml']

function preferredType(accept: string, types: readonly string[]): string | undefined {
  return preferredMediaTypes(accept, types)[0]
}
