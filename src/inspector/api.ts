import * as v from 'valibot'
import { canonicalTarget } from '../core/http/host-name.ts'
import { sadPathKinds } from '../core/sad-path/sad-path.ts'
import type { FailNext, Overrides } from '../core/state/overrides.ts'
import * as requests from './api-requests.ts'
import { integer, json, names, position, positive, text, texts, whole } from './api-requests.ts'
import type { RequestSummary } from './api-requests.ts'

export type * from './api-requests.ts'
export type { FailNext, Overrides }

/*
 * The JSON of the control API, `/__mock-api/api/…`: each shape once, as a Valibot schema. The types of server, client and
 * page are inferred from these, the bodies of requests are checked by them, and `GET openapi.json` is generated from them.
 * Browsers import only the types. `endpoints.ts` says which endpoint has which shapes.
 *
 * Times are milliseconds since the epoch, durations milliseconds. `client` is the value of the header `x-mock-client` or of
 * the cookie `mock-client`; absent, it means everyone.
 */

const routeInfo = v.strictObject({
  /**
   * Unique, and the same after edits of other routes: method, path, and the name, as in `GET /items #sold out`; without a name,
   * `default` or a hash of selector and scenario.
   */
  id: text,
  name: text,
  method: text,
  path: text,
  /** The route's `when`; a predicate is the string `[function]`. Secret values are replaced. Absent for a default route. */
  when: v.exactOptional(json),
  scenarios: names,
  /** What it answers with; `values` is a response with values of the request. */
  answers: v.picklist([
    'static',
    'values',
    'graphql',
    'paginate',
    'stream',
    'collection',
    'function',
    'backend',
    'websocket',
    'sequence',
    'error',
  ]),
  /** Of a list in numbered pages: how many it has. The terminal counts each as a route. */
  pages: v.exactOptional(whole),
  /** Of an answer that is the same each time. */
  status: v.exactOptional(whole),
  /** As the fixture has it: milliseconds, or a range. */
  delay: v.exactOptional(json),
  /** As the fixture has it. */
  fault: v.exactOptional(json),
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

const newScenario = v.strictObject({
  /** A list of names, or a text with commas between them, as in the option. */
  scenario: v.union(
    [text, v.array(v.pipe(text, v.nonEmpty('the name of a scenario')))],
    'a name, or a list of names',
  ),
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
  sadPath: v.exactOptional(text),
  nextAnswer: v.exactOptional(
    v.strictObject({
      endpoint: text,
      operationName: v.exactOptional(text),
      status: v.exactOptional(v.pipe(integer, v.minValue(200), v.maxValue(599))),
      headers: v.exactOptional(texts),
      body: v.exactOptional(v.unknown()),
    }),
  ),
  offline: v.exactOptional(v.boolean()),
}) satisfies v.GenericSchema<Overrides>

const coverage = v.strictObject({
  /** `route` answers like that by itself, `scenario` when it is active; `client` has had it, as a test has. */
  by: v.picklist(['route', 'scenario', 'client']),
  name: text,
  ...position,
})

const sadPath = v.strictObject({
  /** The same in each run: `POST /graphql Hero #null hero.friends[].name`. */
  id: text,
  /** `hero.friends[1].name is null, with an error` */
  title: text,
  kind: v.picklist(sadPathKinds),
  /** `GET /orders/:id`; of GraphQL with the operation: `POST /graphql Hero`. */
  request: text,
  method: text,
  /** As the route has it: `/orders/:id`. */
  path: text,
  operationName: v.exactOptional(text),
  /** What shows it already. */
  coveredBy: v.exactOptional(v.array(coverage)),
})
/** One way in which an answer goes wrong. */
export type SadPath = v.InferOutput<typeof sadPath>

const sadPathList = v.strictObject({
  /** One of each kind first, then the second of each, and so on. */
  sadPaths: v.array(sadPath),
  /** How many are not listed. */
  more: whole,
})

const recordSwitch = {
  /** Whether answers of the backend are recorded. */
  recording: v.boolean(),
  /** Where requests are sent. Default: the option `record.target`, else the proxy of the dev server. */
  target: v.exactOptional(
    v.pipe(
      text,
      v.check(
        (url) => canonicalTarget(url) !== undefined,
        'a URL such as "https://staging.example", without a query',
      ),
    ),
  ),
}
const newRecord = v.strictObject(recordSwitch)
/** Body of `PUT record`. */
export type RecordSwitch = v.InferOutput<typeof newRecord>

const omission = v.strictObject({
  /** `response header "date"`. */
  what: text,
  /** One sentence. */
  why: text,
  /** `POST /login`. */
  where: text,
  /** How often. */
  count: whole,
})
/** Something that a recording or an import has left out. */
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
export type RecordState = RecordSwitch & v.InferOutput<typeof recordState>

const newPush = v.strictObject({
  /** The streams with `on: { push: channel }`. */
  channel: v.exactOptional(text),
  /** Instead of a channel, the streams of a route, by its name or id. */
  route: v.exactOptional(text),
  /** Instead of a channel, the stream that answers this request. */
  request: v.exactOptional(integer),
  /** What is sent. Absent, nothing is sent. */
  data: v.exactOptional(json),
  /** Server-sent events: the type of the event. */
  event: v.exactOptional(v.pipe(text, v.regex(/^[^\0\r\n]*$/, 'a text without line breaks'))),
  /** With `route` or `request`: the stream ends then, or its connection breaks. */
  end: v.exactOptional(v.picklist(['complete', 'reset', 'truncated', 'malformed', 'stalled'])),
})
/** Body of `POST push`. */
export type NewPush = v.InferOutput<typeof newPush>

const pushResult = v.strictObject({
  /** How many streams it has reached. */
  streams: whole,
})

const diagnosticList = v.strictObject({ diagnostics: v.array(requests.diagnosticInfo) })

const resetOptions = v.strictObject({
  /** Also forgets the recorded requests. Default `false`. */
  requests: v.exactOptional(v.boolean()),
})

const resetResult = v.strictObject({
  /** The id of the last request before the reset; 0 if there was none. */
  lastRequest: whole,
})

const fileName = v.pipe(text, v.nonEmpty('the name of a file'))

const editRequest = v.strictObject({
  /** The id of the request that is to be answered. Needed without `routes` or `text`. */
  request: v.exactOptional(integer),
  /** The id of a route: its selector is changed to match the request. */
  route: v.exactOptional(text),
  /**
   * Without `route`: the file that gets a new route, relative to the project's root, which may be a new file. Default: a
   * new file, named by the path.
   */
  file: v.exactOptional(fileName),
  /** Without `route`, the id of a sad path: the new route answers as that, in a scenario. */
  sadPath: v.exactOptional(text),
  /** The text of the whole file, which is only checked. */
  text: v.exactOptional(text),
  /** A YAML list of routes, which `file` gets at its end. */
  routes: v.exactOptional(text),
  /** Whether those of `routes` that the file has already are replaced, where they stand. Default `false`: an error. */
  replace: v.exactOptional(v.boolean()),
})
/** Body of `POST edit`. */
export type EditRequest = v.InferOutput<typeof editRequest>

const newText = {
  /** Relative to the project's root. */
  file: fileName,
  /** The text of the whole file. */
  text,
  /** A hash of the file that the text was made from; empty for a new file. */
  version: text,
}
const change = v.strictObject(newText)

const edit = v.strictObject({
  ...newText,
  /** Unified diff between the file and the text, without the names of files. */
  diff: text,
  /** What would be wrong with the fixture files. */
  diagnostics: v.array(requests.diagnosticInfo),
  /** Who would answer the request; absent without one, and where its body is not kept as a whole. */
  answer: v.exactOptional(
    v.strictObject({
      answeredBy: requests.answeredBy,
      route: v.exactOptional(v.strictObject({ id: text, name: text, ...position })),
    }),
  ),
  /** Of a sad path: the name of the scenario. */
  scenario: v.exactOptional(text),
  /** Sentences: which conditions are gone, that the answer is an example, and what is left out of it. */
  notes: names,
  /** The fixture files that a route can be added to, relative to the project's root. */
  files: names,
})
/** A change of a fixture file, which is not written. */
export type Edit = v.InferOutput<typeof change> & v.InferOutput<typeof edit>

const changedFile = v.strictObject({
  /** Relative to the project's root. */
  file: text,
  /** The first line that differs, from 1. */
  line: positive,
})
/** Answer of `PUT edit` and `DELETE edit`. */
export type ChangedFile = v.InferOutput<typeof changedFile>

const newFixture = v.strictObject({
  /** The id of the request it is written from. */
  request: integer,
  /** Relative to the folder of the fixture files; default: a name made from the path. */
  file: v.exactOptional(fileName),
  /** Only shows the YAML. */
  dryRun: v.exactOptional(v.boolean()),
})

const writtenFixture = v.strictObject({
  /** Relative to the project's root. */
  file: text,
  yaml: text,
  isWritten: v.boolean(),
  /** What the developer has to know about it, such as that the answer is an example. */
  note: v.exactOptional(text),
})
export type WrittenFixture = v.InferOutput<typeof writtenFixture>

const importedHar = v.strictObject({
  /** A HAR file's; its other keys are ignored. */
  log: v.object({ entries: v.array(v.unknown()) }),
  /** Only says what would be written. */
  dryRun: v.exactOptional(v.boolean()),
})

const writtenFiles = v.strictObject({
  /** Relative to the project's root. */
  files: v.array(v.strictObject({ file: text, routes: positive })),
  isWritten: v.boolean(),
  /** What is not in the files. */
  omitted: v.array(omission),
})
/** Answer of `POST har`. */
export type WrittenFiles = v.InferOutput<typeof writtenFiles>

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
const collectionInfo = v.strictObject({
  name: text,
  path: text,
  /** The key of the id. */
  id: text,
  /** How many it has. */
  items: whole,
  /** How often they were changed since the file was read, or since a reset. */
  changes: whole,
  ...position,
})
export type CollectionInfo = v.InferOutput<typeof collectionInfo>

const item = v.record(text, json)
const collectionItems = v.strictObject({
  ...collectionInfo.entries,
  /** The first 1000, in their order. */
  shown: v.array(item),
  /** Ids of items that the file does not have. */
  created: names,
  /** Ids of items that are not as in the file. */
  updated: names,
  /** Items of the file that are gone. */
  deleted: v.array(item),
})
export type CollectionItems = v.InferOutput<typeof collectionItems>

export const apiSchemas = {
  RouteInfo: routeInfo,
  RouteList: routeList,
  RequestSummary: requests.requestSummary,
  RequestList: requests.requestList,
  ShownBody: requests.shownBody,
  RequestDetails: requests.requestDetails,
  ExplainRequest: requests.explainRequest,
  Explanation: requests.explanation,
  Candidate: requests.candidate,
  FailedCondition: requests.failedCondition,
  NewScenario: newScenario,
  ScenarioState: scenarioState,
  Overrides: overrides,
  CollectionInfo: collectionInfo,
  CollectionList: v.strictObject({ collections: v.array(collectionInfo) }),
  CollectionItems: collectionItems,
  NewItems: v.strictObject({ items: v.array(v.unknown()) }),
  CollectionItem: v.strictObject({ item }),
  SadPath: sadPath,
  SadPathList: sadPathList,
  /** Empty without the option `graphql.schema`. */
  GraphQLSchema: v.strictObject({ sdl: text }),
  RecordSwitch: newRecord,
  RecordState: recordState,
  NewPush: newPush,
  PushResult: pushResult,
  DiagnosticInfo: requests.diagnosticInfo,
  DiagnosticList: diagnosticList,
  ResetOptions: resetOptions,
  ResetResult: resetResult,
  NewFixture: newFixture,
  WrittenFixture: writtenFixture,
  EditRequest: editRequest,
  Change: change,
  Edit: edit,
  ChangedFile: changedFile,
  ImportedHar: importedHar,
  WrittenFiles: writtenFiles,
  OpenFile: openFile,
  OpenedFile: v.strictObject({ opened: text }),
  ApiError: apiError,
}
/** The types of the shapes. */
export type Shapes = { [Name in keyof typeof apiSchemas]: v.InferOutput<(typeof apiSchemas)[Name]> }
