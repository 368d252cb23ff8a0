interface Limits<K, V> {
  /** Maximum total size; without `sizeOf`, the maximum number of entries. */
  max: number
  /** Maximum size of one entry; a larger one is not kept. Default: `max`. */
  maxEntry?: number
  /** Must always return the same for a value and its key. */
  sizeOf?: (value: V, key: K) => number
}

/** Removes the least recently used entries first. Our own, since the usual library has a dozen further features. */
export class LruMap<K, V> extends Map<K, V> {
  readonly #limits: Required<Limits<K, V>>
  #total = 0

  constructor({ max, maxEntry = max, sizeOf = () => 1 }: Limits<K, V>) {
    super()
    this.#limits = { max, maxEntry, sizeOf }
  }

  override get(key: K): V | undefined {
    const value = super.get(key)
    if (value !== undefined && super.delete(key)) super.set(key, value)
    return value
  }

  override set(key: K, value: V): this {
    this.delete(key)
    const { max, maxEntry, sizeOf } = this.#limits
    const size = sizeOf(value, key)
    if (size > maxEntry) return this
    super.set(key, value)
    this.#total += size
    for (const oldest of this.keys()) {
      if (this.#total <= max) break
      this.delete(oldest)
    }
    return this
  }

  override delete(key: K): boolean {
    const value = super.get(key)
    if (value !== undefined) this.#total -= this.#limits.sizeOf(value, key)
    return super.delete(key)
  }

  override clear(): void {
    super.clear()
    this.#total = 0
  }
}
