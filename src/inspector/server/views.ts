import { resolve } from 'node:path'
import { isInside } from '../../loader/paths.ts'
import { templateFolder } from '../../loader/templates.ts'
import type { DiagnosticInfo, RouteInfo, ScenarioState } from '../api.ts'
import { positionOf, routeId, showRoute } from '../show-route.ts'
import type { CompiledRoute, RouteTable } from '../../core/table/route-table.ts'
import type { ApiRequest, InspectedServer } from './context.ts'

/** Whether a file, as routes name it, is one of the starter templates. */
export function isTemplateOf({ options }: InspectedServer): (file: string) => boolean {
  const folder = templateFolder()
  return (file) => isInside(folder, resolve(options.root, file))
}

/** The ids of routes. They are made once for each route table. */
export function createRouteIds({ store }: InspectedServer): (route: CompiledRoute) => string {
  let table: RouteTable | undefined
  /** By the source, an object that a route of an unchanged file keeps. */
  let ids = new Map<object, string>()
  return (route) => {
    if (table !== store.current!.table) {
      table = store.current!.table
      ids = new Map(
        table.endpoints.flatMap((endpoint) =>
          endpoint.routes.map((one, index): [object, string] => [one.source, routeId(endpoint, index)]),
        ),
      )
    }
    return ids.get(route.source) ?? route.name
  }
}

export function createStateViews(server: InspectedServer) {
  const { store, journal, state } = server
  const isTemplate = isTemplateOf(server)

  function listRoutes(): RouteInfo[] {
    return store.current!.table.endpoints.flatMap((endpoint) =>
      endpoint.routes.map((route, index) =>
        showRoute(endpoint, route, index, {
          isTemplate: isTemplate(route.source.file),
          hits: journal.hitsOf(route),
        }),
      ),
    )
  }

  return {
    routes: (): { routes: RouteInfo[] } => ({ routes: listRoutes() }),

    diagnostics: (): { diagnostics: DiagnosticInfo[] } => ({
      diagnostics: store.current!.diagnostics.map((diagnostic) => {
        const { code, severity, message, fix, frame } = diagnostic
        return {
          code,
          severity,
          message,
          fix,
          ...(frame !== undefined && { frame }),
          ...positionOf(diagnostic),
        }
      }),
    }),

    scenario: ({ client }: ApiRequest): ScenarioState => ({
      scenario: [...state.scenariosOf(client)],
      known: knownScenarios(listRoutes()),
    }),
  }
}

/** All scenarios that routes name, in the order in which they are named first. */
function knownScenarios(routes: readonly RouteInfo[]): ScenarioState['known'] {
  const known = new Map<string, string[]>()
  for (const { id, scenarios } of routes)
    for (const name of scenarios) known.set(name, [...(known.get(name) ?? []), id])
  return [...known].map(([name, ids]) => ({ name, routes: ids }))
}
