import { getOrMake } from '../core/values/collections.ts'
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

  set(file: string, entry: Entry): void {
    this.#forget(file)
    this.#entries.set(file, entry)
    for (const path of entry.stamps.keys())
      if (path !== file) getOrMake(this.#users, path, () => new Set<string>()).add(file)
    // A module that does not settle would block all others.
    if (hasErrors(entry) && !entry.diagnostics.some(({ code }) => code === 'fixture-timeout'))
      this.#faulty.add(file)
  }

  delete(file: string): void {
    this.#forget(file)
    this.#entries.delete(file)
  }

  #forget(file: string): void {
    this.#faulty.delete(file)
    for (const path of this.#entries.get(file)?.stamps.keys() ?? []) {
      const users = this.#users.get(path)
      users?.delete(file)
      if (users?.size === 0) this.#users.delete(path)
    }
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

  /** Whether a file has changed. A missing or an empty file does not count: it may be in the middle of a save. */
  hasNewContent(path: string): boolean {
    return this.#staleBy(path).length > 0 && (takeStamp(path).size ?? 0) > 0
  }

  /** The fixture files that were made of an earlier content of a file: itself, and those that have it as a dependency. */
  #staleBy(path: string): string[] {
    return [path, ...(this.#users.get(path) ?? [])].filter((file) => {
      const stamp = this.get(file)?.stamps.get(path)
      return stamp && !isFresh(path, stamp)
    })
  }
}
