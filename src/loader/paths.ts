import { isAbsolute, relative } from 'node:path'

/** A path as messages show it: relative to the root where it lies inside, with forward slashes. */
export function displayPath(root: string, path: string): string {
  return isInside(root, path) ? toPosix(relative(root, path)) : toPosix(path)
}

export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '' && way !== '..' && !/^\.\.[\\/]/.test(way) && !isAbsolute(way)
}

export function toPosix(path: string): string {
  return path.replaceAll('\\', '/')
}
