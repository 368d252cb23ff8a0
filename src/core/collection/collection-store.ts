import { hash32 } from '../values/hash.ts'
import { LruMap } from '../values/lru-map.ts'
import { getOrMake } from '../values/collections.ts'
import { findWrongItem, type Collection } from './collection.ts'
import {
  copyList,
  createList,
  type Item,
  type ItemList,
  type Write,
  writeItem,
  type WriteOutcome,
} from './items.ts'
import type { SavedItems, SavedLine } from './saved-lines.ts'

export interface CollectionChange {
  collection: string
  /** The empty string for everyone. */
  client: string
  done: 'created' | 'updated' | 'deleted'
  id: string
  /** The item after the change; for `deleted`, before it. */
  item: Item
}

/** Where the items of everyone are kept, for collections with `persist`. */
export interface ItemStorage {
  /** Called before items are read or changed: another server may have changed them. */
  refresh: () => void
  /** Called after each change, before the request is answered. */
  add: (line: SavedLine) => void
  /** Runs a change, from `refresh` to `add`, while no other server makes one. */
  exclusively: <T>(change: () => T) => T
}

interface Changed {
  list: ItemList
  changes: number
}

interface Shelf {
  collection: Collection
  /** Computed when it is needed. */
  hash?: number
  /** Items of the fixture file. */
  original: ItemList
  everyone?: Changed | undefined
  ofClients: LruMap<string, Changed>
}

/** Items in the copies of clients of one collection; beyond that, the least recently used copy is forgotten. */
const maxCopied = 2_000_000

/**
 * The items of collections while a mock server runs. A client that names itself sees those of everyone until its first write,
 * which is made in a copy. Synchronous, so that the order of requests is the order of writes.
 */
export class CollectionStore {
  readonly #shelves = new Map<object, Shelf>()
  readonly #listeners = new Set<(change: CollectionChange) => void>()
  #saved: readonly SavedItems[] = []
  #storage: ItemStorage | undefined

