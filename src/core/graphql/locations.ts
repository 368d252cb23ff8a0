import { fieldsAtPath } from './fields.ts'
import { locationOf, type ErrorLocation } from './formatted-error.ts'
import type { GraphQLParams } from './params.ts'

/**
 * The positions in the request's query text of the field at an error's `path`, as graphql-js reports them: one for each
 * field node that is merged into the response key.
 *
 * If the operation does not select that path, the start of the operation; if the request has no document, line 1,
 * column 1.
 *
 * @see https://spec.graphql.org/October2021/#sec-Errors.Error-result-format
 * @param data the data of the answer, whose `__typename`s decide which fragments apply
 */
export function locate(params: GraphQLParams, path: readonly unknown[], data?: unknown): ErrorLocation[] {
  const { operation } = params
  if (!operation) return [{ line: 1, column: 1 }]
  const fields = fieldsAtPath(params, operation, path, data)
  params.budget.spend('errors', fields.length)
  return (fields.length > 0 ? fields : [operation]).map(locationOf)
}

interface GraphQLErrorEntry {
  path: readonly unknown[]
  locations?: unknown
}

/** Whether a GraphQL body has an error whose `locations` have to be computed from the request's query text. */
export function needsLocations(body: unknown): body is { errors: unknown[] } {
  const errors = (body as { errors?: unknown } | null | undefined)?.errors
  return Array.isArray(errors) && errors.some(isUnlocated)
}

/** The body with missing `locations` added to its errors, with keys in the order of the specification's examples. */
export function withLocations(
  body: { errors: unknown[] },
  locateError: (path: readonly unknown[]) => ErrorLocation[],
): { errors: unknown[] } {
  const errors = body.errors.map((error) => {
    if (!isUnlocated(error)) return error
    const { message } = error as { message?: unknown }
    // The order of the specification's examples.
    return Object.assign({ message, locations: undefined }, error, { locations: locateError(error.path) })
  })
  return { ...body, errors }
}

function isUnlocated(error: unknown): error is GraphQLErrorEntry {
  if (typeof error !== 'object' || error === null) return false
  const { path, locations } = error as Partial<GraphQLErrorEntry>
  return Array.isArray(path) && locations === undefined
}
