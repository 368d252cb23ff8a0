import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import type { Route } from '../../core/fixture/route.ts'
import type { SelectorData } from '../../core/select/selector.ts'

/** What was made of one fixture file. */
export interface CachedFixture {
  /** The whole text of the file: no other text has these routes. */
  text: string
  isFixture: boolean
  routes: CachedRoute[]
}

export type CachedRoute = Omit<Route, 'selector'> & { selector?: SelectorData | undefined }

/** The content of the cache's file. */
interface Cached {
  version: string
  /** By the path of each fixture file as messages show it. */
  files: Map<string, CachedFixture>
}

/** Maximum characters of all texts. Saving more would hold up a dev server that has just started. */
const maxTotal = 2_000_000

/**
 * What was made of fixture files, in a file from one start to the next. A file that is missing, damaged or of another version is
 * an empty cache, and one that can't be written is left out: a cache only saves time.
 */
export class FixtureCache {
  readonly #path: string
  readonly #version: string
  readonly #saved: Cached['files']
  /** What this process has found or added. All else is left out when it is saved, such as files that were deleted. */
  readonly #used: Cached['files'] = new Map()
  #hasNew = false

  /**
   * @param path the file of the cache
   * @param version what the routes depend on besides the texts; those of another version are not used
   */
  constructor(path: string, version: string) {
    this.#path = path
    this.#version = version
    this.#saved = readCache(path, version)
  }

  /** @returns what was made of a file; `undefined` if it had another text then */
  find(file: string, text: string): CachedFixture | undefined {
    const found = this.#saved.get(file)
    if (found?.text !== text) return undefined
    this.#used.set(file, found)
    return found
  }

  add(file: string, fixture: CachedFixture): void {
    this.#used.set(file, fixture)
    this.#hasNew = true
  }

  /** Writes the file if something was added. Never rejects. */
  async save(): Promise<void> {
    const texts = [...this.#used.values()].map(({ text }) => text.length)
    if (!this.#hasNew || texts.reduce((sum, length) => sum + length, 0) > maxTotal) return
    // Several processes may start at the same time, and a process may be ended while it writes.
    const unfinished = `${this.#path}.${randomUUID()}`
    try {
      const cached: Cached = { version: this.#version, files: this.#used }
      const bytes = serialize(cached)
      await mkdir(dirname(this.#path), { recursive: true })
      await writeFile(unfinished, bytes)
      await rename(unfinished, this.#path)
    } catch {
      await rm(unfinished, { force: true }).catch(() => {})
    }
  }
}

function readCache(path: string, version: string): Cached['files'] {
  try {
    const cached = deserialize(readFileSync(path)) as Cached
    if (cached.version === version && cached.files instanceof Map) return cached.files
  } catch {
    // There is none yet, or it is damaged.
  }
  return new Map()
}
