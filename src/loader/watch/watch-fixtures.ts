import { existsSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import type { FSWatcher } from 'chokidar'
import { reasonOf } from '../../core/values/thrown.ts'
import { isInside } from '../../files/paths.ts'
import { isFolder, linkTarget } from '../../files/links.ts'
import { createSchedule } from './schedule.ts'

export interface FixtureWatcher {
  /** For links, their targets are watched, too. */
  add: (paths: Iterable<string>) => void
  close: () => Promise<void>
}

/** Differences to the last read: files with other content, and whether files were added or deleted. */
export interface Changes {
  paths: ReadonlySet<string>
  structure: boolean
}

export interface WatchHandlers {
  findStale: () => Changes | Promise<Changes>
  /** There is one call at a time. */
  onChanges: (changes: Changes) => Promise<void>
  onError: (error: unknown) => void
  /** Called once, when the system can't watch all files. They are then compared every half second. */
  onLimit: (code: WatchLimitCode) => void
}

/** On Linux: no more watches (`ENOSPC`), watchers or open files (`EMFILE`, and `ENFILE` for the whole system). */
export type WatchLimitCode = 'ENOSPC' | 'EMFILE' | 'ENFILE'

function isLimitCode(code: unknown): code is WatchLimitCode {
  return code === 'ENOSPC' || code === 'EMFILE' || code === 'ENFILE'
}

/**
 * An event only says when to compare the files with what was read: chokidar reports a part of the changes, late in a
 * large folder, and under other names after a link. The watcher does not keep the process alive.
 */
export function watchFixtures(
  places: readonly string[],
  { findStale, onChanges, onError, onLimit }: WatchHandlers,
): FixtureWatcher {
  /** The newest is last; the others are closed as soon as it is ready. */
  const watchers: FSWatcher[] = []
  let closed = false
  let reading = false
  let hasMissed = false
  /** Whether the system has refused to watch something since the last `open`. */
  let hasFailed = false
  let isLimited = false
  let isReady = false
  /** Whether files were compared since the newest watcher was ready. */
  let isSettled = false
  const reported = new Set<string>()
  const schedule = createSchedule(() => void compare())
  const wanted = createWanted()
  const links = new Map<string, string>()
  /** Watched paths that were moved or deleted themselves. */
  const moved = new Set<string>()

  async function compare(): Promise<void> {
    if (reading) {
      hasMissed = true
      return
    }
    reading = true
    try {
      const start = performance.now()
      const settles = isReady
      const stale = await findStale()
      schedule.rest(performance.now() - start)
      // After a folder was moved, the watcher still follows it, but not the folder that replaced it.
      const isReplaced = [...moved].some(isFolder)
      moved.clear()
      // chokidar does not watch a folder that was made between its first look and its first watch.
      const mayLack = stale.structure && (hasFailed || !isSettled)
      isSettled = settles
      if (isReplaced || mayLack) void open().catch(onError)
      if (stale.structure) schedule.repeatedly()
      if (stale.paths.size > 0 || stale.structure) {
        await onChanges(stale)
        schedule.later()
      }
    } catch (error) {
      onError(error) // throwing in a timer would end the process
      schedule.rest(0)
    } finally {
      reading = false
      if (hasMissed) schedule.soon()
      hasMissed = false
    }
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
      // Links are not followed, since they can be circular: their targets are watched at their own paths.
      ignored: (path, stats) => stats?.isSymbolicLink() === true || wanted.ignores(resolve(path)),
    })
    watchers.push(watcher)
    hasFailed = isReady = isSettled = false
    watcher.on('error', onWatchError)
    watcher.on('ready', () => {
      void closeAll(watchers.splice(0, watchers.indexOf(watcher))).catch(onError)
      // Changes before this moment were not reported.
      isReady = watchers.at(-1) === watcher
      void compare()
    })
    watcher.on('all', (event) => (event === 'change' ? schedule.soon() : schedule.repeatedly()))
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
  // Closing removes the listeners, but a pending operation can still fail, which would end the process.
  for (const watcher of watchers) watcher.on('error', () => {})
  await Promise.all(closing)
}

function createWanted() {
  const paths = new Set<string>()
  const ways = new Set<string>()
  return {
    paths: paths as ReadonlySet<string>,
    add(path: string): boolean {
      if (paths.has(path)) return false
      paths.add(path)
      for (let folder = dirname(path); !ways.has(folder); folder = dirname(folder)) ways.add(folder)
      return true
    },
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

/** chokidar can't watch a path that does not exist, or that is created again: its parent is watched. */
function existingParent(path: string): string {
  const parent = dirname(path)
  return parent === path || existsSync(parent) ? parent : existingParent(parent)
}
