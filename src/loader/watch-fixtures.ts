import { existsSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import type { FSWatcher } from 'chokidar'
import { isInside } from './find-fixtures.ts'

export interface FixtureWatcher {
  /** Watches more files, such as modules that a fixture file imports. */
  add: (paths: readonly string[]) => void
  close: () => Promise<void>
}

/** What changed since the last call: files whose content is new, and whether files came or went. */
export interface Changes {
  paths: ReadonlySet<string>
  structure: boolean
}

/** What the watcher asks of who reads the files. */
export interface WatchHandlers {
  /** Resolves when the files have been read for the first time. */
  loaded: Promise<void>
  /** Reads what changed. One call at a time; what changes meanwhile is gathered into the next. */
  onChanges: (changes: Changes) => Promise<void>
  /** What differs from what was read last: of some files, or of all and of which files there are. */
  findStale: (paths?: ReadonlySet<string>) => Changes
  onError: (error: unknown) => void
}

/**
 * Milliseconds after which files that changed are compared once more. chokidar reports one event for what happens to a
 * file within 50 ms, so the second half of a save, or a second save, can go unreported.
 */
const settleTime = 60
/** Milliseconds that a file may be missing without counting as deleted: some editors save by renaming. */
const renameTime = 30

/**
 * Reports changes below folders that need not exist yet.
 *
 * The watcher does not keep the process alive: what serves the answers does.
 */
export function watchFixtures(
  places: readonly string[],
  { loaded, onChanges, findStale, onError }: WatchHandlers,
): FixtureWatcher {
  let watcher: FSWatcher | undefined
  let closed = false
  let pending = { paths: new Set<string>(), structure: false }
  let recent = new Set<string>()
  let settling: NodeJS.Timeout | undefined
  let running = false
  /** Everything that is watched: a file, or a folder with all that it holds. None of it need exist. */
  const wanted = new Set(places)

  function add({ paths, structure }: Changes): void {
    for (const path of paths) pending.paths.add(path)
    pending.structure ||= structure
    // Events of one save come together; the turn of the event loop ends before they are dealt with.
    setImmediate(() => void deliver().catch(onError))
  }

  async function deliver(): Promise<void> {
    if (running) return
    running = true
    try {
      while (!closed && (pending.paths.size > 0 || pending.structure)) {
        const changes = pending
        pending = { paths: new Set(), structure: false }
        await onChanges(changes)
        for (const path of changes.paths) recent.add(path)
        clearTimeout(settling)
        settling = setTimeout(settle, settleTime).unref()
      }
    } finally {
      running = false
    }
  }

  function settle(): void {
    if (closed) return
    const paths = recent
    recent = new Set()
    try {
      add(findStale(paths))
    } catch (error) {
      onError(error) // a timer's exception would end the process
    }
  }

  const started = import('chokidar').then(({ watch }) => {
    if (closed) return
    watcher = watch([...wanted].map(existingParent), {
      ignoreInitial: true,
      persistent: false,
      atomic: renameTime,
      ignored: (path) => isIgnored(resolve(path), wanted),
    })
    watcher.on('error', onError)
    // What changed before this was not reported.
    watcher.on('ready', () => void loaded.then(() => add(findStale())).catch(onError))
    watcher.on('all', (event, path) => add({ paths: new Set([path]), structure: event !== 'change' }))
  })
  started.catch(onError)

  return {
    add(more) {
      const fresh = more.filter((path) => !wanted.has(path))
      for (const path of fresh) wanted.add(path)
      if (fresh.length > 0) watcher?.add(fresh.map(existingParent))
    },
    async close() {
      closed = true
      clearTimeout(settling)
      await started.catch(() => {})
      await watcher?.close()
    },
  }
}

/** chokidar can't watch what does not exist, nor what is deleted and comes back: its parent sees both. */
function existingParent(path: string): string {
  const parent = dirname(path)
  return parent === path || existsSync(parent) ? parent : existingParent(parent)
}

/** Of the folders that are watched, only the ways to what is wanted, and what is inside it. */
function isIgnored(path: string, wanted: ReadonlySet<string>): boolean {
  if (wanted.has(path)) return false
  for (const place of wanted) {
    if (isInside(path, place)) return false
    if (isInside(place, path))
      return /(?:^|[\\/])(?:node_modules|\.git)(?:[\\/]|$)/.test(relative(place, path))
  }
  return true
}
