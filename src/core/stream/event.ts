import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { FixtureEvent, triggerNames } from '../schema/stream-schema.ts'

/** An event that is due, not yet written in the format of a transport. */
export interface StreamEvent extends Omit<FixtureEvent, 'delay'> {
  /** The stream is complete after it. */
  isLast?: boolean
  /** Keeps the connection open: no client sees it. */
  isHeartbeat?: boolean
  /** What has triggered it. */
  by?: (typeof triggerNames)[number]
  /** What went wrong when it was made. */
  diagnostic?: Diagnostic | undefined
}
