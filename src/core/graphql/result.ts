import { bodyAsText, headerOf, type PreparedResponse } from '../response/prepare-response.ts'
import type { FixtureResponse } from '../schema/schema.ts'
import { isRecord } from '../values/values.ts'
import type { GraphQLResult } from './checker.ts'
import { needsLocations } from './locations.ts'
import type { GraphQLEndpoint } from './endpoint.ts'
/** A response whose body depends on the operation: its errors get `locations`, its data is shaped or filled in. */
export type ResultResponse = FixtureResponse & { body: GraphQLResult }

/** Whether a body is the result of an operation, and not, for example, the error page of a proxy. */
export function isResult(body: unknown): body is GraphQLResult {
  return isRecord(body) && (Object.hasOwn(body, 'data') || Array.isArray(body['errors']))
}

/** The result in a prepared body, such as a page of a list, or a file. */
export function resultIn(prepared: PreparedResponse): GraphQLResult | undefined {
  if (!headerOf(prepared, 'content-type')?.includes('json')) return undefined
  try {
    const body: unknown = JSON.parse(bodyAsText(prepared.body))
    return isResult(body) ? body : undefined
  } catch {
    return undefined // a file with the extension of JSON but other content
  }
}

/** Whether any part of a result depends on the operation. */
export function dependsOnOperation(graphql: GraphQLEndpoint, shape: boolean, body: GraphQLResult): boolean {
  return shape || graphql.checker?.hasSchema === true || needsLocations(body)
}
