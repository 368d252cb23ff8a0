import type { OriginPolicy } from '../http/origin.ts'
import type { ResolvedOptions } from '../options/options.ts'
import type { Running } from './running.ts'

/** What a host says about itself. */
export interface HostRules {
  /** Path prefixes below which the routes are. */
  bases: readonly string[]
  /** Which pages and host names are accepted; `undefined` for all. */
  origins: OriginPolicy | undefined
  /** Whether a browser that opens the GraphQL endpoint gets GraphiQL. */
  graphiql: boolean
  /** Whether the host may answer navigations with pages of the application, and no option says who answers them. */
  hasPages: boolean
}

/** Settings for all requests of a host. */
export interface ReceiveRules extends HostRules, Running {
  unmatched: 'error' | 'passthrough'
  /** Who answers a navigation that no route matches. */
  navigation: 'answer' | 'passthrough'
  /** Whether responses name their route in `x-mock-route`. */
  routeHeader: boolean
}

/** Combines the options with what a host says about itself. */
export function receiveRules(
  { unmatched, navigation, routeHeader }: ResolvedOptions,
  { limits, state, graphql, explanations, overlays }: Running,
  host: HostRules,
): ReceiveRules {
  return { ...host, limits, state, graphql, explanations, overlays, unmatched, navigation, routeHeader }
}
