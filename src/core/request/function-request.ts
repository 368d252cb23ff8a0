import { snapshot } from '../values/json-value.ts'
import type { ParsedRequest } from './parsed-request.ts'
import type { FixtureRequest } from '../schema/fixture-request.ts'

const made = new WeakMap<ParsedRequest, FixtureRequest>()

/**
 * A request as the functions of a fixture get it: theirs to change. Whatever they do to it, selectors, other requests and
 * the middlewares that come after us read what the client has sent.
 */
export function functionRequest(request: ParsedRequest): FixtureRequest {
  let own = made.get(request)
  if (!own) made.set(request, (own = copyLazily(request)))
  return own
}

/** What is copied is copied when it is first read: a body may be large, and few functions look at the headers. */
function copyLazily(request: ParsedRequest): FixtureRequest {
  return {
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
}

/** Without a prototype, as the original: every name of the request is a plain name. */
function copyByName<T extends object>(values: T): T {
  return Object.assign(Object.create(null) as T, values)
}

function keep<T>(request: object, name: keyof FixtureRequest, value: T): T {
  Object.defineProperty(request, name, { value, writable: true, enumerable: true, configurable: true })
  return value
}
