import { existsSync, realpathSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import type { Alias, ModuleWorld } from '../../core/options/module-world.ts'
import { isFolder } from '../../files/links.ts'
import { displayPath } from '../../files/paths.ts'
import { findModule } from './module-imports.ts'
import { configNames, createTsconfigs, readConfigs } from './tsconfig-paths.ts'

/** The meaning of an import before Node.js resolves it. */
export interface Meaning {
  /** A path, or a name for Node.js. `undefined` is an empty module. */
  to: string | undefined
  /** `?raw` and such; mostly empty. */
  query: string
  /** Whether an alias, paths, or a folder with modules has led to it. */
  isMapped: boolean
  /** Where it was looked for in vain, with the alias that says so. */
  tried: readonly { path: string; by: string }[]
  /** Configs that decide about it. */
  files: readonly string[]
}

export type Resolver = ReturnType<typeof createResolver>

export function createResolver(root: string, world: ModuleWorld) {
  const tsconfigsNear = createTsconfigs()
  const ofHost = world.tsconfig === undefined ? [] : readConfigs(world.tsconfig)
  /** The configs that have decided about an import. */
  const configs = new Set<string>()
  const note = (files: string[], more: readonly string[]) => {
    for (const file of more) configs.add(file)
    files.push(...more)
  }
  const shown = (path: string) => displayPath(root, path)

  /** The places of an alias: paths are absolute, others are names of packages. */
  function places({ find, to }: Alias, name: string): (string | false)[] {
    return to.map((target) => {
      if (target === false) return false
      const place = typeof find === 'string' ? target + name.slice(find.length) : name.replace(find, target)
      if (/^\.{1,2}(?:[\\/]|$)/.test(place)) return resolve(root, place)
      return isAbsolute(place) && !existsSync(dirname(place)) ? join(root, place) : place
    })
  }

  function resolveImport(specifier: string, importer: string): Meaning {
    const tried: { path: string; by: string }[] = []
    const files: string[] = []
    const [, name = specifier, query = ''] = /^([^?]+)(\?.*)?$/.exec(specifier) ?? []
    const mapped = (to: string | undefined): Meaning => ({ to, query, isMapped: true, tried, files })
    const plain = (to: string): Meaning => ({ to, query, isMapped: false, tried, files })
    if (isBuiltin(name) || name.startsWith('data:') || isOfPackage(importer)) return plain(specifier)

    for (const alias of world.aliases) {
      if (!isFor(alias, name)) continue
      if (world.configFile !== undefined) note(files, [world.configFile])
      for (const place of places(alias, name)) {
        if (place === false) return mapped(undefined)
        const path = isAbsolute(place) ? findPlace(place) : place
        if (path !== undefined) return mapped(path)
        tried.push({ path: place, by: `"${String(alias.find)}" in ${world.source}` })
      }
    }
    if (/^\.{1,2}(?:\/|$)/.test(name)) {
      const path = resolve(dirname(importer), name)
      return plain(query ? path : (findPlace(path) ?? name))
    }
    if (isAbsolute(name)) return plain(existsSync(name) ? name : (findPlace(join(root, name)) ?? name))

    // A library of the workspace may have no config: TypeScript reads it with that of the application.
    const near = [...tsconfigsNear(dirname(importer)), ...tsconfigsNear(root)]
    for (const { path: config, patterns, match, files: read } of new Set([...near, ...ofHost])) {
      const candidates = match(name).filter((path) => !path.endsWith('.d.ts'))
      if (candidates.length > 0) note(files, read)
      const pattern = patterns.find((one) => one !== '*' && isLike(one, name))
      for (const candidate of candidates) {
        const path = findPlace(candidate)
        if (path !== undefined) return mapped(path)
        if (pattern !== undefined) tried.push({ path: candidate, by: `"${pattern}" in ${shown(config)}` })
      }
    }
    for (const folder of world.folders) {
      const path = findPlace(join(folder, name))
      if (path !== undefined) return mapped(path)
    }
    return plain(query && !name.startsWith('virtual:') ? name : specifier)
  }

  /** Files in which an alias for an unknown name may be written. */
  function placesOfAliases(importer: string): string[] {
    const folders = new Set([root, dirname(importer)])
    const files: string[] = []
    const nearest = tsconfigsNear(dirname(importer)).flatMap((config) => config.files)
    const possible = [...folders].flatMap((folder) => configNames.map((name) => join(folder, name)))
    note(files, [...nearest, ...possible, ...(world.configFile === undefined ? [] : [world.configFile])])
    return files
  }

  return { resolve: resolveImport, placesOfAliases, configs: configs as ReadonlySet<string> }
}

function isFor({ find, isExact }: Alias, name: string): boolean {
  if (typeof find !== 'string') return name.search(find) !== -1
  return name === find || (!isExact && name.startsWith(find.endsWith('/') ? find : `${find}/`))
}

function isLike(pattern: string, name: string): boolean {
  const [before = '', after] = pattern.split('*')
  return after === undefined ? name === pattern : name.startsWith(before) && name.endsWith(after)
}

/** A folder without an index has a package.json, which Node.js reads. */
function findPlace(given: string): string | undefined {
  const path = resolve(given)
  const found = findModule(path) ?? (isFolder(path) ? path : undefined)
  return found && realpathSync(found)
}

export function isOfPackage(path: string): boolean {
  return /[\\/]node_modules[\\/]/.test(path)
}
