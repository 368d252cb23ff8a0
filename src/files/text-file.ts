import { diffArrays } from 'diff'
import { encodingOf, decodeText, readWholeFile } from './read-whole-file.ts'
import { FileError } from './file-error.ts'
import { versionOf, type Edited } from './write-files.ts'

/** A text file of the project: what an edit is made from, and compared with when it is written. */
export interface TextFile {
  path: string
  /** Text without a byte order mark, with `\n` at the ends of lines. Empty for a new file. */
  text: string
  /** A hash of the bytes of the file; empty for a new file. */
  version: string
}

export function readTextFile(path: string): TextFile {
  const bytes = readWholeFile(path)
  return { path, text: withPlainEnds(decodeText(bytes)), version: versionOf(bytes) }
}

/** A script sends a text as it has read it from the disk: with `\r\n`, and with a byte order mark. */
export function withPlainEnds(text: string): string {
  return text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
}

/**
 * The text of a file, edited: the file keeps its byte order mark and the ends of its lines. A new line ends as the line before
 * it does. A file that is not in UTF-8 is refused with a `FileError`.
 */
export function edited(text: string): Edited {
  const plain = withPlainEnds(text)
  return (before, path) => (before ? encodeLike(before, path, plain) : Buffer.from(plain))
}

function encodeLike(before: Buffer, path: string, text: string): Buffer {
  const encoding = encodingOf(before)
  if (encoding !== 'UTF-8')
    throw new FileError(
      'encoding',
      path,
      encoding === 'UTF-16' ? 'it is in UTF-16' : 'it has bytes that are not UTF-8, which would be lost',
    )
  const old = before.toString('utf8')
  const mark = old.startsWith('\uFEFF') ? '\uFEFF' : ''
  return Buffer.from(mark + withEndsOf(old.slice(mark.length), text))
}

function withEndsOf(old: string, text: string): string {
  const ends = old.match(/\r?\n/g) ?? []
  const windows = ends.filter((end) => end === '\r\n').length
  if (windows === 0) return text
  if (windows === ends.length) return text.replaceAll('\n', '\r\n')
  const linesOf = (whole: string) => whole.split(/(?<=\n)/)
  const oldLines = linesOf(old)
  let at = 0
  const lineEnd = () => /\r?\n$/.exec(oldLines[at - 1] ?? oldLines[0]!)?.[0] ?? ends.at(-1)!
  const plain = (line: string) => line.replace(/\r\n$/, '\n')
  return diffArrays(oldLines.map(plain), linesOf(text))
    .flatMap(({ added, removed, value }) => {
      if (added) return value.map((line) => line.replace(/\n$/, lineEnd()))
      at += value.length
      return removed ? [] : oldLines.slice(at - value.length, at)
    })
    .join('')
}
