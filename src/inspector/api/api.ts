import * as v from 'valibot'
import { sadPathKinds } from '../../core/sad-path/sad-path.ts'
import type { FailNext, Overrides } from '../../core/state/overrides.ts'
import * as files from './api-files.ts'
import * as requests from './api-requests.ts'
import * as reality from './api-reality.ts'
import * as state from './api-state.ts'
import { json, names, position, text, whole } from './api-requests.ts'
import type { RequestSummary } from './api-requests.ts'

export type * from './api-files.ts'
export type * from './api-reality.ts'
export type * from './api-requests.ts'
export type * from './api-state.ts'
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
  /** Kind of answer. `values` is a response with values of the request. */
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
  /** Number of pages, for a list in numbered pages. The terminal counts each as a route. */
  pages: v.exactOptional(whole),
  /** Status of an answer that is the same each time. */
  status: v.exactOptional(whole),
  /** Delay as the fixture has it: milliseconds, or a range. */
  delay: v.exactOptional(json),
  fault: v.exactOptional(json),
  isGraphQL: v.boolean(),
  isTemplate: v.boolean(),
  /** Number of requests that the route has answered since its file was loaded, or since the last reset. */
  hits: whole,
  ...position,
})
export type RouteInfo = v.InferOutput<typeof routeInfo>

const routeList = v.strictObject({
  /** Endpoint by endpoint, in the order in which they are tried. */
  routes: v.array(routeInfo),
  /** Path before that of each route, as in a page of the application; empty without the option `base`. */
  base: text,
})

const coverage = v.strictObject({
  /** `route` answers like that by itself, `scenario` when it is active; `client` has had it, as a test has. */
  by: v.picklist(['route', 'scenario', 'client']),
  name: text,
  ...position,
})

const sadPath = v.strictObject({
  /** Id that is the same in each run: `POST /graphql Hero #null hero.friends[].name`. */
  id: text,
  /** `hero.friends[1].name is null, with an error` */
  title: text,
  /** Kind of what goes wrong. */
  kind: v.picklist(sadPathKinds),
  /** `GET /orders/:id`; of GraphQL with the operation: `POST /graphql Hero`. */
  request: text,
  /** HTTP method in capitals. */
  method: text,
  /** Path as the route has it: `/orders/:id`. */
  path: text,
  /** GraphQL: the name of the operation. */
  operationName: v.exactOptional(text),
  /** Routes, scenarios and clients that already show what goes wrong. */
  coveredBy: v.exactOptional(v.array(coverage)),
})
/** One way in which an answer goes wrong. */
export type SadPath = v.InferOutput<typeof sadPath>

const sadPathList = v.strictObject({
  /** One of each kind first, then the second of each, and so on. */
  sadPaths: v.array(sadPath),
  /** Number of sad paths that are not listed. */
  more: whole,
})

const diagnosticList = v.strictObject({ diagnostics: v.array(requests.diagnosticInfo) })

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
  | { event: 'state'; data: state.ScenarioNow & { overrides: Overrides } }

/** The shapes by the names that they have in `GET openapi.json`. */
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
  NewScenario: state.newScenario,
  ScenarioState: state.scenarioState,
  Overrides: state.overrides,
  CollectionInfo: state.collectionInfo,
  CollectionList: v.strictObject({ collections: v.array(state.collectionInfo) }),
  CollectionItems: state.collectionItems,
  SavedCollection: v.strictObject({ collection: text }),
  NewItems: v.strictObject({ items: v.array(v.unknown()) }),
  CollectionItem: v.strictObject({ item: state.item }),
  SadPath: sadPath,
  SadPathList: sadPathList,
  /** Empty without the option `graphql.schema`. */
  GraphQLSchema: v.strictObject({ sdl: text }),
  RecordSwitch: files.newRecord,
  RecordState: files.recordState,
  Reality: reality.reality,
  RealitySwitch: reality.realitySwitch,
  TakenDifferences: reality.takenDifferences,
  Acceptance: reality.acceptance,
  NewPush: state.newPush,
  PushResult: state.pushResult,
  DiagnosticInfo: requests.diagnosticInfo,
  DiagnosticList: diagnosticList,
  ResetOptions: state.resetOptions,
  ResetResult: state.resetResult,
  NewFixture: files.newFixture,
  WrittenFixture: files.writtenFixture,
  EditRequest: files.editRequest,
  Change: files.change,
  Edit: files.edit,
  ChangedFile: files.changedFile,
  ImportedFile: files.importedFile,
  WrittenFiles: files.writtenFiles,
  OpenFile: openFile,
  OpenedFile: v.strictObject({ opened: text }),
  ApiError: apiError,
}
/** The types of the shapes. */
export type Shapes = { [Name in keyof typeof apiSchemas]: v.InferOutput<(typeof apiSchemas)[Name]> }
