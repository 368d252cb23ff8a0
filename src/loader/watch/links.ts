import { lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { isInside } from '../paths.ts'

/** Symbolic links by their paths, with what they lead to. */
export type Links = ReadonlyMap<string, string>

/** Where a symbolic link leads, whether something is there or not; `undefined` when the path is none. */
export function linkTarget(path: string): string | undefined {
  try {
    if (!lstatSync(path).isSymbolicLink()) return undefined
    return endOf(path) ?? resolve(dirname(path), readlinkSync(path))
  } catch {
    return undefined
  }
}

function endOf(link: string): string | undefined {
  try {
    return realpathSync(link)
  } catch {
    return undefined // to nothing, or to itself
  }
}

/** Whether a link leads to one of the folders that it stands in: who follows it comes by it again and again. */
export function closesCircle(link: string, target: string): boolean {
  for (let folder = dirname(link); ; folder = dirname(folder)) {
    if (realpathSync(folder) === target) return true
    if (dirname(folder) === folder) return false
  }
}

export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

/** Links that stand inside of what another one leads to, up to this depth. */
const maxNestedLinks = 4

/** All names of a path: its own, and those that it has through links. */
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
