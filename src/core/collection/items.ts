import { hash32 } from '../values/hash.ts'
import { idText } from '../values/exact-number.ts'
import { isRecord, ownValue, setOwn } from '../values/values.ts'

/*
 * The items of a collection as plain state, and what changes them. No item is ever changed: another one takes its place, so
 * that a copy of the list is a copy of its map.
 */

export type Item = Readonly<Record<string, unknown>>

export interface ItemList {
  /** Items by the text of their id, in the order of the list. */
  byId: Map<string, Item>
  /** The highest id there ever was; `undefined` where ids are texts. */
  highest: number | undefined
  made: number
}

/** Items of one collection. More would make a request wait too long. */
export const maxItems = 200_000

export type Write =
  | { create: unknown }
  | { replace: unknown; with: unknown }
  | { update: unknown; with: unknown; isMergePatch?: boolean }
  | { delete: unknown }

export type WriteOutcome =
  | { done: 'created' | 'updated' | 'deleted'; id: string; item: Item }
  | { refused: 'unknown' | 'taken' | 'no-object' | 'no-id' | 'full'; id?: string | undefined }

export function createList(items: readonly Item[], idKey: string): ItemList {
  const list: ItemList = { byId: new Map(), highest: 0, made: 0 }
  for (const item of items) {
    const id = item[idKey]
    list.byId.set(idText(id)!, item)
    // One id that is a text makes all new ones texts.
    if (typeof id !== 'number') list.highest = undefined
    else noteId(list, id)
  }
  return list
}

export function copyList(list: ItemList): ItemList {
  return { ...list, byId: new Map(list.byId) }
}

/** Above it, one more would be the same number. */
const maxNoted = Number.MAX_SAFE_INTEGER / 2

function noteId(list: ItemList, id: unknown): void {
  if (list.highest !== undefined && typeof id === 'number' && id > list.highest && id < maxNoted)
    list.highest = Math.floor(id)
}

/** Changes the list, unless it is refused. */
export function writeItem(list: ItemList, idKey: string, write: Write): WriteOutcome {
  if ('create' in write) return create(list, idKey, write.create)
  const id = idText('delete' in write ? write.delete : 'update' in write ? write.update : write.replace)
  const before = id === undefined ? undefined : list.byId.get(id)
  if (id === undefined || !before) return { refused: 'unknown', id }
  if ('delete' in write) {
    list.byId.delete(id)
    return { done: 'deleted', id, item: before }
  }
  if (!isRecord(write.with)) return { refused: 'no-object' }
  const isMerged = 'update' in write && write.isMergePatch
  const changed = isMerged ? mergePatch(before, write.with) : write.with
  const item = 'update' in write && !isMerged ? { ...before, ...changed } : { ...changed }
  setOwn(item, idKey, before[idKey])
  list.byId.set(id, item)
  return { done: 'updated', id, item }
}

function create(list: ItemList, idKey: string, given: unknown): WriteOutcome {
  if (!isRecord(given)) return { refused: 'no-object' }
  if (list.byId.size >= maxItems) return { refused: 'full' }
  const own = ownValue(given, idKey) ?? undefined
  const id = idText(own)
  if (own !== undefined && id === undefined) return { refused: 'no-id' }
  if (id !== undefined && list.byId.has(id)) return { refused: 'taken', id }
  const item = { ...given }
  const made = own ?? nextId(list)
  setOwn(item, idKey, made)
  noteId(list, made)
  list.byId.set(idText(made)!, item)
  return { done: 'created', id: idText(made)!, item }
}

/** The id of the next item: the same for the same list. */
function nextId(list: ItemList): number | string {
  if (list.highest !== undefined) {
    let id = list.highest + 1
    while (list.byId.has(String(id))) id++
    return id
  }
  for (;;) {
    const seed = `item ${list.made++}`
    const hash = (start?: number) => hash32(seed, start).toString(36).padStart(7, '0')
    const id = `${hash()}${hash(1)}`.slice(0, 10)
    if (!list.byId.has(id)) return id
  }
}

/** @see https://www.rfc-editor.org/rfc/rfc7386 */
function mergePatch(target: unknown, patch: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const merged: Record<string, unknown> = isRecord(target) ? { ...target } : {}
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key]
    else setOwn(merged, key, isRecord(value) ? mergePatch(ownValue(merged, key), value) : value)
  }
  return merged
}
