import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * The folder of the package's caches, where tools keep theirs: in `node_modules/.cache` beside the nearest package.json.
 *
 * @param root an absolute path
 * @returns an absolute path; `undefined` if there is no `node_modules`
 */
export function cacheFolder(root: string): string | undefined {
  try {
    const modules = join(projectOf(root) ?? root, 'node_modules')
    return existsSync(modules) ? join(modules, '.cache', 'unplugin-mock-api') : undefined
  } catch {
    return undefined // Node's permission model refuses to look.
  }
}

/** The nearest folder with a package.json, from a folder upwards. */
function projectOf(folder: string): string | undefined {
  if (existsSync(join(folder, 'package.json'))) return folder
  const parent = dirname(folder)
  return parent === folder ? undefined : projectOf(parent)
}
