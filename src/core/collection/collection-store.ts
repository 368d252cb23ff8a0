import { addToHash, hashStart, mixHash } from '../values/hash.ts'
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
  type Written,
} from './items.ts'

export interface CollectionChange {
  collection: string
  /** The empty string for everyone. */
  client: string
  done: 'created' | 'updated' | 'deleted'
  id: string
  /** As it is now; for `deleted`, as it was. */
  item: Item
}

/** The items of one client, as JSON. */
export interface SavedItems {
  /** The name, and the scenarios of a collection that replaces another one. */
  collection: string
  client: string
  /** Of the items that the fixture file had: with others, what was saved is out of date. */
  of: number
  items: readonly Item[]
  highest?: number | undefined
  made: number
  changes: number
}

interface Changed {
  list: ItemList
  changes: number
}

interface Shelf {
  collection: Collection
  /** As the fixture file has them. */
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

  /** Must not be changed. */
  read(collection: Collection, client: string): ItemList {
    const shelf = this.#shelfOf(collection)
    return (this.#ownOf(shelf, client) ?? shelf.everyone)?.list ?? shelf.original
  }

  /** As the fixture file has them. */
  original(collection: Collection): ItemList {
    return this.#shelfOf(collection).original
  }

  /** @param isDryRun whether the change is only tried, in a copy */
  write(collection: Collection, client: string, write: Write, isDryRun = false): Written {
    const shelf = this.#shelfOf(collection)
    const own = this.#ownOf(shelf, client)
    const list = own && !isDryRun ? own.list : copyList(this.read(collection, client))
    const written = writeItem(list, collection.id, write)
    if ('refused' in written || isDryRun) return written
    if (own) own.changes++
    else this.#setOwn(shelf, client, { list, changes: 1 })
    const { done, id, item } = written
    for (const listener of this.#listeners) listener({ collection: collection.name, client, done, id, item })
    return written
  }

  /** Puts other items in the place of all. */
  fill(collection: Collection, client: string, items: readonly Item[]): void {
    const shelf = this.#shelfOf(collection)
    const changes = (this.#ownOf(shelf, client)?.changes ?? 0) + 1
    this.#setOwn(shelf, client, { list: createList(items, collection.id), changes })
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

  /** Resets everyone with all clients, or one client. */
  reset(client = '', only?: Collection): void {
    this.#saved = this.#saved.filter(
      (one) => (client !== '' && one.client !== client) || (only && only.name !== one.collection),
    )
    for (const shelf of only ? [this.#shelfOf(only)] : this.#shelves.values()) {
      shelf.ofClients.delete(client)
      if (client !== '') continue
      shelf.ofClients.clear()
      shelf.everyone = undefined
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
    for (const [key, { collection, everyone, ofClients }] of this.#shelves) {
      if (current.has(key)) continue
      this.#shelves.delete(key)
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

  /** What has changed, for a host that keeps it. */
  save(isKept: (collection: Collection, client: string) => boolean): SavedItems[] {
    const made = [...this.#shelves.values()].flatMap(({ collection, everyone, ofClients }) =>
      [...(everyone ? [['', everyone] as const] : []), ...ofClients]
        .filter(([client]) => isKept(collection, client))
        .map(([client, { list, changes }]) => {
          const { byId, ...ids } = list
          const items = [...byId.values()]
          return { collection: nameOf(collection), client, of: hashOf(collection), items, ...ids, changes }
        }),
    )
    return [...made, ...this.#saved]
  }

  /** Takes what `save` has returned, before the first request. */
  restore(saved: readonly SavedItems[]): void {
    this.#saved = saved
  }

  #shelfOf(collection: Collection): Shelf {
    return getOrMake(this.#shelves, collection.key, () => this.#makeShelf(collection))
  }

  #makeShelf(collection: Collection): Shelf {
    const original = createList(collection.items, collection.id)
    const sizeOf = () => original.byId.size + 1
    const shelf: Shelf = { collection, original, ofClients: new LruMap({ max: maxCopied, sizeOf }) }
    const name = nameOf(collection)
    const saved = this.#saved.filter((one) => one.collection === name)
    if (saved.length === 0) return shelf
    this.#saved = this.#saved.filter((one) => one.collection !== name)
    const hash = hashOf(collection)
    for (const { client, of, items, highest, made, changes } of saved) {
      if (of !== hash || findWrongItem(items, collection.id)) continue
      const list = { ...createList(items, collection.id), highest, made }
      this.#setOwn(shelf, client, { list, changes })
    }
    return shelf
  }

  #ownOf(shelf: Shelf, client: string): Changed | undefined {
    return client === '' ? shelf.everyone : shelf.ofClients.get(client)
  }

  #setOwn(shelf: Shelf, client: string, own: Changed): void {
    if (client === '') shelf.everyone = own
    else shelf.ofClients.set(client, own)
  }
}

function nameOf({ name, scenarios }: Collection): string {
  return [name, ...(scenarios ?? [])].join(' ')
}

function hashOf({ items }: Collection): number {
  return mixHash(addToHash(hashStart, JSON.stringify(items)))
}
