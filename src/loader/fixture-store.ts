import { statSync } from 'node:fs'
import { compileRoutes, type RouteTable } from '../core/compile-routes.ts'
import { diagnose, formatDiagnostic, type Diagnostic } from '../core/diagnostics.ts'
import type { ResolvedOptions } from '../core/options.ts'
import { displayPath, findFixtureFiles, fixturePlaces } from './find-fixtures.ts'
import { createModuleLoader } from './load-module.ts'
import { readFixture, type ReadFixture } from './read-fixture.ts'
import { templateFolder } from './template-folder.ts'
import { watchFixtures, type Changes, type FixtureWatcher } from './watch-fixtures.ts'

/** What the fixture files say at one moment. */
export interface FixtureState {
  table: RouteTable
  diagnostics: readonly Diagnostic[]
  /** Fixture files that routes come from, as messages show them; empty when the starter templates answer. */
  files: readonly string[]
}

/** Holds the current route table and keeps it in step with the fixture files. */
export interface FixtureStore {
  /** `undefined` until the first load is done. */
  readonly current: FixtureState | undefined
  /** Resolves after the first load, errors or not; never rejects. */
  readonly ready: Promise<void>
  /** Calls a listener after each later load. */
  onReload: (listener: (state: FixtureState) => void) => void
  close: () => Promise<void>
}

/** A fixture file as it was read, or where it has errors now, its last good routes with them. */
interface Entry extends ReadFixture {
  /** Of the file and its dependencies, from before they were read. */
  stamps: Map<string, string>
}

/** Loads the fixture files, and loads them again whenever they change. */
export function createFixtureStore(options: ResolvedOptions): FixtureStore {
  const { root, logger } = options
  const places = fixturePlaces(options)
  const templates = fixturePlaces({ root: templateFolder, fixtures: ['.'] })
  const modules = createModuleLoader(root)
  const entries = new Map<string, Entry>()
  const listeners: ((state: FixtureState) => void)[] = []
  let watcher: FixtureWatcher | undefined
  let files: string[] = []
  let userFiles: string[] = []
  // A plain property and no getter: every request of the dev server reads it, and V8 does not inline a getter here.
  const store = { current: undefined } as { current: FixtureState | undefined }
  let closed = false

  /** @returns whether anything was read, or taken away */
  async function load({ paths, structure }: Changes): Promise<boolean> {
    let changed = !store.current
    if (structure) {
      userFiles = findFixtureFiles(root, places)
      files = userFiles.length > 0 ? userFiles : findFixtureFiles(templateFolder, templates)
      const present = new Set(files)
      for (const path of entries.keys()) if (!present.has(path)) changed = entries.delete(path)
    }
    for (const path of paths) modules.forget(path)
    for (const file of files) {
      const known = entries.get(file)
      // A file with errors is read again after every change: what it lacked may have come.
      if (known && !hasErrors(known) && ![file, ...known.dependencies].some((path) => paths.has(path)))
        continue
      // Taken before: what is written while the file is read makes it stale.
      const stamps = stampsOf([file, ...(known?.dependencies ?? [])])
      const read = await readFixture(root, file, modules)
      entries.set(file, {
        ...(hasErrors(read) && known ? keepLastGood(known, read) : read),
        stamps: new Map([...stampsOf(read.dependencies), ...stamps]),
      })
      changed = true
      if (!closed) watcher?.add(read.dependencies)
    }
    if (changed) publish()
    return changed
  }

  function publish(): void {
    const parts = findParts(entries)
    const own = files.filter((file) => !parts.has(file)).map((file) => entries.get(file)!)
    const { table, diagnostics } = compileRoutes(
      own.flatMap(({ routes }) => routes),
      options,
    )
    const notFound = userFiles.length === 0 && options.fixturesGiven
    const before = new Set(store.current?.diagnostics.map(formatDiagnostic))
    store.current = {
      table,
      diagnostics: [
        ...(notFound ? [diagnose('fixtures-not-found', {}, { fixtures: options.fixtures.join(', ') })] : []),
        ...own.flatMap((entry) => entry.diagnostics),
        ...diagnostics,
      ],
      files: userFiles.filter((file) => !parts.has(file)).map((file) => displayPath(root, file)),
    }
    for (const diagnostic of store.current.diagnostics) {
      const text = formatDiagnostic(diagnostic)
      if (!before.has(text)) logger[diagnostic.severity === 'error' ? 'error' : 'warn'](`[mock-api] ${text}`)
    }
  }

  async function firstLoad(): Promise<void> {
    await load({ paths: new Set(), structure: true })
  }

  async function reload(changes: Changes): Promise<void> {
    await ready
    if (closed) return
    if (!(await load(changes)) || closed) return
    for (const listener of listeners) listener(store.current!)
  }

  function findStale(among?: ReadonlySet<string>): Changes {
    const stale = [...entries.values()]
      .filter(({ stamps }) => !among || [...stamps.keys()].some((path) => among.has(path)))
      .flatMap(({ stamps }) => [...stamps].filter(([path, stamp]) => stampOf(path) !== stamp))
    const structure = findFixtureFiles(root, places).join() !== userFiles.join()
    return { paths: new Set(stale.map(([path]) => path)), structure }
  }

  function reportFailure(error: unknown): void {
    logger.error(`[mock-api] The fixture files can't be watched: ${String(error)}`)
  }

  const ready = firstLoad().catch((error: unknown) => {
    logger.error(`[mock-api] The fixture files can't be loaded: ${String(error)}`)
    store.current ??= { table: compileRoutes([], options).table, diagnostics: [], files: [] }
  })
  if (options.watch) {
    const handlers = { loaded: ready, onChanges: reload, findStale, onError: reportFailure }
    watcher = watchFixtures(places.watched, handlers)
  }

  return Object.assign(store, {
    ready,
    onReload: (listener: (state: FixtureState) => void) => void listeners.push(listener),
    async close() {
      closed = true
      await watcher?.close()
    },
  })
}