  /** Must not be changed. */
  read(collection: Collection, client: string): ItemList {
    const shelf = this.#shelfOf(collection)
    return (this.#ownOf(shelf, client) ?? shelf.everyone)?.list ?? shelf.original
  }

  original(collection: Collection): ItemList {
    return this.#shelfOf(collection).original
  }

  /** @param isDryRun whether the change is only tried, in a copy */
  write(collection: Collection, client: string, write: Write, isDryRun = false): WriteOutcome {
    const change = () => this.#write(collection, client, write, isDryRun)
    const isStored = collection.persist && client === '' && !isDryRun
    return isStored && this.#storage ? this.#storage.exclusively(change) : change()
  }

  #write(collection: Collection, client: string, write: Write, isDryRun: boolean): WriteOutcome {
    const shelf = this.#shelfOf(collection)
    const own = this.#ownOf(shelf, client)
    const list = own && !isDryRun ? own.list : copyList(this.read(collection, client))
    const written = writeItem(list, collection.id, write)
    if ('refused' in written || isDryRun) return written
    if (own) own.changes++
    else this.#setOwn(shelf, client, { list, changes: 1 })
    const { done, id, item } = written
    this.#keepIn(shelf, client, own && { changed: id, item: done === 'deleted' ? undefined : item })
    for (const listener of this.#listeners) listener({ collection: collection.name, client, done, id, item })
    return written
  }

  /** Puts other items in the place of all. */
  fill(collection: Collection, client: string, items: readonly Item[]): void {
    const shelf = this.#shelfOf(collection)
    const changes = (this.#ownOf(shelf, client)?.changes ?? 0) + 1
    this.#setOwn(shelf, client, { list: createList(items, collection.id), changes })
    this.#keepIn(shelf, client)
  }

  /** How often the items that a client sees were changed. */
  changesOf(collection: Collection, client: string): number {
    const shelf = this.#shelfOf(collection)
    return (this.#ownOf(shelf, client) ?? shelf.everyone)?.changes ?? 0
  }

  /** Called with each item that is created, updated or deleted, but not for a reset. */
  onChange(listener: (change: CollectionChange) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  reset(client = '', only?: Collection): void {
    this.#storage?.refresh()
    const isMeant = (one: SavedItems) =>
      (client === '' || one.client === client) && (!only || nameOf(only) === one.collection)
    const forgotten = this.#saved.filter(isMeant)
    this.#saved = this.#saved.filter((one) => !isMeant(one))
    // Those of a single client are in no storage.
    for (const { collection, of } of forgotten) this.#storage?.add({ collection, of, isReset: true })
    for (const shelf of only ? [this.#shelfOf(only)] : this.#shelves.values()) {
      shelf.ofClients.delete(client)
      if (client !== '') continue
      shelf.ofClients.clear()
      this.#forget(shelf)
    }
  }

  /**
   * Forgets collections whose file was read again.
   *
   * @returns how many changes of each were dropped, by name; those that the file has now are not
   */
  keep(collections: readonly Collection[]): Map<string, number> {
    const current = new Set(collections.map(({ key }) => key))
    const dropped = new Map<string, number>()
    for (const [key, shelf] of this.#shelves) {
      if (current.has(key)) continue
      const { collection, everyone, ofClients } = shelf
      this.#shelves.delete(key)
      this.#forget(shelf)
      const changed = [everyone, ...ofClients.values()].filter((own) => own !== undefined)
      if (changed.length === 0) continue
      const now = JSON.stringify(collections.find((one) => nameOf(one) === nameOf(collection))?.items)
      const changes = changed
        .filter(({ list }) => JSON.stringify([...list.byId.values()]) !== now)
        .reduce((sum, own) => sum + own.changes, 0)
      if (changes > 0) dropped.set(collection.name, (dropped.get(collection.name) ?? 0) + changes)
    }
    return dropped
  }

  /** Changed items, for a host that stores them. */
  save(isKept: (collection: Collection, client: string) => boolean | undefined): SavedItems[] {
    const made = [...this.#shelves.values()].flatMap((shelf) =>
      [...(shelf.everyone ? [['', shelf.everyone] as const] : []), ...shelf.ofClients]
        .filter(([client]) => isKept(shelf.collection, client))
        .map(([client, own]) => savedItems(shelf, client, own)),
    )
    return [...made, ...this.#saved]
  }

  /** Takes what `save` has returned, or what another server has saved since. */
  restore(saved: readonly SavedItems[]): void {
    this.#saved = saved
    for (const shelf of this.#shelves.values()) {
      if (!shelf.collection.persist) continue
      shelf.everyone = undefined
      this.#takeSaved(shelf)
    }
  }

  storeIn(storage: ItemStorage): void {
    this.#storage = storage
  }

  #shelfOf(collection: Collection): Shelf {
    if (collection.persist) this.#storage?.refresh()
    return getOrMake(this.#shelves, collection.key, () => this.#makeShelf(collection))
  }

  #makeShelf(collection: Collection): Shelf {
    const original = createList(collection.items, collection.id)
    const sizeOf = () => original.byId.size + 1
    const shelf: Shelf = { collection, original, ofClients: new LruMap({ max: maxCopied, sizeOf }) }
    this.#takeSaved(shelf)
    return shelf
  }

  #takeSaved(shelf: Shelf): void {
    const { id } = shelf.collection
    const name = nameOf(shelf.collection)
    const saved = this.#saved.filter((one) => one.collection === name)
    if (saved.length === 0) return
    this.#saved = this.#saved.filter((one) => one.collection !== name)
    for (const { client, of, items, highest, made, changes } of saved) {
      if (of !== hashOf(shelf) || findWrongItem(items, id)) continue
      this.#setOwn(shelf, client, { list: { ...createList(items, id), highest, made }, changes })
    }
  }

  /** @param change the only one since the items were kept; without it, all of them are kept again */
  #keepIn(shelf: Shelf, client: string, change?: { changed: string; item: Item | undefined }): void {
    if (!this.#storage || client !== '' || !shelf.collection.persist) return
    const own = shelf.everyone!
    this.#storage.add(change ? { ...savedOf(shelf, own), ...change } : savedItems(shelf, client, own))
  }

  #forget(shelf: Shelf): void {
    const { everyone, collection } = shelf
    shelf.everyone = undefined
    if (everyone && collection.persist)
      this.#storage?.add({ collection: nameOf(collection), of: hashOf(shelf), isReset: true })
  }

  #ownOf(shelf: Shelf, client: string): Changed | undefined {
    return client === '' ? shelf.everyone : shelf.ofClients.get(client)
  }

  #setOwn(shelf: Shelf, client: string, own: Changed): void {
    if (client === '') shelf.everyone = own
    else shelf.ofClients.set(client, own)
  }
}

function savedOf(shelf: Shelf, { list: { highest, made }, changes }: Changed) {
  return { collection: nameOf(shelf.collection), of: hashOf(shelf), highest, made, changes }
}

function savedItems(shelf: Shelf, client: string, own: Changed): SavedItems {
  return { ...savedOf(shelf, own), client, id: shelf.collection.id, items: [...own.list.byId.values()] }
}

function nameOf({ name, scenarios, source }: Collection): string {
  return [name, ...(scenarios ?? []), source.file].join(' ')
}

function hashOf(shelf: Shelf): number {
  return (shelf.hash ??= hash32(JSON.stringify(shelf.collection.items)))
}
