import type { AddedError } from '../schema/fault-schema.ts'
import type { FixtureResponse } from '../schema/schema.ts'
import { readChanges, type Change } from '../values/patch.ts'

/** What is changed in an answer of the backend. */
export interface Overlay {
  /** `undefined` for that of the backend. */
  status: number | undefined
  /** Instead of those of the backend with the same names. */
  headers: NonNullable<FixtureResponse['headers']>
  changes: readonly Change[]
  errors: readonly AddedError[]
  delay: FixtureResponse['delay']
  fault: FixtureResponse['fault']
}

/** The overlay of a response with `from: backend`, whose `patch` has been checked. */
export function toOverlay({
  status,
  headers = {},
  patch = {},
  errors = [],
  delay,
  fault,
}: FixtureResponse): Overlay {
  const changes = readChanges(patch).filter((change) => 'parts' in change)
  return { status, headers, changes, errors, delay, fault }
}
