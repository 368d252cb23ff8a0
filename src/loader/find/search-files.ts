import { existsSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative, resolve, sep } from 'node:path'
import type Picomatch from 'picomatch'
import { attempt } from '../../core/values/thrown.ts'
import { toPosix } from '../../files/paths.ts'
import { closesCircle, isFolder, linkTarget } from '../../files/links.ts'

/** Loaded with the first glob: most projects have none, and it takes 4 ms of the start. */
export const globs = () => createRequire(import.meta.url)('picomatch') as typeof Picomatch

export function isGlob(text: string): boolean {
  return /[*?[\](){}!+@\\]/.test(text) && globs().scan(text).isGlob
}

/** An entry of the options `fixtures` and `graphql.schema`. */
interface SearchPattern {
  isNegated: boolean
  /** The file or the folder, or the part of a glob before its first pattern. Need not exist. */
  path: string
  /** @param names below the path, of folders and the file */
  matches: (names: readonly string[]) => boolean
  /** Whether a folder below the path may hold what matches. */
  mayHold: (names: readonly string[]) => boolean
}

interface SearchOptions {
  /** Whether hidden files and folders are found. Default `false`. */
  dot?: boolean
  /** Whether files in `node_modules` are found. Default `false`. */
  inPackages?: boolean
  /** Called for links that the search follows, and for broken ones. */
  onLink?: (link: string, target: string) => void
}

/** An entry is a glob, a file, or a folder, which is searched at any depth; one that begins with `!` excludes files. */
export function readPlace(root: string, entry: string, { dot = false }: SearchOptions = {}): SearchPattern {
  const isNegated = entry.startsWith('!')
  const written = toPosix(isNegated ? entry.slice(1) : entry)
  const isShown = (name: string) => dot || !name.startsWith('.')
  // The name of a folder may look like a glob, as `[locale]` does.
  if (!isGlob(written) || existsSync(resolve(root, written))) {
    const every = (names: readonly string[]) => names.every(isShown)
    return { isNegated, path: resolve(root, written), matches: every, mayHold: every }
  }
  const { base, glob } = globs().scan(written)
  const matches = globs()(glob, { dot, posix: true })
  const parts = /[{([][^})\]]*\//.test(glob) ? ['**'] : glob.split('/')
  const ofAnyDepth = parts.findIndex((part) => part.includes('**'))
  const folders = parts.slice(0, ofAnyDepth).map((part) => globs()(part, { dot, posix: true }))
  const hasHidden = /(?:^|\/)\./.test(glob)
  return {
    isNegated,
    path: resolve(root, base.replace(/\\(.)/g, '$1')),
    matches: (names) => matches(names.join('/')),
    mayHold: (names) =>
      names.every((name, at) => folders[at]?.(name) ?? (ofAnyDepth !== -1 && (hasHidden || isShown(name)))),
  }
}

/** Absolute paths, each once. Links to folders are followed, and a link that contains itself is not. */
export function searchFiles(
  root: string,
  entries: readonly string[],
  options: SearchOptions = {},
): readonly string[] {
  const { inPackages = false, onLink } = options
  const places = entries.map((entry) => readPlace(root, entry, options))
  const isOfPackages = (names: readonly string[]) => !inPackages && names.includes('node_modules')
  const negated = places.filter(({ isNegated }) => isNegated)
  const isExcluded = (path: string) => negated.some((place) => holds(place, path))
  const found = new Set<string>()

  function search(place: SearchPattern, names: readonly string[]): void {
    const folder = join(place.path, ...names)
    // One can't be read, or was deleted just now.
    for (const entry of attempt(() => readdirSync(folder, { withFileTypes: true })) ?? []) {
      const path = join(folder, entry.name)
      const inside = [...names, entry.name]
      const target = entry.isSymbolicLink() ? linkTarget(path) : undefined
      const isBelow = target === undefined ? entry.isDirectory() : isFolder(path)
      if (target !== undefined && closesCircle(path, target)) continue
      if (isBelow && (isOfPackages([entry.name]) || !place.mayHold(inside) || isExcluded(path))) continue
      if (target !== undefined && entry.name !== 'node_modules') onLink?.(path, target)
      if (isBelow) search(place, inside)
      else if (place.matches(inside) && !isExcluded(path) && (!target || existsSync(path))) found.add(path)
    }
  }

  for (const place of places) {
    const { path, isNegated, matches } = place
    if (isNegated || isOfPackages(relative(root, path).split(sep))) continue
    if (isFolder(path)) search(place, [])
    else if (existsSync(path) && matches([]) && !isExcluded(path)) found.add(path)
  }
  return [...found]
}

/** Whether a search would find a file at this path. */
export function isFound(root: string, entries: readonly string[], path: string): boolean {
  const holding = entries.map((entry) => readPlace(root, entry)).filter((place) => holds(place, path))
  const isOfPackage = relative(root, path).split(sep).includes('node_modules')
  return holding.length > 0 && !isOfPackage && !holding.some(({ isNegated }) => isNegated)
}

function holds({ path, matches }: SearchPattern, other: string): boolean {
  if (other === path) return matches([])
  const way = relative(path, other).split(sep)
  return way[0] !== '..' && resolve(path, ...way) === other && matches(way)
}
