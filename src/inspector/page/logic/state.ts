import type {
  DiagnosticInfo,
  Overrides,
  RecordState,
  RequestSummary,
  RouteInfo,
  ScenarioState,
  StreamEvent,
} from '../../api.ts'

/** What the page knows of the mock server. */
export interface ServerState {
  /** `lost` while the server does not answer: it is stopped, or starts again. */
  connection: 'connecting' | 'live' | 'lost'
  /** Newest first. */
  requests: readonly RequestSummary[]
  capacity: number
  /** Arrived while the list is paused; newest first. `undefined`: it is not paused. */
  held: readonly RequestSummary[] | undefined
  routes: readonly RouteInfo[]
  diagnostics: readonly DiagnosticInfo[]
  scenario: readonly string[]
  known: ScenarioState['known']
  overrides: Overrides
  record: RecordState
}

export const startState: ServerState = {
  connection: 'connecting',
  requests: [],
  capacity: 500,
  held: undefined,
  routes: [],
  diagnostics: [],
  scenario: [],
  known: [],
  overrides: {},
  record: { recording: false, folder: '', answers: 0, files: [], omitted: [] },
}

export type Change =
  | StreamEvent
  | { event: 'connection'; data: ServerState['connection'] }
  | { event: 'loaded'; data: Partial<ServerState> }
  | { event: 'pause' | 'clear' }

/** The state after an event of the server or a command of the user. */
export function change(state: ServerState, happened: Change): ServerState {
  switch (happened.event) {
    case 'request':
      return withRequest(state, happened.data)
    case 'state':
      return { ...state, scenario: happened.data.scenario, overrides: happened.data.overrides }
    case 'reload':
      return state // the page then loads routes and diagnostics again
    case 'connection':
      return { ...state, connection: happened.data }
    case 'loaded':
      return { ...state, ...happened.data }
    case 'pause':
      if (!state.held) return { ...state, held: [] }
      return { ...state, requests: cut([...state.held, ...state.requests], state.capacity), held: undefined }
    case 'clear':
      return { ...state, requests: [], held: state.held && [] }
  }
}

function withRequest(state: ServerState, request: RequestSummary): ServerState {
  const isSame = ({ id }: RequestSummary) => id === request.id
  // A request is reported again when it is answered.
  if (state.requests.some(isSame)) {
    return { ...state, requests: state.requests.map((other) => (isSame(other) ? request : other)) }
  }
  const { held } = state
  const routes = counted(state.routes, request)
  if (!held) return { ...state, routes, requests: cut([request, ...state.requests], state.capacity) }
  if (held.some(isSame)) return { ...state, held: held.map((other) => (isSame(other) ? request : other)) }
  return { ...state, routes, held: cut([request, ...held], state.capacity) }
}

function cut(requests: readonly RequestSummary[], capacity: number): readonly RequestSummary[] {
  return requests.length > capacity ? requests.slice(0, capacity) : requests
}

function counted(routes: readonly RouteInfo[], { route }: RequestSummary): readonly RouteInfo[] {
  if (!route) return routes
  return routes.map((other) => (other.id === route.id ? { ...other, hits: other.hits + 1 } : other))
}

/** The neighbour of a request in a list, `step` further; the first or last where there is none. */
export function neighbour(
  requests: readonly RequestSummary[],
  selected: number | undefined,
  step: number,
): RequestSummary | undefined {
  const at = requests.findIndex(({ id }) => id === selected)
  if (at === -1) return step > 0 ? requests[0] : requests.at(-1)
  return requests[Math.min(Math.max(at + step, 0), requests.length - 1)]
}
