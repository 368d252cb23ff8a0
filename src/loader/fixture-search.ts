import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { FoundFixtures } from './find-fixtures.ts'
import { hiddenName, isFixtureName, meantName } from './fixture-names.ts'
import { sortPaths } from './paths.ts'
import { linksOnTheWay } from './watch/links.ts'

/** Finds the fixture files of a project as often as needed. Most projects have one folder, which needs no search. */
interface FixtureSearch {
  find: () => Promise<FoundFixtures>
  /** The same if the search does not have to be imported first. */
  findNow: () => FoundFixtures | undefined
}

/** @param fixtures the option, without the word for the starter templates */
export function createSearch(root: string, fixtures: readonly string[]): FixtureSearch {
  let search: (() => FoundFixtures) | undefined
  const findNow = () => listFolders(root, fixtures) ?? search?.()
  return {
    findNow,
    async find() {
      const found = findNow()
      if (found) return found
      const { findFixtures, fixturePlaces } = await import('./find-fixtures.ts')
      const places = fixturePlaces({ root, fixtures })
      search = () => findFixtures(root, places)
      return search()
    },
  }
}

/** A name that is no glob, and not in a folder that is ignored. */
const plainName = /^(?!.*node_modules)[\w./-]+$/

/** The fixture files of folders with plain names, as the search would find them; `undefined` if there is anything else. */
function listFolders(root: string, fixtures: readonly string[]): FoundFixtures | undefined {
  if (!fixtures.every((entry) => plainName.test(entry))) return undefined
  const folders = fixtures.map((entry) => resolve(root, entry))
  if (linksOnTheWay(root, folders).size > 0) return undefined
  const found = { files: new Set<string>(), misnamed: new Set<string>(), hidden: new Set<string>() }
  try {
    for (const folder of folders) if (existsSync(folder) && !addFiles(folder, found)) return undefined
  } catch {
    return undefined // a file, or a folder that can't be read
  }
  const misnamed = found.files.size === 0 ? [...found.misnamed, ...found.hidden] : found.misnamed
  return { files: sortPaths(found.files), misnamed: sortPaths(misnamed), links: new Map() }
}

/** @returns whether there was no link, which only the search follows */
function addFiles(folder: string, found: Record<'files' | 'misnamed' | 'hidden', Set<string>>): boolean {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const { name } = entry
    if (entry.isSymbolicLink()) return false
    const path = join(folder, name)
    if (name.startsWith('.')) {
      if (entry.isFile() && hiddenName(name) !== undefined) found.hidden.add(path)
      continue
    }
    if (entry.isDirectory()) {
      if (name !== 'node_modules' && !addFiles(path, found)) return false
    } else if (entry.isFile() && isFixtureName(name)) found.files.add(path)
    else if (entry.isFile() && meantName(name) !== undefined) found.misnamed.add(path)
  }
  return true
}
