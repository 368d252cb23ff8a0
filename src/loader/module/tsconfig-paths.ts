import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { createPathsMatcher, parseTsconfig } from 'get-tsconfig'
import { attempt } from '../../core/values/thrown.ts'
import { isFolder } from '../../files/links.ts'

/** A config with `paths` or `baseUrl`. */
interface PathsConfig {
  path: string
  /** The keys of `paths`. */
  patterns: readonly string[]
  match: (specifier: string) => string[]
  /** Itself, and what it extends. */
  files: readonly string[]
}

export const configNames = ['tsconfig.json', 'jsconfig.json']

/** Finds the configs of the modules in a folder: the nearest tsconfig.json or jsconfig.json, and those that it references. */
export function createTsconfigs(): (folder: string) => PathsConfig[] {
  const byFolder = new Map<string, PathsConfig[]>()

  function near(folder: string): PathsConfig[] {
    let found = byFolder.get(folder)
    if (found) return found
    const path = configNames.map((name) => join(folder, name)).find(existsSync)
    if (path !== undefined) found = readConfigs(path)
    else found = dirname(folder) === folder ? [] : near(dirname(folder))
    byFolder.set(folder, found)
    return found
  }

  return near
}

/** A config that can't be read has no paths: that it is wrong, TypeScript says. */
export function readConfigs(path: string, seen = new Set<string>()): PathsConfig[] {
  if (seen.has(path)) return []
  seen.add(path)
  const cache = new Map<string, string>()
  const config = attempt(() => parseTsconfig(path, cache))
  if (!config) return []
  // The cache has the calls by function and arguments.
  const files = [...cache.keys()].flatMap((key) => /^readFileSync:(.+):utf8$/.exec(key)?.[1] ?? [])
  const match = attempt(() => createPathsMatcher({ path, config }))
  const own = match
    ? [{ path, patterns: Object.keys(config.compilerOptions?.paths ?? {}), match, files }]
    : []
  const referenced = (config.references ?? []).flatMap((reference) => {
    const place = resolve(dirname(path), reference.path)
    return readConfigs(isFolder(place) ? join(place, 'tsconfig.json') : place, seen)
  })
  return [...own, ...referenced]
}
