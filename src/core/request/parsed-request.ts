import { parseCookie } from 'cookie'
import type { GraphQLParams } from '../graphql/params.ts'
import { bodyText } from '../http/body.ts'
import { hostNameOf, isLoopback } from '../http/host-name.ts'
import { fieldValues, firstOfEach, headerText, hostIn, type RawRequest } from '../http/raw-request.ts'
import { splitOrigin } from '../http/route-url.ts'
import type { FixtureCollections, FixtureRequest } from '../schema/function-types.ts'
import { oncePerObject } from '../values/collections.ts'
import { exactJson, hasExactNumbers } from '../values/exact-number.ts'
import { snapshot } from '../values/json-value.ts'
import { valueAt } from '../values/values.ts'

export class ParsedRequest implements FixtureRequest {
  // `private`, since `#` fields are slow to create.
  private cachedParameters: Record<string, string | string[]> | undefined
  private cachedQuery: Record<string, string> | undefined
  private cachedCookies: Record<string, string | undefined> | undefined
  /** Returns the collections. Set before a function may ask for them. */
  openCollections: (() => FixtureCollections) | undefined

  constructor(
    readonly raw: RawRequest,
    readonly params: Readonly<Record<string, string>>,
    readonly body: unknown,
    readonly graphql?: GraphQLParams,
    /** The fields of a form are strings. */
    readonly isForm = false,
  ) {}

  get method() {
    return this.raw.method
  }
  get path() {
    return splitOrigin(this.raw.path).pathname
  }
  get headers() {
    return this.raw.headers
  }
  /** The URL as the client asked for it. Where nothing tells the scheme, it is `http:`. */
  get url() {
    const { url, headers, isSecure = false } = this.raw
    const host =
      headerText(headers, ':authority') ?? headerText(headers, 'host') ?? this.raw.host ?? 'localhost'
    const path = url.startsWith('/') ? url : ''
    const own = `${headerText(headers, ':scheme') ?? (isSecure ? 'https' : 'http')}://${host}${path}`
    const readable = [url, own, `http://localhost${path}`].find((one) => URL.canParse(one))
    return new URL(readable ?? 'http://localhost')
  }
  get isLocal() {
    const { headers, host = 'localhost', inspected } = this.raw
    const name = hostNameOf(hostIn(headers) ?? host) ?? ''
    return isLoopback(name) && inspected?.otherMachine?.() === undefined
  }
  /** Query parameters; a repeated one is a list. */
  get parameters() {
    return (this.cachedParameters ??= fieldValues(this.raw.search))
  }
  get query() {
    return (this.cachedQuery ??= firstOfEach(this.parameters))
  }
  get collections() {
    return this.openCollections?.() ?? {}
  }
  get cookies() {
    return (this.cachedCookies ??= parseCookie(headerText(this.raw.headers, 'cookie') ?? ''))
  }
  get operationName() {
    return this.graphql?.operationName ?? this.graphql?.operation?.name?.value
  }
  get operationType() {
    return this.graphql?.operation?.operation
  }
  get variables() {
    return this.graphql?.allVariables
  }
  get extensions() {
    return this.graphql?.extensions
  }
  /** The document as text, the same for equivalent documents. */
  get document() {
    return this.graphql?.documentText(false)
  }
  get typedDocument() {
    return this.graphql?.documentText(true)
  }
}

/** `null` if JavaScript can hold all numbers of a JSON body. */
const exactBody = oncePerObject((request: ParsedRequest): unknown => {
  if (request.graphql) return request.graphql.exactPayload
  const text = request.isForm ? undefined : bodyText(request.raw)
  return text === undefined || hasExactNumbers(text) ? null : (exactJson(text)?.value ?? null)
})

const exactSources = {
  body: exactBody,
  variables: ({ graphql }: ParsedRequest) => graphql?.exactVariables,
  extensions: ({ graphql }: ParsedRequest) => graphql?.exactPayload.extensions,
}

export function isExactSource(source: string): source is keyof typeof exactSources {
  return Object.hasOwn(exactSources, source)
}

/** The value at a path of the body, the variables or the extensions, with its numbers as they were sent. */
export function exactly(
  request: ParsedRequest,
  source: keyof typeof exactSources,
  path: readonly string[],
  value: unknown,
): unknown {
  if (Number.isSafeInteger(value) || (typeof value !== 'number' && typeof value !== 'object')) return value
  return valueAt(exactSources[source](request), path) ?? value
}

type Copied = Exclude<keyof FixtureRequest, 'method' | 'path' | 'url' | 'isLocal' | 'collections'>

const copies: Record<Copied, (request: ParsedRequest) => unknown> = {
  params: ({ params }) => copyByName(params),
  query: ({ query }) => copyByName(query),
  headers: ({ headers }) => snapshot(headers),
  cookies: ({ cookies }) => copyByName(cookies),
  body: ({ body }) => (body instanceof Uint8Array ? new Uint8Array(body) : snapshot(body)),
  operationName: ({ operationName }) => operationName,
  operationType: ({ operationType }) => operationType,
  variables: ({ variables }) => snapshot(variables),
  extensions: ({ extensions }) => snapshot(extensions),
}

/** The request of a fixture's functions. Changes to it do not affect selectors, other requests or later middlewares. */
export const functionRequest = oncePerObject((request: ParsedRequest): FixtureRequest => {
  const copied = { method: request.method, path: request.path }
  // Each part is copied when it is first read: a body may be large, and few functions read the headers.
  for (const [name, copy] of Object.entries(copies)) {
    const get = () => {
      const value = copy(request)
      Object.defineProperty(copied, name, { value, writable: true, enumerable: true, configurable: true })
      return value
    }
    Object.defineProperty(copied, name, { get, enumerable: true, configurable: true })
  }
  // Not enumerable: they are no part of a request that is printed, or sent back.
  return Object.defineProperties(copied, {
    url: { get: () => request.url },
    isLocal: { get: () => request.isLocal },
    collections: { get: () => request.collections },
  }) as FixtureRequest
})

/** A copy without a prototype, so that names such as `__proto__` are ordinary keys. */
function copyByName<T extends object>(values: T): T {
  return Object.assign(Object.create(null) as T, values)
}
