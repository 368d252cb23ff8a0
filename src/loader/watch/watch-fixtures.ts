import { existsSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import type { FSWatcher } from 'chokidar'
import { reasonOf } from '../../core/values/thrown.ts'
import { isInside } from '../paths.ts'
import { isFolder, linkTarget, namesOf } from './links.ts'
import { createSchedule } from './schedule.ts'

export interface FixtureWatcher {
  /** Watches more files, such as modules that a fixture file imports; for links also their targets. */
  add: (paths: Iterable<string>) => void
  close: () => Promise<void>
}

/** What changed since the last call: files with new content, and whether files were added or deleted. */
export interface Changes {
  paths: ReadonlySet<string>
  structure: boolean
}

/** What the watcher needs from the reader of the files. */
export interface WatchHandlers {
  /** Reads what changed. There is one call at a time; changes during a call are collected for the next one. */
  onChanges: (changes: Changes) => Promise<void>
  /** Finds what differs from the last read: the content of files, or the list of files. */
  findStale: () => Changes
  /** The size in bytes of a file whose content differs from what was read last; 0 for any other one. */
  newSize: (path: string) => number
  onError: (error: unknown) => void
  /** Called once, when the system can't watch all files. From then on they are compared every half second. */
  onLimit: (code: WatchLimitCode) => void
}

/** Linux: no more watches (`ENOSPC`), or no more watchers or open files (`EMFILE`, and `ENFILE` for the whole system). */
export type WatchLimitCode = 'ENOSPC' | 'EMFILE' | 'ENFILE'

function isLimitCode(code: unknown): code is WatchLimitCode {
  return code === 'ENOSPC' || code === 'EMFILE' || code === 'ENFILE'
}

/** Milliseconds that a file may be missing before chokidar reports it as deleted. Some editors save by renaming. */
const renameTime = 30
/** Programs write blocks of at least this many bytes: a smaller file was written as a whole, once it is not empty. */
const blockSize = 4096
/** Milliseconds between an event of the system and the look at a larger file. By then, all of it has been written, if it is not large. */
const writeTime = 10

/**
 * Reports changes in folders, which do not have to exist yet.
 *
 * The watcher does not keep the process alive; the server does.
 */
export function watchFixtures(
  places: readonly string[],
  { onChanges, findStale, newSize, onError, onLimit }: WatchHandlers,
): FixtureWatcher {
  /** The newest is the last one. The others are closed as soon as it is ready. */
  const watchers: FSWatcher[] = []
  let closed = false
  let pending = { paths: new Set<string>(), structure: false }
  let running = false
  /** Whether the system has refused to watch something since everything was last watched. */
  let hasFailed = false
  /** Whether the system can't watch all files, so that they are compared regularly. */
  let isLimited = false
  const reported = new Set<string>()
  const schedule = createSchedule(compare)
  const wanted = createWanted()
  const links = new Map<string, string>()
  /** Watched paths that were moved or deleted themselves. */
  const moved = new Set<string>()
  /** Paths that the system has reported in this turn of the event loop. */
  let reportedNow = new Set<string>()
  /** Paths that the system has reported a moment ago, and that are not handled. */
  const touched = new Set<string>()

  function notice({ paths, structure }: Changes): void {
    for (const path of paths) for (const name of namesOf(path, links)) pending.paths.add(name)
    pending.structure ||= structure
    if (structure) schedule.repeatedly()
    // Several events of one save arrive in the same turn of the event loop, so they are handled in the next one.
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
      // After a folder was moved, the watcher still follows it, but not the folder that replaced it.
      const isReplaced = [...moved].some(isFolder)
      moved.clear()
      const isReadableAgain = hasFailed && stale.structure
      if (isReplaced || isReadableAgain) void open().catch(onError)
    } catch (error) {
      onError(error) // throwing in a timer would end the process
    }
  }

  /** Looks at a path soon: chokidar reads its whole folder first, which takes long if there are thousands of files. */
  function touch(path: string): void {
    if (reportedNow.size === 0) setImmediate(lookAtSmall)
    if (touched.size === 0) setTimeout(lookAtAll, writeTime).unref()
    reportedNow.add(path)
    touched.add(path)
  }

  function lookAtSmall(): void {
    const paths = reportedNow
    reportedNow = new Set()
    look(paths, (size) => size > 0 && size < blockSize)
  }

  function lookAtAll(): void {
    const paths = [...touched]
    touched.clear()
    look(paths, (size) => size > 0)
  }

  function look(paths: Iterable<string>, isWhole: (size: number) => boolean): void {
    const found = new Set(closed ? [] : [...paths].filter((path) => isWhole(newSize(path))))
    for (const path of found) touched.delete(path)
    if (found.size > 0) notice({ paths: found, structure: false })
  }

  function onWatchError(error: unknown): void {
    if (isLimited) return
    const code = (error as NodeJS.ErrnoException | null)?.code
    if (isLimitCode(code)) {
      // Thousands of these errors come at once. Watching stops, so that the host has watches left for its own files.
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

  /** @returns the paths that were not watched before */
  function want(paths: Iterable<string>): string[] {
    const fresh: string[] = []
    const add = (path: string) => void (wanted.add(path) && fresh.push(path))
    for (const path of paths) {
      const target = linkTarget(path)
      const beyond = placesBeyond(path)
      // A link on the way to a place: only the place is watched in its target.
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

  /** The places below a path that is outside all of them. */
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
      // Links are not followed, since they can be circular: their targets are watched at their own paths.
      ignored: (path, stats) => stats?.isSymbolicLink() === true || wanted.ignores(resolve(path)),
    })
    watchers.push(watcher)
    hasFailed = false
    watcher.on('error', onWatchError)
    watcher.on('ready', () => {
      void closeAll(watchers.splice(0, watchers.indexOf(watcher))).catch(onError)
      // Changes before this moment were not reported.
      compare()
    })
    watcher.on('all', (event, path) => notice({ paths: new Set([path]), structure: event !== 'change' }))
    watcher.on('raw', (_, name: string | null, details) => {
      const { watchedPath } = details as { watchedPath: string }
      if (name === basename(watchedPath)) moved.add(watchedPath)
      const path = join(watchedPath, name ?? '')
      if (wanted.ignores(path)) return
      touch(path)
      schedule.soon()
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
  // Closing removes the listeners, but a pending operation can still fail, which would end the process.
  for (const watcher of watchers) watcher.on('error', () => {})
  await Promise.all(closing)
}

/** Everything that is watched: files, and folders with their content. None of them has to exist. */
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
    /** Whether a path is not wanted, not inside a wanted folder, and not a parent of a wanted path. */
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

/** chokidar can't watch a path that does not exist, or that is deleted and created again. Its parent folder is watched. */
function existingParent(path: string): string {
  const parent = dirname(path)
  return parent === path || existsSync(parent) ? parent : existingParent(parent)
}
