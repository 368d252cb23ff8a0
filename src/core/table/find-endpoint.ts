import { addRoute, createRouter, findRoute } from 'rou3'
import type { Endpoint, Find } from './route-table.ts'

/** Makes the function that finds an endpoint: a literal segment comes before a parameter, and that before a wildcard. */
export function createFind(endpoints: Iterable<Endpoint>): Find {
  const router = createRouter<Endpoint>()
  for (const endpoint of endpoints) addRoute(router, endpoint.method, endpoint.path, endpoint)
  return (method, path) => findRoute(router, method, path)
}

/**
 * The first segments of all paths, which rule out nearly every request that no route is for, such as the modules and assets
 * of a dev server: asking the router takes a microsecond. `undefined` if a path can begin with any segment.
 */
export function firstSegments(paths: readonly string[]): ReadonlySet<string> | undefined {
  const segments = paths.map(firstSegment)
  // Others have a parameter, a wildcard, or characters that the router writes in another way.
  const arePlain = segments.every((segment) => /^[\w~@!$&',;=.-]*$/.test(segment))
  return arePlain && !paths.some((path) => path.includes('/.')) ? new Set(segments) : undefined
}

export function firstSegment(path: string): string {
  const end = path.indexOf('/', 1)
  return end === -1 ? path.slice(1) : path.slice(1, end)
}
