import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { edited } from './text-file.ts'
import { versionOf, writeFiles } from './write-files.ts'

/** A file of the user, before and after. */
export interface FileChange {
  path: string
  name: string
  before: string | undefined
  after: string
}

/** The change of a file by `edit`, which gets nothing for a new one. There is none where it returns nothing. */
export function changeOf(
  folder: string,
  name: string,
  edit: (before: string | undefined) => string | undefined,
): FileChange[] {
  const path = join(folder, name)
  const before = existsSync(path) ? readFileSync(path, 'utf8') : undefined
  const after = edit(before)
  return after === undefined ? [] : [{ path, name, before, after }]
}

/** Writes the changes that were shown. A file that has changed since then stays as it is. */
export function writeChanges(changes: readonly FileChange[], within: readonly string[]): void {
  writeFiles(
    changes.map(({ path, before, after }) => ({
      path,
      content: edited(after),
      expected: before === undefined ? '' : versionOf(Buffer.from(before)),
    })),
    { within },
  )
}
