import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  type Stats,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { lineOf, readLines, type SavedLine } from '../core/collection/saved-lines.ts'
import type { Collection } from '../core/collection/collection.ts'
import type { Report } from '../core/diagnostics/diagnostic.ts'
import { diagnoseSetup } from '../core/diagnostics/setup-texts.ts'
import type { MockState } from '../core/state/mock-state.ts'
import { reasonOf } from '../core/values/thrown.ts'
import { versionOf, writeFile } from '../files/write-files.ts'

/** Outside the folders that dev servers watch, and ignored by git. */
const place = 'node_modules/.cache/unplugin-mock-api/collections.jsonl'

/** Milliseconds for which a lock is waited for: then, its server has ended. Changes take less than one. */
const longestChange = 1000

/**
 * Keeps what everyone has changed in collections with `persist`. Each change is a line at the end of the file before its request
 * is answered, so that nothing is lost however the dev server ends. Dev servers of the same folder read the lines of each other.
 */
export function persistCollections(root: string, { collections }: MockState, report: Report): void {
  const file = join(root, place)
  const stat = () => (existsSync(file) ? statSync(file) : undefined) // in Parcel, `throwIfNoEntry` is ignored
  let known: Stats | undefined
  /** Whether reading or writing has failed. Then, the next change writes the whole file, with what other servers have added. */
  let isBehind = false
  /** Changes that are not in the file, each at the place where it would be: what other servers add later is newer. */
  let unwritten: { at: number; line: SavedLine }[] = []
  const isKept = ({ persist }: Collection, client: string) => persist && client === ''
  const wholeText = () => collections.save(isKept).map(lineOf).join('')

  function start(): void {
    const now = stat()
    if (!now) return
    const bytes = readFileSync(file)
    known = now
    const { saved, wrong } = readLines(bytes.toString())
    collections.restore(saved)
    if (wrong.length > 0) return report(diagnoseSetup('persist-damaged', {}, { file: place, lines: wrong }))
    if (wholeText() === bytes.toString()) return
    try {
      writeWhole(versionOf(bytes))
    } catch {
      // The long file is as good. Another server may just have added to it.
    }
  }

  function writeWhole(expected?: string): void {
    writeFile(file, wholeText() || undefined, expected === undefined ? {} : { expected })
    known = stat()
  }

  function append(line: SavedLine): void {
    const before = stat()
    if (!before) mkdirSync(dirname(file), { recursive: true })
    const text = before ? lineOf(line) : wholeText()
    appendFileSync(file, text)
    const after = stat()
    const isAlone = after?.size === (before?.size ?? 0) + Buffer.byteLength(text)
    // Otherwise, `refresh` reads what another server has added.
    if (isAlone && (!before || isSame(before, known))) known = after
  }

  function refresh(): void {
    const now = stat()
    if (!now || isSame(now, known)) return
    const bytes = readFileSync(file)
    // Written anew, or cut: the places are those of another text.
    if (known && (now.ino !== known.ino || now.size < known.size))
      for (const change of unwritten) change.at = bytes.length
    const places = [0, ...unwritten.map(({ at }) => at), bytes.length]
    const lines = unwritten.map(({ line }, index) => partOf(bytes, places, index) + lineOf(line))
    collections.restore(readLines(lines.join('') + partOf(bytes, places, lines.length)).saved)
    known = now
  }

  function add(line: SavedLine): void {
    unwritten.push({ at: known?.size ?? 0, line })
    if (isBehind) {
      refresh()
      writeWhole()
    } else append(line)
    isBehind = false
    unwritten = []
  }

  function attempt(work: () => void): void {
    try {
      work()
    } catch (error) {
      if (!isBehind) report(diagnoseSetup('persist-failed', {}, { file: place, reason: reasonOf(error) }))
      isBehind = true
    }
  }

  /** Where no lock can be made, as on a full disk, the change itself says why it can't be kept. */
  function exclusively<T>(change: () => T): T {
    const lock = `${file}.lock`
    const last = performance.now() + longestChange
    while (!isLocked(lock) && performance.now() < last) Atomics.wait(asleep, 0, 0, 1)
    try {
      return change()
    } finally {
      unlock(lock)
    }
  }

  attempt(() => void (stat() && exclusively(start)))
  collections.storeIn({
    exclusively,
    refresh: () => attempt(refresh),
    add: (line) => attempt(() => add(line)),
  })
}

function partOf(bytes: Buffer, places: readonly number[], index: number): string {
  return bytes.subarray(places[index], places[index + 1]).toString()
}

const asleep = new Int32Array(new SharedArrayBuffer(4))

function unlock(lock: string): void {
  try {
    rmSync(lock, { force: true })
  } catch {
    // Where it can't be removed, none was made.
  }
}

/** `false` if another server has it. */
function isLocked(lock: string): boolean {
  try {
    mkdirSync(dirname(lock), { recursive: true })
    closeSync(openSync(lock, 'wx'))
    return true
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException
    return !(code === 'EEXIST' && syscall === 'open')
  }
}

function isSame(one: Stats | undefined, other: Stats | undefined): boolean {
  return one?.ino === other?.ino && one?.size === other?.size && one?.mtimeMs === other?.mtimeMs
}
