import { readFileSync, statSync } from 'node:fs'

/**
 * Reads a file, and nothing but a file: whoever reads a pipe waits until somebody writes into it, and the dev server with
 * him.
 *
 * @throws Error
 */
export function readWholeFile(path: string): Buffer {
  const stats = statSync(path)
  if (!stats.isFile() && !stats.isDirectory()) throw new Error('it is no file')
  return readFileSync(path)
}

/** What some editors put in front of a text. */
export const byteOrderMark = /^\uFEFF/
