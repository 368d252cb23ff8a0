import type { CompiledRoute, Endpoint } from '../table/route-table.ts'
import type { ParsedRequest } from '../request/parsed-request.ts'
import { prepareResponse, type PreparedResponse } from '../response/prepare-response.ts'

/**
 * The error that clients of automatic persisted queries expect: they send the request again with the text of the query.
 *
 * @see https://www.apollographql.com/docs/apollo-server/performance/apq
 */
export function persistedQueryNotFound(): PreparedResponse {
  return prepareResponse({
    body: {
      errors: [{ message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }],
    },
  })
}

/**
 * Whether a request has the hash of a query without its text, and the answer depends on that text: its data is shaped or
 * checked by the query, or a route that selects by the document could come first. A route that selects by the hash itself
 * answers.
 *
 * @param route the route that was selected without the text, if any
 */
export function needsQueryText(
  endpoint: Endpoint,
  route: CompiledRoute | undefined,
  { graphql: params }: ParsedRequest,
): boolean {
  const { graphql } = endpoint
  if (!graphql || !params || params.document || !params.extensions?.['persistedQuery']) return false
  if (route?.isByExtensions) return false
  if (mayComeFirst(endpoint, route)) return true
  if (!route) return false
  if (route.response.kind === 'static') return false
  return (route.shape ?? graphql.shape) || graphql.checker?.hasSchema === true
}

/** Whether a route that selects by the document would have been tried before the selected one. */
function mayComeFirst({ active, firstByDocument }: Endpoint, route: CompiledRoute | undefined): boolean {
  const isBefore = (order = Infinity) => order < (route?.selector ? route.order + 1 : Infinity)
  // Routes of active scenarios come before all others.
  if (route?.scenarios) return isBefore(active?.firstByDocument)
  return active?.firstByDocument !== undefined || isBefore(firstByDocument)
}
