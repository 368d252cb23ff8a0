import { isUtf8 } from 'node:buffer'
import { readFileSync, statSync } from 'node:fs'

/** Maximum size of a file in bytes. It is read at once, while the dev server waits, and kept in memory. */
export const maxFileSize = 100_000_000

export class FileTooLargeError extends Error {
  constructor(readonly size: number) {
    super(`it has ${Math.ceil(size / 1e6)} MB, and at most ${maxFileSize / 1e6} MB are read`)
  }
}

/** Thrown for a file that can be read, but is of no use where it is. */
export class UnusableFileError extends Error {
  constructor(
    reason: string,
    readonly fix: string,
  ) {
    super(reason)
  }
}

/** @throws for a large file, and for any but a regular one: a pipe would block the dev server until it is written to */
export function readWholeFile(path: string): Buffer {
  const stats = statSync(path)
  if (stats.isDirectory()) throw new Error('it is a folder')
  if (!stats.isFile()) throw new Error('it is not a regular file')
  if (stats.size > maxFileSize) throw new FileTooLargeError(stats.size)
  return readFileSync(path)
}

/** UTF-8, or UTF-16 as Windows PowerShell writes it, without the byte order mark. */
export function decodeText(bytes: Buffer): string {
  const order = findUtf16(bytes)
  const littleEndian = order === 'BE' ? Buffer.from(bytes.subarray(0, bytes.length & ~1)).swap16() : bytes
  return littleEndian.toString(order ? 'utf16le' : 'utf8').replace(/^\uFEFF/, '')
}

export function needsDecoding(bytes: Buffer): boolean {
  return findUtf16(bytes) !== undefined || bytes.subarray(0, 3).equals(markInUtf8)
}

/** `undefined` for bytes of another encoding: they can't be read as text without a loss. */
export function encodingOf(bytes: Uint8Array): 'UTF-8' | 'UTF-16' | undefined {
  if (findUtf16(bytes)) return 'UTF-16'
  return isUtf8(bytes) ? 'UTF-8' : undefined
}

const markInUtf8 = Buffer.from('\uFEFF')

/** Keys and punctuation of YAML and JSON are ASCII, so that UTF-16 without a mark has more than a stray NUL character. */
function findUtf16(bytes: Uint8Array): 'LE' | 'BE' | undefined {
  const [first, second] = bytes
  if (first === undefined || second === undefined) return undefined
  if (first === 0xff && second === 0xfe) return 'LE'
  if (first === 0xfe && second === 0xff) return 'BE'
  const start = bytes.subarray(0, 64)
  const hasZeros = (at: 0 | 1) =>
    start.filter((byte, index) => byte === 0 && index % 2 === at).length * 8 >= start.length
  if (first !== 0 && second === 0 && hasZeros(1)) return 'LE'
  return first === 0 && second !== 0 && hasZeros(0) ? 'BE' : undefined
}
