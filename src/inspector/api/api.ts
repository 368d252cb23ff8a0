import type * as v from 'valibot'
import type { FailNext, Overrides } from '../../core/state/overrides.ts'
import * as files from './api-files.ts'
import * as reality from './api-reality.ts'
import * as requests from './api-requests.ts'
import * as routes from './api-routes.ts'
import * as state from './api-state.ts'
import type { RequestSummary } from './api-requests.ts'

export type * from './api-files.ts'
export type * from './api-reality.ts'
export type * from './api-requests.ts'
export type * from './api-routes.ts'
export type * from './api-state.ts'
export type * from './shapes.ts'
export type { FailNext, Overrides }

/*
 * The JSON of the control API, `/__mock-api/api/…`: each shape once, as a Valibot schema with the name that it has in
 * `GET openapi.json`, which is generated from them. The types of server, client and page are inferred from these, and the
 * bodies of requests are checked by them. Browsers import only the types. `endpoints.ts` says which endpoint has which shapes.
 *
 * Times are milliseconds since the epoch, durations milliseconds. `client` is the value of the header `x-mock-client` or of
 * the cookie `mock-client`; absent, it means everyone.
 */

/** The shapes by their names. */
export const apiSchemas = { ...routes, ...requests, ...state, ...files, ...reality }
/** The types of the shapes. */
export type Shapes = { [Name in keyof typeof apiSchemas]: v.InferOutput<(typeof apiSchemas)[Name]> }

/** Events of `GET requests/stream`; `id:` is the request's. */
export type StreamEvent =
  /** A request: when it arrives, if its answer is delayed, and when it is answered. */
  | { event: 'request'; data: RequestSummary }
  /** The fixtures were reloaded. */
  | { event: 'reload'; data: { routeCount: number; errors: number } }
  /** First, and whenever scenarios or overrides were changed or reset. */
  | { event: 'state'; data: state.ScenarioNow & { overrides: Overrides } }
