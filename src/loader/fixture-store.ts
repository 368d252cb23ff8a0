import { getOrMake } from '../core/values/collections.ts'
import { diagnose } from '../core/diagnostics/diagnostic.ts'
import type { SchemaSource } from '../core/graphql-schema/create-checker.ts'
import type { ResolvedOptions } from '../core/options/options.ts'
import type { Route } from '../core/fixture/route.ts'
import { reasonOf } from '../core/values/thrown.ts'
import {
  hasNewContent,
  isMissing,
  stalePaths,
  takeStamp,
  takeStamps,
  type Stamp,
} from './watch/file-stamps.ts'
import type { FoundFixtures } from './find-fixtures.ts'
import { createSearch } from './fixture-search.ts'
import { displayPath, sortPaths } from './paths.ts'
import type { Links } from './watch/links.ts'
import { createCheckerLoader, type LoadedChecker } from './load-checker.ts'
import type { ModuleLimits } from './module/load-module.ts'
import { isDataFile } from './read/read-data.ts'
import type { FixtureReader } from './read/reader.ts'
import { logDiagnostics } from './log-diagnostics.ts'
import { noticeFiles, noticeReplaced } from './notice-files.ts'
import { findTemplates, placeTemplates, templateFiles, templatesEntry } from './templates.ts'
import type { Changes, FixtureWatcher, WatchLimitCode } from './watch/watch-fixtures.ts'
import { formatDiagnostic, visible } from '../core/diagnostics/format.ts'
import { unknownInOption } from '../core/state/unknown-scenarios.ts'
import { createCompiler } from '../core/table/compile-routes.ts'
import {
  type Entry,
  keepLastGood,
  withoutReplaced,
  isRecentlyMissing,
  isToBeRead,
  hasShrunkToNothing,
} from './fixture-entry.ts'
import { findParts } from './find-parts.ts'
import type { FixtureState } from './fixture-state.ts'

/** Holds the current route table, and updates it when fixture files change. */
export interface FixtureStore {
  /** `undefined` until the first load is done. */
  readonly current: FixtureState | undefined
  /** Resolves after the first load, errors or not; never rejects. */
  readonly ready: Promise<void>
  /** Calls a listener after each later load. */
  onReload: (listener: (state: FixtureState) => void) => void
  /**
   * Leaves files out, with the starter templates, while a recording runs: nothing answers but the other files. `undefined`
   * ends that, and finds what was recorded.
   *
   * @param condition is given the absolute path of each fixture file
   */
  leaveOut: (condition: LeavesOut | undefined) => Promise<void>
  close: () => Promise<void>
}

type LeavesOut = (file: string) => boolean

/** Milliseconds. The tests have shorter ones. */
interface StoreLimits extends ModuleLimits {
  /**
   * From the first load until the files are watched: the host is still starting, and watching would delay its first answer.
   * What changes in between is found by comparing the files.
   */
  watchDelay?: number
}

/**
 * Loads the fixture files, and loads them again whenever they change.
 *
 * @param keepsDefinitions whether all routes have their definitions
 */
