import { readFileSync, statSync } from 'node:fs'

/** Maximum size of a file in bytes. It is read at once, while the dev server waits, and kept in memory. */
export const maxFileSize = 100_000_000

/** Thrown for a file of more than `maxFileSize` bytes. */
export class FileTooLargeError extends Error {
  constructor(readonly size: number) {
    super(`it has ${Math.ceil(size / 1e6)} MB, and at most ${maxFileSize / 1e6} MB are read`)
  }
}

/**
 * Reads a regular file and rejects anything else: reading a pipe would block the dev server until something is written to
 * it.
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

/** The text of a file, without a byte order mark and with lines that YAML sees. @throws Error */
export function readText(path: string): string {
  const text = readWholeFile(path).toString('utf8').replace(byteOrderMark, '')
  return text.includes('\r') ? text.replaceAll(/\r(?!\n)/g, '\n') : text // a lone CR ends a line in YAML
}

/** The byte order mark that some editors write. */
export const byteOrderMark = /^\uFEFF/
