import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'

/** Identifies the content of a file. */
export interface Stamp {
  /** In bytes; `undefined` when there is no such file. */
  size: number | undefined
  stats: string
  /** Set for a file that was written just now, since the next edit may not change any of its stats. */
  digest: string | undefined
}

/** Milliseconds within which two edits can have the same modification time; file system clocks tick about every 10. */
const clockTick = 50

/** Largest file, in bytes, whose content is compared; two edits of a larger one take longer than a tick. */
const maxDigested = 10_000_000

const missing: Stamp = { size: undefined, stats: 'missing', digest: undefined }

export function isMissing({ stats }: Stamp): boolean {
  return stats === missing.stats
}

export function takeStamp(path: string): Stamp {
  try {
    const stats = statSync(path, { throwIfNoEntry: false })
    if (!stats) return missing
    const { ino, size, mtimeMs, ctimeMs } = stats
    const isYoung = Math.max(mtimeMs, ctimeMs) > Date.now() - clockTick
    return {
      size,
      stats: `${ino} ${size} ${mtimeMs} ${ctimeMs}`,
      digest: isYoung && stats.isFile() && size <= maxDigested ? digestOf(path) : undefined,
    }
  } catch (error) {
    // The name is too long, or it is a link to itself.
    return {
      size: undefined,
      stats: `unreadable: ${(error as NodeJS.ErrnoException).code}`,
      digest: undefined,
    }
  }
}

export function takeStamps(paths: readonly string[]): Map<string, Stamp> {
  return new Map(paths.map((path) => [path, takeStamp(path)]))
}

/** Whether a file has not changed since its stamp was taken. */
export function isFresh(path: string, stamp: Stamp): boolean {
  if (takeStamp(path).stats !== stamp.stats) return false
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

/** Whether a file has changed. A missing or an empty file does not count: it may be in the middle of a save. */
export function hasNewContent(read: Stamped, path: string): boolean {
  for (const { stamps } of read) {
    const stamp = stamps.get(path)
    if (stamp && !isFresh(path, stamp)) return (takeStamp(path).size ?? 0) > 0
  }
  return false
}

function digestOf(path: string): string {
  try {
    return createHash('sha1').update(readFileSync(path)).digest('base64')
  } catch (error) {
    return `unreadable: ${(error as NodeJS.ErrnoException).code}`
  }
}
