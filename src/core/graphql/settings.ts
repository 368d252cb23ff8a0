import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { firstValues } from '../http/raw-request.ts'
import type { DocumentLimits } from './document.ts'
import type { DocumentChecker } from './result.ts'

export interface GraphQLSettings extends DocumentLimits {
  /** At least one path. */
  paths: readonly string[]
  /** Whether requests must follow the GraphQL-over-HTTP specification. */
  strict: boolean
  /** Whether an answer with `data` and `errors` has the status 294. */
  partialSuccess: boolean
  /** Whether `data` is cut to the selection, unless a route says otherwise. */
  shape: boolean
  /** Maximum units of work for one request or a whole batch. */
  maxCost: number
}

export const defaultGraphQL: GraphQLSettings = {
  paths: ['/graphql'],
  strict: false,
  partialSuccess: false,
  shape: false,
  maxTokens: 10_000,
  maxDepth: 100,
  maxCost: 100_000,
}

export interface GraphQLEndpoint extends GraphQLSettings {
  checker: DocumentChecker | undefined
  /** Why there is no schema. Requests are answered with this error, not with unchecked data. */
  schemaError: Diagnostic | undefined
}

/** A browser that opens the endpoint sends none of these parameters. */
export function isGraphQLGet(search: string): boolean {
  if (search === '') return false
  const { query, operationName, extensions, documentId } = firstValues(search)
  return (query ?? operationName ?? extensions ?? documentId) !== undefined
}
