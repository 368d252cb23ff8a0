import * as v from 'valibot'
import { addedErrorSchema, delaySchema, faultSchema, rateLimitSchema } from './fault-schema.ts'
import { chosen, objectOnly, oneOrMore } from './chosen.ts'
import { type Fail, failSchema } from './fail-schema.ts'
import { headers, literalHeaders, status } from './header-schema.ts'
import { isPlainObject } from '../values/values.ts'
import { type FixtureRequest, isWebResponse, type WebResponse } from './function-types.ts'
import { exampleSchema, type FixtureSelector, selectorSchema } from './selector-schema.ts'
import {
  endSchema,
  type FixtureEvent,
  functionStreamSchema,
  incrementalSchema,
  streamOrEvents,
  triggersSchema,
} from './stream-schema.ts'
import { collectionSchema, writeSchema } from './collection-schema.ts'
import { paginateSchema } from './paginate-schema.ts'
import { scenarioName, scenarioNames, thenObject } from './then-schema.ts'
import { anyBody, fileTextSchema } from './value-schema.ts'
import { type FixtureSocket, websocketSchema } from './websocket-schema.ts'

/*
 * The single definition of a fixture file, with selectors and faults in files of their own. Validation and the public types
 * are derived from these schemas. The JSON Schema for editors is generated from them, with the comment above each key as its
 * description.
 */

const isFunction = (input: unknown) => typeof input === 'function'

const filePath = v.pipe(v.string(), v.nonEmpty('a path'))

const oneFail = objectOnly(failSchema as v.GenericSchema<Fail>)

const responseEntries = {
  /** HTTP status code, 200 to 599. Default 200. */
  status: v.optional(status),
  /** Response headers by name. A list sends the header once for each value. Default: those that the body needs. */
  headers: v.optional(headers),
  /**
   * The body. A string is sent as text, everything else as JSON; in code, a `Uint8Array` as bytes. Default: no body.
   */
  body: v.optional(anyBody),
  /**
   * A file that is sent as the body. The path is relative to the fixture file; the extension decides the content
   * type. `{ $text: 'orders/{params.id}.json' }` chooses one of a folder.
   */
  file: v.optional(
    chosen(v.union([filePath, fileTextSchema]), (input) => (isPlainObject(input) ? v.unknown() : filePath)),
  ),
  /**
   * Milliseconds to wait before the answer: a number, `{ min, max }`, or `{ median, sigma }`. The same request always
   * waits for the same time. Default 0.
   */
  delay: v.optional(delaySchema),
  /**
   * How the connection fails: `reset`, `empty` (closed without a byte), `truncated` (closed in the middle of the
   * body), `malformed` (an invalid chunk), `stalled` (half of the body, then nothing), `silent` (no answer at all),
   * or `{ dribble: 2000 }` (the body in chunks over that many milliseconds). Default: none.
   */
  fault: v.optional(faultSchema),
  /**
   * Some requests fail, and get something else: `{ share: 0.2, status: 503 }`, `{ calls: [3, 7], fault: reset }`, or a list of
   * these. They are counted per client, and per value of the path's parameters. Default: none.
   */
  fail: v.optional(oneOrMore(oneFail, v.array(oneFail))),
  /**
   * Events to send instead of a body: a list, or an object with their format. On the GraphQL endpoint, they are the
   * results of a subscription.
   */
  stream: v.optional(streamOrEvents),
  /**
   * What a stream does after its last event: `stay` keeps it open, `complete` ends it, and `reset`, `truncated`, `malformed`
   * or `stalled` break the connection. Default: `stay` for server-sent events, for subscriptions and with `on`; else `complete`.
   */
  end: v.optional(endSchema),
  /**
   * What sends more events to an open stream: `{ mutation: RenameOrder }`, `{ route: 'a name' }`, `{ push: channel
   * }`, `{ collection: orders }`, or a list of these. Default: nothing.
   */
  on: v.optional(triggersSchema),
  /**
   * What the answer changes for those that follow: `{ scenario: { add: signed-in } }`. The change is for the client that has
   * asked. Default: the `then` of the route.
   */
  then: v.optional(thenObject),
  /**
   * GraphQL: when to send the parts that `@defer` and `@stream` postpone, as in `{ delay: 500, labels: { Reviews: {
   * delay: 2000, errors: [{ message: Slow. }] } } }`. Default: at once.
   */
  incremental: v.optional(objectOnly(incrementalSchema)),
  /**
   * `backend`: the request goes to the real backend, and the other keys change its answer. The backend is whatever answers
   * without the mock: the dev server's proxy, or the option `record.target`.
   */
  from: v.optional(v.picklist(['backend'])),
  /**
   * With `from: backend`: values by their path in the JSON body. Dots separate keys, numbers are indexes of lists,
   * and `*` stands for every entry: `{ data.hero.name: null, items.*.price: 0 }`. The value `{ $unset: true }`
   * removes a key or an entry.
   */
  patch: v.optional(objectOnly(v.record(v.string(), v.unknown()))),
  /** With `patch`: whether it also changes answers with a status of 400 or above. Default `false`. */
  patchErrors: v.optional(v.boolean()),
  /**
   * With `from: backend`: errors to add, as in `{ message, path }`. On the GraphQL endpoint, `locations` are computed
   * from the request's query.
   */
  errors: v.optional(v.array(objectOnly(addedErrorSchema))),
}
/** An interface: declaration files would write its entries out, without their comments. */
export interface ResponseSchema extends v.StrictObjectSchema<typeof responseEntries, undefined> {}
export const responseSchema: ResponseSchema = v.strictObject(responseEntries)

