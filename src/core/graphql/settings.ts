import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { queryValue } from '../http/raw-request.ts'
import type { DocumentLimits } from './document.ts'
import type { DocumentChecker } from './result.ts'

/** The settings of the GraphQL endpoints. */
export interface GraphQLSettings extends DocumentLimits {
  /** Paths of the GraphQL endpoints, at least one. */
  paths: readonly string[]
  /** Whether requests must follow the GraphQL-over-HTTP specification. */
  strict: boolean
  /** Whether `data` is cut to the selection, unless a route says otherwise. */
  shape: boolean
  /** Maximum units of work for one request or a whole batch. */
  maxCost: number
}

/** The defaults of the options. */
export const defaultGraphQL: GraphQLSettings = {
  paths: ['/graphql'],
  strict: false,
  shape: false,
  maxTokens: 10_000,
  maxDepth: 100,
  maxCost: 100_000,
}

/** A GraphQL endpoint: its settings, and the checker that belongs to it. */
export interface GraphQLEndpoint extends GraphQLSettings {
  checker: DocumentChecker | undefined
  /** Why the schema could not be loaded. Requests are answered with this error, not with unchecked data. */
  schemaError: Diagnostic | undefined
}

/** Whether a GET has parameters of a GraphQL request. A browser that opens the endpoint sends none. */
export function isGraphQLGet(search: string): boolean {
  if (search === '') return false
  return ['query', 'operationName', 'extensions'].some((name) => queryValue(search, name) !== undefined)
}
