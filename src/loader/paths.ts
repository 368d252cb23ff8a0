import { isAbsolute, relative } from 'node:path'
import { visible } from '../core/diagnostics/format.ts'

/**
 * A path as messages show it: relative to the root if it is inside, with forward slashes. Control characters, which file
 * names can contain, are escaped, since a terminal would interpret them.
 */
export function displayPath(root: string, path: string): string {
  const shown = isInside(root, path) ? toPosix(relative(root, path)) : toPosix(path)
  return visible(shown).replaceAll('\n', '\\n').replaceAll('\t', '\\t')
}

export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '' && way !== '..' && !/^\.\.[\\/]/.test(way) && !isAbsolute(way)
}

export function toPosix(path: string): string {
  return path.replaceAll('\\', '/')
}
