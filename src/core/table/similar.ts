import { canonicalRequestPath, trimSlash } from '../http/path.ts'
import { anyMethod, socketMethod } from '../schema/schema.ts'
import { isSocketIo } from '../stream/socket-framing.ts'
import { matchEndpoint, matchInScenarios, type EndpointMatch } from './match.ts'
import type { Endpoint, RouteTable } from './route-table.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { diagnoseRequest } from '../diagnostics/request-texts.ts'
import { formatPlace } from '../diagnostics/format.ts'
import { redactUrl } from '../redact/redact.ts'
import { splitOrigin } from '../http/route-url.ts'
import { allowedTypos, countTypos } from '../values/spelling.ts'

/** Comparing more endpoints than this, or a longer path, takes too long. */
const maxEndpoints = 2000
const maxLength = 500

/**
 * The endpoint that was probably meant; `undefined` when none is similar.
 *
 * @param path without the base
 * @param asked the path as the request has it
 */
export function findSimilar(
  table: RouteTable,
  method: string,
  path: string,
  { asked = path, base = '', caughtBy }: { asked?: string; base?: string; caughtBy?: string } = {},
): Diagnostic | undefined {
  if (path.length > maxLength) return undefined
  let best: { endpoint: Endpoint; distance: number } | undefined
  for (const endpoint of table.endpoints.slice(0, maxEndpoints)) {
    if (isCatchAll(endpoint)) continue
    const distance = distanceTo(endpoint, method, path)
    if (distance <= 2 && (!best || distance < best.distance)) best = { endpoint, distance }
  }
  if (!best) return undefined
  const { endpoint } = best
  const repeated = base !== '' && endpoint.path.startsWith(`${base}/`) && endpoint.path.slice(base.length)
  const details = { request: `${method} ${redactUrl(asked)}`, similar: nameOf(endpoint, base), caughtBy }
  return diagnoseRequest(
    'route-similar',
    {},
    { ...details, ...(repeated && { base, withoutBase: repeated }) },
  )
}

/** `/**`, or a scenario's `/api/*`: it says nothing about which path was meant. */
export function isCatchAll({ path, routes }: Endpoint): boolean {
  const { pathname } = splitOrigin(path)
  return (
    /^\/\*\*?(?::\w+)?$/.test(pathname) || (path.includes('*') && routes.every(({ scenarios }) => scenarios))
  )
}

/** Describes a request that only a route for every path has answered, as while the API is down. */
export function describeCaught(
  table: RouteTable,
  { endpoint, path }: EndpointMatch,
  { method, url }: { method: string; url: string },
): Diagnostic | undefined {
  const asked = url.split('?', 1)[0]!
  const base = asked.endsWith(path) ? asked.slice(0, -path.length) : ''
  return findSimilar(table, method, path, { asked, base, caughtBy: `${endpoint.method} ${endpoint.path}` })
}

/** `undefined` when neither an inactive scenario, a malformed path nor a similar route explains it. */
export function describeUnanswered(
  table: RouteTable,
  asked: string,
  url: string,
  bases: readonly string[],
): Diagnostic | undefined {
  const path = url.split('?', 1)[0]!
  const ofSocketIo = isSocketIo(url)
  const method = ofSocketIo ? socketMethod : asked
  const request = `${method} ${redactUrl(path)}`
  const inactive = matchInScenarios(table, method, url, bases)?.endpoint
  const scenarios = inactive && scenariosOfAll(inactive)
  const ofScenario =
    scenarios && diagnoseRequest('scenario-inactive', inactive.routes[0]!.source, { request, scenarios })
  if (ofScenario && !isCatchAll(inactive)) return ofScenario
  const malformed =
    canonicalRequestPath(path) === undefined && matchEndpoint(table, method, asLiteral(path), bases)?.endpoint
  if (malformed)
    return diagnoseRequest('request-path-malformed', {}, { request, endpoint: nameOf(malformed) })
  const base = bases.find((prefix) => path.startsWith(`${prefix}/`))
  const names = { asked: path, base: base ?? bases[0] ?? '' }
  const similar = findSimilar(table, method, trimSlash(path.slice(base?.length ?? 0)), names) ?? ofScenario
  return (
    similar ??
    (ofSocketIo ? diagnoseRequest('socket-io', {}, { why: 'no-route', path: redactUrl(path) }) : undefined)
  )
}

/**
 * The route that is to be written, for a request that nothing explains.
 * @param isPage whether the dev server has answered with a page; absent if there is none
 */
export function describeMissing(method: string, url: string, bases: readonly string[], isPage?: boolean) {
  const asked = url.split('?', 1)[0]!
  const base = bases.find((prefix) => prefix !== '' && asked.startsWith(`${prefix}/`))
  const isOutside = base === undefined && !bases.includes('')
  const path = asked.slice(base?.length ?? 0)
  return diagnoseRequest(
    'request-unanswered',
    {},
    {
      request: `${method} ${redactUrl(asked)}`,
      method: askedAs(method),
      path: redactUrl(path),
      isPage,
      ...(isOutside && { base: bases[0]! }),
    },
  )
}

export function scenariosOfAll({ routes }: Endpoint): string[] | undefined {
  if (!routes.every(({ scenarios }) => scenarios)) return undefined
  return [...new Set(routes.flatMap(({ scenarios }) => scenarios!))]
}

/** The path that a malformed one was probably meant to be: `/100%` as `/100%25`. */
function asLiteral(path: string): string {
  const literal = (segment: string) =>
    canonicalRequestPath(segment) === undefined ? segment.replaceAll('%', '%25') : segment
  return path.split('/').map(literal).join('/')
}

function nameOf({ method, path, routes }: Endpoint, base = ''): string {
  return `${method} ${base}${path} (${formatPlace(routes[0]!.source)})`
}

/** A `GET` route answers a `HEAD`, too. */
function askedAs(method: string): string {
  return method === 'HEAD' ? 'GET' : method
}

function distanceTo(endpoint: Endpoint, method: string, path: string): number {
  const otherMethod = [method, askedAs(method), anyMethod].includes(endpoint.method) ? 0 : 0.5
  const pattern = endpoint.path.split('/').slice(1)
  const segments = path.split('/').slice(1)
  const surplus = segments.length - pattern.length
  if (surplus === 0) {
    const wanted = fillParameters(pattern, segments)
    const given = segments.join('/')
    return countTypos(given, wanted, Math.min(2, allowedTypos(wanted))) + otherMethod
  }
  // An extra or a missing prefix, such as `/api`.
  const [inner, outer] =
    surplus > 0 ? [pattern, segments.slice(surplus)] : [pattern.slice(-surplus), segments]
  const hasPrefix = outer.join('/') !== '' && fillParameters(inner, outer) === outer.join('/')
  return hasPrefix && inner.some((segment) => !isParameter(segment)) ? 1 + otherMethod : Infinity
}

/** Parameters take the request's segments, so that only literal segments are compared. */
function fillParameters(pattern: readonly string[], segments: readonly string[]): string {
  return pattern.map((segment, index) => (isParameter(segment) ? segments[index] : segment)).join('/')
}

function isParameter(segment: string): boolean {
  return /^[:*(]/.test(segment)
}
