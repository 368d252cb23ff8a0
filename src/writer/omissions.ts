import { getOrMake, groupBy } from '../core/values/collections.ts'
import { cutText } from '../core/values/describe-value.ts'
import { redactText } from '../core/redact/redact.ts'
import { hideUsers } from '../core/values/url-user.ts'
import { compareTexts } from '../core/values/values.ts'

export interface Omission {
  what: string
  why: string
  where: string
  count: number
}

/** Losses of a recording. The same loss in several exchanges of an endpoint is one entry. */
export class Omissions {
  readonly #found = new Map<string, Omission>()

  add(name: string, reason: string, place: string, count = 1): void {
    const [what, where, why] = [cut(name), cut(place), hideUsers(reason)]
    const key = JSON.stringify([what, why, where])
    getOrMake(this.#found, key, () => ({ what, why, where, count: 0 })).count += count
  }

  addAll(others: Omissions): void {
    for (const { what, why, where, count } of others.#found.values()) this.add(what, why, where, count)
  }

  list(): Omission[] {
    return [...this.#found.values()].sort(
      (a, b) =>
        compareNaturally(a.where, b.where) ||
        compareNaturally(a.what, b.what) ||
        compareNaturally(a.why, b.why),
    )
  }
}

/** Maximum characters of a name: a URL can have millions. */
const maxName = 200

function cut(given: string): string {
  const shown = redactText(hideUsers(given.slice(0, 4 * maxName)))
  return cutText(shown.replace(/\s+/g, ' '), maxName)
}

const ofHeader = /^response header "(.*)"$/

/** One line for what is the same in many places, and for headers with one reason. */
export function listOmissions(omitted: readonly Omit<Omission, 'count'>[], maxPlaces = 3): string[] {
  if (omitted.length === 0) return []
  const lines = [...groupBy(omitted, ({ why }) => why)].flatMap(([why, group]) => {
    const names = new Set(group.map(({ what }) => ofHeader.exec(what)?.[1]))
    if (!names.has(undefined))
      return `  response header${names.size === 1 ? '' : 's'} ${[...names].join(', ')}: ${why}`
    const byWhat = groupBy(group, ({ what }) => what)
    return [...byWhat].map(([what, same]) => `  ${what}: ${why} (${placesOf(same, maxPlaces)})`)
  })
  return ['\nLeft out:', ...lines]
}

function placesOf(same: readonly Omit<Omission, 'count'>[], maxPlaces: number): string {
  const places = [...new Set(same.map(({ where }) => where))]
  const others = places.length > maxPlaces ? `, and ${places.length - maxPlaces} more` : ''
  return `${places.slice(0, maxPlaces).join(', ')}${others}`
}

const numeric = new Intl.Collator('en', { numeric: true })

/** Compares texts the same way everywhere; `7` comes before `10`. */
export function compareNaturally(a: string, b: string): number {
  return numeric.compare(a, b) || compareTexts(a, b)
}
