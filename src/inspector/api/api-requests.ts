import * as v from 'valibot'
import { answeredBy, json, names, position, positive, text, texts, whole } from './shapes.ts'

/* The shapes of requests, answers and decisions. `schemas.ts` has all shapes. */

export const DiagnosticInfo = v.strictObject({
  code: text,
  severity: v.picklist(['error', 'warning']),
  message: text,
  fix: text,
  /** The lines around the position, or the other routes that do not match. */
  frame: v.exactOptional(text),
  /** The lines of the stack in the project, if a function failed. */
  stack: v.exactOptional(text),
  ...position,
})

const graphqlFailure = v.strictObject({
  /** `2 errors`, `query error`, `1 of 3 failed`. */
  mark: text,
  /** The first error. */
  message: text,
})
/** Errors in the result of a GraphQL request, whatever its status. */
export type GraphQLFailure = v.InferOutput<typeof graphqlFailure>

const summary = {
  /** Increases with each request; also the id of its server-sent event. */
  id: whole,
  /** When it arrived: milliseconds since 1970. */
  time: whole,
  /** HTTP method in capitals. */
  method: text,
  /** Path and query, without the values of secret parameters. */
  url: text,
  /** The path as routes have it, without the option `base`; absent where that is the path of `url`. */
  path: v.exactOptional(text),
  /** The header `x-mock-client` or the cookie `mock-client`. */
  client: v.exactOptional(text),
  /** GraphQL: the name of the operation; for a batch, all names, separated by commas. */
  operationName: v.exactOptional(text),
  /** GraphQL: the type of the operation, if it is known. */
  operationType: v.exactOptional(v.picklist(['query', 'mutation', 'subscription'])),
  /** GraphQL: the first variables, as `id: 7, page: 2`, without secret values. */
  variables: v.exactOptional(text),
  /** Absent until the request is answered, and if it never is. */
  status: v.exactOptional(whole),
  /** Absent until the answer has ended; 0 for an answer that was sent at once, which is not timed. */
  duration: v.exactOptional(v.pipe(v.number(), v.minValue(0))),
  /** The part of `duration` that is a delay, set by a fixture or an override. */
  delay: v.exactOptional(v.pipe(v.number(), v.minValue(0))),
  /** Bytes of the answer's body; of a stream, those of the frames that were sent so far. */
  size: v.exactOptional(whole),
  /** Part of the mock API that has answered, or `passed-on`. */
  answeredBy,
  /** GraphQL: the answer has errors, as it may with HTTP 200, or the query is wrong. */
  errors: v.exactOptional(graphqlFailure),
  /** Only for a stream or a WebSocket. */
  stream: v.exactOptional(
    v.strictObject({
      /** `left` by the client, `broken` by a fault. */
      state: v.picklist(['open', 'complete', 'left', 'broken']),
      /** How many frames were sent and received. */
      frames: whole,
    }),
  ),
  /** Whether the application's own server sent the request, to another origin. */
  isServer: v.exactOptional(v.boolean()),
  /** Whether the client disconnected before it had the whole answer. A fault of the route is not meant. */
  isAborted: v.exactOptional(v.boolean()),
  /** Whether the request was passed on, and got a 404, or the page of the application instead of data. */
  isUnanswered: v.exactOptional(v.boolean()),
  /** Whether a request without a route would match one now: files have changed, or a scenario is active. */
  isMended: v.exactOptional(v.boolean()),
  /** The route that answered, where `answeredBy` is `route`, `template` or `fault`. */
  route: v.exactOptional(v.strictObject({ id: text, name: text, ...position })),
  /** Active for the request. */
  scenarios: names,
}
export const RequestSummary = v.strictObject(summary)

export const RequestList = v.strictObject({
  /** Newest first. */
  requests: v.array(RequestSummary),
  /** How many requests are kept. Older ones are forgotten. */
  capacity: whole,
})

