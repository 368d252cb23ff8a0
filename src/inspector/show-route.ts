import type { SourceLocation } from '../core/diagnostics/diagnostic.ts'
import type { CompiledRoute, Endpoint } from '../core/table/route-table.ts'
import type { Position, RouteInfo } from './api.ts'
import { writeSelector } from './write-selector.ts'

/** `GET /items`: how the API names an endpoint. */
export function endpointId({ method, path }: Pick<Endpoint, 'method' | 'path'>): string {
  return `${method} ${path}`
}

/** `GET /items #2`: how the API names a route. */
export function routeId(endpoint: Endpoint, index: number): string {
  return `${endpointId(endpoint)} #${index + 1}`
}

/** What an answer is called in the API. */
const answers: Record<CompiledRoute['response']['kind'], RouteInfo['answers']> = {
  static: 'static',
  result: 'graphql',
  paged: 'paginate',
  function: 'function',
  backend: 'backend',
  sequence: 'sequence',
  broken: 'error',
}

/** What the server knows about a route besides the route itself. */
interface RouteFacts {
  isTemplate: boolean
  hits: number
}

export function showRoute(
  endpoint: Endpoint,
  route: CompiledRoute,
  index: number,
  { isTemplate, hits }: RouteFacts,
): RouteInfo {
  const { method, path } = endpoint
  const { response } = route
  const pages = response.kind === 'paged' ? response.list.pageCount : 1
  return {
    id: routeId(endpoint, index),
    name: route.name,
    method,
    path,
    ...(route.selector && { when: writeSelector(route.selector) }),
    scenarios: [...(route.scenarios ?? [])],
    answers: answers[response.kind],
    ...(pages > 1 && { pages }),
    isGraphQL: endpoint.graphql !== undefined,
    isTemplate,
    hits,
    ...positionOf(route.source),
  }
}

export function positionOf({ file, line, column }: Partial<SourceLocation>): Position {
  return {
    ...(file !== undefined && { file }),
    ...(line !== undefined && { line }),
    ...(column !== undefined && { column }),
  }
}
