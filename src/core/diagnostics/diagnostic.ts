import type { catalogue } from './catalogue.ts'
import type { SourceLocation } from './source-location.ts'

export type { SourceLocation } from './source-location.ts'

/**
 * A message to the developer: what happened, where, and how to fix it.
 *
 * `code` is stable and can be searched for; the texts may change between releases.
 */
export interface Diagnostic extends Partial<SourceLocation> {
  /** Stable: the texts may change between releases. */
  code: DiagnosticCode
  /** With an error, a fixture file or an option is not used as it is written. */
  severity: 'error' | 'warning'
  /** What happened: one sentence. */
  message: string
  /** How to correct it: one sentence. */
  fix: string
  /** The lines around the position, with a marker under the column. */
  frame?: string
}

/** A code, such as `fixture-unknown-key`. docs/diagnostics.md lists them. */
export type DiagnosticCode = keyof typeof catalogue
