import { existsSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import type { FSWatcher } from 'chokidar'
import { isInside } from '../paths.ts'
import { isFolder, linkTarget, namesOf } from './links.ts'

export interface FixtureWatcher {
  /** Watches more files, such as modules that a fixture file imports; of links also what they lead to. */
  add: (paths: Iterable<string>) => void
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
  /** What differs from what was read last: the content of files, or which files there are. */
  findStale: () => Changes
  onError: (error: unknown) => void
}

/**
 * Milliseconds after which everything is compared once more when something has happened. chokidar reports one event for
 * what happens to a file within 50 ms, so the second half of a save, or a second save, can go unreported; nothing of links
 * that lead to nothing, or elsewhere than before; and the wrong names after two folders have changed places.
 */
const settleTime = 60
/**
 * How many times as long it takes until everything is compared again after something has come that is to be watched.
 * Nothing says when it is, and what happens to it before is not reported.
 */
const laterTimes = [4, 16]
/** Milliseconds that a file may be missing without counting as deleted: some editors save by renaming. */
const renameTime = 30
/** Of the time, at most one part in so many is spent on comparing, however long something goes on to happen. */
const leisure = 5

/**
 * Reports changes below folders that need not exist yet.
 *
 * The watcher does not keep the process alive: what serves the answers does.
 */
export function watchFixtures(
  places: readonly string[],
  { loaded, onChanges, findStale, onError }: WatchHandlers,
): FixtureWatcher {
  /** The newest last. Older ones are closed as soon as it watches. */
  const watchers: FSWatcher[] = []
  let closed = false
  let pending = { paths: new Set<string>(), structure: false }
  let settling: NodeJS.Timeout | undefined
  let laterChecks: NodeJS.Timeout[] = []
  let restTime = settleTime
  let running = false
  const wanted = createWanted()
  const links = new Map<string, string>()
  /** What reported that it was moved or deleted itself. */
  const moved = new Set<string>()

  function notice({ paths, structure }: Changes): void {
    for (const path of paths) for (const name of namesOf(path, links)) pending.paths.add(name)
    pending.structure ||= structure
    if (structure) checkLater()
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
        settleLater()
      }
    } finally {
      running = false
    }
  }

  function settleLater(): void {
    if (!closed) settling ??= setTimeout(settle, restTime).unref()
  }

  function checkLater(): void {
    if (closed) return
    settleLater()
    laterChecks.forEach(clearTimeout)
    laterChecks = laterTimes.map((times) => setTimeout(settle, restTime * times).unref())
  }

  function settle(): void {
    clearTimeout(settling)
    settling = undefined
    try {
      const start = performance.now()
      const stale = findStale()
      restTime = Math.max(settleTime, (performance.now() - start) * leisure)
      if (stale.paths.size > 0 || stale.structure) notice(stale)
      // What is watched is the folder that was there, under whatever name: what has taken its place is not.
      const isReplaced = [...moved].some(isFolder)
      moved.clear()
      if (isReplaced) void open().catch(onError)
    } catch (error) {
      onError(error) // a timer's exception would end the process
    }
  }

  /** @returns what is watched for the first time now */
  function want(paths: Iterable<string>): string[] {
    const fresh: string[] = []
    const add = (path: string) => void (wanted.add(path) && fresh.push(path))
    for (const path of paths) {
      const target = linkTarget(path)
      const beyond = placesBeyond(path)
      // A link on the way to a place: of what it leads to, only the place is watched.
      if (beyond.length === 0) add(path)
      else if (!links.has(path)) fresh.push(path)
      if (target === undefined) {
        links.delete(path)
        continue
      }
      links.set(path, target)
      if (beyond.length === 0) add(target)
      else for (const place of beyond) add(join(target, relative(path, place)))
    }
    return fresh
  }

  /** The places below a path that is in none of them. */
  function placesBeyond(path: string): string[] {
    const isCovered = places.some((place) => place === path || isInside(place, path))
    return isCovered ? [] : places.filter((place) => isInside(path, place))
  }

  async function open(): Promise<void> {
    const { watch } = await import('chokidar')
    if (closed) return
    const watcher = watch([...wanted.paths, ...links.keys()].map(existingParent), {
      ignoreInitial: true,
      persistent: false,
      atomic: renameTime,
      // Links are not followed: what they lead to is watched at its own place. In a circle there would be no end to it.
      ignored: (path, stats) => stats?.isSymbolicLink() === true || wanted.ignores(resolve(path)),
    })
    watchers.push(watcher)
    watcher.on('error', onError)
    watcher.on('ready', () => {
      void closeAll(watchers.splice(0, watchers.indexOf(watcher))).catch(onError)
      // What changed before this was not reported.
      void loaded.then(() => notice(findStale())).catch(onError)
    })
    watcher.on('all', (event, path) => notice({ paths: new Set([path]), structure: event !== 'change' }))
    watcher.on('raw', (_, name: string | null, details) => {
      const { watchedPath } = details as { watchedPath: string }
      if (name === basename(watchedPath)) moved.add(watchedPath)
      if (!wanted.ignores(join(watchedPath, name ?? ''))) settleLater()
    })
  }

  want(places)
  const started = open()
  started.catch(onError)

  return {
    add(more) {
      const fresh = want(more)
      if (fresh.length === 0) return
      watchers.at(-1)?.add(fresh.map(existingParent))
      checkLater()
    },
    async close() {
      closed = true
      clearTimeout(settling)
      laterChecks.forEach(clearTimeout)
      await started.catch(() => {})
      await closeAll(watchers)
    },
  }
}

async function closeAll(watchers: readonly FSWatcher[]): Promise<void> {
  const closing = watchers.map((watcher) => watcher.close())
  // Closing takes the listeners away, but what was being looked at can fail later, and end the process.
  for (const watcher of watchers) watcher.on('error', () => {})
  await Promise.all(closing)
}

/** Everything that is watched: a file, or a folder with all that it holds. None of it need exist. */
function createWanted() {
  const paths = new Set<string>()
  const ways = new Set<string>()
  return {
    paths: paths as ReadonlySet<string>,
    /** @returns whether it is new */
    add(path: string): boolean {
      if (paths.has(path)) return false
      paths.add(path)
      for (let folder = dirname(path); !ways.has(folder); folder = dirname(folder)) ways.add(folder)
      return true
    },
    /** Of the folders that are watched, only the ways to what is wanted, and what is inside it. */
    ignores(path: string): boolean {
      if (paths.has(path) || ways.has(path)) return false
      for (let folder = dirname(path); ; folder = dirname(folder)) {
        if (paths.has(folder))
          return /(?:^|[\\/])(?:node_modules|\.git)(?:[\\/]|$)/.test(relative(folder, path))
        if (dirname(folder) === folder) return true
      }
    },
  }
}

/** chokidar can't watch what does not exist, nor what is deleted and comes back: its parent sees both. */
function existingParent(path: string): string {
  const parent = dirname(path)
  return parent === path || existsSync(parent) ? parent : existingParent(parent)
}