export function createFixtureStore(
  options: ResolvedOptions,
  { watchDelay = 300, ...limits }: StoreLimits = {},
  keepsDefinitions = false,
): FixtureStore {
  const { root, logger } = options
  const ownPlaces = options.fixtures.filter((place) => place !== templatesEntry)
  const wantsTemplates = ownPlaces.length < options.fixtures.length
  const search = createSearch(root, ownPlaces)
  const closing = new AbortController()
  const loadChecker = createCheckerLoader(root, options.graphql)
  const compile = createCompiler(options)
  const entries = new Map<string, Entry>()
  /** The files as messages show them. Cached, since there can be thousands and they are shown after each change. */
  const shownPaths = new Map<string, string>()
  const listeners: ((state: FixtureState) => void)[] = []
  let reader: Promise<FixtureReader> | undefined
  let watcher: FixtureWatcher | undefined
  let checked: LoadedChecker = { diagnostics: [], files: [] }
  let schemaStamps = new Map<string, Stamp>()
  /** Kept, since the compiler reuses what it made of the same routes. */
  let templates: Route[] | undefined
  let userFiles: string[] = []
  let misnamed: readonly string[] = []
  /** The files that became missing only just now. */
  let recentlyMissing: ReadonlySet<string> = new Set()
  let links: Links = new Map()
  // A plain property, not a getter: every request of the dev server reads it, and V8 does not inline a getter here.
  const store = { current: undefined } as { current: FixtureState | undefined }
  let closed = false
  let toldOfTemplates = false
  let isLeftOut: LeavesOut | undefined
  /** What was published last. */
  let published: readonly unknown[] = []
  /** One load at a time. */
  let turn = Promise.resolve()

  /** @returns whether anything was read or removed */
  async function load({ paths, structure }: Changes): Promise<boolean> {
    let changed = !store.current
    if (structure) {
      const found = takeLinks(await search.find())
      recentlyMissing = new Set(findRecentlyMissing(found))
      userFiles = sortPaths([...found, ...recentlyMissing])
      const present = new Set(userFiles)
      for (const path of entries.keys()) if (!present.has(path)) changed = entries.delete(path)
    }
    for (const path of paths) (await reader)?.forget(path)
    if (await readFiles(userFiles, paths)) changed = true
    if (await loadSchema()) changed = true
    if (changed && keepsDefinitions && hasTemplates()) templates ??= await readTemplates()
    return changed && publish()
  }

  /** @returns whether anything was read */
  async function readFiles(files: readonly string[], paths: ReadonlySet<string>): Promise<boolean> {
    let changed = false
    /** Modules are loaded concurrently: a slow one, or one that never settles, does not delay the others. */
    const loading: Promise<void>[] = []
    for (const file of files) {
      const known = entries.get(file)
      if (recentlyMissing.has(file) || (known && !isToBeRead(known, paths))) continue
      const stamps = takeStamps([file, ...(known?.dependencies ?? [])])
      if (isMissing(stamps.get(file)!)) continue // deleted since it was found; the next search notices
      if (known && hasShrunkToNothing(known.stamps, stamps) && isRecentlyMissing(known)) continue
      changed = true
      const reading = read(file, known, stamps)
      if (isDataFile(file)) await reading
      else loading.push(reading)
    }
    await Promise.all(loading)
    return changed
  }

  /** The templates answer while the project has no routes of its own, or in addition to them if the option says so. */
  function hasTemplates(): boolean {
    return !isLeftOut && (wantsTemplates || !userFiles.some((file) => entries.get(file)?.isFixture))
  }

  /** The files that existed until a moment ago; none if a new file appeared, since they may be its old names. */
  function findRecentlyMissing(found: readonly string[]): string[] {
    const present = new Set(found)
    if (found.some((file) => !entries.has(file))) return []
    return userFiles.filter((file) => {
      const entry = entries.get(file)
      if (entry && present.has(file)) entry.missingSince = undefined
      return entry && !present.has(file) && isRecentlyMissing(entry)
    })
  }

  async function read(file: string, known: Entry | undefined, stamps: Map<string, Stamp>): Promise<void> {
    const note = (path: string) => void (stamps.has(path) || stamps.set(path, takeStamp(path)))
    const wasFixture = known?.routes.some(({ error }) => !error)
    const read = await (await (reader ??= loadReader())).read(file, note, wasFixture)
    const entry = keepLastGood(known, read)
    const madeOf = new Set([file, ...entry.dependencies])
    entries.set(file, { ...entry, stamps: new Map([...stamps].filter(([path]) => madeOf.has(path))) })
    if (!closed) watcher?.add(read.dependencies)
  }

  async function loadReader(): Promise<FixtureReader> {
    const { createReader } = await import('./read/reader.ts')
    return createReader(root, { ...limits, signal: closing.signal }, keepsDefinitions)
  }

  /** The templates as their files have them: the routes that the package is built with have no definitions. */
  async function readTemplates(): Promise<Route[]> {
    const own = await (reader ??= loadReader())
    const routes: Route[] = []
    for (const file of templateFiles()) routes.push(...(await own.read(file, () => {}, true)).routes)
    return routes
  }

  /** From now on, the links on the way to the files are watched. */
  function takeLinks(found: FoundFixtures): string[] {
    links = found.links
    misnamed = found.misnamed
    if (!closed) watcher?.add(links.keys())
    return found.files
  }

  /** @returns whether the checks of documents have changed */
  async function loadSchema(): Promise<boolean> {
    const before = checked
    const stamps = takeStamps(before.files)
    checked = await loadChecker(schemasOf(entries.keys()))
    schemaStamps = new Map(checked.files.map((path) => [path, stamps.get(path) ?? takeStamp(path)]))
    if (!closed) watcher?.add(checked.files)
    return checked !== before
  }

  /** @returns whether anything but left-out files has changed */
  function publish(): boolean {
    const parts = findParts(entries, links)
    const listed = userFiles.filter((file) => entries.has(file) && !parts.has(file))
    const isFixture = (file: string) => entries.get(file)!.isFixture
    const own = listed.filter((file) => isFixture(file) && !isLeftOut?.(file))
    const content = [isLeftOut, checked, ...own.map((file) => entries.get(file))]
    if (isLeftOut && isSameList(content, published)) return false
    published = content
    const answering = own.filter((file) => entries.get(file)!.routes.some(({ error }) => !error))
    const routes = routesOf(own)
    if (hasTemplates()) {
      templates ??= findTemplates(root)
      routes.push(...placeTemplates(templates, routes, options.graphql.paths))
    }
    const { table, diagnostics } = compile(routes, checked)
    const previous = store.current
    const before = new Set(previous?.diagnostics.map(formatDiagnostic))
    const left = listed.filter((file) => !isFixture(file))
    store.current = {
      table,
      routes,
      schemas: schemasOf(entries.keys()),
      diagnostics: [
        ...noticeFiles({ ...options, fixtures: ownPlaces }, userFiles, left, misnamed),
        ...own.flatMap((file) => entries.get(file)!.diagnostics),
        ...checked.diagnostics,
        ...diagnostics,
        ...unknownInOption(options, table),
      ],
      files: answering.map(shownPath),
      hasTemplates: hasTemplates(),
    }
    if (closed) return true
    logDiagnostics(
      logger,
      store.current.diagnostics.filter((found) => !before.has(formatDiagnostic(found))),
    )
    if (previous?.hasTemplates && !store.current.hasTemplates && !isLeftOut && !toldOfTemplates) {
      toldOfTemplates = true
      logDiagnostics(logger, [noticeReplaced(options, own.map(shownPath))])
    }
    return true
  }

  function routesOf(files: readonly string[]): Route[] {
    const routes: Route[] = []
    for (const file of files) for (const route of entries.get(file)?.routes ?? []) routes.push(route) // flatMap takes ten times as long
    return withoutReplaced(routes, new Set(files.flatMap((file) => entries.get(file)?.kept ?? [])))
  }

  function schemasOf(files: Iterable<string>): SchemaSource[] {
    return [...files].flatMap((file) => entries.get(file)?.schema ?? [])
  }

  function shownPath(file: string): string {
    return getOrMake(shownPaths, file, () => displayPath(root, file))
  }

  function reload(changes: Changes): Promise<void> {
    return (turn = turn.then(() => reloadNow(changes)))
  }

  async function reloadNow(changes: Changes): Promise<void> {
    try {
      if (!(await load(changes)) || closed) return
      for (const listener of listeners) listener(store.current!)
    } catch (error) {
      reportFailure('loaded', error)
    }
  }

  async function watch(): Promise<void> {
    const [{ watchFixtures }, { fixturePlaces }, { findSchemaFiles }] = await Promise.all([
      import('./watch/watch-fixtures.ts'),
      import('./find-fixtures.ts'),
      import('./read/read-schema.ts'),
    ])
    if (closed) return
    const { schema } = options.graphql
    const fixtures = [...ownPlaces, ...schema]
    const onLimit = (code: WatchLimitCode) => logDiagnostics(logger, [diagnose('watch-limit', {}, { code })])
    watcher = watchFixtures(fixturePlaces({ root, fixtures }).watched, {
      onChanges: reload,
      findStale: () => findStale(() => findSchemaFiles(root, schema).files),
      hasNewContent: (path) => hasNewContent(stamped(), path),
      onError: onWatchError,
      onLimit,
    })
    const dependencies = [...entries.values()].flatMap((entry) => entry.dependencies)
    watcher.add([...links.keys(), ...dependencies, ...checked.files])
  }

  const onWatchError = (error: unknown) => reportFailure('watched', error)

  function findStale(findSchemaFiles: () => readonly string[]): Changes {
    const found = search.findNow()
    const structure =
      !found ||
      takeLinks(found).join() !== userFiles.join() ||
      findSchemaFiles().join() !== checked.files.join()
    return { paths: stalePaths(stamped()), structure }
  }

  function stamped(): { stamps: ReadonlyMap<string, Stamp> }[] {
    return [...entries.values(), { stamps: schemaStamps }]
  }

  function reportFailure(what: 'loaded' | 'watched', error: unknown): void {
    logger.error(visible(`The fixture files can't be ${what}: ${reasonOf(error)}`))
  }

  const ready = load({ paths: new Set(), structure: true }).then(
    () => {},
    (error: unknown) => {
      reportFailure('loaded', error)
      store.current ??= {
        table: compile([], checked).table,
        routes: [],
        schemas: [],
        diagnostics: [],
        files: [],
        hasTemplates: false,
      }
    },
  )
  let watching = Promise.resolve()
  if (options.watch) {
    void ready.then(() => {
      const start = () => {
        if (!closed) watching = watch().catch(onWatchError)
      }
      setTimeout(start, watchDelay).unref()
    })
  }

  return Object.assign(store, {
    ready,
    onReload: (listener: (state: FixtureState) => void) => void listeners.push(listener),
    async leaveOut(condition: LeavesOut | undefined) {
      await ready
      if (condition === isLeftOut) return
      isLeftOut = condition
      published = []
      await reload({ paths: stalePaths(stamped()), structure: true })
      if (published.length === 0 && publish()) for (const listener of listeners) listener(store.current!)
    },
    async close() {
      closed = true
      closing.abort()
      await watching
      await watcher?.close()
    },
  })
}

function isSameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index])
}
