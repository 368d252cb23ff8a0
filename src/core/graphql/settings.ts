import type { DocumentLimits } from './document.ts'

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
