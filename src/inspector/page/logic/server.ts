import type {
  DiagnosticInfo,
  Overrides,
  RecordState,
  RequestDetails,
  RequestSummary,
  RouteInfo,
  ScenarioState,
  StreamEvent,
} from '../../api/api.ts'
import { parseExactly } from '../../../core/values/exact-number.ts'
import { createApiClient } from '../../client/api-client.ts'

/** The server. A page without one, as the docs have, answers by itself. */
export const controlApi = { fetch: (url: string, init: RequestInit) => fetch(url, init) }

/** The path is relative to the page, which is served below the host's base. */
const api = createApiClient({
  base: 'api/',
  fetch: (url, init) => controlApi.fetch(url, init),
  explain: (status) =>
    status === 0
      ? 'The dev server did not answer. Is it running?'
      : `The dev server answered HTTP ${status}. Look into its terminal.`,
  read: parseExactly,
})

export const { call } = api

/** Milliseconds before a stream that has ended is opened again. */
const retryDelay = 1000

/** Milliseconds for which requests are gathered, so that hundreds a second are drawn smoothly. */
const gathered = 60

/** Everything is loaded each time the stream opens, since the server may be another one then. */
export function connect(withPassed: boolean, report: (change: Change) => void): () => void {
  const query = withPassed ? 'passed=true' : ''
  const stop = new AbortController()
  const { signal } = stop
  const reportLoaded = (data: Partial<ServerState>) => report({ event: 'loaded', data })

  let arrived: RequestSummary[] = []
  const gather = (request: RequestSummary) => {
    if (arrived.push(request) > 1) return
    setTimeout(() => {
      report({ event: 'requests', data: arrived })
      arrived = []
    }, gathered)
  }

  /** The first event tells the state. Those that arrive while the rest is loaded are read afterwards: they may be newer. */
  async function follow(): Promise<void> {
    let isLoaded = false
    for await (const event of api.stream({ query, signal })) {
      if (event.event === 'request') gather(event.data)
      if (event.event === 'state') report(event)
      if (!isLoaded) {
        const parts = await Promise.all([loadRequests(query), loadFixtures(), loadRecord()])
        reportLoaded(Object.assign({}, ...parts))
        report({ event: 'connection', data: 'live' })
        isLoaded = true
      } else if (event.event === 'reload')
        void Promise.all([loadRequests(query), loadFixtures()]).then(
          (parts) => reportLoaded(Object.assign({}, ...parts)),
          () => {},
        )
      else if (event.event === 'state') void loadRecord().then(reportLoaded, () => {})
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
  const [{ routes, base }, { diagnostics }, { known }] = await Promise.all([
    call('GET /routes'),
    call('GET /diagnostics'),
    call('GET /scenario'),
  ])
  return { routes, base, diagnostics, known }
}

async function loadRecord(): Promise<Partial<ServerState>> {
  return { record: await call('GET /record') }
}

let lastChange: Promise<unknown> = Promise.resolve()

/** One after the other, and each of what the server has then: a click builds on the one before. */
export function changeOverrides(change: (before: Overrides) => Overrides): Promise<unknown> {
  lastChange = lastChange
    .catch(() => {})
    .then(async () => call('PUT /overrides', { body: change(await call('GET /overrides')) }))
  return lastChange
}

export interface ServerState {
  /** `lost` while the server does not answer: it is stopped or restarting. */
  connection: 'connecting' | 'live' | 'lost'
  /** Newest first. Those from before a restart of the server have ids below 1. */
  requests: readonly RequestSummary[]
  capacity: number
  /** Arrived while the list is paused, newest first; `undefined` if it is not paused. */
  held: readonly RequestSummary[] | undefined
  pinned: readonly number[]
  /** The selected request and the pinned ones: they stay in the list when the server has forgotten them. */
  kept: readonly number[]
  details: ReadonlyMap<number, RequestDetails>
  /** How often the server was started again. */
  restarts: number
  /** Requests that the last "Clear" has removed. */
  cleared: readonly RequestSummary[]
  routes: readonly RouteInfo[]
  /** Stands before the path of each route. */
  base: string
  diagnostics: readonly DiagnosticInfo[]
  scenario: readonly string[]
  changed: NonNullable<ScenarioState['changed']>
  known: ScenarioState['known']
  overrides: Overrides
  record: RecordState
}

export const startState: ServerState = {
  connection: 'connecting',
  requests: [],
  capacity: 500,
  held: undefined,
  pinned: [],
  kept: [],
  details: new Map(),
  restarts: 0,
  cleared: [],
  routes: [],
  base: '',
  diagnostics: [],
  scenario: [],
  changed: [],
  known: [],
  overrides: {},
  record: { recording: false, folder: '', answers: 0, files: [], omitted: [] },
}

export type Change =
  | Extract<StreamEvent, { event: 'state' }>
  | { event: 'requests'; data: readonly RequestSummary[] }
  | { event: 'connection'; data: ServerState['connection'] }
  | { event: 'loaded'; data: Partial<ServerState> }
  | { event: 'keep'; data: readonly number[] }
  | { event: 'pin'; data: number }
  | { event: 'details'; data: RequestDetails }
  | { event: 'pause' | 'clear' | 'restore' }

export function change(state: ServerState, happened: Change): ServerState {
  switch (happened.event) {
    case 'requests':
      return withRequests(state, happened.data)
    case 'state':
      return { ...state, changed: [], ...happened.data }
    case 'connection':
      return { ...state, connection: happened.data }
    case 'loaded':
      return {
        ...state,
        ...happened.data,
        ...(happened.data.requests && withLoaded(state, happened.data.requests)),
      }
    case 'keep': {
      const isKept = ([id]: [number, RequestDetails]) => happened.data.includes(id)
      return { ...state, kept: happened.data, details: new Map([...state.details].filter(isKept)) }
    }
    case 'pin': {
      const { data: id } = happened
      const { pinned } = state
      return { ...state, pinned: pinned.includes(id) ? pinned.filter((one) => one !== id) : [...pinned, id] }
    }
    case 'details':
      return { ...state, details: new Map([...state.details, [happened.data.id, happened.data]]) }
    case 'pause':
      if (!state.held) return { ...state, held: [] }
      return { ...state, requests: cut([...state.held, ...state.requests], state), held: undefined }
    case 'clear':
      return { ...state, cleared: state.requests, requests: [], pinned: [], held: state.held && [] }
    case 'restore':
      return { ...state, cleared: [], requests: cut([...state.requests, ...state.cleared], state) }
  }
}

/** A request is reported again when it is answered. */
function withRequests(state: ServerState, arrived: readonly RequestSummary[]): ServerState {
  const latest = new Map(arrived.map((request) => [request.id, request]))
  const update = (requests: readonly RequestSummary[]) =>
    requests.map((request) => {
      const newer = latest.get(request.id)
      latest.delete(request.id)
      return newer ?? request
    })
  const requests = update(state.requests)
  const held = state.held && update(state.held)
  const added = [...latest.values()].reverse()
  const changed = { ...state, routes: counted(state.routes, added) }
  return held
    ? { ...changed, requests, held: cut([...added, ...held], state) }
    : { ...changed, requests: cut([...added, ...requests], state) }
}

function cut(requests: readonly RequestSummary[], { capacity, kept }: ServerState): RequestSummary[] {
  return requests.filter(({ id }, index) => index < capacity || kept.includes(id))
}

function counted(routes: readonly RouteInfo[], added: readonly RequestSummary[]): readonly RouteInfo[] {
  const hits = new Map<string, number>()
  for (const { route } of added) if (route) hits.set(route.id, (hits.get(route.id) ?? 0) + 1)
  if (hits.size === 0) return routes
  return routes.map((route) =>
    hits.has(route.id) ? { ...route, hits: route.hits + hits.get(route.id)! } : route,
  )
}

/** Added to the ids from before a restart, since the server then counts from 1 again. */
const before = -1_000_000

export function isBefore(id: number): boolean {
  return id < 1
}

export function idBefore(id: number): number {
  return id + before
}

/** Requests of the server, with those that only this page has. */
function withLoaded(state: ServerState, loaded: readonly RequestSummary[]): Partial<ServerState> {
  const own = state.requests.filter(({ id, answeredBy }) => id > 0 && answeredBy !== 'passed-on')
  const newest = loaded[0]?.id ?? 0
  const times = new Map(loaded.map(({ id, time }) => [id, time]))
  const isOther =
    own.some(({ id, time }) => (times.get(id) ?? time) !== time) || own.some(({ id }) => id > newest)
  if (!isOther) {
    const others = state.requests.filter(({ id }) => id < 1 || (state.kept.includes(id) && !times.has(id)))
    return { requests: cut([...loaded, ...others], state) }
  }
  const requests = state.requests.map((request) => ({ ...request, id: idBefore(request.id) }))
  const details = [...state.details].map(([id, one]) => [idBefore(id), { ...one, id: idBefore(id) }] as const)
  return {
    requests: cut([...loaded, ...requests], state),
    details: new Map(details),
    pinned: state.pinned.map(idBefore),
    kept: state.kept.map(idBefore),
    restarts: state.restarts + 1,
  }
}

const key = 'mock-api-inspector:cleared'

/** Id of the last cleared request, stored so that a reload of the page does not bring older ones back. */
export const cleared = {
  set(requests: readonly RequestSummary[]): void {
    const newest = Math.max(...requests.map(({ id }) => id))
    if (newest > 0) sessionStorage.setItem(key, String(newest))
  },
  undo(): void {
    sessionStorage.removeItem(key)
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
