import { diagnose, type Diagnostic } from '../diagnostics/diagnostic.ts'
import { prepareResponse, type PreparedResponse } from '../response/prepare-response.ts'
import type { RouteTable } from '../table/route-table.ts'

/** Maximum length of the list; a longer one would not be readable. */
const maxEndpoints = 20

/** The 404 for a request that no route answers, if there is no next handler. It lists the existing endpoints. */
export function notFoundResponse(request: string, endpoints: RouteTable['endpoints']): PreparedResponse {
  const listed = endpoints.slice(0, maxEndpoints).map(({ method, path }) => `${method} ${path}`)
  const more = endpoints.length - listed.length
  const diagnostic = diagnose('route-not-found', {}, { request })
  return plainError(404, diagnostic, { endpoints: listed, ...(more > 0 && { more }) })
}

/** An error as JSON, for a request that is not for a mock endpoint. */
export function plainError(
  status: number,
  { message, code, fix }: Diagnostic,
  details: Readonly<Record<string, unknown>> = {},
): PreparedResponse {
  return prepareResponse({ status, body: { error: { message, code, fix, ...details } } })
}
