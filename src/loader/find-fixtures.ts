import { existsSync } from 'node:fs'
import { extname, isAbsolute, relative, resolve } from 'node:path'
import picomatch from 'picomatch'
import { escapePath, globSync } from 'tinyglobby'
import type { ResolvedOptions } from '../core/options.ts'

/** File name extensions that a fixture file can have. */
export const fixtureExtensions = ['yaml', 'yml', 'json', 'jsonc', 'json5', 'ts', 'mts', 'js', 'mjs'] as const

const ignored = ['**/node_modules/**', '**/*.d.{ts,mts}']

/** Where fixture files are looked for: patterns for the search, and the folders or files to watch. */
export interface FixturePlaces {
  patterns: string[]
  watched: string[]
}

/**
 * Reads the option `fixtures`: an entry is a glob, a file, or a folder, whose fixture files count at any depth. One that
 * begins with `!` takes away.
 */
export function fixturePlaces({ root, fixtures }: Pick<ResolvedOptions, 'root' | 'fixtures'>): FixturePlaces {
  const places: FixturePlaces = { patterns: [], watched: [] }
  for (const entry of fixtures) {
    const negated = entry.startsWith('!') ? '!' : ''
    const written = entry.slice(negated.length)
    const path = resolve(root, written)
    const { isGlob, base } = picomatch.scan(toPosix(written))
    // A folder's name may look like a glob: `[locale]`.
    if (isGlob && !existsSync(path)) {
      places.patterns.push(negated + toPosix(written))
      if (!negated) places.watched.push(resolve(root, base))
      continue
    }
    const literal = escapePath(toPosix(relative(root, path)) || '.')
    // Whether it is a file or a folder can change while the server runs.
    places.patterns.push(`${negated}${literal}`, `${negated}${literal}/**/*`)
    if (!negated) places.watched.push(path)
  }
  return places
}

/** The fixture files as absolute paths, in the order in which their routes are tried: by path. */
export function findFixtureFiles(root: string, { patterns }: FixturePlaces): string[] {
  return globSync(patterns, { cwd: root, ignore: ignored, absolute: true, expandDirectories: false })
    .map((file) => resolve(file))
    .filter((file) => fixtureExtensions.includes(extname(file).slice(1) as never))
    .sort()
}

/** A path as messages show it: relative to the root where it lies inside, with forward slashes. */
export function displayPath(root: string, path: string): string {
  return isInside(root, path) ? toPosix(relative(root, path)) : toPosix(path)
}

export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '' && way !== '..' && !/^\.\.[\\/]/.test(way) && !isAbsolute(way)
}

function toPosix(path: string): string {
  return path.replaceAll('\\', '/')
}
