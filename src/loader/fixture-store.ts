import { diagnoseFile } from '../core/diagnostics/file-texts.ts'
import type { Route } from '../core/fixture/route.ts'
import type { ResolvedOptions } from '../core/options/resolve-options.ts'
import { compileRoutes } from '../core/table/compile-routes.ts'
import { isSameList } from '../core/values/collections.ts'
import { reasonOf } from '../core/values/thrown.ts'
import { fixturePlaces } from './find/find-fixtures.ts'
import { createFixtureFiles, type FixtureFiles } from './fixture-files.ts'
import { composeState, entrySchemas, type FixtureState } from './fixture-state.ts'
import { createSchemaFiles } from './graphql-schema.ts'
import { createDiagnosticsLog } from './log-diagnostics.ts'
import type { ModuleLimits } from './module/load-module.ts'
import { noticeReplaced } from './find/notice-files.ts'
import { templatesEntry } from './templates.ts'
import { stalePaths } from './watch/file-stamps.ts'
import {
  watchFixtures,
  type Changes,
  type FixtureWatcher,
  type WatchLimitCode,
} from './watch/watch-fixtures.ts'

export interface FixtureStore {
  /** `undefined` until the first load is done. */
  readonly current: FixtureState | undefined
  /** Resolves after the first load, errors or not; never rejects. */
  readonly ready: Promise<void>
  /** Calls a listener after each later load. */
  onReload: (listener: ReloadListener) => void
  /** The state with another text in a data file, which may be new. Nothing changes. */
  check: (path: string, text: string) => Promise<FixtureState>
  /** Reads a file that was written, added or removed just now. Resolves when its routes answer. */
  read: (path: string) => Promise<void>
  /** Leaves files and the templates out while a recording runs; `undefined` ends that, and finds what was recorded. */
  leaveOut: (condition: LeavesOut | undefined) => Promise<void>
  close: () => Promise<void>
}

/** @param hasRead whether a file with routes, or a schema, was read or removed, and not only a notice has changed */
type ReloadListener = (state: FixtureState, hasRead: boolean) => void

type LeavesOut = (file: string) => boolean

export interface StoreSettings extends ModuleLimits {
  /** Milliseconds from the first load until files are watched, which would delay the host's first answer. Default 300. */
  watchDelay?: number
  keepsDefinitions?: boolean
  /** Schema from which items of types are generated. Default: the option `graphql`. */
  graphql?: ResolvedOptions['graphql']
}

