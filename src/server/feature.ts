import type { Decision } from '../core/answer/decision.ts'
import type { FoundRequest } from '../core/answer/receive.ts'
import type { Rules } from '../core/answer/rules.ts'
import type { Report } from '../core/diagnostics/diagnostic.ts'
import type { RawRequest } from '../core/http/raw-request.ts'
import type { Hub } from './live/hub.ts'
import type { Decided, Reply } from './reply.ts'

/** One request for an endpoint. Its rules and its table are those it began with, also after a reload. */
export interface RequestContext {
  found: FoundRequest
  raw: RawRequest
  rules: Rules
  reply: Reply<unknown>
  hub: Hub
  report: Report
}

/**
 * What a mock server does beside answering from routes, on every host. A feature is a file, and a line in `features.ts`; its
 * hooks are called in the order of that list. Those that need Node are in `node/features.ts`, with further hooks.
 *
 * @example
 * export const powered: Feature = { headers: () => ['x-powered-by', 'coffee'] }
 */
export interface Feature {
  /** Sees a request whose head alone does not decide it, before its routes are asked. */
  received?: (exchange: RequestContext) => void
  /** Sees each decision before it is written or passed on. */
  decided?: (exchange: RequestContext, decision: Decision) => void
  /** Headers for an answer, or for the handshake of a WebSocket, as alternating names and values. */
  headers?: (exchange: RequestContext, decision: Decided) => readonly string[]
  /** Sees each answer once it is written. */
  written?: (exchange: RequestContext, decision: Decided) => void
}

/** The hooks of all features by name, so that a request only meets those that there are. */
export type FeatureHooks<F extends object> = { readonly [Name in keyof F]-?: NonNullable<F[Name]>[] }

export function noHooks(): FeatureHooks<Feature> {
  return { received: [], decided: [], headers: [], written: [] }
}

export function addHooks<F extends object>(hooks: FeatureHooks<F>, feature: F): void {
  for (const name of Object.keys(feature) as (keyof F)[])
    hooks[name].push(feature[name] as NonNullable<F[typeof name]>)
}
