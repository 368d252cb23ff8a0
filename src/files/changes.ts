import { edited } from './text-file.ts'
import { versionOf, writeFiles } from './write-files.ts'

/** A file of the user, before and after. */
export interface Change {
  path: string
  name: string
  before: string | undefined
  after: string
}

/** Writes the changes that were shown. A file that has changed since then stays as it is. */
export function writeChanges(changes: readonly Change[], within: readonly string[]): void {
  writeFiles(
    changes.map(({ path, before, after }) => ({
      path,
      content: edited(after),
      expected: before === undefined ? '' : versionOf(Buffer.from(before)),
    })),
    { within },
  )
}
