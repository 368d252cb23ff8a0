import type { IncomingMessage, ServerResponse } from 'node:http'
import { clientOf } from '../../core/http/client.ts'
import { nearestName } from '../../core/values/spelling.ts'
import { explain } from './explain-route.ts'
import { createEditorOpener } from './open-file.ts'
import { createRecordSwitch } from './record.ts'
import { createFixtureWriter } from './new-fixture.ts'
import { createSwitches } from './switches.ts'
import { createRequestViews } from './requests.ts'
import { createStateViews } from './views.ts'
import type { ApiRoute, InspectedServer, Site } from './context.ts'
import { openApiDocument } from './openapi.ts'
import { Problem } from './problem.ts'
import { readJson } from './read-json.ts'
import { writeJson } from './write-json.ts'

/** The routes of the control API. `openapi.ts` describes each of them. */
export function createRoutes(server: InspectedServer): ApiRoute[] {
  const views = createStateViews(server)
  const requests = createRequestViews(server)
  const switches = createSwitches(server)
  const record = createRecordSwitch(server)
  const writeFixture = createFixtureWriter(server)
  const openFile = createEditorOpener(server)
  const routes: ApiRoute[] = [
    { method: 'GET', path: '/routes', handle: views.routes },
    { method: 'GET', path: '/requests', handle: requests.list },
    { method: 'GET', path: '/requests/stream', handle: requests.stream },
    { method: 'GET', path: '/requests/{id}', handle: requests.details },
    { method: 'POST', path: '/explain', handle: (request) => explain(server, request) },
    { method: 'GET', path: '/scenario', handle: views.scenario },
    { method: 'PUT', path: '/scenario', handle: switches.setScenario },
    { method: 'GET', path: '/overrides', handle: switches.overrides },
    { method: 'PUT', path: '/overrides', handle: switches.setOverrides },
    { method: 'GET', path: '/record', handle: record.state },
    { method: 'PUT', path: '/record', handle: record.set },
    { method: 'GET', path: '/diagnostics', handle: views.diagnostics },
    { method: 'POST', path: '/reset', handle: switches.reset },
    { method: 'POST', path: '/fixture', handle: writeFixture },
    { method: 'POST', path: '/open', handle: openFile },
    { method: 'GET', path: '/openapi.json', handle: () => openApiDocument(routes) },
  ]
  return routes
}

/** Makes what answers everything below `/__mock-api/api`. */
export function createApi(server: InspectedServer) {
  const routes = createRoutes(server)
  const known = [...new Set(routes.map(({ path }) => path))]

  return async (req: IncomingMessage, res: ServerResponse, url: string, site: Site): Promise<void> => {
    const { pathname, searchParams: query } = new URL(`http://localhost${url}`)
    const path = pathname.replace(/\/$/, '')
    const { route, params } = find(routes, known, req.method ?? 'GET', path)
    const body = route.method === 'GET' ? undefined : await readJson(server, req)
    const client = clientOf(req.headers)
    const answer = await route.handle({ req, res, params, query, body, client, site })
    if (answer !== undefined) writeJson(req, res, 200, answer)
  }
}

const oneOf = new Intl.ListFormat('en-GB', { type: 'disjunction' })

function find(
  routes: readonly ApiRoute[],
  known: readonly string[],
  method: string,
  path: string,
): { route: ApiRoute; params: readonly string[] } {
  // The more specific path is listed first.
  const pattern = known.find((one) => matchPath(one, path))
  if (pattern === undefined) {
    const near = nearestName(path, known)
    throw new Problem(
      404,
      'api-path-unknown',
      `The control API has nothing at "${path || '/'}".`,
      near === undefined ? `It has ${known.join(', ')}.` : `Did you mean "${near}"?`,
    )
  }
  const candidates = routes.filter((route) => route.path === pattern)
  const asked = method === 'HEAD' ? 'GET' : method
  const route = candidates.find((candidate) => candidate.method === asked)
  if (route) return { route, params: matchPath(pattern, path)! }
  const allowed = candidates.flatMap((one) => (one.method === 'GET' ? ['GET', 'HEAD'] : one.method))
  throw new Problem(
    405,
    'api-method-unknown',
    `"${path}" of the control API has no method ${method}.`,
    `Use ${oneOf.format(allowed)}.`,
    { allow: allowed.join(', ') },
  )
}

/** The open parts of a path; `undefined` when the path does not fit. */
function matchPath(pattern: string, path: string): string[] | undefined {
  const source = pattern.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '([^/]+)')
  return new RegExp(`^${source}$`).exec(path)?.slice(1)
}
