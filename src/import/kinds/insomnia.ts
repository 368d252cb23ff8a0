import type { ImportContext, Imported } from '../imported.ts'
import type { Source } from '../source.ts'
export function isInsomnia(_: Source): boolean {
  return false
}
export function importInsomnia(_: readonly Source[], __: ImportContext): Imported {
  throw new Error('todo')
}
