import { clientOf, readScenarioNames } from '../../core/http/whose-state.ts'
import { parseOrigin } from '../../core/http/host-name.ts'
import { hasNoBackend } from '../../backend/backend.ts'
import { requestOfId } from '../../core/sad-path/sad-path.ts'
import type { Overrides } from '../../core/state/overrides.ts'
import { describeUnknown } from '../../core/state/mock-state.ts'
import { suggest } from '../../core/diagnostics/text.ts'
import { isRecord, setOwn } from '../../core/values/values.ts'
import type { NewPush, RecordState, RouteInfo, ScenarioNow, ScenarioState } from '../api/api.ts'
import { showDiagnostic } from '../explain.ts'
import { endpointId, showRoute } from '../show.ts'
import { checkThisMachine } from './access.ts'
import type { ApiHandlers, InspectedServer, Site } from './context.ts'
import { findEntry, findEndpoint, findRouteId } from './explain-route.ts'
import { HttpError } from './json.ts'
import { addTo } from '../../core/values/collections.ts'

/** State is that of everyone, or of the client that asks. */
export function createStateHandlers(server: InspectedServer) {
  const { store, state, journal, recording } = server

  const listRoutes = (): RouteInfo[] =>
    store.current!.table.endpoints.flatMap((endpoint) =>
      endpoint.routes.map((route) => showRoute(endpoint, route, journal.hitsOf(route))),
    )

  const scenarioState = (client: string): ScenarioState => ({
    ...scenarioNow(server, client),
    known: knownScenarios(listRoutes()),
  })

  const recordState = (): RecordState => {
    const { current, target, folder, result } = recording
    return {
      recording: current !== undefined,
      ...(target !== undefined && { target }),
      ...(current?.origin !== undefined && { origin: current.origin }),
      folder,
      answers: result?.answers ?? 0,
      files: [...(result?.files ?? [])],
      omitted: [...(result?.omitted ?? [])],
    }
  }

  return {
    'GET /routes': ({ site }) => ({ routes: listRoutes(), base: site.bases[0] ?? '' }),

    'GET /diagnostics': () => ({
      diagnostics: store.current!.diagnostics.map((one) => showDiagnostic(one, server.options.root)),
    }),

    'GET /graphql-schema': () => ({ sdl: store.current!.checked.checker?.sdl() ?? '' }),

    'GET /scenario': ({ client }) => scenarioState(client),

    'PUT /scenario': ({ body: { scenario }, client }) => {
      const names = typeof scenario === 'string' ? readScenarioNames(scenario) : scenario
      checkScenarios(server, names, client)
      state.setScenarios(names, client)
      return scenarioState(client)
    },

    'GET /overrides': ({ client }) => shownOverrides(server, client),

    'PUT /overrides': ({ body, client }) => {
      const { routes = {}, delay, failNext, nextAnswer } = body
      const before = state.overrides.get(client)
      const forced: Record<string, string> = {}
      // What is set may stay without its endpoint, which can be gone with a save, and come back.
      for (const [name, route] of Object.entries(routes))
        setOwn(forced, name, before.routes?.[name] === route ? route : findRouteId(server, name, route))
      for (const endpoint of endpointsOf({ delay, failNext, nextAnswer }))
        if (!endpointsOf(before).includes(endpoint)) findEndpoint(server, endpoint)
      if (body.sadPath !== undefined) checkSadPath(body.sadPath)
      state.overrides.set(withoutIdle({ ...body, routes: forced }), client)
      return shownOverrides(server, client)
    },

    'GET /record': recordState,

    'PUT /record': async ({ req, body, site }) => {
      checkThisMachine(req, 'switch recordings')
      const { origin } = body
      if (body.recording && (body.target ?? origin) === undefined) checkBackend(server, site)
      const parsed = origin === undefined ? undefined : parseOrigin(origin)?.text
      await (body.recording ? recording.start(body.target, parsed) : recording.stop())
      return recordState()
    },

    'POST /push': ({ body, client }) => {
      checkPush(body)
      const streams = server.push(body, client)
      if (streams === 0) checkTarget(server, body)
      return { streams }
    },

    'POST /reset': ({ body, client }) => {
      state.reset(client)
      if (client === '') journal.resetHits()
      if (body.requests)
        journal.forget(client === '' ? undefined : ({ headers }) => clientOf(headers) === client)
      return { lastRequest: journal.lastId }
    },
  } satisfies Partial<ApiHandlers>
}

