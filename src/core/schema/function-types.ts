/** A collection as functions of fixtures use it. Items are copies. */
export interface CollectionApi<Item = Record<string, unknown>> {
  /**
   * The items, in their order.
   * @example collections.orders.list({ where: { state: 'open', total_gte: 5 }, sort: '-created' })
   */
  list: (query?: { where?: Readonly<Record<string, unknown>>; sort?: string }) => Item[]
  /** `undefined` for an unknown id. */
  get: (id: string | number) => Item | undefined
  /**
   * Adds an item, with a new id unless it has one.
   * @throws Error when the id is taken, or is neither a text nor a number
   */
  create: (item: Partial<Item>) => Item
  /** Puts another item in the place of the current one. `undefined` for an unknown id. */
  replace: (id: string | number, item: Partial<Item>) => Item | undefined
  /** Changes the values that are given. `undefined` for an unknown id. */
  update: (id: string | number, changes: Partial<Item>) => Item | undefined
  /** Removes and returns an item. `undefined` for an unknown id. */
  delete: (id: string | number) => Item | undefined
}

/**
 * The types of the items in `collections`, by the name of the collection.
 *
 * @example
 * declare module 'unplugin-mock-api/fixture' {
 *   interface CollectionItems {
 *     orders: { id: number; state: string }
 *   }
 * }
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- it is augmented
export interface CollectionItems {}

/** Collections by name: those declared in `CollectionItems` with their types, others without. */
export type FixtureCollections = {
  readonly [Name in keyof CollectionItems]: CollectionApi<CollectionItems[Name]>
} & {
  readonly [name: string]: CollectionApi<any> // eslint-disable-line @typescript-eslint/no-explicit-any -- as JSON
}

/** A request as predicates and response functions get it. It is a copy: changes to it have no effect elsewhere. */
export interface FixtureRequest {
  /** HTTP method in upper case. */
  readonly method: string
  /** Path without the option `base` and without the query: `/orders/7`. */
  readonly path: string
  /** URL as the client sent it. `url.searchParams.getAll('id')` has all values of a repeated parameter. */
  readonly url: URL
  /** Whether it comes from this machine, and asks for a name of it, such as `localhost`. */
  readonly isLocal: boolean
  /** Path parameters, percent-decoded. */
  readonly params: Readonly<Record<string, string>>
  /** Query parameters; a repeated one has its first value. */
  readonly query: Readonly<Record<string, string>>
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** The value of each cookie, decoded. */
  readonly cookies: Readonly<Record<string, string | undefined>>
  /**
   * The parsed body: a JSON value, a form's fields (a file is an `UploadedFile`), or text; a `Uint8Array` if it is not text,
   * such as an image. `undefined` when there is none.
   */
  readonly body: unknown
  /** GraphQL endpoints: the operation's name, from the payload, else of the document's only operation. */
  readonly operationName: string | undefined
  /** GraphQL endpoints: `query`, `mutation` or `subscription`, if the document shows it. */
  readonly operationType: string | undefined
  /** GraphQL endpoints: the operation's variables, including their default values. */
  readonly variables: Readonly<Record<string, unknown>> | undefined
  /** Collections by name: `collections.orders.get(7)`. */
  readonly collections: FixtureCollections
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

interface BodyReader {
  read: () => Promise<{ done: boolean; value?: unknown }>
  cancel: () => Promise<unknown>
}

/** Apart, since editors explain no key that two kinds of responses have. */
export interface WholeWebResponse extends WebResponse {
  readonly status: number
  readonly body: { getReader: () => BodyReader } | null
  readonly headers: {
    get: (name: string) => string | null
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
