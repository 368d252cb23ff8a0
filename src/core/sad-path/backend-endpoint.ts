import type { SourceLocation } from '../diagnostics/diagnostic.ts'
import { defaultGraphQL } from '../graphql/settings.ts'
import { clientOf } from '../http/client.ts'
import type { HeaderSource } from '../http/raw-request.ts'
import type { MockState } from '../state/mock-state.ts'
import { compileRoutes } from '../table/compile-routes.ts'
import type { EndpointMatch } from '../table/match.ts'
import type { Endpoint } from '../table/route-table.ts'
import { requestName, requestOfId } from './sad-path.ts'

/** As if a fixture had the path, `from: backend`: what is passed on can go wrong, too. */
export function backendEndpoint(method: string, path: string): Endpoint {
  const source = {} as SourceLocation // it is in no file
  const route = { name: 'the backend', path: '/', response: { from: 'backend' as const }, source }
  const { endpoints } = compileRoutes([route], { graphql: defaultGraphQL }).table
  return { ...endpoints[0]!, method, path }
}

/** The match of a request without a route that a sad path is for. */
export function matchSadPath(
  { overrides }: MockState,
  method: string,
  url: string,
  { headers }: HeaderSource,
): EndpointMatch | undefined {
  if (!overrides.isOn) return undefined
  const { sadPath } = overrides.get(clientOf(headers))
  const [path = '', search = ''] = url.split('?', 2)
  if (sadPath === undefined || requestOfId(sadPath) !== requestName({ method, path })) return undefined
  return { endpoint: backendEndpoint(method, path), params: {}, path, search }
}
