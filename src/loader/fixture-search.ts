import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { FoundFixtures } from './find-fixtures.ts'
import { linksOnTheWay } from './watch/links.ts'

/** Finds the fixture files of a project as often as needed. The search is imported once there is something to find. */
export interface FixtureSearch {
  find: () => Promise<FoundFixtures>
  /** The same if the search does not have to be imported first. */
  findNow: () => FoundFixtures | undefined
}

const nothing: FoundFixtures = { files: [], links: new Map() }

/** @param fixtures the option, without the word for the starter templates */
export function createSearch(root: string, fixtures: readonly string[]): FixtureSearch {
  let search: (() => FoundFixtures) | undefined
  const findNow = () => (search ? search() : isNothingThere(root, fixtures) ? nothing : undefined)
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

/** A name that is not a glob. */
const plainName = /^[\w./-]+$/

/** Whether no place exists, not even as a broken link, which is to be watched. */
function isNothingThere(root: string, fixtures: readonly string[]): boolean {
  const included = fixtures.filter((entry) => !entry.startsWith('!'))
  const paths = included.map((entry) => resolve(root, entry))
  return (
    included.every((entry) => plainName.test(entry)) &&
    !paths.some((path) => existsSync(path)) &&
    linksOnTheWay(root, paths).size === 0
  )
}
