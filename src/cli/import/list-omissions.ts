import { groupBy } from '../../core/values/collections.ts'
import type { ImportOmission } from './import-options.ts'

/** How many places are named of those that have lost the same thing. */
const maxPlaces = 3

const ofHeader = /^response header "(.*)"$/

/** What was left out and why, as lines: what is the same in many places is one line, and so are headers with one reason. */
export function listOmissions(omitted: readonly ImportOmission[]): string[] {
  if (omitted.length === 0) return []
  const lines = [...groupBy(omitted, ({ why }) => why)].flatMap(([why, group]) => {
    const isHeaders = group.every(({ what }) => ofHeader.test(what))
    if (isHeaders) {
      const names = new Set(group.map(({ what }) => ofHeader.exec(what)![1]!))
      return `  ${names.size === 1 ? 'response header' : 'response headers'} ${[...names].join(', ')}: ${why}`
    }
    return [...groupBy(group, ({ what }) => what)].map(
      ([what, same]) => `  ${what}: ${why} (${placesOf(same)})`,
    )
  })
  return ['\nLeft out:', ...lines]
}

function placesOf(same: readonly ImportOmission[]): string {
  const places = [...new Set(same.map(({ where }) => where))]
  const others = places.length > maxPlaces ? `, and ${places.length - maxPlaces} more` : ''
  return `${places.slice(0, maxPlaces).join(', ')}${others}`
}
