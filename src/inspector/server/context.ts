import type { IncomingMessage, ServerResponse } from 'node:http'
import type { BackendSite } from '../../backend/backend.ts'
import type { Reality } from '../../backend/reality.ts'
import type { RecordingSwitch } from '../../backend/recording-switch.ts'
import type { Rules } from '../../core/answer/rules.ts'
import type { OriginPolicy } from '../../core/http/origin.ts'
import type { ResolvedOptions } from '../../core/options/resolve-options.ts'
import type { MockState } from '../../core/state/mock-state.ts'
import type { FixtureStore } from '../../loader/fixture-store.ts'
import type { OpenAnswers } from '../../wire/node/open-answers.ts'
import type { AnswerOf, BodyOf, EndpointName } from '../api/endpoints.ts'
import type { NewPush } from '../api/api.ts'
import type { Journal } from '../journal.ts'

export interface InspectedServer {
  options: ResolvedOptions
  store: FixtureStore
  state: MockState
  journal: Journal
  open: OpenAnswers
  /** Sends an event to open streams; how many it has reached. */
  push: (push: NewPush, client: string) => number
  recording: RecordingSwitch
  reality: Reality
}

export interface Site {
  origins: OriginPolicy
  bases: readonly string[]
  rulesNow: () => Rules
  backend: BackendSite
}

/** `path` is the rest after `/__mock-api`, with the query. */
export type ServeInspector = (req: IncomingMessage, res: ServerResponse, path: string, site: Site) => void

export interface ApiRequest<Body = unknown> {
  req: IncomingMessage
  res: ServerResponse
  /** The decoded parts of the path, by their names in `endpoints`. */
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  body: Body
  /** Whose state is read or changed; the empty string for everyone. */
  client: string
  site: Site
}

type Handler<Name extends EndpointName> = (
  request: ApiRequest<BodyOf<Name>>,
) => undefined extends AnswerOf<Name> ? unknown : AnswerOf<Name> | Promise<AnswerOf<Name>>

/** A handler returns what is sent as JSON, or `undefined` if it has answered itself. Throws `HttpError`. */
export type ApiHandlers = { [Name in EndpointName]: Handler<Name> }
