import { getOrMake } from '../core/values/collections.ts'
import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path'
import picomatch from 'picomatch'
import { escapePath, globSync, type GlobOptions } from 'tinyglobby'
import type { ResolvedOptions } from '../core/options/resolve-options.ts'
import { closesCircle, isFolder, linksOnTheWay, linkTarget, type Links } from './watch/links.ts'
import { hiddenName, isFixtureName, meantName } from './fixture-names.ts'
import { isInside, sortPaths, toPosix } from './paths.ts'
import { templatesEntry } from './templates.ts'

const ignored = ['**/node_modules/**']

interface FixturePlaces {
  patterns: string[]
  watched: string[]
}

/** An entry is a glob, a file, or a folder, which is searched at any depth; one that begins with `!` excludes files. */
export function fixturePlaces({ root, fixtures }: Pick<ResolvedOptions, 'root' | 'fixtures'>): FixturePlaces {
  const places: FixturePlaces = { patterns: [], watched: [] }
  for (const entry of fixtures) {
    const negated = entry.startsWith('!') ? '!' : ''
    const written = entry.slice(negated.length)
    const path = resolve(root, written)
    if (isGlobEntry(root, written)) {
      places.patterns.push(negated + toPosix(written))
      if (!negated) places.watched.push(resolve(root, picomatch.scan(toPosix(written)).base))
      continue
    }
    const literal = escapePath(toPosix(relative(root, path)) || '.')
    // A file can become a folder, or a folder a file, while the server runs.
    places.patterns.push(`${negated}${literal}`, `${negated}${literal}/**/*`)
    if (!negated) places.watched.push(path)
  }
  return places
}

/** The name of a folder may look like a glob, as `[locale]` does. */
export function isGlobEntry(root: string, entry: string): boolean {
  return picomatch.scan(toPosix(entry)).isGlob && !existsSync(resolve(root, entry))
}

/** The first folder that the option names. It need not exist yet. */
export function newFixturesFolder({ root, fixtures }: Pick<ResolvedOptions, 'root' | 'fixtures'>): string {
  const own = fixtures.filter((entry) => entry !== templatesEntry)
  const { watched } = fixturePlaces({ root, fixtures: own.length > 0 ? own : ['fixtures'] })
  const isFolderOrNew = (path: string) =>
    existsSync(path) ? statSync(path).isDirectory() : extname(path) === ''
  return watched.find(isFolderOrNew) ?? dirname(watched[0] ?? join(root, 'fixtures'))
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
export function findFixtures(options: Pick<ResolvedOptions, 'root' | 'fixtures'>): FoundFixtures {
  const { root } = options
  const { patterns, watched } = fixturePlaces(options)
  const links = linksOnTheWay(root, watched)
  /** The patterns decide which of these links are followed: never into `node_modules`. */
  const met = new Map<string, string>()
  const entered = new Set<string>()
  const follow = (path: string): string => {
    const target = linkTarget(path)
    if (target !== undefined) {
      if (closesCircle(path, target)) throw new Error('a link to a folder that contains it')
      met.set(path, target)
    }
    return realpathSync(path)
  }
  const enter = (folder: string, options: object) => {
    entered.add(resolve(folder))
    return readdirSync(folder, options)
  }
  const search = (more: Partial<GlobOptions>) =>
    globSync(patterns, { cwd: root, ignore: ignored, absolute: true, expandDirectories: false, ...more }).map(
      (file) => resolve(file),
    )
  const all = search({
    fs: { realpathSync: follow as typeof realpathSync, readdirSync: enter as typeof readdirSync },
  })
  const files = sortPaths(all.filter(isFixtureName))
  const others = files.length === all.length ? [] : all.filter((file) => meantName(file) !== undefined)
  const hidden =
    files.length > 0 ? [] : search({ dot: true }).filter((file) => hiddenName(file) !== undefined)
  const misnamed = sortPaths([...others, ...hidden])
  const isRelevant = (link: string, target: string) =>
    isFolder(target)
      ? entered.has(target)
      : basename(link) !== 'node_modules' && watched.some((place) => isOnTheWay(link, place))
  for (const [link, target] of met) if (isRelevant(link, target)) links.set(link, target)
  return { files: links.size === 0 ? files : withoutTwins(files, links), misnamed, links }
}

function isOnTheWay(path: string, place: string): boolean {
  return path === place || isInside(place, path) || isInside(path, place)
}

/** Of several paths of the same file, keeps the first of the shortest ones. */
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
