import type { DocumentLimits } from './document.ts'

/** What the options say of the GraphQL endpoints. */
export interface GraphQLSettings extends DocumentLimits {
  /** Paths of the GraphQL endpoints; one at least. */
  paths: readonly string[]
  /** Whether requests must follow the GraphQL-over-HTTP specification. */
  strict: boolean
  /** Whether `data` is cut to the selection, for routes that do not say. */
  shape: boolean
  /** Units of work that one request may cause, a batch as a whole. */
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
