import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'

/** Identifies the content of a file. */
export interface Stamp {
  /** In bytes; `undefined` when there is no such file. */
  size: number | undefined
  /** Its number on the disk, and when it and its inode changed; all 0 when there is no such file. */
  ino: number
  mtimeMs: number
  ctimeMs: number
  /** The code of the error, if there is something that can't be looked at. */
  error: string | undefined
  /** Set for a file that was written just now, since the next edit may not change any of its stats. */
  digest: string | undefined
}

/** Milliseconds within which two edits can have the same modification time; file system clocks tick about every 10. */
const clockTick = 50

/** Largest file, in bytes, whose content is compared; two edits of a larger one take longer than a tick. */
const maxDigested = 10_000_000

const missing = { size: undefined, ino: 0, mtimeMs: 0, ctimeMs: 0, error: undefined }

export function isMissing({ size, error }: Stamp): boolean {
  return size === undefined && error === undefined
}

export function takeStamp(path: string): Stamp {
  const seen = look(path)
  const isYoung = Math.max(seen.mtimeMs, seen.ctimeMs) > Date.now() - clockTick
  const isSmallFile = seen.isFile && seen.size! <= maxDigested
  const { size, ino, mtimeMs, ctimeMs, error } = seen
  return { size, ino, mtimeMs, ctimeMs, error, digest: isYoung && isSmallFile ? digestOf(path) : undefined }
}

function look(path: string): Omit<Stamp, 'digest'> & { isFile: boolean } {
  try {
    const stats = statSync(path, { throwIfNoEntry: false })
    if (!stats) return { ...missing, isFile: false }
    const { size, ino, mtimeMs, ctimeMs } = stats
    return { size, ino, mtimeMs, ctimeMs, error: undefined, isFile: stats.isFile() }
  } catch (error) {
    // The name is too long, or it is a link to itself.
    return { ...missing, error: String((error as NodeJS.ErrnoException).code), isFile: false }
  }
}

export function takeStamps(paths: readonly string[]): Map<string, Stamp> {
  return new Map(paths.map((path) => [path, takeStamp(path)]))
}

/** Whether a file has not changed since its stamp was taken. */
export function isFresh(path: string, stamp: Stamp): boolean {
  const seen = look(path)
  const isSame = seen.size === stamp.size && seen.ino === stamp.ino && seen.error === stamp.error
  if (!isSame || seen.mtimeMs !== stamp.mtimeMs || seen.ctimeMs !== stamp.ctimeMs) return false
  return stamp.digest === undefined || stamp.digest === digestOf(path)
}

/** What was read, with the stamps of its files. */
type Stamped = Iterable<{ stamps: ReadonlyMap<string, Stamp> }>

/** The files that have changed since their stamps were taken. */
export function stalePaths(read: Stamped): Set<string> {
  const stale = new Set<string>()
  for (const { stamps } of read)
    for (const [path, stamp] of stamps) if (!isFresh(path, stamp)) stale.add(path)
  return stale
}

function digestOf(path: string): string {
  try {
    return createHash('sha1').update(readFileSync(path)).digest('base64')
  } catch (error) {
    return `unreadable: ${(error as NodeJS.ErrnoException).code}`
  }
}
