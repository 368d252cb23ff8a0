import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * The file of a cache for a project, where tools keep their caches: in `node_modules/.cache` beside the nearest package.json.
 *
 * @param root an absolute path
 * @param fixtures the places of the fixture files: plugins with different ones have a cache each
 * @returns an absolute path; `undefined` if there is no `node_modules`
 */
export function cachePath(root: string, fixtures: readonly string[]): string | undefined {
  const modules = join(projectOf(root) ?? root, 'node_modules')
  if (!existsSync(modules)) return undefined
  const name = createHash('sha1')
    .update(JSON.stringify([root, ...fixtures]))
    .digest('hex')
  return join(modules, '.cache', 'unplugin-mock-api', name)
}

/** The nearest folder with a package.json, from a folder upwards. */
function projectOf(folder: string): string | undefined {
  if (existsSync(join(folder, 'package.json'))) return folder
  const parent = dirname(folder)
  return parent === folder ? undefined : projectOf(parent)
}
