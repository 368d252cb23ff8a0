import type { ImportContext, Imported } from '../imported.ts'
import type { Source } from '../source.ts'
export function isMockoon(_: Source): boolean {
  return false
}
export function importMockoon(_: readonly Source[], __: ImportContext): Imported {
  throw new Error('todo')
}
