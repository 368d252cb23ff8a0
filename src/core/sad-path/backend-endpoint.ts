import type { GraphQLSettings } from '../graphql/settings.ts'
import { clientOf } from '../http/whose-state.ts'
import type { HeaderSource } from '../http/raw-request.ts'
import type { MockState } from '../state/mock-state.ts'
import { compileRoutes } from '../table/compile-routes.ts'
import { type EndpointMatch, matchEndpoint } from '../table/match.ts'
import { isSadPathOf } from './sad-path.ts'

export interface BackendPaths {
  graphql: GraphQLSettings
  bases: readonly string[]
}

/** Matches a request as if a fixture had its path, `from: backend`: requests that are passed on can go wrong, too. */
export function matchBackend({ graphql, bases }: BackendPaths, method: string, url: string): EndpointMatch {
  const route = { name: 'the backend', response: { from: 'backend' as const }, source: backendSource }
  const routes = [...graphql.paths, '/*'].map((path) => ({ ...route, path }))
  const { table } = compileRoutes(routes, { graphql: { ...graphql, strict: false } })
  const found = matchEndpoint(table, method, url, bases)
  if (found?.endpoint.graphql) return found
  const [path = '', search = ''] = url.split('?', 2)
  return { endpoint: { ...table.endpoints.at(-1)!, method, path }, params: {}, path, search }
}

const backendSource = { file: 'the backend' }

/** The match of a request without a route that a sad path is for. */
export function matchSadPath(
  { overrides }: MockState,
  method: string,
  url: string,
  { headers }: HeaderSource,
  paths: BackendPaths,
): EndpointMatch | undefined {
  if (!overrides.isOn) return undefined
  const { sadPath } = overrides.get(clientOf(headers))
  if (sadPath === undefined) return undefined
  const match = matchBackend(paths, method, url)
  return isSadPathOf(sadPath, match.endpoint) ? match : undefined
}
