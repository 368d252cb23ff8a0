import { structuredPatch } from 'diff'

/** A unified diff without the names of files: hunks with two lines around each change. Empty if nothing differs. */
export function diffText(before: string, after: string): string {
  const { hunks } = structuredPatch('', '', before, after, '', '', { context: 2 })
  return hunks
    .flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
      `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
      ...lines.filter((line) => !line.startsWith('\\')),
    ])
    .join('\n')
}
