import { idText } from '../values/exact-number.ts'
import { asJson } from '../values/json-value.ts'
import { isRecord } from '../values/values.ts'
import { findWrongItem } from './collection.ts'
import { createList, type Item } from './items.ts'

/*
 * The changes of collections as lines of a file, to which each change adds one. Adding a line costs the same for any number of
 * items, and two servers that add to one file do not overwrite what the other has added.
 */

interface SavedOf {
  /** The name, the scenarios of a collection that replaces another one, and the fixture file. */
  collection: string
  /** Hash of the items in the fixture file: with others, the saved ones are out of date. */
  of: number
}

interface Counted extends SavedOf {
  highest?: number | undefined
  made: number
  changes: number
}

export interface SavedItems extends Counted {
  client: string
  id: string
  items: readonly Item[]
}

/** One item of everyone; without `item`, it was deleted. */
interface SavedChange extends Counted {
  changed: string
  item?: Item | undefined
}

/** `isReset`: the items are those of the fixture file again. */
export type SavedLine = SavedItems | SavedChange | (SavedOf & { isReset: true })

/** The line break comes first: a line that was cut off, as by a full disk, does not spoil the next one. */
export function lineOf(line: SavedLine): string {
  return `\n${JSON.stringify(line)}`
}

type Kept = SavedItems & { byId: Map<string, Item> }

/** Reads the lines of everyone, and returns also the numbers of those that can't be used. */
export function readLines(text: string): { saved: SavedItems[]; wrong: number[] } {
  const kept = new Map<string, Kept>()
  const isWrong = (line: string) => line.trim() !== '' && !useLine(kept, asJson(line)?.value)
  const wrong = text.split('\n').flatMap((line, index) => (isWrong(line) ? [index + 1] : []))
  const saved = [...kept.values()].map(({ byId, ...one }) => ({ ...one, items: [...byId.values()] }))
  return { saved, wrong }
}

function useLine(kept: Map<string, Kept>, line: unknown): boolean {
  if (!isRecord(line)) return false
  const { collection, of, highest, made, changes, id, items, changed, item, isReset } = line
  if (typeof collection !== 'string' || typeof of !== 'number') return false
  const before = kept.get(collection)
  if (isReset === true) return before?.of !== of || kept.delete(collection)
  if (typeof made !== 'number' || typeof changes !== 'number') return false
  if (typeof id === 'string' && Array.isArray(items) && !findWrongItem(items, id)) {
    const { byId } = createList(items as Item[], id)
    return !!kept.set(collection, { ...(line as unknown as SavedItems), byId })
  }
  if (typeof changed !== 'string') return false
  if (before?.of !== of) return true // another server has reset it at the same moment
  if (item === undefined) before.byId.delete(changed)
  else if (isRecord(item) && idText(item[before.id]) === changed) before.byId.set(changed, item)
  else return false
  return !!Object.assign(before, { highest, made, changes })
}
