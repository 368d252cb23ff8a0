import * as v from 'valibot'
import { isTarget } from '../core/http/host-name.ts'
import type { FailNext, Overrides } from '../core/state/overrides.ts'

export type { FailNext, Overrides }

/*
 * The JSON of the control API, `/__mock-api/api/…`: each shape once, as a Valibot schema. The types of server, client and
 * page are inferred from these, the bodies of requests are checked by them, and `GET openapi.json` is generated from them.
 * Browsers import only the types. `endpoints.ts` says which endpoint has which shapes.
 *
 * Times are milliseconds since the epoch, durations milliseconds. `client` is the value of the header `x-mock-client` or of
 * the cookie `mock-client`; absent, it means everyone.
 */

/** A JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

const json = v.unknown() as unknown as v.GenericSchema<Json>
const text = v.string()
const integer = v.pipe(v.number(), v.integer())
const whole = v.pipe(integer, v.minValue(0))
const positive = v.pipe(integer, v.minValue(1))
const names = v.array(text)
const texts = v.record(text, text)

const position = {
  /** Relative to the project's root if it is inside, with `/`. Absent for a route without a file. */
  file: v.exactOptional(text),
  /** From 1. Absent for a route without a position. */
  line: v.exactOptional(positive),
  /** From 1. Absent for a route in code. */
  column: v.exactOptional(positive),
}
/** A place in a file. Lines and columns count from 1. */
export type Position = v.InferOutput<v.StrictObjectSchema<typeof position, undefined>>

const routeInfo = v.strictObject({
  /** `POST /graphql #2`: method, path, and the number of the route among those of its endpoint. Unique. */
  id: text,
  name: text,
  method: text,
  path: text,
  /** The route's `when`; a predicate is the string `[function]`. Secret values are replaced. Absent for a default route. */
  when: v.exactOptional(json),
  scenarios: names,
  /** What it answers with. */
  answers: v.picklist(['static', 'graphql', 'paginate', 'function', 'backend', 'sequence', 'error']),
  /** Of a list in numbered pages: how many it has. The terminal counts each as a route. */
  pages: v.exactOptional(whole),
  isGraphQL: v.boolean(),
  /** Whether it comes from the starter templates. */
  isTemplate: v.boolean(),
  /** How many requests it has answered since its file was loaded, or since the last reset. */
  hits: whole,
  ...position,
})
export type RouteInfo = v.InferOutput<typeof routeInfo>

const routeList = v.strictObject({
  /** Endpoint by endpoint, in the order in which they are tried. */
  routes: v.array(routeInfo),
})

const answeredBy = v.picklist([
  /** A route of the project's fixture files, or of the starter templates. */
  'route',
  'template',
  /** A route whose fault broke the connection or the body. */
  'fault',
  /** An override of the control API: an error, a fault or offline. */
  'override',
  /** No route: the endpoint exists, and none of its routes fits. */
  'nothing',
  /** The request was refused: origin, host name, body, or an invalid GraphQL operation. */
  'refused',
  /** Preflights, the GraphiQL page, and GraphQL requests that the schema answers. */
  'plugin',
  /** Left to the next middleware, a proxy or the application. */
  'passed-on',
])
/** Who answered a request. */
export type AnsweredBy = v.InferOutput<typeof answeredBy>

const summary = {
  /** Increases with each request; also the id of its server-sent event. */
  id: whole,
  /** When it arrived: milliseconds since 1970. */
  time: whole,
  /** As it was sent. */
  method: text,
  /** Path and query, without the values of secret parameters. */
  url: text,
  /** The header `x-mock-client` or the cookie `mock-client`. */
  client: v.exactOptional(text),
  /** GraphQL: the name of the operation; of a batch, all names with commas. */
  operationName: v.exactOptional(text),
  /** GraphQL: the type of the operation, where it is known. */
  operationType: v.exactOptional(v.picklist(['query', 'mutation', 'subscription'])),
  /** GraphQL: the first variables, as `id: 7, page: 2`, without secret values. */
  variables: v.exactOptional(text),
  /** Absent until the request is answered, and where it never was. */
  status: v.exactOptional(whole),
  /** Absent until the answer has ended; 0 for an answer that was sent at once, which is not timed. */
  duration: v.exactOptional(v.pipe(v.number(), v.minValue(0))),
  /** Who answered it. */
  answeredBy,
  /** The client disconnected before it had the whole answer. A fault of the route is not meant. */
  isAborted: v.exactOptional(v.boolean()),
  /** Where `answeredBy` is `route`, `template` or `fault`. */
  route: v.exactOptional(v.strictObject({ id: text, name: text, ...position })),
  /** The scenarios that were active for it. */
  scenarios: names,
}
const requestSummary = v.strictObject(summary)
/** One line of the list of requests. */
export type RequestSummary = v.InferOutput<typeof requestSummary>

