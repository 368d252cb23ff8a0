import * as v from 'valibot'
import type { Overrides, ResetResult, ScenarioState } from '../api.ts'
import { clientOf } from '../../core/http/client.ts'
import type { ApiRequest, InspectedServer } from './context.ts'
import { describeUnknown } from '../../core/state/unknown-scenarios.ts'
import { checkRouteId, findEndpoint } from './explain-route.ts'
import { Problem } from './problem.ts'
import { checkBody } from './read-json.ts'
import { createStateViews } from './views.ts'

const milliseconds = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(2_147_483_647))
const faults = ['reset', 'empty', 'truncated', 'malformed', 'stalled', 'silent'] as const

const scenarioSchema = v.strictObject({
  scenario: v.array(v.pipe(v.string(), v.nonEmpty('the name of a scenario'))),
})

const overridesSchema = v.strictObject({
  routes: v.optional(v.record(v.string(), v.string())),
  delay: v.optional(
    v.union([milliseconds, v.record(v.string(), milliseconds)], 'milliseconds, or an object of them'),
  ),
  failNext: v.optional(
    v.strictObject({
      count: v.pipe(v.number(), v.integer(), v.minValue(1)),
      status: v.optional(v.pipe(v.number(), v.integer(), v.minValue(200), v.maxValue(599))),
      fault: v.optional(v.picklist(faults)),
      endpoint: v.optional(v.string()),
    }),
  ),
  offline: v.optional(v.boolean()),
})

/** Filters of requests have a path; what overrides switch is an endpoint. */
const endpointHint = 'An endpoint is a method and a path: write "endpoint": "POST /orders".'
const overrideHints = { 'failNext.path': endpointHint, 'failNext.method': endpointHint }

const resetSchema = v.strictObject({ requests: v.optional(v.boolean()) })

/** What changes the state of the mock server: of everyone, or of the client that asks. */
export function createSwitches(server: InspectedServer) {
  const { state, journal } = server
  const views = createStateViews(server)

  return {
    setScenario: (request: ApiRequest): ScenarioState => {
      const { scenario } = checkBody(scenarioSchema, request.body)
      checkScenarios(server, scenario, request.client)
      state.setScenarios(scenario, request.client)
      return views.scenario(request)
    },

    overrides: ({ client }: ApiRequest): Overrides => state.overrides.get(client),

    setOverrides: ({ body, client }: ApiRequest): Overrides => {
      const overrides = withoutIdle(checkBody(overridesSchema, body, overrideHints))
      for (const [endpoint, id] of Object.entries(overrides.routes ?? {})) checkRouteId(server, endpoint, id)
      const { delay, failNext } = overrides
      if (typeof delay === 'object') for (const endpoint of Object.keys(delay)) findEndpoint(server, endpoint)
      if (failNext?.endpoint !== undefined) findEndpoint(server, failNext.endpoint)
      state.setOverrides(overrides, client)
      return state.overrides.get(client)
    },

    reset: ({ body, client }: ApiRequest): ResetResult => {
      const { requests = false } = checkBody(resetSchema, body)
      state.reset(client)
      if (client === '') journal.resetHits()
      if (requests) journal.forget(client === '' ? undefined : ({ headers }) => clientOf(headers) === client)
      return { lastRequest: journal.lastId }
    },
  }
}

/** A name that is active already may stay: the routes of its scenario can be gone since, or come with the next save. */
function checkScenarios({ store, state }: InspectedServer, names: readonly string[], client: string): void {
  const { scenarios } = store.current!.table
  const active = state.scenariosOf(client)
  const unknown = names.find((name) => !scenarios?.findIn(name) && !active.includes(name))
  if (unknown === undefined) return
  const { message, fix } = describeUnknown(unknown, undefined, scenarios?.names)
  throw new Problem(400, 'api-scenario-unknown', message, fix)
}

/** Without what is off: `offline: false`, a delay of 0, no routes. */
function withoutIdle({ routes, delay, failNext, offline }: v.InferOutput<typeof overridesSchema>): Overrides {
  return {
    ...(routes && Object.keys(routes).length > 0 && { routes }),
    ...(delay !== undefined && delay !== 0 && { delay }),
    ...(failNext && { failNext: failNext as NonNullable<Overrides['failNext']> }),
    ...(offline && { offline }),
  }
}
