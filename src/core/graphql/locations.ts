import { operationOf } from './document.ts'
import { fieldsAt } from './fields.ts'
import type { ErrorLocation } from './formatted-error.ts'
import type { GraphQLParams } from './payload.ts'

/**
 * The places in the request's query text of the field that an error's `path` leads to, as graphql-js reports them:
 * one for each field node that is merged into the response key.
 *
 * Where the operation does not select that path, its own start is given; where the request carries no document, line 1,
 * column 1.
 *
 * @see https://spec.graphql.org/October2021/#sec-Errors.Error-result-format
 */
export function locate(params: GraphQLParams, path: readonly unknown[]): ErrorLocation[] {
  const operation = operationOf(params)
  if (!operation) return [{ line: 1, column: 1 }]
  const fields = fieldsAt(params, operation, path)
  return (fields.length > 0 ? fields : [operation]).map((node) => {
    const { line, column } = node.loc!.startToken
    return { line, column }
  })
}