const requestList = v.strictObject({
  /** Newest first. */
  requests: v.array(requestSummary),
  /** How many requests are kept. Older ones are forgotten. */
  capacity: whole,
})
export type RequestList = v.InferOutput<typeof requestList>

const shownBody = v.strictObject({
  /** Bytes of the whole body. */
  size: whole,
  /** Values of secret properties are replaced. */
  text: v.exactOptional(text),
  /** Whether `text` is only its beginning. */
  isCut: v.boolean(),
})
/** The text of a body, up to 64 KiB. A body that is not text only has its size. */
export type ShownBody = v.InferOutput<typeof shownBody>

const failedCondition = v.strictObject({
  /** `query.page`, `variables.id`, `operationName`, `scenario`; `[function]` for a predicate. */
  field: text,
  /** As the fixture writes it: `2`, `{"$in":["a","b"]}`. */
  expected: text,
  /** `number`, `string`, `operators`, `list`, … */
  expectedType: text,
  /** What the request has, as JSON; replaced where it is secret, absent where it has nothing. */
  received: v.exactOptional(text),
  /** `number`, `string`, … or `nothing`. */
  receivedType: text,
  /** What to write if a part of the value was meant: `application/json` of `application/json; charset=utf-8`. */
  hint: v.exactOptional(text),
})
/** The part of a selector that a request does not have. */
export type FailedCondition = v.InferOutput<typeof failedCondition>

const candidate = v.strictObject({
  /** Stable while the route keeps its place: `GET /items #2`. */
  id: text,
  /** The `name` of the route, else its method, path and number. */
  name: text,
  /** Whether it answers. */
  isSelected: v.boolean(),
  /** Whether it has no selector. */
  isDefault: v.boolean(),
  /** The first condition that failed; absent for the selected route, and for routes that would have matched after it. */
  failed: v.exactOptional(failedCondition),
  /** YAML of a route whose `when` this request matches; what "make it match" shows. Only beside `failed`. */
  fix: v.exactOptional(text),
  ...position,
})
/** A route of the endpoint that was asked. */
export type Candidate = v.InferOutput<typeof candidate>

const explanation = v.strictObject({
  /** Who answers it. */
  answeredBy,
  /** The endpoint's method and path; absent where no endpoint has the path. */
  endpoint: v.exactOptional(text),
  /** The id of the route that answers. */
  route: v.exactOptional(text),
  /** The active scenarios. */
  scenarios: names,
  /** One sentence. */
  summary: text,
  /** The routes of the endpoint, the nearest first, at most 50; `more` counts the others. */
  candidates: v.array(candidate),
  /** How many routes are not in `candidates`. */
  more: whole,
})
/** Answer of `POST explain`, and the decision of a request. */
export type Explanation = v.InferOutput<typeof explanation>

const requestDetails = v.strictObject({
  ...summary,
  /** Names in lower case; the values of secret headers are replaced. */
  headers: texts,
  /** Values of secret properties are replaced. */
  body: v.exactOptional(shownBody),
  /** What was sent; absent until then, and where something else answered. */
  response: v.exactOptional(
    v.strictObject({ status: whole, headers: texts, body: shownBody, fault: v.exactOptional(text) }),
  ),
  /** Why it was answered so. */
  decision: explanation,
})
/** `GET requests/:id`: one request in full. */
export type RequestDetails = v.InferOutput<typeof requestDetails>

