import type { IncomingMessage, ServerResponse } from 'node:http'
import type { OriginPolicy } from '../../core/http/origin.ts'
import type { ResolvedOptions } from '../../core/options/options.ts'
import type { MockState } from '../../core/state/mock-state.ts'
import type { OpenAnswers } from '../../wire/node/open-answers.ts'
import type { RecordingSwitch } from '../../backend/recording-switch.ts'
import type { FixtureStore } from '../../loader/fixture-store.ts'
import type { Journal } from '../journal.ts'

/** The parts of a mock server that the inspector shows and switches. */
export interface InspectedServer {
  options: ResolvedOptions
  store: FixtureStore
  state: MockState
  journal: Journal
  open: OpenAnswers
  recording: RecordingSwitch
}

/** One place where the inspector is served: a middleware of a mock server. */
export interface Site {
  /** Which pages and host names are accepted. */
  origins: OriginPolicy
  /** Path prefixes below which the routes are. */
  bases: readonly string[]
}

/** Serves one request of the inspector. `path` is what follows `/__mock-api`, with the query. */
export type ServeInspector = (req: IncomingMessage, res: ServerResponse, path: string, site: Site) => void

/** One request of the control API, as its handlers get it. */
export interface ApiRequest {
  req: IncomingMessage
  res: ServerResponse
  /** The parts of the path that a route leaves open. */
  params: readonly string[]
  query: URLSearchParams
  /** The parsed body; `undefined` when there is none. */
  body: unknown
  /** Whose state is read or changed; the empty string for everyone. */
  client: string
  site: Site
}

/** Returns what is sent as JSON; `undefined` when it has answered itself. Throws a `Problem`. */
type ApiHandler = (request: ApiRequest) => unknown

export interface ApiRoute {
  method: 'GET' | 'POST' | 'PUT'
  /** `/requests/{id}`, as in OpenAPI. */
  path: string
  handle: ApiHandler
}
