import { addTo, getOrMake } from '../values/collections.ts'
import type { ParsedRequest } from '../request/parsed-request.ts'
import { readKey, toIndexed, type IndexedEquality } from '../select/selector.ts'
import type { CompiledRoute, FindNearest } from './route-table.ts'

/** How many routes are worth comparing with a request one by one. */
const maxCompared = 200
/** How many entries of the lists below are counted per request. */
const maxCounted = 5_000

/**
 * Makes the function that picks routes for the explanation of an unmatched request. If there are few routes, it picks
 * all. Otherwise it picks those with the most matching equalities, so that an explanation takes as long for a hundred
 * thousand routes as for a few hundred. The lists are made when the first request is unmatched.
 */
export function createFindNearest(routes: readonly CompiledRoute[]): FindNearest {
  if (routes.length <= maxCompared) return () => routes
  let lists: Lists | undefined
  return (request) => pickNearest((lists ??= makeLists(routes)), request)
}

interface Lists {
  fields: Map<string, { field: IndexedEquality; byKey: Map<string, CompiledRoute[]> }>
  /** Those with the fewest equalities: of all routes that meet none, they miss the least. */
  fewest: CompiledRoute[]
}

function makeLists(routes: readonly CompiledRoute[]): Lists {
  const byCount = routes.toSorted((a, b) => equalitiesOf(a).length - equalitiesOf(b).length)
  const lists: Lists = { fields: new Map(), fewest: byCount.slice(0, maxCompared) }
  for (const route of routes) {
    for (const field of equalitiesOf(route).map(toIndexed)) {
      const { byKey } = getOrMake(lists.fields, field.id, () => ({
        field,
        byKey: new Map<string, CompiledRoute[]>(),
      }))
      addTo(byKey, field.key, route)
    }
  }
  return lists
}

function equalitiesOf({ selector }: CompiledRoute) {
  return selector?.equalities ?? []
}

function pickNearest(lists: Lists, request: ParsedRequest) {
  const holding = [...lists.fields.values()]
    .map(({ field, byKey }) => byKey.get(readKey(request, field) ?? '') ?? [])
    .sort((a, b) => a.length - b.length) // a value that few routes select says the most
  const held = new Map<CompiledRoute, number>()
  let counted = 0
  for (const list of holding) {
    for (const route of list) {
      if (counted++ === maxCounted) break
      held.set(route, (held.get(route) ?? 0) + 1)
    }
  }
  for (const route of lists.fewest) if (!held.has(route)) held.set(route, 0)
  const missed = (route: CompiledRoute) => equalitiesOf(route).length - held.get(route)!
  const nearest = [...held.keys()].sort((a, b) => missed(a) - missed(b) || a.order - b.order)
  const picked = nearest.slice(0, maxCompared)
  return picked.sort((a, b) => a.order - b.order)
}
