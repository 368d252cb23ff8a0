import { isFitted } from '../../graphql/result.ts'
import type { ParsedRequest } from '../../request/parsed-request.ts'
import { prepareResponse, type PreparedResponse } from '../../response/prepare-response.ts'
import { selectsByExtensions } from '../../select/selector.ts'
import type { CompiledRoute, Endpoint } from '../../table/route-table.ts'

/* A query that has only its hash. */

/** Clients send the request again with the text. @see https://www.apollographql.com/docs/apollo-server/performance/apq */
export function persistedQueryNotFound(): PreparedResponse {
  const extensions = { code: 'PERSISTED_QUERY_NOT_FOUND' }
  return prepareResponse({ body: { errors: [{ message: 'PersistedQueryNotFound', extensions }] } })
}

/**
 * Whether the answer depends on the text of a query that has only its hash: its data is shaped or checked by the
 * query, or a route that selects by the document could come first.
 */
export function needsQueryText(
  endpoint: Endpoint,
  route: CompiledRoute | undefined,
  { graphql: params }: ParsedRequest,
): boolean {
  const { graphql } = endpoint
  if (!graphql || !params || params.document || !params.extensions?.['persistedQuery']) return false
  if (route?.selector && selectsByExtensions(route.selector)) return false
  if (mayComeFirst(endpoint, route)) return true
  if (!route || route.response.kind === 'static') return false
  return isFitted(graphql, route.shape)
}

/** Whether a route that selects by the document would have been tried before the selected one. */
function mayComeFirst({ active, firstByDocument }: Endpoint, route: CompiledRoute | undefined): boolean {
  const isBefore = (order = Infinity) => order < (route?.selector ? route.order + 1 : Infinity)
  // Routes of active scenarios come before all others.
  if (route?.scenarios) return isBefore(active?.firstByDocument)
  return active?.firstByDocument !== undefined || isBefore(firstByDocument)
}
