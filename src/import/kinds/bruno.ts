import type { ImportContext, Imported } from '../imported.ts'
import type { Source } from '../source.ts'
export function isBruno(_: Source): boolean {
  return false
}
export function importBruno(_: readonly Source[], __: ImportContext): Imported {
  throw new Error('todo')
}
