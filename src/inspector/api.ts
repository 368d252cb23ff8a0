import type { Overrides } from '../core/state/overrides.ts'

export type { FailNext, Overrides } from '../core/state/overrides.ts'

/*
 * The JSON shapes of the control API, `/__mock-api/api/…`: what its server sends, and what its client and the inspector
 * read. `src/inspector/server/openapi.ts` describes the same shapes for `GET openapi.json`, and a test compares both.
 *
 * Times are milliseconds since the epoch, durations milliseconds. `client` is the value of the header `x-mock-client` or of
 * the cookie `mock-client`; absent, it means everyone.
 */

/** A JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** A place in a file. Lines and columns count from 1. */
export interface Position {
  /** Relative to the project's root if it is inside, with `/`. Absent for a route without a file. */
  file?: string
  /** From 1. Absent for a route without a position. */
  line?: number
  /** From 1. Absent for a route in code. */
  column?: number
}

/** `GET routes` → `{ routes: RouteInfo[] }`, endpoint by endpoint, in the order in which they are tried. */
export interface RouteInfo extends Position {
  /** `POST /graphql #2`: method, path, and the number of the route among those of its endpoint. Unique. */
  id: string
  name: string
  method: string
  path: string
  /** The route's `when`; a predicate is the string `[function]`. Secret values are replaced. Absent for a default route. */
  when?: Json
  scenarios: string[]
  /** What it answers with. */
  answers: 'static' | 'graphql' | 'paginate' | 'function' | 'backend' | 'sequence' | 'error'
  /** Of a list in numbered pages: how many it has. The terminal counts each as a route. */
  pages?: number
  isGraphQL: boolean
  /** Whether it comes from the starter templates. */
  isTemplate: boolean
  /** How many requests it has answered since its file was loaded, or since the last reset. */
  hits: number
}

/** Who answered a request. */
export type AnsweredBy =
  /** A route of the project's fixture files, or of the starter templates. */
  | 'route'
  | 'template'
  /** A route whose fault broke the connection or the body. */
  | 'fault'
  /** An override of the control API: an error, a fault or offline. */
  | 'override'
  /** No route: the endpoint exists, and none of its routes fits. */
  | 'nothing'
  /** The request was refused: origin, host name, body, or an invalid GraphQL operation. */
  | 'refused'
  /** Preflights, the GraphiQL page, and GraphQL requests that the schema answers. */
  | 'plugin'
  /** Left to the next middleware, a proxy or the application. */
  | 'passed-on'

/** One line of the list of requests. `GET requests` → {@link RequestList}, newest first. */
export interface RequestSummary {
  /** Increases with each request; also the id of its server-sent event. */
  id: number
  /** When it arrived: milliseconds since 1970. */
  time: number
  /** As it was sent. */
  method: string
  /** Path and query, without the values of secret parameters. */
  url: string
  /** The header `x-mock-client` or the cookie `mock-client`. */
  client?: string
  /** GraphQL: the name of the operation; of a batch, all names with commas. */
  operationName?: string
  /** GraphQL: the type of the operation, where it is known. */
  operationType?: 'query' | 'mutation' | 'subscription'
  /** GraphQL: the first variables, as `id: 7, page: 2`, without secret values. */
  variables?: string
  /** Absent until the request is answered, and where it never was. */
  status?: number
  /** Absent until the answer has ended; 0 for an answer that was sent at once, which is not timed. */
  duration?: number
  /** Who answered it. */
  answeredBy: AnsweredBy
  /** The client disconnected before it had the whole answer. A fault of the route is not meant. */
  isAborted?: boolean
  /** Where `answeredBy` is `route`, `template` or `fault`. */
  route?: Pick<RouteInfo, 'id' | 'name'> & Position
  /** The scenarios that were active for it. */
  scenarios: string[]
}

/** `GET requests`: parameters `client`, `limit` and `passed` (`true` also lists, and records, what is passed on). */
export interface RequestList {
  requests: RequestSummary[]
  /** How many requests are kept. Older ones are forgotten. */
  capacity: number
}

/** The text of a body, up to 64 KiB. A body that is not text only has its size. */
export interface ShownBody {
  /** Bytes of the whole body. */
  size: number
  /** Values of secret properties are replaced. */
  text?: string
  /** Whether `text` is only its beginning. */
  isCut: boolean
}

/** `GET requests/:id`: one request in full. */
export interface RequestDetails extends RequestSummary {
  /** Names in lower case; the values of secret headers are replaced. */
  headers: Record<string, string>
  /** Values of secret properties are replaced. */
  body?: ShownBody
  /** What was sent; absent until then, and where something else answered. */
  response?: {
    status: number
    headers: Record<string, string>
    body: ShownBody
    fault?: string
  }
  /** Why it was answered so. */
  decision: Explanation
}

/** Body of `POST explain`. */
export interface ExplainRequest {
  /** Default `GET`. */
  method?: string
  /** Path and query. */
  url: string
  /** By name. */
  headers?: Record<string, string>
  /** Anything but a string is sent as JSON. */
  body?: Json
}

