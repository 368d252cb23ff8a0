import { describeValue } from './diagnostics.ts'

/** What was thrown, in words. Anything can be thrown, and some of it can't even be looked at. */
export function describeThrown(error: unknown): string {
  try {
    return error instanceof Error ? `${error.name}: ${error.message}` : `it threw ${describeValue(error)}`
  } catch {
    return 'it threw something that throws when it is looked at'
  }
}
