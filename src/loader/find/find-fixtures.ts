import { getOrMake } from '../../core/values/collections.ts'
import { existsSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, extname, join, sep } from 'node:path'
import type { ResolvedOptions } from '../../core/options/resolve-options.ts'
import { linksOnTheWay, type Links } from '../../files/links.ts'
import { hiddenName, isFixtureName, meantName } from './fixture-names.ts'
import { isInside, sortPaths } from '../../files/paths.ts'
import { isFound, readPlace, searchFiles } from './search-files.ts'
import { templatesEntry } from '../templates.ts'

type FixtureOptions = Pick<ResolvedOptions, 'root' | 'fixtures'>

/** Where fixture files may be. */
export function fixturePlaces({ root, fixtures }: FixtureOptions): string[] {
  return fixtures.filter((entry) => !entry.startsWith('!')).map((entry) => readPlace(root, entry).path)
}

/** The first folder that the option names. It need not exist yet. */
export function newFixturesFolder({ root, fixtures }: FixtureOptions): string {
  const own = fixtures.filter((entry) => entry !== templatesEntry)
  const places = fixturePlaces({ root, fixtures: own.length > 0 ? own : ['fixtures'] })
  const isFolderOrNew = (path: string) =>
    existsSync(path) ? statSync(path).isDirectory() : extname(path) === ''
  return places.find(isFolderOrNew) ?? dirname(places[0] ?? join(root, 'fixtures'))
}

/** Whether a new fixture file at this path would answer. */
export function isFixturePlace({ root, fixtures }: FixtureOptions, path: string): boolean {
  return isFixtureName(path) && isFound(root, fixtures, path)
}

/** The folders in which files are written, whatever links say: the project, and what the option names outside of it. */
export function ownFolders(options: FixtureOptions): string[] {
  const { root } = options
  return [root, ...fixturePlaces(options).filter((path) => !isInside(root, path))]
}

export interface FoundFixtures {
  /** Absolute paths, in the order in which their routes are tried: by path. */
  files: string[]
  /** Files with another extension that were probably meant, or hidden ones if there are no other files. */
  misnamed: string[]
  /** The symbolic links that the search followed, and broken ones. */
  links: Links
}

/** A file with several paths counts once. */
export function findFixtures(options: FixtureOptions): FoundFixtures {
  const { root, fixtures } = options
  const links = linksOnTheWay(root, fixturePlaces(options))
  const onLink = (link: string, target: string) => void links.set(link, target)
  const all = searchFiles(root, fixtures, { onLink })
  const files = sortPaths(all.filter(isFixtureName))
  const others = files.length === all.length ? [] : all.filter((file) => meantName(file) !== undefined)
  const hidden =
    files.length > 0
      ? []
      : searchFiles(root, fixtures, { dot: true }).filter((file) => hiddenName(file) !== undefined)
  const misnamed = sortPaths([...others, ...hidden])
  return { files: links.size === 0 ? files : withoutTwins(files, links), misnamed, links }
}

/** The files, each once. Of several paths of the same file, the first of the shortest ones stays. */
function withoutTwins(files: readonly string[], links: Links): string[] {
  const byRealPath = new Map<string, string>()
  const realFolders = new Map<string, string>()
  for (const file of files) {
    const real = links.get(file) ?? join(getOrMake(realFolders, dirname(file), realpathSync), basename(file))
    const known = byRealPath.get(real)
    if (known === undefined || file.split(sep).length < known.split(sep).length) byRealPath.set(real, file)
  }
  const kept = new Set(byRealPath.values())
  return files.filter((file) => kept.has(file))
}