const explainRequest = v.strictObject({
  /** Default `GET`. */
  method: v.exactOptional(v.pipe(text, v.regex(/^[A-Za-z]+$/, 'an HTTP method'))),
  /** Path and query. */
  url: v.pipe(text, v.regex(/^\//, 'a path that begins with "/"')),
  /** By name. */
  headers: v.exactOptional(texts),
  /** Anything but a string is sent as JSON. */
  body: v.exactOptional(json),
})
/** Body of `POST explain`. */
export type ExplainRequest = v.InferOutput<typeof explainRequest>

const newScenario = v.strictObject({
  scenario: v.array(v.pipe(text, v.nonEmpty('the name of a scenario'))),
})

const scenarioState = v.strictObject({
  /** The current ones of the server, or of the client that asks (`x-mock-client`). */
  scenario: names,
  /** All that routes name, with the ids of these routes. */
  known: v.array(v.strictObject({ name: text, routes: names })),
})
export type ScenarioState = v.InferOutput<typeof scenarioState>

const milliseconds = v.pipe(whole, v.maxValue(2_147_483_647))

const overrides = v.strictObject({
  routes: v.exactOptional(texts),
  delay: v.exactOptional(
    v.union([milliseconds, v.record(text, milliseconds)], 'milliseconds, or an object of them'),
  ),
  failNext: v.exactOptional(
    v.strictObject({
      count: positive,
      status: v.exactOptional(v.pipe(integer, v.minValue(200), v.maxValue(599))),
      fault: v.exactOptional(v.picklist(['reset', 'empty', 'truncated', 'malformed', 'stalled', 'silent'])),
      endpoint: v.exactOptional(text),
    }),
  ),
  offline: v.exactOptional(v.boolean()),
}) satisfies v.GenericSchema<Overrides>

const recordSwitch = {
  /** Whether answers of the backend are recorded. */
  recording: v.boolean(),
  /** Where requests are sent. Default: the option `record.target`, else the proxy of the dev server. */
  target: v.exactOptional(
    v.pipe(text, v.check(isTarget, 'a URL such as "https://staging.example", without a query')),
  ),
}
const newRecord = v.strictObject(recordSwitch)
/** Body of `PUT record`. */
export type RecordSwitch = v.InferOutput<typeof newRecord>

const omission = v.strictObject({
  /** `response header "set-cookie"`. */
  what: text,
  /** One sentence. */
  why: text,
  /** `POST /login`. */
  where: text,
  /** How often. */
  count: whole,
})
/** Something that a recording has left out. */
export type Omission = v.InferOutput<typeof omission>

const recordState = v.strictObject({
  ...recordSwitch,
  /** The folder of the files, relative to the project's root. */
  folder: text,
  /** How many answers the current recording has, or the last one. */
  answers: whole,
  /** Its files, relative to the project's root. */
  files: names,
  /** What is not in the files: credentials, what differs with each answer, and answers that can't be recorded. */
  omitted: v.array(omission),
})
/** `GET record`, and the answer of `PUT record`. */
export type RecordState = v.InferOutput<typeof recordState>

const diagnosticInfo = v.strictObject({
  code: text,
  severity: v.picklist(['error', 'warning']),
  message: text,
  fix: text,
  /** The lines around the position. */
  frame: v.exactOptional(text),
  ...position,
})
export type DiagnosticInfo = v.InferOutput<typeof diagnosticInfo>

const diagnosticList = v.strictObject({ diagnostics: v.array(diagnosticInfo) })

const resetOptions = v.strictObject({
  /** Also forgets the recorded requests. Default `false`. */
  requests: v.exactOptional(v.boolean()),
})

const resetResult = v.strictObject({
  /** The id of the last request before the reset; 0 if there was none. */
  lastRequest: whole,
})

const newFixture = v.strictObject({
  /** The id of the request it is written from. */
  request: integer,
  /** Relative to the folder of the fixture files; default: a name made from the path. */
  file: v.exactOptional(v.pipe(text, v.nonEmpty('the name of a file'))),
  /** Only shows the YAML. */
  dryRun: v.exactOptional(v.boolean()),
})
/** Body of `POST fixture`. */
export type NewFixture = v.InferOutput<typeof newFixture>

const writtenFixture = v.strictObject({
  /** Relative to the project's root. */
  file: text,
  yaml: text,
  isWritten: v.boolean(),
  /** What the developer has to know about it: the answer is a placeholder, another route comes first. */
  note: v.exactOptional(text),
})
export type WrittenFixture = v.InferOutput<typeof writtenFixture>

const openFile = v.strictObject({ ...position, file: text })
/** Body of `POST open`: the file of a route or of a diagnostic. */
export type OpenFile = v.InferOutput<typeof openFile>

const apiError = v.strictObject({ error: v.strictObject({ message: text, code: text, fix: text }) })
/** Every error, with a status of 400, 403, 404, 405, 409, 413 or 500. */
export type ApiError = v.InferOutput<typeof apiError>

/** Events of `GET requests/stream`; `id:` is the request's. */
export type StreamEvent =
  /** A request: when it arrives, if its answer is delayed, and when it is answered. */
  | { event: 'request'; data: RequestSummary }
  /** The fixtures were reloaded. */
  | { event: 'reload'; data: { routeCount: number; errors: number } }
  /** First, and whenever scenarios or overrides were changed or reset. */
  | { event: 'state'; data: { scenario: string[]; overrides: Overrides } }

/** The shapes by the names that they have in `GET openapi.json`. */
export const apiSchemas = {
  RouteInfo: routeInfo,
  RouteList: routeList,
  RequestSummary: requestSummary,
  RequestList: requestList,
  ShownBody: shownBody,
  RequestDetails: requestDetails,
  ExplainRequest: explainRequest,
  Explanation: explanation,
  Candidate: candidate,
  FailedCondition: failedCondition,
  NewScenario: newScenario,
  ScenarioState: scenarioState,
  Overrides: overrides,
  RecordSwitch: newRecord,
  RecordState: recordState,
  DiagnosticInfo: diagnosticInfo,
  DiagnosticList: diagnosticList,
  ResetOptions: resetOptions,
  ResetResult: resetResult,
  NewFixture: newFixture,
  WrittenFixture: writtenFixture,
  OpenFile: openFile,
  OpenedFile: v.strictObject({ opened: text }),
  ApiError: apiError,
}
/** The types of the shapes. */
export type Shapes = { [Name in keyof typeof apiSchemas]: v.InferOutput<(typeof apiSchemas)[Name]> }
