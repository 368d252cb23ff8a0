import { acceptedGraphQL, isNavigation, type MediaType } from './negotiate.ts'

/** Headers by lower-case name, as `node:http` gives them. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

/** Where the headers of a request are. `IncomingMessage.headers` is a getter that builds them when it is first read. */
export interface HeaderSource {
  readonly headers: Headers
}

interface RequestParts {
  method: string
  /** Request target as received, with `base` and the query. */
  url: string
  /** Path without the option `base` and without the query. */
  path: string
  /** The query string without its `?`; empty when there is none. */
  search: string
  headers: Headers
  /** The path's parameters, decoded. */
  params?: Readonly<Record<string, string>>
  /** Whether the application may have a page at the path, and neither route nor option says who answers navigations. */
  hasPages?: boolean
  /** The body's bytes; `undefined` when there is none, or when no selector of the endpoint needs it. */
  body?: Uint8Array | undefined
}

const noParams = Object.freeze({})

/** A request for one of the mock endpoints: plain data, taken from the host's request without copying. */
export class RawRequest implements RequestParts {
  readonly method: string
  readonly url: string
  readonly path: string
  readonly search: string
  readonly headers: Headers
  readonly params: Readonly<Record<string, string>>
  readonly hasPages: boolean
  body: Uint8Array | undefined
  // `private`, since `#` fields are slow to create.
  private cachedAccepts: MediaType | null | undefined
  private cachedIsNavigation: boolean | undefined

  constructor({ method, url, path, search, headers, params, hasPages, body }: RequestParts) {
    this.method = method
    this.url = url
    this.path = path
    this.search = search
    this.headers = headers
    this.params = params ?? noParams
    this.hasPages = hasPages ?? false
    this.body = body
  }

  /** The media type of a GraphQL response that the client prefers; `undefined` when it accepts neither. */
  get accepts(): MediaType | undefined {
    if (this.cachedAccepts === undefined)
      this.cachedAccepts = acceptedGraphQL(textOf(this.headers['accept'])) ?? null
    return this.cachedAccepts ?? undefined
  }

  /** Whether it comes from the address bar of a browser, or from a link. */
  get isNavigation(): boolean {
    return (this.cachedIsNavigation ??= isNavigation(this.method, textOf(this.headers['accept'])))
  }
}

/** The first value of a query parameter; `undefined` when it is absent. */
export function queryValue(search: string, name: string): string | undefined {
  if (search === '' || name.includes('=')) return undefined
  // Encoded queries are left to the platform. A plain query, as in nearly every request, only needs a scan.
  if (search.includes('%') || search.includes('+')) {
    return new URLSearchParams(`?${search}`).get(name) ?? undefined // it takes off one leading `?`
  }
  let start = 0
  while (start <= search.length) {
    let end = search.indexOf('&', start)
    if (end === -1) end = search.length
    if (end > start && search.startsWith(name, start)) {
      const equals = start + name.length
      if (equals === end) return ''
      if (equals < end && search.charCodeAt(equals) === 61 /* = */) return search.slice(equals + 1, end)
    }
    start = end + 1
  }
  return undefined
}

/** The value of a header as a string, by any name. */
export function headerText(headers: Headers, name: string): string | undefined {
  return textOf(headers[name])
}

/**
 * The value of a header as a string; several values are joined with a comma. For a header with a known name, this is faster
 * than `headerText`.
 */
export function textOf(value: Headers[string]): string | undefined {
  if (value === undefined || typeof value === 'string') return value
  return Array.isArray(value) ? value.join(', ') : undefined // names such as `constructor` are inherited
}

/** The fields of a query string or a form by name; a repeated field has its first value. */
export function firstValues(encoded: string): Record<string, string> {
  const values = Object.create(null) as Record<string, string>
  for (const [name, value] of new URLSearchParams(`?${encoded}`)) values[name] ??= value
  return values
}
