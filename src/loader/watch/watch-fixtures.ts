import { basename, join, relative, resolve } from 'node:path'
import type { FSWatcher } from 'chokidar'
import { reasonOf } from '../../core/values/thrown.ts'
import { isInside } from '../paths.ts'
import { isFolder, linkTarget, namesOf } from './links.ts'
import { createSchedule } from './schedule.ts'
import { createWanted, existingParent } from './wanted.ts'

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
  /** Is called once, when the system can't watch as many files. They are compared every half second from then on. */
  onLimit: (code: WatchLimitCode) => void
}

/** Linux: no more watches (`ENOSPC`), or no more watchers or open files (`EMFILE`, and `ENFILE` for the whole system). */
export type WatchLimitCode = 'ENOSPC' | 'EMFILE' | 'ENFILE'

function isLimitCode(code: unknown): code is WatchLimitCode {
  return code === 'ENOSPC' || code === 'EMFILE' || code === 'ENFILE'
}

/** Milliseconds that a file may be missing before chokidar reports it as deleted. Some editors save by renaming. */
const renameTime = 30
/**
 * Reports changes below folders that need not exist yet.
 *
 * The watcher does not keep the process alive: what serves the answers does.
 */
export function watchFixtures(
  places: readonly string[],
  { loaded, onChanges, findStale, onError, onLimit }: WatchHandlers,
): FixtureWatcher {
  /** The newest last. Older ones are closed as soon as it watches. */
  const watchers: FSWatcher[] = []
  let closed = false
  let pending = { paths: new Set<string>(), structure: false }
  let running = false
  /** Whether the system has refused to watch something since the last time that all was watched. */
  let hasFailed = false
  /** Whether the system can't watch so many files: then they are compared from time to time. */
  let isLimited = false
  const reported = new Set<string>()
  const schedule = createSchedule(compare)
  const wanted = createWanted()
  const links = new Map<string, string>()
  /** What reported that it was moved or deleted itself. */
  const moved = new Set<string>()

  function notice({ paths, structure }: Changes): void {
    for (const path of paths) for (const name of namesOf(path, links)) pending.paths.add(name)
    pending.structure ||= structure
    if (structure) schedule.repeatedly()
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
        schedule.soon()
      }
    } finally {
      running = false
    }
  }

  function compare(): void {
    try {
      const stale = findStale()
      if (stale.paths.size > 0 || stale.structure) notice(stale)
      // A folder that was moved is still watched, under its new name. A folder that has taken its place is not.
      const isReplaced = [...moved].some(isFolder)
      moved.clear()
      const isReadableAgain = hasFailed && stale.structure
      if (isReplaced || isReadableAgain) void open().catch(onError)
    } catch (error) {
      onError(error) // an exception in a timer would end the process
    }
  }

  function onWatchError(error: unknown): void {
    if (isLimited) return
    const code = (error as NodeJS.ErrnoException | null)?.code
    if (isLimitCode(code)) {
      // Thousands of these errors come at once. What is watched by then belongs to the host: it has files to watch, too.
      isLimited = true
      void closeAll(watchers.splice(0)).catch(onError)
      onLimit(code)
    } else if (!hasFailed && !reported.has(reasonOf(error))) {
      reported.add(reasonOf(error))
      onError(error)
    }
    hasFailed = true
    schedule.poll()
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
    if (closed || isLimited) return
    const watcher = watch([...wanted.paths, ...links.keys()].map(existingParent), {
      ignoreInitial: true,
      persistent: false,
      atomic: renameTime,
      // Links are not followed: what they lead to is watched at its own place. In a circle there would be no end to it.
      ignored: (path, stats) => stats?.isSymbolicLink() === true || wanted.ignores(resolve(path)),
    })
    watchers.push(watcher)
    hasFailed = false
    watcher.on('error', onWatchError)
    watcher.on('ready', () => {
      void closeAll(watchers.splice(0, watchers.indexOf(watcher))).catch(onError)
      // What changed before this was not reported.
      void loaded.then(() => notice(findStale())).catch(onError)
    })
    watcher.on('all', (event, path) => notice({ paths: new Set([path]), structure: event !== 'change' }))
    watcher.on('raw', (_, name: string | null, details) => {
      const { watchedPath } = details as { watchedPath: string }
      if (name === basename(watchedPath)) moved.add(watchedPath)
      if (!wanted.ignores(join(watchedPath, name ?? ''))) schedule.soon()
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
      schedule.repeatedly()
    },
    async close() {
      closed = true
      schedule.stop()
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
