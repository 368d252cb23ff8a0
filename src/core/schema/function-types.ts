/** A request as predicates and response functions get it. It is a copy: changes to it have no effect elsewhere. */
export interface FixtureRequest {
  /** HTTP method in upper case. */
  readonly method: string
  /** Path without the option `base` and without the query: `/orders/7`. */
  readonly path: string
  /** Path parameters, percent-decoded. */
  readonly params: Readonly<Record<string, string>>
  /** Query parameters; a repeated one has its first value. */
  readonly query: Readonly<Record<string, string>>
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** The value of each cookie, decoded. */
  readonly cookies: Readonly<Record<string, string | undefined>>
  /** The parsed body: a JSON value, a form's fields (a file is an `UploadedFile`), or text. `undefined` when there is none. */
  readonly body: unknown
  /** GraphQL endpoints: the operation's name, from the payload, else of the document's only operation. */
  readonly operationName: string | undefined
  /** GraphQL endpoints: `query`, `mutation` or `subscription`, if the document shows it. */
  readonly operationType: string | undefined
  /** GraphQL endpoints: the operation's variables, including their default values. */
  readonly variables: Readonly<Record<string, unknown>> | undefined
  /** GraphQL endpoints: the payload's `extensions`, such as `persistedQuery` with its `sha256Hash`. */
  readonly extensions: Readonly<Record<string, unknown>> | undefined
}

/**
 * The part of a Fetch `Response` that is read here. Not the global type: fixtures are type-checked with and without
 * TypeScript's "DOM" library.
 */
export interface WebResponse {
  readonly type: string
  readonly url: string
  readonly bodyUsed: boolean
  clone: () => WebResponse
  arrayBuffer: () => Promise<ArrayBuffer>
}

/** Apart, since editors explain no key that two kinds of responses have. */
export interface WholeWebResponse extends WebResponse {
  readonly status: number
  readonly headers: {
    forEach: (callback: (value: string, name: string) => void) => void
    getSetCookie?: () => string[]
  }
}

/** Whether a value is a `Response`, of any realm. */
export function isWebResponse(value: unknown): value is WholeWebResponse {
  return (
    Object.prototype.toString.call(value) === '[object Response]' &&
    typeof (value as Partial<WholeWebResponse>).arrayBuffer === 'function' &&
    typeof (value as Partial<WholeWebResponse>).headers?.forEach === 'function'
  )
}