function checkBackend({ options }: InspectedServer, { backend }: Site): void {
  if (!hasNoBackend(options.record, backend)) return
  throw new HttpError(400, 'api-target-missing', {
    message: 'Nothing can be recorded: the server has no proxy, and there is no target.',
    fix: 'Send the address of the backend, as in "target": "https://staging.example", or set it in the option "record".',
  })
}

export function scenarioNow({ state }: InspectedServer, client: string): ScenarioNow {
  const changed = [...state.changesOf(client)].map(([name, change]) => ({ name, ...change }))
  return { scenario: [...state.scenariosOf(client)], ...(changed.length > 0 && { changed }) }
}

/** Scenarios in the order in which routes name them first. */
function knownScenarios(routes: readonly RouteInfo[]): ScenarioState['known'] {
  const known = new Map<string, string[]>()
  for (const { id, scenarios } of routes) for (const name of scenarios) addTo(known, name, id)
  return [...known].map(([name, ids]) => ({ name, routes: ids }))
}

/** An active name may stay without routes: they can be gone, or come with the next save. */
function checkScenarios({ store, state }: InspectedServer, names: readonly string[], client: string): void {
  const { scenarios } = store.current!.table
  const active = state.scenariosOf(client)
  const unknown = names.find((name) => !scenarios?.findIn(name) && !active.includes(name))
  if (unknown === undefined) return
  const { message, fix } = describeUnknown(unknown, undefined, scenarios?.names)
  throw new HttpError(400, 'api-scenario-unknown', { message, fix })
}

/** Throws an `HttpError` for a push to nothing, or to several things. */
function checkPush({ channel, route, request, end }: NewPush): void {
  const targets = [channel, route, request].filter((target) => target !== undefined)
  if (targets.length === 1 && (end === undefined || channel === undefined)) return
  throw new HttpError(400, 'api-push-unclear', {
    message:
      targets.length === 1
        ? 'A channel has no end: only streams have one.'
        : 'A push needs one of "channel", "route" and "request".',
    fix: 'Send { "channel": "orders", "data": { "id": 7 } }, or name a route or a request.',
  })
}

/** Throws an `HttpError` for a push that no fixture can take. */
function checkTarget(server: InspectedServer, { channel, route, request }: NewPush): void {
  const { endpoints, channels } = server.store.current!.table
  if (request !== undefined) findEntry(server, request)
  const routes = endpoints.flatMap((endpoint) => endpoint.routes)
  const names = routes.map(({ name }) => name)
  if (route !== undefined && !routes.some(({ id, name }) => id === route || name === route))
    throw new HttpError(404, 'api-route-unknown', {
      message: `There is no route "${route}".`,
      fix: suggest(route, names, 'There are'),
    })
  if (channel === undefined || channels.includes(channel)) return
  throw new HttpError(404, 'api-channel-unknown', {
    message: `Nothing listens to the channel "${channel}".`,
    fix:
      channels.length > 0
        ? suggest(channel, channels, 'Channels')
        : `Add it to a stream, as in { stream: [], on: { push: ${channel} } }.`,
  })
}

/** Throws an `HttpError` for what is not the id of a sad path. */
function checkSadPath(id: string): void {
  if (requestOfId(id) !== undefined) return
  throw new HttpError(400, 'api-sad-path-unknown', {
    message: `"${id}" is not the id of a sad path.`,
    fix: 'Ask GET sad-paths?request=… for those of a request. An id is such as "GET /orders #status 500".',
  })
}

/** Overrides without routes that are gone. They are forced again when they come back, as after an error. */
export function shownOverrides({ store, state }: InspectedServer, client: string): Overrides {
  const { routes = {}, ...others } = state.overrides.get(client)
  const { endpoints } = store.current!.table
  const isThere = ([name, forced]: [string, string]) =>
    endpoints.find((endpoint) => endpointId(endpoint) === name)?.routes.some(({ id }) => id === forced)
  return withoutIdle({ ...others, routes: Object.fromEntries(Object.entries(routes).filter(isThere)) })
}

function endpointsOf({
  delay,
  failNext,
  nextAnswer,
}: { [Key in 'delay' | 'failNext' | 'nextAnswer']?: Overrides[Key] | undefined }) {
  const named = typeof delay === 'object' ? Object.keys(delay) : []
  return [...named, failNext?.endpoint, nextAnswer?.endpoint].filter((endpoint) => endpoint !== undefined)
}

/** Overrides without those that are off: `offline: false`, a delay of 0, no routes. */
function withoutIdle(overrides: Overrides): Overrides {
  const isOn = (value: unknown) => (isRecord(value) ? Object.keys(value).length > 0 : Boolean(value))
  return Object.fromEntries(Object.entries(overrides).filter(([, value]) => isOn(value)))
}
