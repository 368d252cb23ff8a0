import type { Diagnostic } from '../core/diagnostics/diagnostic.ts'
import type { FixtureFile } from '../core/fixture/route.ts'

/** The result of a format's reader: the value, and the positions of its parts in the text. */
export type Source = ({ value: unknown } & Omit<FixtureFile, 'file' | 'router'>) | { diagnostic: Diagnostic }
