import type { Endpoint, RouteTable } from './route-table.ts'
import { diagnose, type Diagnostic } from '../diagnostics/diagnostic.ts'
import { formatPlace } from '../diagnostics/format.ts'
import { allowedSlips, countSlips } from '../values/spelling.ts'

/** More endpoints than this are not compared: the answer would come too late to help. */
const maxEndpoints = 2000

/**
 * What a request that no route has may have been meant for: the same path with another method, the path with something
 * in front (`/api/items`), or a slip of one or two characters. `undefined` when nothing is near.
 *
 * @param path without the base that the request may have had
 * @param asked the path as the request has it
 * @param base what is in front of every route's path: a request without it is near, and so is one with another
 */
export function findSimilar(
  table: RouteTable,
  method: string,
  path: string,
  { asked = path, base = '' }: { asked?: string; base?: string } = {},
): Diagnostic | undefined {
  let best: { endpoint: Endpoint; distance: number } | undefined
  for (const endpoint of table.endpoints.slice(0, maxEndpoints)) {
    const distance = distanceTo(endpoint, method, path)
    if (distance <= 2 && (!best || distance < best.distance)) best = { endpoint, distance }
  }
  if (!best) return undefined
  const { endpoint } = best
  const similar = `${endpoint.method} ${base}${endpoint.path} (${formatPlace(endpoint.routes[0]!.source)})`
  return diagnose('route-similar', {}, { request: `${method} ${asked}`, similar })
}

function distanceTo(endpoint: Endpoint, method: string, path: string): number {
  const otherMethod = endpoint.method === method ? 0 : 0.5
  const pattern = endpoint.path.split('/').slice(1)
  const segments = path.split('/').slice(1)
  const surplus = segments.length - pattern.length
  if (surplus === 0) {
    const wanted = fillParameters(pattern, segments)
    const given = segments.join('/')
    return countSlips(given, wanted, Math.min(2, allowedSlips(wanted))) + otherMethod
  }
  // A prefix too many or too few, such as `/api`.
  const [inner, outer] =
    surplus > 0 ? [pattern, segments.slice(surplus)] : [pattern.slice(-surplus), segments]
  const isInside = outer.join('/') !== '' && fillParameters(inner, outer) === outer.join('/')
  return isInside && inner.some((segment) => !isParameter(segment)) ? 1 + otherMethod : Infinity
}

/** A pattern with the request's own segments in place of its parameters, so that only its text is compared. */
function fillParameters(pattern: readonly string[], segments: readonly string[]): string {
  return pattern.map((segment, index) => (isParameter(segment) ? segments[index] : segment)).join('/')
}

function isParameter(segment: string): boolean {
  return /^[:*(]/.test(segment)
}
