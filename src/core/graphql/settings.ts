import type { DocumentLimits } from './document.ts'

/** What the options say of the GraphQL endpoints. */
export interface GraphQLSettings extends DocumentLimits {
  /** Paths of the GraphQL endpoints; one at least. */
  paths: readonly string[]
  /** Whether requests must be what the GraphQL-over-HTTP specification asks for. */
  strict: boolean
  /** Whether `data` is cut to what a request selects, where a route does not say. */
  shape: boolean
  /** Units of work that one request may cause, a batch as a whole. */
  maxCost: number
}

/** The settings without any option, for tables that are compiled by hand. */
export const defaultGraphQL: GraphQLSettings = {
  paths: ['/graphql'],
  strict: false,
  shape: false,
  maxTokens: 10_000,
  maxDepth: 100,
  maxCost: 100_000,
}
