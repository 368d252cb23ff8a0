interface Limits<K, V> {
  /** Maximum total size; without `sizeOf`, the maximum number of entries. */
  max: number
  /** Maximum size of one entry; a larger one is not kept. Default: `max`. */
  maxEntry?: number
  sizeOf?: (value: V, key: K) => number
}

interface Entry<V> {
  value: V
  size: number
}

/** Removes the least recently used entries first. Our own, since the usual library has a dozen further features. */
export class LruMap<K, V> {
  readonly #entries = new Map<K, Entry<V>>()
  readonly #max: number
  readonly #maxEntry: number
  readonly #sizeOf: (value: V, key: K) => number
  #size = 0

  constructor({ max, maxEntry = max, sizeOf = () => 1 }: Limits<K, V>) {
    this.#max = max
    this.#maxEntry = maxEntry
    this.#sizeOf = sizeOf
  }

  get size(): number {
    return this.#entries.size
  }

  has(key: K): boolean {
    return this.#entries.has(key)
  }

  keys(): IterableIterator<K> {
    return this.#entries.keys()
  }

  get(key: K): V | undefined {
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.value
  }

  set(key: K, value: V): void {
    this.delete(key)
    const size = this.#sizeOf(value, key)
    if (size > this.#maxEntry) return
    this.#entries.set(key, { value, size })
    this.#size += size
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= this.#max) break
      this.delete(oldest)
    }
  }

  delete(key: K): void {
    const entry = this.#entries.get(key)
    if (!entry) return
    this.#entries.delete(key)
    this.#size -= entry.size
  }

  clear(): void {
    this.#entries.clear()
    this.#size = 0
  }
}
