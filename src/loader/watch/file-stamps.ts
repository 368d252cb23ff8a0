import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'

export interface Stamp {
  /** Size in bytes; `undefined` when there is no such file. */
  size: number | undefined
  /** 0 when there is no such file. */
  mtimeMs: number
  /** Size, inode and times; otherwise `missing`, or the code of the error. */
  state: string
  /** Set for a file that was written just now: the next edit may leave all its stats as they are. */
  digest: string | undefined
}

/** Milliseconds within which two edits can have the same modification time; file system clocks tick about every 10. */
const clockTick = 50

/** Largest file, in bytes, whose content is compared; two edits of a larger one take longer than a tick. */
const maxDigested = 10_000_000

const missing = 'missing'

export function isMissing({ state }: Stamp): boolean {
  return state === missing
}

export function takeStamp(path: string): Stamp {
  const { isFile, changedMs, ...seen } = look(path)
  const isYoung = isFile && changedMs > Date.now() - clockTick && seen.size! <= maxDigested
  return { ...seen, digest: isYoung ? digestOf(path) : undefined }
}

function look(path: string): Omit<Stamp, 'digest'> & { isFile: boolean; changedMs: number } {
  const none = { size: undefined, mtimeMs: 0, isFile: false, changedMs: 0 }
  try {
    const stats = statSync(path, { throwIfNoEntry: false })
    if (!stats) return { ...none, state: missing }
    const { size, ino, mtimeMs, ctimeMs } = stats
    const state = [size, ino, mtimeMs, ctimeMs].join()
    return { size, mtimeMs, state, isFile: stats.isFile(), changedMs: Math.max(mtimeMs, ctimeMs) }
  } catch (error) {
    // The name is too long, or it is a link to itself.
    return { ...none, state: String((error as NodeJS.ErrnoException).code) }
  }
}

export function takeStamps(paths: readonly string[]): Map<string, Stamp> {
  return new Map(paths.map((path) => [path, takeStamp(path)]))
}

export function isFresh(path: string, { state, digest }: Stamp): boolean {
  return look(path).state === state && (digest === undefined || digest === digestOf(path))
}

export async function stalePaths(
  read: Iterable<{ stamps: ReadonlyMap<string, Stamp> }>,
): Promise<Set<string>> {
  const stale = new Set<string>()
  let count = 0
  for (const { stamps } of read) {
    for (const [path, stamp] of stamps) if (!isFresh(path, stamp)) stale.add(path)
    if (++count % 500 === 0) await setImmediate() // requests are answered in between
  }
  return stale
}

function digestOf(path: string): string {
  try {
    return createHash('sha1').update(readFileSync(path)).digest('base64')
  } catch (error) {
    return `unreadable: ${(error as NodeJS.ErrnoException).code}`
  }
}
