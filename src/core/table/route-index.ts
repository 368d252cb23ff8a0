import type { CompiledRoute, RouteIndex, Group } from './route-table.ts'
import type { ParsedRequest } from '../request/parsed-request.ts'
import { readField, type Scalar } from '../select/selector.ts'

/** Thrown where a route can't be selected because its predicate, the user's own code, failed. */
export class PredicateError extends Error {
  constructor(
    readonly route: CompiledRoute,
    override readonly cause: unknown,
  ) {
    super(`the predicate of ${route.name} failed`)
  }
}

/** A route that can't answer, since one before it has the same selector. */
export interface Shadowed {
  route: CompiledRoute
  by: CompiledRoute
}

export function buildIndex(routes: readonly CompiledRoute[]): { index: RouteIndex; shadowed: Shadowed[] } {
  const groups = new Map<string, Group>()
  const shadowed: Shadowed[] = []
  for (const route of routes) {
    if (!route.selector) continue
    const equalities = route.selector.equalities.toSorted((a, b) => (a.field.id < b.field.id ? -1 : 1))
    const groupKey = equalities.map(({ field }) => scalarKey(field.id)).join('')
    let group = groups.get(groupKey)
    if (!group) {
      group = { fields: equalities.map(({ field }) => field), buckets: new Map() }
      groups.set(groupKey, group)
    }
    const key = equalities.map(({ value }) => scalarKey(value)).join('')
    const bucket = group.buckets.get(key)
    const last = bucket?.at(-1)
    // Behind a route without tests nothing is added, so that it is the last of its bucket.
    if (last?.selector!.tests.length === 0) shadowed.push({ route, by: last })
    else if (bucket) bucket.push(route)
    else group.buckets.set(key, [route])
  }
  return { index: [...groups.values()], shadowed }
}

/** The first route, in the order of the files, whose selector holds. */
export function findInIndex(index: RouteIndex, request: ParsedRequest): CompiledRoute | undefined {
  const buckets: CompiledRoute[][] = []
  for (const group of index) {
    const bucket = findBucket(group, request)
    if (bucket) buckets.push(bucket)
  }
  // The buckets are read side by side, lowest order first, so that no predicate runs that a linear scan would not run.
  const next = buckets.map(() => 0)
  for (;;) {
    let first: CompiledRoute | undefined
    let from = 0
    for (let i = 0; i < buckets.length; i++) {
      const route = buckets[i]![next[i]!]
      if (route && (!first || route.order < first.order)) {
        first = route
        from = i
      }
    }
    if (!first || passesTests(first, request)) return first
    next[from]!++
  }
}

function passesTests(route: CompiledRoute, request: ParsedRequest): boolean {
  try {
    return route.selector!.tests.every((test) => test.holds(request))
  } catch (error) {
    throw new PredicateError(route, error)
  }
}

function findBucket(group: Group, request: ParsedRequest): CompiledRoute[] | undefined {
  let key = ''
  for (const field of group.fields) {
    const value = readField(request, field)
    if (value === undefined || (typeof value === 'object' && value !== null)) return undefined
    key += scalarKey(value as Scalar)
  }
  return group.buckets.get(key)
}

/** Tells `1` from `"1"`, and stays unambiguous when several are joined. */
function scalarKey(value: Scalar): string {
  return typeof value === 'string' ? `${value.length}"${value}` : `${value};`
}
