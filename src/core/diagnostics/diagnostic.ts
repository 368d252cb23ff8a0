import { backendTexts } from './backend-texts.ts'
import { bundleTexts } from './bundle-texts.ts'
import { fixtureTexts } from './fixture-texts.ts'
import { graphqlTexts } from './graphql-texts.ts'
import { optionTexts } from './option-texts.ts'
import { requestTexts } from './request-texts.ts'
import { selectorTexts } from './selector-texts.ts'
import type { SourceLocation } from './source-location.ts'
import { createDiagnose } from './text.ts'

export type { SourceLocation } from './source-location.ts'

/** Every diagnostic the package can report. The keys are the stable codes. */
const catalogue = {
  ...optionTexts,
  ...fixtureTexts,
  ...selectorTexts,
  ...requestTexts,
  ...graphqlTexts,
  ...bundleTexts,
  ...backendTexts,
}

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

/** All codes, for documentation and tests. */
export const diagnosticCodes = Object.keys(catalogue) as DiagnosticCode[]

/** The details that the text of each code needs, if any. */
export type DiagnosticDetails = { [C in DiagnosticCode]: Parameters<(typeof catalogue)[C]> }

export const diagnose = createDiagnose(catalogue)
