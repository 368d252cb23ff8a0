import { setImmediate } from 'node:timers/promises'
import type { Route } from '../core/fixture/route.ts'
import { isSameList } from '../core/values/collections.ts'
import { findFixtures, type FoundFixtures } from './find/find-fixtures.ts'
import {
  filesToRead,
  hasSameErrors,
  hasShrunkToNothing,
  isRecentlyMissing,
  keepLastGood,
  saveTime,
  type FixtureEntry,
} from './fixture-entries.ts'
import { createModuleLoader, type ModuleLimits } from './module/load-module.ts'
import { displayPath, sortPaths } from '../files/paths.ts'
import { readFixture } from './read/read-fixture.ts'
import type { Project } from './read/read-route-files.ts'
import { isDataFile } from './find/fixture-names.ts'
import { templateFiles } from './templates.ts'
import { isMissing, stalePaths, takeStamp, takeStamps, type Stamp } from './watch/file-stamps.ts'
import type { Changes } from './watch/watch-fixtures.ts'

export interface FixtureFiles {
  /** Result of the last search, with files that are missing for a moment. */
  readonly found: FoundFixtures
  /** Entries by the absolute path of their file; a file that could not be read has none. */
  readonly entries: ReadonlyMap<string, FixtureEntry>
  /** @returns whether anything was read or removed, or other files are misnamed */
  update: (changes: Changes) => Promise<boolean>
  findStale: () => Promise<Changes>
  /** The fixture files as if `file`, which may be new, had this text. Nothing is written. */
  withText: (file: string, text: string) => Promise<Pick<FixtureFiles, 'found' | 'entries'>>
  /** Reads the files of the starter templates. */
  readTemplates: () => Promise<Route[]>
}

interface FilesOptions {
  /** Options whose `fixtures` are without the entry for the starter templates. */
  project: Project
  limits: ModuleLimits
  keepsDefinitions: boolean
  /** Called with the paths that decide about the files: links on their way, and what they are made of. */
  watch: (paths: Iterable<string>) => void
}

export function createFixtureFiles(options: FilesOptions): FixtureFiles {
  const { project, limits, keepsDefinitions, watch } = options
  const { root, fixtures = [] } = project
  const modules = createModuleLoader(root, limits, project.world)
  const entries = new Map<string, FixtureEntry>()
  let found: FoundFixtures = { files: [], misnamed: [], links: new Map() }
  /** Files that were found but not read yet: they are being written, or were deleted in the meantime. */
  const unread = new Set<string>()
  let hasStarted = false
  let recentlyMissing: ReadonlySet<string> = new Set()

  function find(): boolean {
    const now = search()
    const hasOtherNames = !isSameList(now.misnamed, found.misnamed)
    recentlyMissing = new Set(findRecentlyMissing(now.files))
    found = { ...now, files: sortPaths([...now.files, ...recentlyMissing]) }
    const present = new Set(found.files)
    const gone = [...entries.keys()].filter((path) => !present.has(path))
    for (const path of gone) entries.delete(path)
    unread.clear()
    for (const path of present) if (!entries.has(path)) unread.add(path)
    return gone.length > 0 || hasOtherNames
  }

  function search(): FoundFixtures {
    const now = findFixtures({ root, fixtures })
    watch(now.links.keys())
    return now
  }

  /** Files missing for a moment; none if a new file appeared, since they may be its old names. */
  function findRecentlyMissing(files: readonly string[]): string[] {
    const present = new Set(files)
    if (files.some((file) => !entries.has(file))) return []
    return found.files.filter((file) => {
      const entry = entries.get(file)
      if (entry && present.has(file)) entry.missingSince = undefined
      return entry && !present.has(file) && isRecentlyMissing(entry)
    })
  }

  function isBeingWritten({ size, mtimeMs }: Stamp): boolean {
    return hasStarted && size === 0 && Math.abs(Date.now() - mtimeMs) < saveTime
  }

  async function readFiles(files: ReadonlySet<string>): Promise<boolean> {
    if (files.size === 0) return false
    let changed = false
    /** Modules are loaded concurrently: a slow one, or one that never settles, does not delay the others. */
    const loading: Promise<void>[] = []
    for (const file of files) {
      if (hasStarted) await setImmediate() // requests are answered in between
      if (recentlyMissing.has(file)) continue
      const known = entries.get(file)
      const stamps = takeStamps([file, ...(known?.dependencies ?? [])])
      if (isMissing(stamps.get(file)!)) continue // deleted since it was found; the next search notices
      if (
        known
          ? hasShrunkToNothing(known.stamps, stamps) && isRecentlyMissing(known)
          : isBeingWritten(stamps.get(file)!)
      )
        continue
      const reading = read(file, stamps).then((isOther) => {
        changed ||= isOther
      })
      if (isDataFile(file)) await reading
      else loading.push(reading)
    }
    await Promise.all(loading)
    return changed
  }

  /** @returns whether it is not as before: a file with errors is read again with each change of any file */
  async function read(file: string, stamps: Map<string, Stamp>): Promise<boolean> {
    const known = entries.get(file)
    const note = (path: string) => void (stamps.has(path) || stamps.set(path, takeStamp(path)))
    const wasFixture = known?.hasGoodRoutes ?? false
    const read = await readFixture(project, file, modules, note, wasFixture, keepsDefinitions)
    const made = keepLastGood(known, read)
    unread.delete(file)
    watch(read.dependencies)
    if (known && hasSameErrors(known, made)) return false
    const madeOf = new Set([file, ...made.dependencies])
    entries.set(file, {
      savedAt: stamps.get(file)!.mtimeMs,
      ...made,
      stamps: new Map([...stamps].filter(([path]) => madeOf.has(path))),
      shown: known?.shown ?? displayPath(root, file),
      hasGoodRoutes: made.routes.some(({ error }) => !error),
    })
    return true
  }

  return {
    get found() {
      return found
    },
    entries,
    async update({ paths: changed, structure }) {
      const isOther = structure && find()
      for (const path of changed) modules.forget(path)
      const isRead = await readFiles(new Set([...unread, ...filesToRead(entries, changed)]))
      hasStarted = true
      return isRead || isOther
    },
    async findStale() {
      const now = search()
      // A file that is back is in the list, which still has it.
      const isSame =
        recentlyMissing.size === 0 &&
        isSameList(now.files, found.files) &&
        isSameList(now.misnamed, found.misnamed)
      found = { ...found, links: now.links }
      return { paths: new Set([...(await stalePaths(entries.values())), ...unread]), structure: !isSame }
    },
    async withText(file, text) {
      const wasFixture = entries.get(file)?.hasGoodRoutes ?? true
      const read = await readFixture(project, file, modules, undefined, wasFixture, keepsDefinitions, text)
      const hasGoodRoutes = read.routes.some(({ error }) => !error)
      const entry = { ...read, stamps: new Map(), shown: displayPath(root, file), hasGoodRoutes }
      return {
        entries: new Map(entries).set(file, entry),
        found: { ...found, files: sortPaths(new Set([...found.files, file])) },
      }
    },
    async readTemplates() {
      const routes: Route[] = []
      for (const file of templateFiles())
        routes.push(...(await readFixture(project, file, modules, () => {}, true, keepsDefinitions)).routes)
      return routes.map((route) => ({ ...route, source: { ...route.source, isTemplate: true } }))
    },
  }
}
