import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { DocumentChecker } from './checker.ts'
import type { GraphQLSettings } from './settings.ts'
import type { ResponseCache } from './response-cache.ts'
import { createResponseCache } from './response-cache.ts'

/** A GraphQL endpoint: its settings, and the caches and the checker that belong to it. */
export interface GraphQLEndpoint extends GraphQLSettings {
  checker: DocumentChecker | undefined
  /** Why the schema could not be loaded. Requests are answered with this error, not with unchecked data. */
  schemaError: Diagnostic | undefined
  responses: ResponseCache
}

export function createGraphQLEndpoint(
  settings: GraphQLSettings,
  checker?: DocumentChecker,
  schemaError?: Diagnostic,
): GraphQLEndpoint {
  return {
    ...settings,
    checker,
    schemaError,
    responses: createResponseCache(),
  }
}
