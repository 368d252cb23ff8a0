import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { FixtureEvent, triggerNames } from '../schema/stream-schema.ts'

/** An event that is due, not yet written in the format of a transport. */
export interface StreamEvent extends Omit<FixtureEvent, 'delay'> {
  isLast?: boolean
  /** Keeps the connection open: no client sees it. */
  isHeartbeat?: boolean
  by?: (typeof triggerNames)[number]
  diagnostic?: Diagnostic | undefined
}
