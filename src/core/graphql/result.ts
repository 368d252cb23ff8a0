import { bodyAsText, headerOf, type PreparedResponse } from '../response/prepare-response.ts'
import type { FixtureResponse } from '../schema/schema.ts'
import { isRecord } from '../values/values.ts'
import type { GraphQLResult } from './checker.ts'
import { needsLocations } from './locations.ts'
import type { GraphQLEndpoint } from './endpoint.ts'
/** A response whose body depends on the operation: its errors get `locations`, its data is shaped, or made to fit. */
export type ResultResponse = FixtureResponse & { body: GraphQLResult }

/** Whether a body is the result of an operation, and not what some proxy sends in its place. */
export function isResult(body: unknown): body is GraphQLResult {
  return isRecord(body) && (Object.hasOwn(body, 'data') || Array.isArray(body['errors']))
}

/** The result that a prepared body holds: a page of a list, a file. */
export function resultIn(prepared: PreparedResponse): GraphQLResult | undefined {
  if (!headerOf(prepared, 'content-type')?.includes('json')) return undefined
  try {
    const body: unknown = JSON.parse(bodyAsText(prepared.body))
    return isResult(body) ? body : undefined
  } catch {
    return undefined // a file that does not hold the JSON that its name promises
  }
}

/** Whether anything of a result depends on the operation. */
export function dependsOnOperation(graphql: GraphQLEndpoint, shape: boolean, body: GraphQLResult): boolean {
  return shape || graphql.checker?.hasSchema === true || needsLocations(body)
}
