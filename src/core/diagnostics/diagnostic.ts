import { backendTexts } from './backend-texts.ts'
import { fileTexts } from './file-texts.ts'
import { fixtureTexts } from './fixture-texts.ts'
import { graphqlTexts } from './graphql-texts.ts'
import { requestTexts } from './request-texts.ts'
import { setupTexts } from './setup-texts.ts'
import type { SourceLocation } from './text.ts'

export type { SourceLocation } from './text.ts'

/** All diagnostics, for types, tests and documentation. Other code imports single tables, to keep workers small. */
export const catalogue = {
  ...setupTexts,
  ...fileTexts,
  ...fixtureTexts,
  ...requestTexts,
  ...backendTexts,
  ...graphqlTexts,
}

/** A code, such as `fixture-unknown-key`. docs/diagnostics.md lists them. */
export type DiagnosticCode = keyof typeof catalogue

/** A message to the developer: what happened, where, and how to fix it. */
export interface Diagnostic extends Partial<SourceLocation> {
  /** Stable: the texts may change between releases. */
  code: DiagnosticCode
  /** With an error, a fixture file or an option is not used as it is written. */
  severity: 'error' | 'warning'
  /** One sentence that says what happened. */
  message: string
  /** How to correct it: one sentence. */
  fix: string
  /** The lines around the position, with a marker under the column. */
  frame?: string
  /** The message of a function that has thrown, and the frames of the project's own code. */
  stack?: string
}

/** Hands a diagnostic over, to the log for example. */
export type Report = (diagnostic: Diagnostic) => void
