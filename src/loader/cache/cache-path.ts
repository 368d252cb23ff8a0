import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { cacheFolder } from './cache-folder.ts'

/**
 * The file of a cache for a project.
 *
 * @param root an absolute path
 * @param fixtures the places of the fixture files: plugins with different ones have a cache each
 * @returns an absolute path; `undefined` if there is no `node_modules`
 */
export function cachePath(root: string, fixtures: readonly string[]): string | undefined {
  const folder = cacheFolder(root)
  if (folder === undefined) return undefined
  const name = createHash('sha1')
    .update(JSON.stringify([root, ...fixtures]))
    .digest('hex')
  return join(folder, `routes-${name}`)
}