/**
 * What a response function may return. It has no `file`, since files are read when fixture files are loaded, and no answer
 * of the backend: a function can fetch that itself.
 */
export const functionResponseSchema = v.strictObject({
  ...v.omit(responseSchema, ['fail', 'file', 'from', 'patch', 'patchErrors', 'errors']).entries,
  headers: v.optional(literalHeaders),
  stream: v.optional(functionStreamSchema),
})

interface FixturePages extends v.InferInput<typeof paginateSchema> {}
interface FixtureCollection extends v.InferInput<typeof collectionSchema> {}
interface FixtureWrite extends v.InferInput<typeof writeSchema> {}

/**
 * Decides in code whether a route answers. Only in TypeScript and JavaScript fixtures.
 *
 * @returns whether the route answers; must not be a promise.
 */
export type Predicate = (request: FixtureRequest) => boolean

/** The return value of a response function: a response without `file`, and without an answer of the backend. */
export type FunctionResponse = Omit<
  FixtureResponse,
  'fail' | 'file' | 'from' | 'patch' | 'patchErrors' | 'errors' | 'stream'
> & { stream?: FixtureResponse['stream'] | v.InferInput<typeof functionStreamSchema> }

/**
 * Returns a response, or a promise of one, for each request: an object with `status`, `headers`, `body`, `delay`
 * and `fault`, or a `Response` of the Fetch standard. A generator function yields the events of a stream. Only in TypeScript
 * and JavaScript fixtures.
 *
 * The answer is a 500 if it throws, rejects, or returns something that can't be sent, and a 504 if it does not settle
 * within the option `functionTimeout`. Both name the file and the line.
 */
export type ResponseFunction = (
  request: FixtureRequest,
) =>
  | FunctionResponse
  | WebResponse
  | AsyncGenerator<FixtureEvent, void>
  | Generator<FixtureEvent, void>
  | Promise<FunctionResponse | WebResponse>

/** Whether a value in a list of responses is meant as one, and not as data. */
function looksLikeResponse(input: unknown): boolean {
  if (isFunction(input) || isWebResponse(input)) return true
  if (!isPlainObject(input)) return false
  const keys = Object.keys(input)
  return keys.length === 0 || keys.some((key) => Object.hasOwn(responseSchema.entries, key))
}

const predicateSchema = v.custom<Predicate>(isFunction)
const responseFunctionSchema = v.custom<ResponseFunction>(isFunction)
const webResponseSchema = v.custom<WebResponse>(isWebResponse)
const responseObject = objectOnly(responseSchema)
const singleResponse = v.lazy((input) =>
  isFunction(input) ? responseFunctionSchema : isWebResponse(input) ? webResponseSchema : responseObject,
)
const responseList = v.pipe(v.array(singleResponse), v.nonEmpty('a list of at least one response'))
const dataList = v.custom<never>(() => false, 'an object, or a list of responses such as { status: 503 }')
type OneResponse = FixtureResponse | ResponseFunction | WebResponse
/** Named types: TypeScript gives up on a whole route that is inferred in one go (TS2589). */
const responseOrList: v.GenericSchema<OneResponse | OneResponse[]> = v.union([singleResponse, responseList])

export const anyMethod = '*'
/** Method of endpoints that answer WebSockets. No HTTP request has it. */
export const socketMethod = 'WEBSOCKET'
const methodName = v.pipe(
  v.string(),
  v.regex(/^(?:\*|[A-Za-z]+(-[A-Za-z]+)*)$/, 'an HTTP method such as GET or POST, or "*" for all'),
)
const methodNames = v.pipe(v.array(methodName), v.nonEmpty('a list of at least one method'))

