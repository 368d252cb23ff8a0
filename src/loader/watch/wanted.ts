import { existsSync } from 'node:fs'
import { dirname, relative } from 'node:path'

/** Everything that is watched: files, and folders with their content. None of them has to exist. */
export function createWanted() {
  const paths = new Set<string>()
  const ways = new Set<string>()
  return {
    paths: paths as ReadonlySet<string>,
    /** @returns whether it is new */
    add(path: string): boolean {
      if (paths.has(path)) return false
      paths.add(path)
      for (let folder = dirname(path); !ways.has(folder); folder = dirname(folder)) ways.add(folder)
      return true
    },
    /** Whether a path is not wanted, not inside a wanted folder, and not a parent of a wanted path. */
    ignores(path: string): boolean {
      if (paths.has(path) || ways.has(path)) return false
      for (let folder = dirname(path); ; folder = dirname(folder)) {
        if (paths.has(folder))
          return /(?:^|[\\/])(?:node_modules|\.git)(?:[\\/]|$)/.test(relative(folder, path))
        if (dirname(folder) === folder) return true
      }
    },
  }
}

/** chokidar can't watch a path that does not exist, or that is deleted and created again. Its parent folder is watched. */
export function existingParent(path: string): string {
  const parent = dirname(path)
  return parent === path || existsSync(parent) ? parent : existingParent(parent)
}
