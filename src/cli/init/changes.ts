import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { structuredPatch } from 'diff'
import { findFixtures } from '../../loader/find-fixtures.ts'
import { toPosix } from '../../loader/paths.ts'
import { templateFiles } from '../../loader/templates.ts'
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

const schemaFile = 'node_modules/unplugin-mock-api/fixture.schema.json'

/**
 * The starter templates as files of the project, which it can edit.
 *
 * @param project the folder of package.json
 * @param root the folder that the bundler serves from
 * @returns absolute paths and texts; none if the project has fixture files
 */
export function starterFiles(project: string, root: string): { path: string; text: string }[] {
  const fixtures = ['fixtures']
  if (findFixtures({ root, fixtures }).files.length > 0) return []
  const folder = join(root, 'fixtures')
  // The first line tells editors where the schema is.
  const schema = toPosix(relative(folder, join(packagesOf(project), schemaFile)))
  return templateFiles().map((file) => ({
    path: join(folder, basename(file)),
    text: readFileSync(file, 'utf8').replace(/(?<=\$schema=)\S+/, schema),
  }))
}

/** The folder whose `node_modules` has this package, or will have it: in a workspace it may be a parent. */
function packagesOf(project: string): string {
  for (let folder = project; ; folder = dirname(folder)) {
    if (existsSync(join(folder, schemaFile))) return folder
    if (folder === dirname(folder)) return project
  }
}
