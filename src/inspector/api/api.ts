import type * as v from 'valibot'
import type { FailNext, Overrides } from '../../core/state/overrides.ts'
import type * as files from './api-files.ts'
import type * as requests from './api-requests.ts'
import type * as routes from './api-routes.ts'
import type * as state from './api-state.ts'
import type { Position } from './shapes.ts'

export type * from './api-files.ts'
export type * from './api-reality.ts'
export type * from './api-requests.ts'
export type * from './api-routes.ts'
export type * from './api-state.ts'
export type * from './shapes.ts'
export type { FailNext, Overrides }
export type { Shapes } from './schemas.ts'

/*
 * The types of the control API's JSON, `/__mock-api/api/…`, which server, client and page share. They are inferred from the shapes
 * in `schemas.ts`, which check bodies and make `GET openapi.json`. `endpoints.ts` says which endpoint has which shapes.
 *
 * Times are milliseconds since the epoch, durations milliseconds. `client` is the value of the header `x-mock-client` or of
 * the cookie `mock-client`; absent, it means everyone.
 *
 * A type has the name of its shape, and another file, so that declaration files do not export the shape. A type whose shape
 * spreads the properties of another one also names it (`Position & …`), since declaration files lose the comments of these.
 */

/** A problem, its place, and the fix. */
export type DiagnosticInfo = Position & v.InferOutput<typeof requests.DiagnosticInfo>
/** One line of the list of requests. */
export type RequestSummary = v.InferOutput<typeof requests.RequestSummary>
export type RequestList = v.InferOutput<typeof requests.RequestList>
/** A body, up to 2 MiB. Only text and images are kept; other bodies just have a size. */
export type ShownBody = v.InferOutput<typeof requests.ShownBody>
/** The part of a selector that a request does not have. */
export type FailedCondition = v.InferOutput<typeof requests.FailedCondition>
/** A route of the requested endpoint. */
export type Candidate = Position & v.InferOutput<typeof requests.Candidate>
/** Answer of `POST explain`, and the decision of a request. */
export type Explanation = v.InferOutput<typeof requests.Explanation>
/** `GET requests/:id`: one request in full. */
export type RequestDetails = RequestSummary & v.InferOutput<typeof requests.RequestDetails>
/** Body of `POST explain`. */
export type ExplainRequest = v.InferOutput<typeof requests.ExplainRequest>
export type RouteInfo = v.InferOutput<typeof routes.RouteInfo>
/** One way in which an answer goes wrong. */
export type SadPath = v.InferOutput<typeof routes.SadPath>
/** Body of `POST open`: the file of a route or of a diagnostic. */
export type OpenFile = v.InferOutput<typeof routes.OpenFile>
/** Every error, with a status of 400, 403, 404, 405, 409, 413 or 500. */
export type ApiError = v.InferOutput<typeof routes.ApiError>
export type ScenarioState = v.InferOutput<typeof state.ScenarioState>
export type CollectionInfo = v.InferOutput<typeof state.CollectionInfo>
export type CollectionItems = v.InferOutput<typeof state.CollectionItems>
/** Body of `POST push`. */
export type NewPush = v.InferOutput<typeof state.NewPush>
/** Body of `PUT record`. */
export type RecordSwitch = v.InferOutput<typeof files.RecordSwitch>
/** `GET record`, and the answer of `PUT record`. */
export type RecordState = RecordSwitch & v.InferOutput<typeof files.RecordState>
/** Body of `POST edit`. */
export type EditRequest = v.InferOutput<typeof files.EditRequest>
/** A change of a fixture file, which is not written. */
export type Edit = v.InferOutput<typeof files.Change> & v.InferOutput<typeof files.Edit>
/** Answer of `PUT edit`, `DELETE edit` and `POST save`. */
export type ChangedFile = v.InferOutput<typeof files.ChangedFile>
export type WrittenFixture = v.InferOutput<typeof files.WrittenFixture>
/** Answer of `POST import`. */
export type WrittenFiles = v.InferOutput<typeof files.WrittenFiles>

/** Events of `GET requests/stream`; `id:` is the request's. */
export type StreamEvent =
  /** A request: when it arrives, if its answer is delayed, and when it is answered. */
  | { event: 'request'; data: RequestSummary }
  /** The fixtures were reloaded. */
  | { event: 'reload'; data: { routeCount: number; errors: number } }
  /** First, and whenever scenarios or overrides were changed or reset. */
  | { event: 'state'; data: state.ScenarioNow & { overrides: Overrides } }
