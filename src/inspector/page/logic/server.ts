import type {
  DiagnosticInfo,
  Overrides,
  RecordState,
  RequestSummary,
  RouteInfo,
  ScenarioState,
  StreamEvent,
} from '../../api.ts'
import { createApiClient } from '../../client/api-client.ts'

/** The path is relative to the page, which is served below the host's base. */
const api = createApiClient({
  base: 'api/',
  explain: (status) =>
    status === 0
      ? 'The dev server did not answer. Is it running?'
      : `The dev server answered HTTP ${status}. Look into its terminal.`,
})

export const { call } = api

/** Milliseconds before a stream that has ended is opened again. */
const retryDelay = 1000

/** Everything is loaded each time the stream opens, since the server may be another one then. */
export function connect(withPassed: boolean, report: (change: Change) => void): () => void {
  const query = withPassed ? 'passed=true' : ''
  const stop = new AbortController()
  const { signal } = stop
  const reportLoaded = (data: Partial<ServerState>) => report({ event: 'loaded', data })

  /** Events that arrive while all is loaded are read afterwards: they may be newer. */
  async function follow(): Promise<void> {
    let isLoaded = false
    for await (const event of api.stream({ query, signal })) {
      if (!isLoaded) {
        const parts = await Promise.all([loadRequests(query), loadFixtures(), loadState()])
        reportLoaded(Object.assign({}, ...parts))
        report({ event: 'connection', data: 'live' })
        isLoaded = true
        continue // the first event tells the state, which is loaded now
      }
      report(event)
      if (event.event === 'reload') void loadFixtures().then(reportLoaded, () => {})
      // Scenarios, overrides and hits may all have changed.
      if (event.event === 'state') void loadState().then(reportLoaded, () => {})
    }
  }

  async function stayConnected(): Promise<void> {
    while (!signal.aborted) {
      await follow().catch(() => {})
      if (!signal.aborted) report({ event: 'connection', data: 'lost' })
      await new Promise((resolve) => setTimeout(resolve, retryDelay))
    }
  }

  void stayConnected()
  return () => stop.abort()
}

async function loadRequests(query: string): Promise<Partial<ServerState>> {
  const { requests, capacity } = await call('GET /requests', { query })
  return { requests: cleared.hide(requests), capacity }
}

async function loadFixtures(): Promise<Partial<ServerState>> {
  const [{ routes }, { diagnostics }, { known }] = await Promise.all([
    call('GET /routes'),
    call('GET /diagnostics'),
    call('GET /scenario'),
  ])
  return { routes, diagnostics, known }
}

async function loadState(): Promise<Partial<ServerState>> {
  const [{ scenario, known }, overrides, record] = await Promise.all([
    call('GET /scenario'),
    call('GET /overrides'),
    call('GET /record'),
  ])
  return { scenario, known, overrides, record }
}

export interface ServerState {
  /** `lost` while the server does not answer: it is stopped or restarting. */
  connection: 'connecting' | 'live' | 'lost'
  /** Newest first. */
  requests: readonly RequestSummary[]
  capacity: number
  /** Arrived while the list is paused, newest first; `undefined` if it is not paused. */
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

/** The request `step` further in the list; the first or last where there is none. */
export function neighbour(
  requests: readonly RequestSummary[],
  selected: number | undefined,
  step: number,
): RequestSummary | undefined {
  const at = requests.findIndex(({ id }) => id === selected)
  if (at === -1) return step > 0 ? requests[0] : requests.at(-1)
  return requests[Math.min(Math.max(at + step, 0), requests.length - 1)]
}

const key = 'mock-api-inspector:cleared'

/** The last cleared request, stored so that a reload of the page does not bring them back. */
export const cleared = {
  set(requests: readonly RequestSummary[]): void {
    const newest = Math.max(...requests.map(({ id }) => id))
    if (newest > 0) sessionStorage.setItem(key, String(newest))
  },
  hide(requests: RequestSummary[]): RequestSummary[] {
    return hideUpTo(requests, Number(sessionStorage.getItem(key) ?? 0))
  },
}

/** After a restart, the server counts from 1 again, and all requests are kept. */
export function hideUpTo(requests: RequestSummary[], last: number): RequestSummary[] {
  const isOldServer = requests.some(({ id }) => id >= last)
  return isOldServer ? requests.filter(({ id }) => id > last) : requests
}
