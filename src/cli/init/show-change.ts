import { structuredPatch } from 'diff'
import type { Terminal } from '../terminal.ts'

/** A file to write. */
export interface Change {
  /** Absolute path. */
  path: string
  /** The path as it is shown. */
  name: string
  /** `undefined` for a new file. */
  before: string | undefined
  after: string
}

/** How many lines of a new file are shown. */
const shownLines = 6

/** A change as a unified diff. Of a new file, the first lines. */
export function showChange({ name, before, after }: Change, { style }: Terminal): string {
  if (before === undefined) {
    const lines = after.trimEnd().split('\n')
    const more = lines.length - shownLines
    const shown = more > 1 ? lines.slice(0, shownLines) : lines
    return [
      style('bold', `${name} (new)`),
      ...shown.map((line) => style('green', `+${line}`)),
      ...(more > 1 ? [style('dim', `  … and ${more} more lines`)] : []),
    ].join('\n')
  }
  const { hunks } = structuredPatch(name, name, before, after, '', '', { context: 2 })
  const lines = hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    style('dim', `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`),
    ...lines.filter((line) => !line.startsWith('\\')).map((line) => colour(line, style)),
  ])
  return [style('bold', name), ...lines].join('\n')
}

function colour(line: string, style: Terminal['style']): string {
  if (line.startsWith('+')) return style('green', line)
  return line.startsWith('-') ? style('red', line) : line
}
