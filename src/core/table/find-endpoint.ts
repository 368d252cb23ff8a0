import { addRoute, createRouter, findRoute } from 'rou3'
import type { Endpoint, Find } from './route-table.ts'

/** Precedence at each segment: literal, parameter, wildcard. */
export function createFind(endpoints: Iterable<Endpoint>): Find {
  const router = createRouter<Endpoint>()
  for (const endpoint of endpoints) addRoute(router, endpoint.method, endpoint.path, endpoint)
  return (method, path) => findRoute(router, method, path)
}

/** They rule out nearly every request of the application; `undefined` if a path can begin with any segment. */
export function firstSegments(paths: readonly string[]): ReadonlySet<string> | undefined {
  const segments = paths.map(firstSegment)
  // Anything else is a parameter, a wildcard, or a character that the router escapes.
  const arePlain = segments.every((segment) => /^[\w~@!$&',;=.-]*$/.test(segment))
  return arePlain && !paths.some((path) => path.includes('/.')) ? new Set(segments) : undefined
}

export function firstSegment(path: string): string {
  const end = path.indexOf('/', 1)
  return end === -1 ? path.slice(1) : path.slice(1, end)
}
