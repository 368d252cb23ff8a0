import { parseCookie } from 'cookie'
import { operationOf } from './graphql/document.ts'
import { variablesOf } from './graphql/fields.ts'
import { documentText } from './graphql/document-text.ts'
import type { GraphQLParams } from './graphql/payload.ts'
import { redactSearch } from './redact.ts'

/** What a host hands to the core: plain data, taken from the request without copying. */
export interface RawRequest {
  method: string
  /** Request target as it came: with `base` and with the query. */
  url: string
  /** Path without the option `base` and without the query. */
  path: string
  /** The query string without its `?`; empty when there is none. */
  search: string
  /** Headers by lower-case name. */
  headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** The body's bytes; `undefined` when there is none or when no selector of the endpoint needs it. */
  body?: Uint8Array | undefined
}

/** What predicates and response functions see of a request: copies, read lazily, so that nobody else sees what they change. */
export interface FixtureRequest {
  /** HTTP method in upper case. */
  readonly method: string
  /** Path without the option `base` and without the query: `/orders/7`. */
  readonly path: string
  /** Path parameters, percent-decoded. */
  readonly params: Readonly<Record<string, string>>
  /** Query parameters; of a repeated one the first value. */
  readonly query: Readonly<Record<string, string>>
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly cookies: Readonly<Record<string, string | undefined>>
  /** The parsed body: a JSON value, a form's fields, or text. `undefined` when there is none. */
  readonly body: unknown
  /** GraphQL endpoints: the operation's name, from the payload, else of the document's only operation. */
  readonly operationName: string | undefined
  /** GraphQL endpoints: `query`, `mutation` or `subscription`, where the document tells. */
  readonly operationType: string | undefined
  /** GraphQL endpoints: the operation's variables, with the defaults that it gives. */
  readonly variables: Readonly<Record<string, unknown>> | undefined
  /** GraphQL endpoints: the payload's `extensions`, such as `persistedQuery` with its `sha256Hash`. */
  readonly extensions: Readonly<Record<string, unknown>> | undefined
}

/** A request with its body parsed, as selectors, predicates and response functions read it. */
export class ParsedRequest implements FixtureRequest {
  #query: Record<string, string> | undefined
  #cookies: Record<string, string | undefined> | undefined

  constructor(
    readonly raw: RawRequest,
    readonly params: Readonly<Record<string, string>>,
    readonly body: unknown,
    readonly graphql?: GraphQLParams,
  ) {}

  get method() {
    return this.raw.method
  }
  get path() {
    return this.raw.path
  }
  get headers() {
    return this.raw.headers
  }
  get query() {
    return (this.#query ??= firstValues(this.raw.search))
  }
  /** One query parameter, without reading all of them. */
  queryValue(name: string) {
    return queryValue(this.raw.search, name)
  }
  get cookies() {
    return (this.#cookies ??= parseCookie(headerText(this.raw.headers, 'cookie') ?? ''))
  }
  get operationName() {
    return this.graphql?.operationName ?? this.#operation?.name?.value
  }
  get operationType() {
    return this.#operation?.operation
  }
  get variables() {
    const operation = this.#operation
    return operation ? variablesOf(this.graphql!, operation) : this.graphql?.variables
  }
  get extensions() {
    return this.graphql?.extensions
  }
  /** The operation in the spelling that all documents share that ask for the same. */
  get document() {
    const operation = this.#operation
    return operation && documentText(this.graphql!.document!, operation)
  }
  get #operation() {
    return this.graphql && operationOf(this.graphql)
  }
}

/** The value of one query parameter, its first where it is repeated; `undefined` when it is absent. */
export function queryValue(search: string, name: string): string | undefined {
  if (search === '' || name.includes('=')) return undefined
  // Anything encoded is left to the platform. Plain text, which is nearly every request, is found by a scan.
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

/** The text of a header; several values are joined as HTTP joins them. */
export function headerText(headers: RawRequest['headers'], name: string): string | undefined {
  if (!Object.hasOwn(headers, name)) return undefined
  const value = headers[name]
  return typeof value === 'string' ? value : value?.join(', ')
}

/** The fields of a query string or a form by name; of a repeated one the first value. */
export function firstValues(encoded: string): Record<string, string> {
  const values = Object.create(null) as Record<string, string>
  for (const [name, value] of new URLSearchParams(`?${encoded}`)) values[name] ??= value
  return values
}

/** A request as messages name it: `GET /items?page=9`, without what is nobody's business. */
export function describeRequest({ method, path, search }: RawRequest): string {
  return `${method} ${path}${search && `?${redactSearch(search)}`}`
}
