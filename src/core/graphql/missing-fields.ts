import { nearestName } from '../values/spelling.ts'
import type { MissingField } from './checker.ts'

/** Maximum keys of one object, and in all, that are compared with names, since the answer has to wait for it. */
const maxKeys = 500
const maxCompared = 5_000

/** Collects the fields that a fixture lacks, each once. Paths are names of fields from the root, without indices. */
export class MissingFields {
  readonly #excused = new Set<string>()
  readonly #found = new Map<string, MissingField>()
  #comparisonsLeft = maxCompared

  /** Excludes the fields at a path, since an error says why they have no value. */
  excuse(path: readonly string[]): void {
    for (let end = 1; end <= path.length; end++) this.#excused.add(path.slice(0, end).join('.'))
  }

  /**
   * @param keys the keys of the fixture's object; the one most like the missing field is probably a misspelling of it
   * @param onlyMisspelled whether to ignore the field if there is no such key
   */
  add(names: readonly string[], keys: readonly string[], onlyMisspelled = false): void {
    const path = names.join('.')
    if (this.#excused.has(path) || this.#found.has(path)) return
    const near = this.#nearest(names.at(-1)!, keys)
    if (near !== undefined) this.#found.set(path, { path, near })
    else if (!onlyMisspelled) this.#found.set(path, { path })
  }

  #nearest(name: string, keys: readonly string[]): string | undefined {
    if (this.#comparisonsLeft <= 0) return undefined
    // The name itself may be a key too, with the value undefined.
    const others = keys.slice(0, maxKeys).filter((key) => key !== name)
    this.#comparisonsLeft -= others.length
    return nearestName(name, others)
  }

  get list(): MissingField[] {
    return [...this.#found.values()]
  }
}
