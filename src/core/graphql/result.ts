import { bodyAsText, headerOf, type PreparedResponse } from '../response/prepare-response.ts'
import type { FixtureResponse } from '../schema/schema.ts'
import { isRecord } from '../values/values.ts'
import type { GraphQLResult } from './checker.ts'
import type { GraphQLEndpoint } from './endpoint.ts'
import type { FormattedError } from './formatted-error.ts'

/** A response whose body depends on the operation: its errors get `locations`, its data is shaped or filled in. */
export type ResultResponse = FixtureResponse & { body: GraphQLResult }

/**
 * The result that has to be adapted to the operation; `undefined` for a response that is sent as it is prepared.
 *
 * @param shape of the route; `undefined` for that of the endpoint
 * @param body of the response; anything but a result means that the prepared body may be one
 */
export function resultToFit(
  graphql: GraphQLEndpoint | undefined,
  shape: boolean | undefined,
  body: unknown,
  prepared: PreparedResponse,
): GraphQLResult | undefined {
  const result = graphql && (isResult(body) ? body : resultIn(prepared))
  return result && ((shape ?? graphql.shape) || graphql.checker?.hasSchema || needsLocations(result))
    ? result
    : undefined
}

/** Whether a GraphQL body has an error whose `locations` have to be computed from the request's query text. */
export function needsLocations(body: unknown): body is { errors: unknown[] } {
  return isRecord(body) && Array.isArray(body['errors']) && body['errors'].some(lacksLocations)
}

export function lacksLocations(
  error: unknown,
): error is FormattedError & { path: readonly (string | number)[] } {
  return isRecord(error) && Array.isArray(error['path']) && error['locations'] === undefined
}

/** Whether a body is the result of an operation, and not, for example, the error page of a proxy. */
export function isResult(body: unknown): body is GraphQLResult {
  return isRecord(body) && (Object.hasOwn(body, 'data') || Array.isArray(body['errors']))
}

/** The result in a prepared body, such as a page of a list, or a file. */
function resultIn(prepared: PreparedResponse): GraphQLResult | undefined {
  if (!headerOf(prepared, 'content-type')?.includes('json')) return undefined
  try {
    const body: unknown = JSON.parse(bodyAsText(prepared.body))
    return isResult(body) ? body : undefined
  } catch {
    return undefined // a file with the extension of JSON but other content
  }
}
