import type { SchemaSource } from '../core/graphql-schema/create-checker.ts'
import type { ResolvedOptions } from '../core/options/options.ts'
import { isSameList } from '../core/values/collections.ts'
import { createCheckerLoader, type LoadedChecker } from './load-checker.ts'
import { newSize, stalePaths, takeStamp, takeStamps, type Stamp } from './watch/file-stamps.ts'
import type { Changes } from './watch/watch-fixtures.ts'

/** The files of the option `graphql.schema`, and the checks of documents that are made from them. */
export interface SchemaFiles {
  readonly checked: LoadedChecker
  /**
   * Reads the files again.
   *
   * @param exported the schemas that fixture files export
   * @returns whether the checks have changed
   */
  update: (exported: readonly SchemaSource[]) => Promise<boolean>
  /** What differs from the last update. */
  findStale: () => Changes
  /** The size of a file that has changed, in bytes; 0 for any other one, and for one that is missing. */
  newSize: (path: string) => number
}

/** @param watch called with the paths of the files */
export function createSchemaFiles(
  root: string,
  settings: ResolvedOptions['graphql'],
  watch: (paths: Iterable<string>) => void,
): SchemaFiles {
  const load = createCheckerLoader(root, settings)
  let checked: LoadedChecker = { diagnostics: [], files: [] }
  let read = { stamps: new Map<string, Stamp>() }
  let find: () => readonly string[] = () => []
  return {
    get checked() {
      return checked
    },
    async update(exported) {
      const before = checked
      const stamps = takeStamps(before.files)
      if (settings.schema.length > 0) {
        const { findSchemaFiles } = await import('./read/read-schema.ts')
        find = () => findSchemaFiles(root, settings.schema).files
      }
      checked = await load(exported)
      read = { stamps: new Map(checked.files.map((path) => [path, stamps.get(path) ?? takeStamp(path)])) }
      watch(checked.files)
      return checked !== before
    },
    findStale: () => ({ paths: stalePaths([read]), structure: !isSameList(find(), checked.files) }),
    newSize: (path) => newSize([read], path),
  }
}
