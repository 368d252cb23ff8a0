import type { ImportContext, Imported } from '../imported.ts'
import type { Source } from '../source.ts'
export function isWireMock(_: Source): boolean {
  return false
}
export function importWireMock(_: readonly Source[], __: ImportContext): Imported {
  throw new Error('todo')
}
