import type { ImportContext, Imported } from '../imported.ts'
import type { Source } from '../source.ts'
export function isHoppscotch(_: Source): boolean {
  return false
}
export function importHoppscotch(_: readonly Source[], __: ImportContext): Imported {
  throw new Error('todo')
}
