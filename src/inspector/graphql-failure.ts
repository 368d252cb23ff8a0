import type { Diagnostic } from '../core/diagnostics/diagnostic.ts'
import { redactText } from '../core/redact/redact.ts'
import { bodyAsText, type PreparedResponse } from '../core/response/prepare-response.ts'
import { asJson } from '../core/values/json-value.ts'
import { plural } from '../core/values/describe-value.ts'
import { isRecord } from '../core/values/values.ts'
import type { GraphQLFailure } from './api/api.ts'

/* What the status of a GraphQL answer does not say. */

/** Bytes of the largest answer that is read. */
const maxRead = 1_048_576
const maxMessage = 200

const ofQuery: readonly string[] = ['graphql-refused', 'graphql-query-wrong', 'graphql-unparsed']

/** `undefined` where the status says it already. */
export function failureIn(
  response: PreparedResponse,
  diagnostic: Diagnostic | undefined,
): GraphQLFailure | undefined {
  const isOfQuery = diagnostic !== undefined && ofQuery.includes(diagnostic.code)
  if (response.status >= 400 && !isOfQuery) return undefined
  const results = resultsIn(response)
  const errors = results.map(errorsOf)
  const failed = errors.filter(({ length }) => length > 0)
  if (failed.length === 0 && !isOfQuery) return undefined
  const message = failed[0]?.[0]?.['message'] ?? diagnostic?.message
  const mark =
    results.length > 1
      ? `${failed.length} of ${results.length} failed`
      : isOfQuery
        ? 'query error'
        : plural(failed[0]!.length, 'error')
  return { mark, message: redactText(String(message ?? 'no message')).slice(0, maxMessage) }
}

export function hasErrors(response: PreparedResponse): boolean {
  return resultsIn(response).some((result) => errorsOf(result).length > 0)
}

/** The results of a batch, or one. Nothing is parsed unless it may have errors. */
function resultsIn({ body }: PreparedResponse): unknown[] {
  if (body.length > maxRead) return []
  const text = bodyAsText(body)
  if (!text.includes('"errors"')) return []
  const result = asJson(text)?.value // nothing if a fault has broken it
  return Array.isArray(result) ? result : [result]
}

function errorsOf(result: unknown): Record<string, unknown>[] {
  const errors = isRecord(result) ? result['errors'] : undefined
  return Array.isArray(errors) ? errors.filter(isRecord) : []
}
