import { bundleTexts } from './bundle-texts.ts'
import { fixtureTexts } from './fixture-texts.ts'
import { graphqlTexts } from './graphql-texts.ts'
import { optionTexts } from './option-texts.ts'
import { requestTexts } from './request-texts.ts'
import { selectorTexts } from './selector-texts.ts'
import type { Text } from './text.ts'

/** Every diagnostic the package can report. The keys are the stable codes. */
const catalogue = {
  ...optionTexts,
  ...fixtureTexts,
  ...selectorTexts,
  ...requestTexts,
  ...graphqlTexts,
  ...bundleTexts,
}

/** Where in the user's files something was found. Lines and columns count from 1. */
export interface SourceLocation {
  /** Path of the file, relative to the project's root if it is inside. */
  file: string
  line?: number
  column?: number
  /** JSON pointer (RFC 6901) into the value of the file, such as `/0/response/status`. */
  pointer?: string
}

/**
 * A message to the developer: what happened, where, and how to fix it.
 *
 * `code` is stable and can be searched for; the texts may change between releases.
 */
export interface Diagnostic extends Partial<SourceLocation> {
  code: DiagnosticCode
  severity: 'error' | 'warning'
  message: string
  fix: string
  /** The lines around the position, with a marker under the column. */
  frame?: string
}

export type DiagnosticCode = keyof typeof catalogue

/** All codes, for documentation and tests. */
export const diagnosticCodes = Object.keys(catalogue) as DiagnosticCode[]

/** The details that the text of each code needs, if any. */
export type DiagnosticDetails = { [C in DiagnosticCode]: Parameters<(typeof catalogue)[C]> }

/** Creates a diagnostic from its code, its location and the details of its text. */
export function diagnose<C extends DiagnosticCode>(
  code: C,
  place: Partial<SourceLocation>,
  ...[details]: DiagnosticDetails[C]
): Diagnostic {
  const write = catalogue[code] as (details: unknown) => Text
  return { code, severity: 'error', ...write(details), ...place }
}