export const ShownBody = v.strictObject({
  /** Bytes of the whole body. */
  size: whole,
  /** Values of secret properties are replaced. */
  text: v.exactOptional(text),
  /** The bytes of an image that is kept as a whole. */
  base64: v.exactOptional(text),
  /** Whether `text` is only the beginning of the body. */
  isCut: v.boolean(),
})

export const FailedCondition = v.strictObject({
  /** `query.page`, `variables.id`, `operationName`, `scenario`; `[function]` for a predicate. */
  field: text,
  /** The expected value as the fixture writes it: `2`, `{"$in":["a","b"]}`. */
  expected: text,
  /** `number`, `string`, `operators`, `list`, … */
  expectedType: text,
  /** The received value as JSON; replaced where it is secret, absent where the request has none. */
  received: v.exactOptional(text),
  /** `number`, `string`, … or `nothing`. */
  receivedType: text,
  /** A value to write if a part was meant: `application/json` of `application/json; charset=utf-8`. */
  hint: v.exactOptional(text),
})

export const Candidate = v.strictObject({
  /** Id as in the list of routes: `GET /items #sold out`. */
  id: text,
  /** The `name` of the route, else its method, path and number. */
  name: text,
  /** Whether the route answers the request. */
  isSelected: v.boolean(),
  /** Whether the route has no selector. */
  isDefault: v.boolean(),
  /** All conditions that failed; empty for the selected route, and for routes that would have matched after it. */
  unmet: v.array(FailedCondition),
  ...position,
})

export const Explanation = v.strictObject({
  /** Part of the mock API that has answered, or would answer. */
  answeredBy,
  /** The endpoint's method and path; absent where no endpoint has the path. */
  endpoint: v.exactOptional(text),
  /** The id of the route that answers. */
  route: v.exactOptional(text),
  /** Scenarios that are active for the client of the request. */
  scenarios: names,
  /** One sentence: `No route matched. Closest: "order 7" (variables.id).` */
  summary: text,
  /** Diagnostic of a refused, failed, limited or broken answer, or another one that the terminal shows about it. */
  reason: v.exactOptional(DiagnosticInfo),
  /** Step of a sequence that answers, from 1, and how many steps there are. */
  step: v.exactOptional(v.strictObject({ number: positive, of: positive })),
  /** The routes of the endpoint, the nearest first, at most 50; `more` counts the others. */
  candidates: v.array(Candidate),
  /** How many routes are not in `candidates`. */
  more: whole,
})

const frame = v.strictObject({
  direction: v.picklist(['sent', 'received']),
  /** Milliseconds after the request. */
  time: v.pipe(v.number(), v.minValue(0)),
  /** Bytes. */
  size: whole,
  /** Server-sent events: the type of the event. */
  event: v.exactOptional(text),
  /** The payload, or its beginning. Values of secret properties are replaced. */
  text,
})

export const RequestDetails = v.strictObject({
  ...summary,
  /** Names in lower case; the values of secret headers are replaced. */
  headers: texts,
  /** Values of secret properties are replaced. */
  body: v.exactOptional(ShownBody),
  /** The response; absent until it is sent, and where something else answered. */
  response: v.exactOptional(
    v.strictObject({ status: whole, headers: texts, body: ShownBody, fault: v.exactOptional(text) }),
  ),
  /** Frames of a stream or a WebSocket: the last 200, the oldest first. */
  frames: v.exactOptional(v.array(frame)),
  /** Why the request was answered in this way. */
  decision: Explanation,
})

export const ExplainRequest = v.strictObject({
  /** Default `GET`. */
  method: v.exactOptional(v.pipe(text, v.regex(/^[A-Za-z]+$/, 'an HTTP method'))),
  /** Path and query. */
  url: v.pipe(text, v.regex(/^\//, 'a path that begins with "/"')),
  /** Request headers by name. Default: none. */
  headers: v.exactOptional(texts),
  /** Anything but a string is sent as JSON. */
  body: v.exactOptional(json),
})