/** One route of a fixture file: a method, a path, an optional selector and a response. */
const routeEntries = {
  /** Shown in logs and in the response header `x-mock-route`. Default `METHOD path #n`. */
  name: v.optional(v.pipe(v.string(), v.nonEmpty('a string that is not empty'))),
  /**
   * HTTP method, a list of them, or `'*'` for every method that no other route has at the path. Default `GET`; on the GraphQL
   * endpoint `POST`.
   */
  method: v.optional(oneOrMore(methodName, methodNames)),
  /**
   * The path: literal segments, `:parameter`, `:parameter?`, and the wildcards `*` and `**` for the rest, slashes included. A
   * literal segment takes precedence over a parameter, and a parameter over a wildcard. A backslash makes a character
   * literal: `\(`. A wildcard without a name is the parameter `0`.
   */
  path: v.optional(v.pipe(v.string(), v.startsWith('/', 'a path that begins with "/"'))),
  /**
   * Instead of `path`, the whole URL of an endpoint of another origin: `https://api.example.com/orders/:id`. The part
   * after the host is written like a path. `https://*.example.com` means all subdomains.
   */
  url: v.optional(v.string()),
  /**
   * What a request must have for this route to answer. In code, it may be a function: `({ query }) => query.page ===
   * '2'`. A route without `when` is the default route of its endpoint. Default: every request.
   */
  when: v.optional(
    v.lazy((input): v.GenericSchema<Predicate | FixtureSelector> =>
      isFunction(input) ? predicateSchema : objectOnly(selectorSchema),
    ),
  ),
  /**
   * A request that the response is known for, as literals of `when` are written. It selects nothing: recordings say with it
   * what a default route was recorded for, and `check --against` asks a real API for it. Default: none.
   */
  example: v.optional(objectOnly(exampleSchema)),
  /**
   * The scenario in which this route answers, or a list of scenarios. While one is active, the route takes precedence
   * over those without a scenario. Default: none, and the route always answers.
   */
  scenario: v.optional(oneOrMore(scenarioName, scenarioNames)),
  /**
   * The response; in code, it may be a function. The responses of a list are sent one after the other, and then
   * always the last one, counted per client and per value of the path's parameters. With `paginate`, it has
   * everything except the body. Default: status 200 without a body.
   */
  response: v.optional(
    v.lazy((input): typeof responseOrList => {
      if (input === undefined) return responseOrList // for the JSON Schema
      const chosen = !Array.isArray(input)
        ? singleResponse
        : input.some(looksLikeResponse)
          ? responseList
          : dataList
      return chosen
    }),
  ),
  /**
   * What each answer of the route changes for those that follow: `{ scenario: { add: signed-in } }` makes a scenario active for
   * the client that has asked, `remove` ends one. Default: nothing.
   */
  then: v.optional(thenObject),
  /** With a list of responses: whether to start over after the last one. Default `false`. */
  repeat: v.optional(v.boolean()),
  /**
   * GraphQL: whether `data` is cut to what the request selects, with its aliases, fragments, `@skip` and `@include`.
   * Default: the option `graphql.shape`.
   */
  shape: v.optional(v.boolean()),
  /**
   * Who answers a browser that opens the path from the address bar or a link: this route (`answer`), or the application
   * (`passthrough`), if it has a page with the same path. Default: the option `navigation`.
   */
  navigation: v.optional(v.picklist(['answer', 'passthrough'])),
  /** A list that is sent page by page, instead of a body. The route becomes one route per page. Default: none. */
  paginate: v.optional(objectOnly(paginateSchema) as v.GenericSchema<FixturePages>),
  /**
   * A list that remembers changes: `/orders` lists, filters and creates its items, and `/orders/:id` reads, changes
   * and deletes one. Default: none.
   */
  collection: v.optional(objectOnly(collectionSchema) as v.GenericSchema<FixtureCollection>),
  /** Changes an item of a collection before the response is built. Default: nothing. */
  write: v.optional(objectOnly(writeSchema) as v.GenericSchema<FixtureWrite>),
  /**
   * Instead of a response: the route accepts WebSockets at its path. `when` selects by `query`, `params`, `headers`
   * and `cookies`. Default: none.
   */
  websocket: v.optional(objectOnly(websocketSchema) as v.GenericSchema<FixtureSocket>),
  /**
   * How many requests the route answers within a number of milliseconds: `{ requests: 10, per: 60000 }`. More
   * requests get a 429 whose `Retry-After` gives the seconds to wait. Default: no limit.
   */
  rateLimit: v.optional(objectOnly(rateLimitSchema)),
  /**
   * Whether the response is wrong on purpose, to see how the application handles it. `unplugin-mock-api check` then
   * reports the route only if its response is valid. Default `false`.
   */
  invalid: v.optional(v.boolean()),
}
export interface RouteSchema extends v.StrictObjectSchema<typeof routeEntries, undefined> {}
export const routeSchema: RouteSchema = v.strictObject(routeEntries)

export const fixtureSchema = v.array(objectOnly(routeSchema))

/** Who answers a navigation: a route, or the application. */
export type Navigation = 'answer' | 'passthrough'
interface RouteKeys extends Omit<v.InferInput<typeof routeSchema>, 'path' | 'url'> {}
/** One route, as a fixture file lists it: with a `path`, or with the `url` of another origin. */
export type FixtureRoute = RouteKeys & (AtPath | AtUrl)
interface AtPath {
  /** The path: literal segments, `:parameter`, `:parameter?`, and the wildcards `*` and `**` for the rest. */
  path: string
  url?: string | undefined
}
interface AtUrl {
  path?: string | undefined
  /** In place of `path`, the whole address of an endpoint of another origin: `https://api.example.com/orders/:id`. */
  url: string
}
/** A list of routes: the content of a fixture file. */
export type Fixture = FixtureRoute[]
/** A response: status, headers, body (or file), delay and fault. */
export interface FixtureResponse extends v.InferInput<typeof responseSchema> {}
