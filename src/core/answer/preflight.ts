import type { Endpoint, RouteTable } from '../table/route-table.ts'
import { matchEndpoint, matchInScenarios, type EndpointMatch } from '../table/match.ts'
import { prepareResponse, type PreparedResponse } from '../response/prepare-response.ts'
import type { OriginPolicy } from '../http/origin.ts'
import { headerText, type Headers } from '../http/raw-request.ts'

/**
 * The endpoint that an `OPTIONS` request is about; `undefined` when it is not a CORS preflight for a mock endpoint. A
 * preflight has no cookies and no headers of the request that follows, so every scenario may be active for that.
 */
export function matchPreflight(
  policy: OriginPolicy,
  table: RouteTable,
  url: string,
  headers: Headers,
  bases: readonly string[],
): EndpointMatch | undefined {
  if (policy.origins === 'off' || !policy.addsHeaders) return undefined
  const asked = headerText(headers, 'access-control-request-method')
  if (asked === undefined || headerText(headers, 'origin') === undefined) return undefined
  return matchEndpoint(table, asked, url, bases) ?? matchInScenarios(table, asked, url, bases)
}

/** The answer to a preflight from an allowed origin: the path's methods, and the requested headers. */
export function preflightResponse(
  { endpoints }: RouteTable,
  { path }: Endpoint,
  headers: Headers,
): PreparedResponse {
  const methods = endpoints.filter((endpoint) => endpoint.path === path).map(({ method }) => method)
  const asked = headerText(headers, 'access-control-request-headers')
  return prepareResponse({
    status: 204,
    headers: {
      'access-control-allow-methods': methods.join(', '),
      ...(asked !== undefined && { 'access-control-allow-headers': asked }),
    },
  })
}
