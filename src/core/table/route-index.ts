import type { ParsedRequest } from '../request/parsed-request.ts'
import { conditionWeight } from '../select/failed-conditions.ts'
import {
  comparisonKey,
  isMet,
  isTextSource,
  readKeys,
  toIndexed,
  type IndexedEquality,
} from '../select/selector.ts'
import type { CompiledRoute, Group, RouteIndex } from './route-table.ts'

export class PredicateError extends Error {
  constructor(
    readonly route: CompiledRoute,
    override readonly cause: unknown,
  ) {
    super(`the predicate of ${route.name} failed`)
  }
}

/** A route that never answers, because an earlier one matches all of its requests. */
export interface Shadowed {
  route: CompiledRoute
  by: CompiledRoute
  isEqual: boolean
}

export function buildIndex(routes: readonly CompiledRoute[]): { index: RouteIndex; shadowed: Shadowed[] } {
  const groups = new Map<string, Group>()
  const index: RouteIndex = []
  const shadowed: Shadowed[] = []
  for (const route of routes) {
    if (!route.selector) continue
    const compared = route.selector.equalities.map(toIndexed).sort((a, b) => (a.id < b.id ? -1 : 1))
    const groupKey = joinKeys(compared.map(({ id }) => id))
    let group = groups.get(groupKey)
    if (!group) {
      const fields = compared.map(({ field, kind, id }) => ({ field, kind, id }))
      groups.set(groupKey, (group = { fields, buckets: new Map() }))
      index.push(group)
    }
    const key = joinKeys(compared.map(({ key }) => key))
    const bucket = group.buckets.get(key)
    const equal = unconditional(bucket)
    const by = equal ?? findWider(index, group, compared)
    if (by) shadowed.push({ route, by, isEqual: equal !== undefined })
    else if (bucket) bucket.push(route)
    else group.buckets.set(key, [route])
  }
  return { index, shadowed }
}

function unconditional(bucket: readonly CompiledRoute[] | undefined): CompiledRoute | undefined {
  const last = bucket?.at(-1)
  return last?.selector!.tests.length === 0 ? last : undefined
}

/** Groups that are searched for routes that hide others: more take too long. */
const maxSearched = 50

/** The route without tests whose equalities are among those of `route`, and which thus hides it. */
function findWider(index: RouteIndex, own: Group, compared: readonly IndexedEquality[]) {
  for (const group of index.slice(0, maxSearched)) {
    if (group === own || group.fields.length > compared.length) continue
    const keys = group.fields.map((wanted) => keyAmong(compared, wanted))
    if (keys.includes(undefined)) continue
    const found = unconditional(group.buckets.get(joinKeys(keys as string[])))
    if (found) return found
  }
  return undefined
}

/** A string is compared as a number, too. */
function keyAmong(compared: readonly IndexedEquality[], { field, kind }: Group['fields'][number]) {
  const same = compared.filter((equality) => equality.field.id === field.id)
  const exact = same.find((equality) => equality.kind === kind)
  if (exact || kind !== 'number' || !isTextSource(field)) return exact?.key
  const text = same.find((equality) => equality.kind === 'string')
  return text && comparisonKey(text.key, 'number', true)
}

export function findInIndex(index: RouteIndex, request: ParsedRequest): CompiledRoute | undefined {
  const buckets: CompiledRoute[][] = []
  for (const { fields, buckets: ofGroup } of index) {
    const keys = fields.map((field) => readKeys(request, field))
    if (keys.includes(undefined)) continue
    if (keys.some((key) => typeof key === 'object')) {
      for (const bucket of ofGroup.values())
        if (bucket[0]!.selector!.equalities.every((one) => isMet(one, request))) buckets.push(bucket)
      continue
    }
    const bucket = ofGroup.get(joinKeys(keys as string[]))
    if (bucket) buckets.push(bucket)
  }
  // The order of a linear scan, so that no other predicates run. A route of two scenarios is in two buckets.
  const routes =
    buckets.length > 1 ? [...new Set(buckets.flat())].sort((a, b) => a.order - b.order) : (buckets[0] ?? [])
  return routes.find((route) => passesTests(route, request))
}

function passesTests(route: CompiledRoute, request: ParsedRequest): boolean {
  try {
    return route.selector!.tests.every((test) => test.holds(request))
  } catch (error) {
    throw new PredicateError(route, error)
  }
}

/** The lengths keep different lists from giving the same key. */
function joinKeys(keys: readonly string[]): string {
  return keys.map((key) => `${key.length}"${key}`).join('')
}

const maxCompared = 200

/** All routes if there are few, otherwise those whose equalities are the nearest, in their order. */
export function findNearest(routes: readonly CompiledRoute[], request: ParsedRequest) {
  if (routes.length <= maxCompared) return routes
  const ranked = routes.map((route) => {
    const { equalities, tests } = route.selector ?? { equalities: [], tests: [] }
    const count = equalities.length + tests.length
    const missed = equalities.filter((equality) => !isMet(equality, request))
    return { route, distance: missed.reduce((sum, { field }) => sum + conditionWeight(field, count), 0) }
  })
  const nearest = ranked.sort((a, b) => a.distance - b.distance).slice(0, maxCompared)
  return nearest.map(({ route }) => route).sort((a, b) => a.order - b.order)
}
