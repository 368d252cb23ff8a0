import path, { type PlatformPath } from 'node:path'
import { visible } from '../core/diagnostics/format.ts'

/** What a system calls a path decides all of these. The tests have those of both. */
export function pathsOf(system: PlatformPath) {
  const { sep } = system

  /** With forward slashes. On POSIX systems, a backslash is part of a name. */
  function toPosix(path: string): string {
    return sep === '\\' ? path.replaceAll('\\', '/') : path
  }

  /**
   * The way from a folder to what is inside of it; `undefined` for anything else. Windows does not tell upper and lower case
   * apart.
   */
  function wayInside(folder: string, path: string): string | undefined {
    const way = system.relative(folder, path)
    const isOutside = way === '' || way === '..' || way.startsWith(`..${sep}`) || system.isAbsolute(way)
    return isOutside ? undefined : way
  }

  function isInside(folder: string, path: string): boolean {
    return wayInside(folder, path) !== undefined
  }

  /**
   * A path as messages show it: relative to the root if it is inside, with forward slashes. Control characters, which file
   * names can contain, are escaped, since a terminal would interpret them.
   */
  function displayPath(root: string, path: string): string {
    const shown = toPosix(wayInside(root, path) ?? path)
    return visible(shown).replaceAll('\n', '\\n').replaceAll('\t', '\\t')
  }

  /** Sorts paths the same way on every system, since routes are tried in this order. */
  function sortPaths(paths: Iterable<string>): string[] {
    const byPosix = new Map([...paths].map((path) => [toPosix(path), path]))
    return [...byPosix.keys()].sort().map((path) => byPosix.get(path)!)
  }

  return { toPosix, isInside, displayPath, sortPaths }
}

export const { toPosix, isInside, displayPath, sortPaths } = pathsOf(path)
