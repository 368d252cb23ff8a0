import type { AddedError } from '../schema/fault-schema.ts'
import type { FixtureResponse } from '../schema/schema.ts'
import { readChanges, type Change } from '../values/patch.ts'

export interface Overlay {
  /** `undefined` for the backend's. */
  status: number | undefined
  /** Replace the backend's of the same names. */
  headers: NonNullable<FixtureResponse['headers']>
  changes: readonly Change[]
  errors: readonly AddedError[]
  delay: FixtureResponse['delay']
  fault: FixtureResponse['fault']
}

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
