import type { ParsedRequest } from '../request/parsed-request.ts'
import {
  comparisonKey,
  isTextSource,
  readKey,
  toIndexed,
  type IndexedEquality,
  type Selector,
} from '../select/selector.ts'
import { getOrMake } from '../values/collections.ts'
import type { CompiledRoute, Group, RouteIndex } from './route-table.ts'

/** Thrown when no route can be selected because a predicate, which is the user's code, failed. */
export class PredicateError extends Error {
  constructor(
    readonly route: CompiledRoute,
    override readonly cause: unknown,
  ) {
    super(`the predicate of ${route.name} failed`)
  }
}

/** A route that never answers, because an earlier one matches every request that it matches. */
export interface Shadowed {
  route: CompiledRoute
  by: CompiledRoute
  /** Whether the two selectors are equal. Otherwise, the other one is less specific. */
  isEqual: boolean
}

/** A group while the index is being built. */
interface GroupInProgress extends Group {
  wider: readonly WiderGroup[]
}

/** How to find the routes that name only some fields of a group, and so hide routes of it. */
interface WiderGroup {
  groupKey: string
  /** Its equalities: their indexes in the group, and whether a string is compared as a number. */
  fields: readonly { place: number; asNumber: boolean }[]
}

/** Most endpoints have a default route only. */
const emptyIndex = { index: [], shadowed: [] }

export function buildIndex(routes: readonly CompiledRoute[]): { index: RouteIndex; shadowed: Shadowed[] } {
  if (!routes.some(({ selector }) => selector)) return emptyIndex
  const groups = new Map<string, GroupInProgress>()
  const shadowed: Shadowed[] = []
  for (const route of routes) {
    if (!route.selector) continue
    const compared = route.selector.equalities.map(toIndexed).sort((a, b) => (a.id < b.id ? -1 : 1))
    const groupKey = joinKeys(compared.map(({ id }) => id))
    let group = groups.get(groupKey)
    if (!group) {
      const fields = compared.map(({ field, kind, id }) => ({ field, kind, id }))
      groups.set(groupKey, (group = { fields, buckets: new Map(), wider: widerGroups(fields) }))
    }
    const key = bucketKey(compared.map(({ key }) => key))
    const bucket = group.buckets.get(key)
    const equal = unconditional(bucket)
    const by = equal ?? findWider(groups, group, compared)
    if (by) shadowed.push({ route, by, isEqual: equal !== undefined })
    else if (bucket) bucket.push(route)
    else group.buckets.set(key, [route])
  }
  return { index: [...groups.values()].map(({ fields, buckets }) => ({ fields, buckets })), shadowed }
}

/** The route of a bucket that has no tests. It is the last one, since it hides all later ones. */
function unconditional(bucket: readonly CompiledRoute[] | undefined): CompiledRoute | undefined {
  const last = bucket?.at(-1)
  return last?.selector!.tests.length === 0 ? last : undefined
}

/** With more fields than this, only some combinations are looked up, since their number doubles with each field. */
const maxCombinedFields = 5

/** All groups whose routes may hide routes of a group: those with a subset of its fields. */
function widerGroups(fields: Group['fields']): WiderGroup[] {
  const variants = fields.map(({ field, kind, id }, place) => [
    { place, asNumber: false, id },
    ...(kind === 'string' && isTextSource(field)
      ? [{ place, asNumber: true, id: toIndexed({ field, value: 0 }).id }]
      : []),
  ])
  const combinations =
    fields.length <= maxCombinedFields
      ? variants.reduce<(typeof variants)[number][]>(
          (all, choices) => all.flatMap((some) => [some, ...choices.map((choice) => [...some, choice])]),
          [[]],
        )
      : [[], ...variants.flatMap((choices) => choices.map((choice) => [choice]))]
  return combinations
    .map((chosen) => chosen.sort((a, b) => (a.id < b.id ? -1 : 1)))
    .map((chosen) => ({ groupKey: joinKeys(chosen.map(({ id }) => id)), fields: chosen }))
}

