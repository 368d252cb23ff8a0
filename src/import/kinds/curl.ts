import type { ImportContext, Imported } from '../imported.ts'
import type { Source } from '../source.ts'
export function isCurl(_: Source): boolean {
  return false
}
export function importCurl(_: readonly Source[], __: ImportContext): Imported {
  throw new Error('todo')
}
