import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { candidates, readText, scanImports } from './module-imports.ts'

/*
 * A module is run only if its text says that it is a fixture file: test data, factories and scripts may stand in the same
 * folder, and running them can do anything.
 */

/** The package's own name, or the function that gives a fixture its types. */
const naming = /\bunplugin-mock-api\b|\bdefineFixture\b/
/** A default export in any spelling, of ES modules and of CommonJS. */
const exporting =
  /\bexport\s+default\b|\bexport\s*\{[^}]*\bdefault\b|\bmodule\.exports\s*=|\bexports\.default\s*=|\bdefineProperty\(\s*(?:module\.)?exports/
const exportingList =
  /(?:\bexport\s+default|\bexports\.default\s*=|\bmodule\.exports\s*=)\s*\[\s*(?:\{|\.\.\.|\]|$)/
/** A route's path: `path: '/orders'`. */
const routePath = /["']?\bpath\b["']?\s*:\s*["'`]\//

export interface ModuleLook {
  isFixture: boolean
  /** Absolute paths of the other modules whose text was looked at. */
  files: string[]
}

/**
 * Whether a module looks like a fixture file by its text: it names this package or `defineFixture`, or it exports by
 * default a list of objects, anything beside a `path: '/…'`, or what another such module exports by default.
 */
export function lookAtModule(path: string, text: string, seen: ReadonlySet<string> = new Set()): ModuleLook {
  if (naming.test(text) || exportingList.test(text) || (exporting.test(text) && routePath.test(text)))
    return { isFixture: true, files: [] }
  const look: ModuleLook = { isFixture: false, files: [] }
  if (!exporting.test(text)) return look
  for (const { specifier, takesDefault } of scanImports(text)) {
    if (!takesDefault) continue
    const imported = candidates(resolve(dirname(path), specifier)).find(
      (file) => existsSync(file) && !seen.has(file),
    )
    if (imported === undefined) continue
    const other = lookAtModule(imported, readText(imported), new Set([...seen, path]))
    look.files.push(imported, ...other.files)
    look.isFixture ||= other.isFixture
  }
  return look
}