/** Answer of `POST explain`, and the decision of a request. */
export interface Explanation {
  /** Who answers it. */
  answeredBy: AnsweredBy
  /** The endpoint's method and path; absent where no endpoint has the path. */
  endpoint?: string
  /** The id of the route that answers. */
  route?: string
  /** The active scenarios. */
  scenarios: string[]
  /** One sentence. */
  summary: string
  /** The routes of the endpoint, the nearest first, at most 50; `more` counts the others. */
  candidates: Candidate[]
  /** How many routes are not in `candidates`. */
  more: number
}

/** A route of the endpoint that was asked. */
export interface Candidate extends Position {
  /** Stable while the route keeps its place: `GET /items #2`. */
  id: string
  /** The `name` of the route, else its method, path and number. */
  name: string
  /** Whether it answers. */
  isSelected: boolean
  /** Whether it has no selector. */
  isDefault: boolean
  /** The first condition that failed; absent for the selected route, and for routes that would have matched after it. */
  failed?: FailedCondition
  /** YAML of a route whose `when` this request matches; what "make it match" shows. Only beside `failed`. */
  fix?: string
}

/** The part of a selector that a request does not have. */
export interface FailedCondition {
  /** `query.page`, `variables.id`, `operationName`, `scenario`; `[function]` for a predicate. */
  field: string
  /** As the fixture writes it: `2`, `{"$in":["a","b"]}`. */
  expected: string
  /** `number`, `string`, `operators`, `list`, … */
  expectedType: string
  /** What the request has, as JSON; replaced where it is secret, absent where it has nothing. */
  received?: string
  /** `number`, `string`, … or `nothing`. */
  receivedType: string
  /** What to write if a part of the value was meant: `application/json` of `application/json; charset=utf-8`. */
  hint?: string
}

/** `GET scenario`; body of `PUT scenario` is `{ scenario: string[] }`. */
export interface ScenarioState {
  /** The current ones of the server, or of the client that asks (`x-mock-client`). */
  scenario: string[]
  /** All that routes name, with the ids of these routes. */
  known: { name: string; routes: string[] }[]
}

/** Body of `PUT record`. */
export interface RecordSwitch {
  /** Whether answers of the backend are recorded. */
  recording: boolean
  /** Where requests are sent. Default: the option `record.target`, else the proxy of the dev server. */
  target?: string
}

/** `GET record`, and the answer of `PUT record`. */
export interface RecordState extends RecordSwitch {
  /** The folder of the files, relative to the project's root. */
  folder: string
  /** How many answers the current recording has, or the last one. */
  answers: number
  /** Its files, relative to the project's root. */
  files: string[]
  /** What is not in the files: credentials, what differs with each answer, and answers that can't be recorded. */
  omitted: Omission[]
}

/** Something that a recording has left out. */
export interface Omission {
  /** `response header "set-cookie"`. */
  what: string
  /** One sentence. */
  why: string
  /** `POST /login`. */
  where: string
  /** How often. */
  count: number
}

/** `GET diagnostics` → `{ diagnostics: DiagnosticInfo[] }`. */
export interface DiagnosticInfo extends Position {
  code: string
  severity: 'error' | 'warning'
  message: string
  fix: string
  /** The lines around the position. */
  frame?: string
}

/** Body of `POST reset`: sequences, rate limits, hits, scenarios and overrides, of one client or of everyone. */
export interface ResetOptions {
  /** Also forgets the recorded requests. Default `false`. */
  requests?: boolean
}

/** Answer of `POST reset`. */
export interface ResetResult {
  /** The id of the last request before the reset; 0 if there was none. */
  lastRequest: number
}

/** Body of `POST fixture`: writes a new fixture file, never over an existing one (409). */
export interface NewFixture {
  /** The id of the request it is written from. */
  request: number
  /** Relative to the folder of the fixture files; default: a name made from the path. */
  file?: string
  /** Only shows the YAML. */
  dryRun?: boolean
}

export interface WrittenFixture {
  /** Relative to the project's root. */
  file: string
  yaml: string
  isWritten: boolean
  /** What the developer has to know about it: the answer is a placeholder, another route comes first. */
  note?: string
}

/** Body of `POST open`: opens the file of a route or of a diagnostic in the user's editor. Answer: `{ opened: string }`. */
export interface OpenFile extends Position {
  file: string
}

/** Events of `GET requests/stream` (parameters as of `GET requests`); `id:` is the request's. */
export type StreamEvent =
  /** A request: when it arrives, if its answer is delayed, and when it is answered. */
  | { event: 'request'; data: RequestSummary }
  /** The fixtures were reloaded. */
  | { event: 'reload'; data: { routeCount: number; errors: number } }
  /** First, and whenever scenarios or overrides were changed or reset. */
  | { event: 'state'; data: { scenario: string[]; overrides: Overrides } }

/** Every error: `{ error }` with a status of 400, 403, 404, 405, 409, 413 or 500. */
export interface ApiError {
  error: { message: string; code: string; fix: string }
}
