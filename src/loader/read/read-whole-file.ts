import { readFileSync, statSync } from 'node:fs'

/** Bytes that a file may have. It is read in one go while the dev server waits, and kept in memory. */
export const maxFileSize = 100_000_000

/** Thrown for a file of more than `maxFileSize` bytes. */
export class FileTooLargeError extends Error {
  constructor(readonly size: number) {
    super(`it has ${Math.ceil(size / 1e6)} MB, and at most ${maxFileSize / 1e6} MB are read`)
  }
}

/**
 * Reads a regular file. Anything else is refused: reading a pipe would block the dev server until something is written
 * to the pipe.
 *
 * @throws FileTooLargeError
 * @throws Error
 */
export function readWholeFile(path: string): Buffer {
  const stats = statSync(path)
  if (!stats.isFile() && !stats.isDirectory()) throw new Error('it is not a regular file')
  if (stats.size > maxFileSize) throw new FileTooLargeError(stats.size)
  return readFileSync(path)
}

/** What some editors put in front of a text. */
export const byteOrderMark = /^\uFEFF/
