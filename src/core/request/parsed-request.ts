import { parseCookie } from 'cookie'
import type { GraphQLParams } from '../graphql/params.ts'
import { firstValues, headerText, queryValue, type RawRequest } from '../http/raw-request.ts'
import { splitOrigin } from '../http/route-url.ts'
import type { FixtureCollections, FixtureRequest } from '../schema/function-types.ts'
import { oncePerObject } from '../values/collections.ts'
import { snapshot } from '../values/json-value.ts'

export class ParsedRequest implements FixtureRequest {
  // `private`, since `#` fields are slow to create.
  private cachedQuery: Record<string, string> | undefined
  private cachedCookies: Record<string, string | undefined> | undefined
  /** Set before a function may ask for them. */
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
  get query() {
    return (this.cachedQuery ??= firstValues(this.raw.search))
  }
  queryValue(name: string) {
    return queryValue(this.raw.search, name)
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
  /** The same for equivalent documents. */
  get document() {
    return this.graphql?.documentText(false)
  }
  get typedDocument() {
    return this.graphql?.documentText(true)
  }
}

/** The request of a fixture's functions. Changes to it do not affect selectors, other requests or later middlewares. */
export const functionRequest = oncePerObject((request: ParsedRequest): FixtureRequest => {
  // Each part is copied when it is first read: a body may be large, and few functions read the headers.
  const copied = {
    method: request.method,
    path: request.path,
    get params() {
      return keep(this, 'params', copyByName(request.params))
    },
    get query() {
      return keep(this, 'query', copyByName(request.query))
    },
    get headers() {
      return keep(this, 'headers', snapshot(request.headers))
    },
    get cookies() {
      return keep(this, 'cookies', copyByName(request.cookies))
    },
    get body() {
      return keep(this, 'body', snapshot(request.body))
    },
    get operationName() {
      return keep(this, 'operationName', request.operationName)
    },
    get operationType() {
      return keep(this, 'operationType', request.operationType)
    },
    get variables() {
      return keep(this, 'variables', snapshot(request.variables))
    },
    get extensions() {
      return keep(this, 'extensions', snapshot(request.extensions))
    },
  }
  // Not enumerable: they are no part of a request that is printed, or sent back.
  return Object.defineProperty(copied, 'collections', { get: () => request.collections }) as FixtureRequest
})

/** Without a prototype, so that names such as `__proto__` are ordinary keys. */
function copyByName<T extends object>(values: T): T {
  return Object.assign(Object.create(null) as T, values)
}

function keep<T>(request: object, name: keyof FixtureRequest, value: T): T {
  Object.defineProperty(request, name, { value, writable: true, enumerable: true, configurable: true })
  return value
}