/** A file is found (`FixtureFiles`) and read to an `FixtureEntry`; the routes of all entries become the table of a `FixtureState`. */
export function createFixtureStore(
  options: ResolvedOptions,
  { watchDelay = 300, keepsDefinitions = false, graphql = options.graphql, ...limits }: StoreSettings = {},
): FixtureStore {
  const { root, logger } = options
  const places = options.fixtures.filter((place) => place !== templatesEntry)
  const wantsTemplates = places.length < options.fixtures.length
  const log = createDiagnosticsLog(options)
  const closing = new AbortController()
  const listeners: ReloadListener[] = []
  let closed = false
  let watcher: FixtureWatcher | undefined
  const alsoWatch = (paths: Iterable<string>) => {
    if (!closed) watcher?.add(paths)
  }
  const files = createFixtureFiles({
    project: { root, graphql, fixtures: places, world: options.world },
    limits: { ...limits, signal: closing.signal },
    keepsDefinitions,
    watch: alsoWatch,
  })
  const schema = createSchemaFiles(root, options.graphql, alsoWatch)
  let templates: Route[] | undefined
  // A plain property, not a getter: every request of the dev server reads it, and V8 does not inline a getter here.
  const store = { current: undefined } as { current: FixtureState | undefined }
  let toldOfTemplates = false
  let isLeftOut: LeavesOut | undefined
  /** Whether other files are left out than in the current state. */
  let leavesOutOthers = false
  let hasRead = true
  /** One load at a time. */
  let turn = Promise.resolve()

  async function load(changes: Changes): Promise<boolean> {
    let changed = !store.current
    if (await files.update(changes)) changed = true
    if (await schema.update(entrySchemas(files.entries))) changed = true
    return changed && publish()
  }

  /** The templates answer while the project has no routes of its own, or as well if the option says so. */
  function hasTemplates({ found, entries }: Pick<FixtureFiles, 'found' | 'entries'> = files): boolean {
    return !isLeftOut && (wantsTemplates || !found.files.some((file) => entries.get(file)?.isFixture))
  }

  async function compose(read: Pick<FixtureFiles, 'found' | 'entries'> = files): Promise<FixtureState> {
    const added = hasTemplates(read) ? (templates ??= await files.readTemplates()) : undefined
    return composeState({ ...options, fixtures: places }, read, schema.checked, added, isLeftOut)
  }

  /** @returns whether anything but left-out files has changed */
  async function publish(): Promise<boolean> {
    const previous = store.current
    const state = await compose()
    const { own, checked } = state
    hasRead = leavesOutOthers || checked !== previous?.checked || !isSameList(own, previous.own)
    leavesOutOthers = false
    if (isLeftOut && !hasRead) return false
    store.current = state
    if (!closed) report(state, previous)
    return true
  }

  function report(state: FixtureState, previous: FixtureState | undefined): void {
    log.update(state.diagnostics)
    if (!previous?.hasTemplates || state.hasTemplates || isLeftOut || toldOfTemplates) return
    toldOfTemplates = true
    log.notice(
      noticeReplaced(
        options,
        state.own.map(({ shown }) => shown),
      ),
    )
  }

  function reload(changes: Changes): Promise<void> {
    return (turn = turn.then(() => reloadNow(changes)))
  }

  async function reloadNow(changes: Changes): Promise<void> {
    try {
      if (!(await load(changes)) || closed) return
      tellListeners()
    } catch (error) {
      reportFailure('loaded', error)
    }
  }

  function tellListeners(): void {
    for (const listener of listeners) listener(store.current!, hasRead)
  }

  function watch(): void {
    const fixtures = [...places, ...options.graphql.schema]
    watcher = watchFixtures(fixturePlaces({ root, fixtures }), {
      onChanges: reload,
      findStale,
      onError: onWatchError,
      onLimit: (code: WatchLimitCode) => log.notice(diagnoseFile('watch-limit', {}, { code })),
    })
    const others = [...files.found.links.keys(), ...schema.checked.files]
    for (const { dependencies } of files.entries.values()) others.push(...dependencies)
    watcher.add(others)
  }

  const onWatchError = (error: unknown) => reportFailure('watched', error)

  async function findStale(): Promise<Changes> {
    const [fixtures, schemas] = [await files.findStale(), await schema.findStale()]
    return {
      paths: new Set([...fixtures.paths, ...schemas.paths]),
      structure: fixtures.structure || schemas.structure,
    }
  }

  function reportFailure(what: 'loaded' | 'watched', error: unknown): void {
    logger.error(`The fixture files can't be ${what}: ${reasonOf(error)}`)
  }

  const ready = load({ paths: new Set(), structure: true }).then(
    () => {},
    (error: unknown) => {
      reportFailure('loaded', error)
      store.current ??= {
        table: compileRoutes([], { ...options, ...schema.checked }).table,
        routes: [],
        schemas: [],
        diagnostics: [],
        files: [],
        hasTemplates: false,
        own: [],
        checked: schema.checked,
      }
    },
  )
  const begin = () => {
    if (!closed && options.watch) watch()
  }
  void ready.then(() => setTimeout(begin, watchDelay).unref())

  return Object.assign(store, {
    ready,
    onReload: (listener: ReloadListener) => void listeners.push(listener),
    check: async (path: string, text: string) => compose(await files.withText(path, text)),
    read: (path: string) => reload({ paths: new Set([path]), structure: true }),
    async leaveOut(condition: LeavesOut | undefined) {
      await ready
      if (condition === isLeftOut) return
      isLeftOut = condition
      leavesOutOthers = true
      await reload({ paths: await stalePaths(files.entries.values()), structure: true })
      if (leavesOutOthers && (await publish())) tellListeners()
    },
    async close() {
      closed = true
      log.close()
      closing.abort()
      await watcher?.close()
    },
  })
}
