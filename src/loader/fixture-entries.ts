import { getOrMake } from '../core/values/collections.ts'
import type { SchemaSource } from '../core/graphql-schema/create-checker.ts'
import { hasErrors, type Entry } from './fixture-entry.ts'
import { isFresh, stalePaths, takeStamp } from './watch/file-stamps.ts'

/**
 * What was last read from each fixture file. A change concerns few of thousands of files, so those that it concerns are
 * found by its paths.
 */
export class FixtureEntries {
  readonly #entries = new Map<string, Entry>()
  /** By the path of a dependency: the fixture files that have it. */
  readonly #users = new Map<string, Set<string>>()
  /** Files that are read again after every change, since a change in any file may fix them. */
  readonly #faulty = new Set<string>()
  readonly #withSchema = new Set<string>()
  #inOrder: readonly (Entry | undefined)[] = []
  /** Where each file is in that list. */
  #places = new Map<string, number>()
  /** The files that were read since that list was made. */
  readonly #unplaced = new Set<string>()

  /** Absolute paths of the fixture files. */
  keys(): Iterable<string> {
    return this.#entries.keys()
  }

  values(): Iterable<Entry> {
    return this.#entries.values()
  }

  get(file: string): Entry | undefined {
    return this.#entries.get(file)
  }

  has(file: string): boolean {
    return this.#entries.has(file)
  }

  /** In the order in which they were first read. */
  [Symbol.iterator](): Iterator<[file: string, entry: Entry]> {
    return this.#entries[Symbol.iterator]()
  }

  /** What was read from each of the arranged files, in their order; `undefined` for one that could not be read. */
  get inOrder(): readonly (Entry | undefined)[] {
    if (this.#unplaced.size === 0) return this.#inOrder
    const list = [...this.#inOrder]
    for (const file of this.#unplaced) list[this.#places.get(file)!] = this.get(file)
    this.#unplaced.clear()
    return (this.#inOrder = list)
  }

  /** Puts the files in order, and forgets all others. @returns whether there were others */
  arrange(files: readonly string[]): boolean {
    this.#places = new Map(files.map((file, index) => [file, index]))
    const others = [...this.keys()].filter((file) => !this.#places.has(file))
    for (const file of others) {
      this.#forget(file)
      this.#entries.delete(file)
    }
    this.#inOrder = files.map((file) => this.get(file))
    this.#unplaced.clear()
    return others.length > 0
  }

  /** @param file one that is arranged */
  set(file: string, entry: Entry): void {
    this.#forget(file)
    this.#entries.set(file, entry)
    this.#unplaced.add(file)
    for (const path of entry.stamps.keys())
      if (path !== file) getOrMake(this.#users, path, () => new Set<string>()).add(file)
    // A module that does not settle would block all others.
    if (hasErrors(entry) && !entry.diagnostics.some(({ code }) => code === 'fixture-timeout'))
      this.#faulty.add(file)
    if (entry.schema) this.#withSchema.add(file)
  }

  #forget(file: string): void {
    this.#faulty.delete(file)
    this.#withSchema.delete(file)
    for (const path of this.#entries.get(file)?.stamps.keys() ?? []) {
      const users = this.#users.get(path)
      users?.delete(file)
      if (users?.size === 0) this.#users.delete(path)
    }
  }

  /** The GraphQL schemas that the files export, in the order of their paths. */
  schemas(): SchemaSource[] {
    return [...this.#withSchema].sort().map((file) => this.get(file)!.schema!)
  }

  /**
   * The files that have to be read again after a change. A file does not if it was read after the change: the event of a
   * new file in a new folder can arrive after a comparison found it.
   */
  toBeRead(changed: Iterable<string>): Set<string> {
    const files = new Set(this.#faulty)
    for (const path of changed) for (const file of this.#staleBy(path)) files.add(file)
    return files
  }

  /** The files, and their dependencies, that have changed since they were read. */
  stale(): Set<string> {
    return stalePaths(this.values())
  }

  /** The size of a file that has changed, in bytes; 0 for any other one, and for one that is missing. */
  newSize(path: string): number {
    return this.#staleBy(path).length > 0 ? (takeStamp(path).size ?? 0) : 0
  }

  /** The fixture files that were made of an earlier content of a file: itself, and those that have it as a dependency. */
  #staleBy(path: string): string[] {
    return [path, ...(this.#users.get(path) ?? [])].filter((file) => {
      const stamp = this.get(file)?.stamps.get(path)
      return stamp && !isFresh(path, stamp)
    })
  }
}
