import { catalogue } from './catalogue.ts'
import type { Text } from './text.ts'

/** Where in the user's files something was found. Lines and columns count from 1. */
export interface SourceLocation {
  /** Path of the file, relative to the project's root where it lies inside it. */
  file: string
  line?: number
  column?: number
  /** JSON pointer (RFC 6901) into the value that the file holds, `/0/response/status`. */
  pointer?: string
}

/**
 * One thing the package has to say to the developer: what happened, where, and how to fix it.
 *
 * `code` is stable and can be searched for; the texts may get better from release to release.
 */
export interface Diagnostic extends Partial<SourceLocation> {
  code: DiagnosticCode
  severity: 'error' | 'warning'
  message: string
  fix: string
  /** The lines around the place, with a marker under the column. */
  frame?: string
}

export type DiagnosticCode = keyof typeof catalogue

/** All codes, for documentation and tests. */
export const diagnosticCodes = Object.keys(catalogue) as DiagnosticCode[]

/** What the text of each code needs to know; `undefined` where it needs nothing. */
export type DiagnosticDetails = {
  [C in DiagnosticCode]: Parameters<(typeof catalogue)[C]> extends [infer D] ? D : undefined
}

type Details<C extends DiagnosticCode> =
  Parameters<(typeof catalogue)[C]> extends [infer D] ? [details: D] : [details?: undefined]

/** Makes a diagnostic from its code, its place and the details that its text needs. */
export function diagnose<C extends DiagnosticCode>(
  code: C,
  place: Partial<SourceLocation>,
  ...[details]: Details<C>
): Diagnostic {
  const write = catalogue[code] as (details: unknown) => Text
  return { code, severity: 'error', ...write(details), ...place }
}
