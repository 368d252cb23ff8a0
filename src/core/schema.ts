import * as v from 'valibot'
import type { FixtureRequest } from './request.ts'

/*
 * The one definition of a fixture file. Validation and the public types are read off these schemas; the JSON Schema
 * for editors is generated from them, with the comment above each key as its description.
 */

/** A text of the request: compared with the text of the literal, so `2` selects `?page=2`. */
const text = v.union([v.string(), v.number(), v.boolean()])
const textByName = v.record(v.string(), text)

const headerName = v.pipe(
  v.string(),
  v.regex(/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/, 'a header name (letters, digits and "-")'),
)
const headerText = v.pipe(
  v.string(),
  v.regex(/^[^\0-\x08\x0A-\x1F\x7F]*$/, 'a header value (no line breaks)'),
)
const headerValue = v.union([headerText, v.number(), v.boolean(), v.array(headerText)])

/** What a route's `when` may name in a request. All keys must hold. */
export const selectorSchema = v.strictObject({
  /** Query parameters by name. A repeated parameter counts with its first value. */
  query: v.optional(textByName),
  /** Path parameters by name, percent-decoded: `/orders/:id` has `id`. */
  params: v.optional(textByName),
  /** Request headers by name, in any case. */
  headers: v.optional(textByName),
  /** Cookies by name. */
  cookies: v.optional(textByName),
  /** The request body: an object selects by deep partial equality, dotted keys reach inside (`filter.state`). */
  body: v.optional(v.unknown()),
  /** GraphQL: the name of the operation, from the payload, else of the document's only operation. */
  operationName: v.optional(v.string()),
  /** GraphQL: the kind of the operation. */
  operationType: v.optional(v.picklist(['query', 'mutation', 'subscription'])),
  /** GraphQL: the operation's variables, by deep partial equality, like `body`. */
  variables: v.optional(v.record(v.string(), v.unknown())),
})

/** What a route answers. */
export const responseSchema = v.strictObject({
  /** HTTP status code, 200 to 599. Default 200. */
  status: v.optional(v.pipe(v.number(), v.integer(), v.minValue(200), v.maxValue(599))),
  /** Response headers by name; a list sends the header once for each value. */
  headers: v.optional(v.record(headerName, headerValue)),
  /** The body. Text is sent as text, everything else as JSON. */
  body: v.optional(v.unknown()),
  /** A file to send as the body, relative to the fixture file. Its content type follows from its extension. */
  file: v.optional(v.pipe(v.string(), v.nonEmpty('a path'))),
  /** Milliseconds to wait before the answer. Default 0. */
  delay: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(2_147_483_647))),
})

/** A list that is answered page by page, in the envelope `{ page, per_page, total, total_pages, has_more, data }`. */
export const paginateSchema = v.strictObject({
  /** Items on a page. Default 20. */
  perPage: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  /** All items of the list, in order. */
  items: v.array(v.unknown()),
})

/**
 * Decides in code whether a route answers. Only in TypeScript and JavaScript fixtures.
 *
 * @returns whether the route answers; must not be a promise.
 */
export type Predicate = (request: FixtureRequest) => boolean

/** A response that is worked out for each request. Only in TypeScript and JavaScript fixtures. */
export type ResponseFunction = (request: FixtureRequest) => FixtureResponse | Promise<FixtureResponse>

const isFunction = (input: unknown) => typeof input === 'function'
const predicateSchema = v.custom<Predicate>(isFunction)
const responseFunctionSchema = v.custom<ResponseFunction>(isFunction)

/** One route of a fixture file: a method, a path, an optional selector and a response. */
export const routeSchema = v.strictObject({
  /** Shown in logs and in the response header `x-mock-route`. Default `METHOD path #n`. */
  name: v.optional(v.pipe(v.string(), v.nonEmpty('a text'))),
  /** HTTP method. Default `GET`; on the GraphQL endpoint `POST`. */
  method: v.optional(
    v.pipe(v.string(), v.regex(/^[A-Za-z]+(-[A-Za-z]+)*$/, 'an HTTP method such as GET or POST')),
  ),
  /** The path: literal segments, `:parameter`, and `**` for the rest. Literal wins over parameter over `**`. */
  path: v.pipe(v.string(), v.startsWith('/', 'a path that begins with "/"')),
  /** What a request must carry for this route to answer. A route without it is the endpoint's default route. */
  when: v.optional(v.lazy((input) => (isFunction(input) ? predicateSchema : selectorSchema))),
  /** What is answered. Default: status 200 without a body. */
  response: v.optional(v.lazy((input) => (isFunction(input) ? responseFunctionSchema : responseSchema))),
  /** Instead of `response`: a list that expands to one route a page, selected by the query parameter `page`. */
  paginate: v.optional(paginateSchema),
})

export const fixtureSchema = v.array(routeSchema)

/** One route, as a fixture file lists it. */
export type FixtureRoute = v.InferInput<typeof routeSchema>
/** What a fixture file holds: a list of routes. */
export type Fixture = FixtureRoute[]
/** What a route's `when` may name in a request. */
export type FixtureSelector = v.InferInput<typeof selectorSchema>
/** A response: status, headers, body (or file) and delay. */
export type FixtureResponse = v.InferInput<typeof responseSchema>
