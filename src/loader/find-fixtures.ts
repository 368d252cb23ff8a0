import { isAbsolute, relative, resolve } from 'node:path'
import picomatch from 'picomatch'
import { globSync } from 'tinyglobby'
import type { ResolvedOptions } from '../core/options.ts'

/** File name extensions that a fixture file can have. */
export const fixtureExtensions = ['yaml', 'yml', 'json', 'jsonc', 'json5', 'ts', 'mts', 'js', 'mjs'] as const

const ignored = ['**/node_modules/**', '**/*.d.{ts,mts}']

/** Where fixture files are looked for: patterns for the search, and the folders or files to watch. */
export interface FixturePlaces {
  patterns: string[]
  watched: string[]
}

/** Reads the option `fixtures`: an entry is a glob, a file, or a folder, whose fixture files count at any depth. */
export function fixturePlaces({ root, fixtures }: Pick<ResolvedOptions, 'root' | 'fixtures'>): FixturePlaces {
  const places: FixturePlaces = { patterns: [], watched: [] }
  for (const entry of fixtures) {
    const { isGlob, base } = picomatch.scan(entry)
    if (isGlob) {
      places.patterns.push(toPosix(entry))
      places.watched.push(resolve(root, base))
      continue
    }
    const path = resolve(root, entry)
    places.watched.push(path)
    const literal = escapeGlob(toPosix(relative(root, path)) || '.')
    // Whether it is a file or a folder can change while the server runs.
    places.patterns.push(literal, `${literal}/**/*.{${fixtureExtensions.join(',')}}`)
  }
  return places
}

/** The fixture files as absolute paths, in the order in which their routes are tried: by path. */
export function findFixtureFiles(root: string, { patterns }: FixturePlaces): string[] {
  return globSync(patterns, { cwd: root, ignore: ignored, absolute: true, expandDirectories: false })
    .map((file) => resolve(file))
    .sort()
}

/** A path as messages show it: relative to the root where it lies inside, with forward slashes. */
export function displayPath(root: string, path: string): string {
  return isInside(root, path) ? toPosix(relative(root, path)) : toPosix(path)
}

export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '' && !way.startsWith('..') && !isAbsolute(way)
}

function toPosix(path: string): string {
  return path.replaceAll('\\', '/')
}

function escapeGlob(path: string): string {
  return path.replace(/[$*?()[\]{}!+@|\\]/g, '\\$&')
}
