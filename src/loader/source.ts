import type { Diagnostic } from '../core/diagnostics/diagnostic.ts'
import type { FixtureFile } from '../core/fixture/route.ts'

/** What a format's reader gives: the value, and where in the text its parts stand. */
export type Source = ({ value: unknown } & Omit<FixtureFile, 'file'>) | { diagnostic: Diagnostic }