/** One line that says what answers: `5 routes from starter templates`. */
export function summarise({ table, files }: FixtureState): string {
  const routes = `${table.routeCount} ${table.routeCount === 1 ? 'route' : 'routes'}`
  const shown = files.slice(0, 3).join(', ')
  const more = files.length > 3 ? ` and ${files.length - 3} more` : ''
  return `${routes} from ${files.length === 0 ? 'the starter templates' : `${shown}${more}`}`
}

/**
 * Files that list no routes of their own: a body, a list that another fixture file exports again, or a module that
 * others import and that exports no list. Files that are parts of each other both stay.
 */
function findParts(entries: ReadonlyMap<string, Entry>): Set<string> {
  const parts = new Set<string>()
  for (const [file, entry] of entries) {
    for (const path of entry.dependencies) {
      const dependency = entries.get(path)
      if (!dependency || dependency.parts.includes(file)) continue
      if (entry.parts.includes(path) || dependency.diagnostics.some(saysNoList)) parts.add(path)
    }
  }
  return parts
}

function saysNoList({ code, pointer }: Diagnostic): boolean {
  return code === 'fixture-no-default-export' || (code === 'fixture-invalid' && pointer === '')
}

/** A file that breaks keeps its routes, and stays made of what it was made of, until it is mended or deleted. */
function keepLastGood(known: Entry, read: ReadFixture): ReadFixture {
  const both = (a: readonly string[], b: readonly string[]) => [...new Set([...a, ...b])]
  return {
    routes: known.routes,
    diagnostics: read.diagnostics,
    dependencies: both(known.dependencies, read.dependencies),
    parts: both(known.parts, read.parts),
  }
}

function hasErrors({ diagnostics }: { diagnostics: readonly Diagnostic[] }): boolean {
  return diagnostics.some(({ severity }) => severity === 'error')
}

function stampsOf(paths: readonly string[]): Map<string, string> {
  return new Map(paths.map((path) => [path, stampOf(path)]))
}

/** Tells one content of a file from another, as far as the file system does. */
function stampOf(path: string): string {
  try {
    const stats = statSync(path, { throwIfNoEntry: false })
    return stats ? `${stats.mtimeMs} ${stats.size}` : 'missing'
  } catch (error) {
    return `unreadable: ${(error as NodeJS.ErrnoException).code}` // a name too long, a link to itself
  }
}
