import path, { type PlatformPath } from 'node:path'
import { visible } from '../core/diagnostics/format.ts'

/** The system is a parameter, so that the tests have the paths of both. */
export function pathsOf(system: PlatformPath) {
  const { sep } = system

  /** On POSIX systems, a backslash is part of a name. */
  function toPosix(path: string): string {
    return sep === '\\' ? path.replaceAll('\\', '/') : path
  }

  /** `undefined` for what is not inside. Windows does not tell upper and lower case apart. */
  function wayInside(folder: string, path: string): string | undefined {
    const way = system.relative(folder, path)
    const isOutside = way === '' || way === '..' || way.startsWith(`..${sep}`) || system.isAbsolute(way)
    return isOutside ? undefined : way
  }

  function isInside(folder: string, path: string): boolean {
    return wayInside(folder, path) !== undefined
  }

  /** File names can contain control characters, which a terminal would interpret. */
  function displayPath(root: string, path: string): string {
    const shown = toPosix(wayInside(root, path) ?? path)
    return visible(shown).replaceAll('\n', '\\n').replaceAll('\t', '\\t')
  }

  /** Routes are tried in this order, so it is the same on every system. */
  function sortPaths(paths: Iterable<string>): string[] {
    const byPosix = new Map([...paths].map((path) => [toPosix(path), path]))
    return [...byPosix.keys()].sort().map((path) => byPosix.get(path)!)
  }

  return { toPosix, isInside, displayPath, sortPaths }
}

export const { toPosix, isInside, displayPath, sortPaths } = pathsOf(path)
