import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
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
  #total = 0

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
    this.#use(file, found)
    return found
  }

  /**
   * Adds what was made of a file, if there is room for it.
   *
   * @param make is called if there is
   */
  add(file: string, text: string, make: () => Omit<CachedFixture, 'text'>): void {
    if (this.#total + text.length > maxTotal) return
    this.#use(file, { text, ...make() })
    this.#hasNew = true
  }

  #use(file: string, fixture: CachedFixture): void {
    this.#used.set(file, fixture)
    this.#total += fixture.text.length
  }

  /** Writes the file if something was added. Never rejects. */
  async save(): Promise<void> {
    if (!this.#hasNew) return
    try {
      const cached: Cached = { version: this.#version, files: this.#used }
      const bytes = serialize(cached)
      const { writeCache } = await import('./write-cache.ts')
      await writeCache(this.#path, [digestOf(bytes), bytes])
    } catch {
      // A value that can't be kept.
    }
  }
}

function readCache(path: string, version: string): Cached['files'] {
  try {
    const content = readFileSync(path)
    const bytes = content.subarray(digestLength)
    if (!digestOf(bytes).equals(content.subarray(0, digestLength))) return new Map()
    const cached = deserialize(bytes) as Cached
    if (cached.version === version) return cached.files
  } catch {
    // There is none yet, or another version of Node has written it.
  }
  return new Map()
}

/** The file begins with it: a changed byte could still be read, and be wrong. In bytes. */
const digestLength = 20

function digestOf(bytes: Uint8Array): Buffer {
  return createHash('sha1').update(bytes).digest()
}