function findWider(
  groups: ReadonlyMap<string, Group>,
  own: GroupInProgress,
  compared: readonly IndexedEquality[],
): CompiledRoute | undefined {
  for (const { groupKey, fields } of own.wider) {
    const group = groups.get(groupKey)
    if (!group || group === own) continue
    const keys = fields.map(({ place, asNumber }) =>
      asNumber ? comparisonKey(compared[place]!.key, 'number', true) : compared[place]!.key,
    )
    if (keys.includes(undefined)) continue
    const found = unconditional(group.buckets.get(bucketKey(keys as string[])))
    if (found) return found
  }
  return undefined
}

/** The first route, in the order of the files, whose selector matches. */
export function findInIndex(index: RouteIndex, request: ParsedRequest): CompiledRoute | undefined {
  let only: CompiledRoute[] | undefined
  let all: CompiledRoute[][] | undefined
  for (const group of index) {
    const bucket = findBucket(group, request)
    if (!bucket) continue
    if (only) (all ??= [only]).push(bucket)
    else only = bucket
  }
  return all ? findInBuckets(all, request) : only?.find((route) => passesTests(route, request))
}

function findInBuckets(
  buckets: readonly CompiledRoute[][],
  request: ParsedRequest,
): CompiledRoute | undefined {
  // The buckets are merged, lowest order first, so that only those predicates run that a linear scan would run.
  const next = buckets.map(() => 0)
  for (;;) {
    let first: CompiledRoute | undefined
    for (let i = 0; i < buckets.length; i++) {
      const route = buckets[i]![next[i]!]
      if (route && (!first || route.order < first.order)) first = route
    }
    if (!first || passesTests(first, request)) return first
    // A route of two active scenarios is in two buckets.
    for (let i = 0; i < buckets.length; i++) if (buckets[i]![next[i]!] === first) next[i]!++
  }
}

function passesTests(route: CompiledRoute, request: ParsedRequest): boolean {
  try {
    return route.selector!.tests.every((test) => test.holds(request))
  } catch (error) {
    throw new PredicateError(route, error)
  }
}

/** Each string with its length, so that different lists never give the same key. */
function joinKeys(keys: readonly string[]): string {
  return keys.map(delimited).join('')
}

/** The key of a bucket. The value of a single field is its own key: in most groups, so that no text is made per request. */
function bucketKey(keys: readonly string[]): string {
  return keys.length === 1 ? keys[0]! : joinKeys(keys)
}

function findBucket(group: Group, request: ParsedRequest): CompiledRoute[] | undefined {
  const { fields, buckets } = group
  let key = ''
  for (const field of fields) {
    const value = readKey(request, field)
    if (value === undefined) return undefined
    key += fields.length === 1 ? value : delimited(value)
  }
  return buckets.get(key)
}

function delimited(text: string): string {
  return `${text.length}"${text}`
}

/** How many routes are worth comparing with a request one by one. */
const maxCompared = 200

/**
 * The routes that are nearest to an unmatched request, in the order in which they are tried. If there are few, these are all;
 * otherwise those that miss the fewest equalities. Each field is read once: hundred thousand routes take a tenth of a second.
 */
export function findNearest(
  routes: readonly CompiledRoute[],
  request: ParsedRequest,
): readonly CompiledRoute[] {
  if (routes.length <= maxCompared) return routes
  const keys = new Map<string, string | null>()
  const holds = (equality: Selector['equalities'][number]) => {
    const indexed = toIndexed(equality)
    return getOrMake(keys, indexed.id, () => readKey(request, indexed) ?? null) === indexed.key
  }
  const ranked = routes.map((route) => {
    const equalities = route.selector?.equalities ?? []
    return { route, missed: equalities.filter((equality) => !holds(equality)).length }
  })
  const nearest = ranked.sort((a, b) => a.missed - b.missed).slice(0, maxCompared)
  return nearest.map(({ route }) => route).sort((a, b) => a.order - b.order)
}
