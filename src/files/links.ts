import { existsSync, lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { attempt } from '../core/values/thrown.ts'
import { isInside } from './paths.ts'

/** Symbolic links by path, with their targets. */
export type Links = ReadonlyMap<string, string>

/** The target of a symbolic link, whether it exists or not; `undefined` when the path is not a link. */
export function linkTarget(path: string): string | undefined {
  if (!attempt(() => lstatSync(path).isSymbolicLink())) return undefined
  // A link may be broken, or lead to itself.
  return attempt(() => realpathSync(path)) ?? attempt(() => resolve(dirname(path), readlinkSync(path)))
}

/** Whether a path is a folder or in it, whatever links say. Neither needs to exist. */
export function isReallyInside(folder: string, path: string): boolean {
  const [real, realFolder] = [realPlace(path), realPlace(folder)]
  return real === realFolder || isInside(realFolder, real)
}

export function realPlace(path: string): string {
  return existsSync(path) ? realpathSync(path) : join(realPlace(dirname(path)), basename(path))
}

/** The links among the paths, and between the root and them. */
export function linksOnTheWay(root: string, paths: readonly string[]): Map<string, string> {
  const links = new Map<string, string>()
  for (let path of paths) {
    while (path !== root && !isInside(path, root) && path !== dirname(path)) {
      const target = linkTarget(path)
      if (target !== undefined) links.set(path, target)
      path = dirname(path)
    }
  }
  return links
}

/** Following such a link would never end. */
export function closesCircle(link: string, target: string): boolean {
  for (let folder = dirname(link); ; folder = dirname(folder)) {
    if (realpathSync(folder) === target) return true
    if (dirname(folder) === folder) return false
  }
}

export function isFolder(path: string): boolean {
  return attempt(() => statSync(path).isDirectory()) ?? false
}

const maxNestedLinks = 4

/** The path itself, and its names through links. */
export function namesOf(path: string, links: Links): Set<string> {
  const names = new Set([path])
  let found = [path]
  for (let depth = 0; depth < maxNestedLinks && links.size > 0; depth++) {
    found = found.flatMap((name) =>
      [...links]
        .filter(([, target]) => name === target || isInside(target, name))
        .map(([link, target]) => join(link, relative(target, name))),
    )
    for (const name of found) names.add(name)
  }
  return names
}
