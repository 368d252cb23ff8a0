import preferredMediaTypes from 'negotiator/lib/mediaType.js'

/** Headers by lower-case name, as `node:http` gives them. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

/** `IncomingMessage.headers` is a getter that builds the headers when it is first read. */
export interface HeaderSource {
  readonly headers: Headers
}

/** What only the host of a request knows. */
export interface Inspected {
  /** The address at which the inspector shows the request; `undefined` without an inspector. */
  inspectorAddress?: () => string | undefined
  /** The address of another machine that sent the request. */
  otherMachine?: () => string | undefined
}

export interface RawRequest {
  readonly method: string
  /** Request target as received, with `base` and the query. */
  readonly url: string
  /** Path without the option `base` and without the query. */
  readonly path: string
  /** The query without its `?`; empty when there is none. */
  readonly search: string
  readonly headers: Headers
  readonly isSecure?: boolean
  /** Host and port that the request was sent to, if no header has them. */
  readonly host?: string | undefined
  /** Path parameters, percent-decoded. */
  readonly params?: Readonly<Record<string, string>> | undefined
  /** `undefined` when there is none, or when no selector of the endpoint needs it. */
  body?: Uint8Array | undefined
  readonly inspected?: Inspected | undefined
}

/** Whether a client reads server-sent events, or the parts of a multipart answer. */
export function acceptsEvents({ headers }: HeaderSource): boolean {
  return /text\/event-stream|multipart\/mixed/.test(textOf(headers['accept']) ?? '')
}

export function headerText(headers: Headers, name: string): string | undefined {
  return textOf(headers[name])
}

/** Host and port that a client asks, also over HTTP/2. */
export function hostIn(headers: Headers): string | undefined {
  return textOf(headers['host']) ?? textOf(headers[':authority'])
}

/** Several values are joined with a comma. For a header with a known name, this is faster than `headerText`. */
export function textOf(value: Headers[string]): string | undefined {
  if (value === undefined || typeof value === 'string') return value
  return Array.isArray(value) ? value.join(', ') : undefined // names such as `constructor` are inherited
}

/** A repeated field has the list of its values. The names are ordinary keys, without a prototype. */
export function fieldValues(encoded: string): Record<string, string | string[]> {
  const values = Object.create(null) as Record<string, string | string[]>
  for (const [name, value] of new URLSearchParams(`?${encoded}`)) addField(values, name, value)
  return values
}

export function addField<T>(fields: Record<string, T | T[]>, name: string, value: T): void {
  const before = fields[name]
  if (before === undefined) fields[name] = value
  else if (Array.isArray(before)) before.push(value)
  else fields[name] = [before, value]
}

/** A repeated field has its first value. */
export function firstValues(encoded: string): Record<string, string> {
  return firstOfEach(fieldValues(encoded))
}

export function firstOfEach(values: Readonly<Record<string, string | string[]>>): Record<string, string> {
  const first = Object.create(null) as Record<string, string>
  for (const name of Object.keys(values)) {
    const value = values[name]!
    first[name] = typeof value === 'string' ? value : value[0]!
  }
  return first
}

// The rest of the package is about languages, charsets and codings.

export type MediaType = 'application/json' | 'application/graphql-response+json'

/**
 * By `q`, then the more specific type, then the first. `application/json` without a preference, `undefined` when neither
 * is accepted.
 *
 * @see https://graphql.github.io/graphql-over-http/draft/#sec-Accept
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-12.5.1
 */
export function acceptedGraphQL({ headers }: HeaderSource): MediaType | undefined {
  const accept = textOf(headers['accept'])
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
export function isNavigation(method: string, { headers }: HeaderSource): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  const accept = textOf(headers['accept'])
  if (!accept?.toLowerCase().includes('html')) return false // most requests, without parsing
  return pages.includes(preferredType(accept, [...data, ...pages]) ?? '')
}

const data = ['application/json', 'application/graphql-response+json']
const pages = ['text/html; charset=utf-8', 'application/xhtml+xml']

function preferredType(accept: string, types: readonly string[]): string | undefined {
  return preferredMediaTypes(accept, types)[0]
}
