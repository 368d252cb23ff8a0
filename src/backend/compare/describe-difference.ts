import type { Route } from '../../core/fixture/route.ts'
import type { Difference } from '../../core/shape/compare-shapes.ts'
import { groupBy } from '../../core/values/collections.ts'
import { valueAt, type KeyPath } from '../../core/values/values.ts'
import { diagnoseAgainst } from './against-texts.ts'
import type { RouteDifference, FoundDifference } from './found.ts'
import { editsFor, keysAt, type KnownBody } from './key-edits.ts'

/** Where a difference was found. */
export interface Comparing {
  fixtures: readonly KnownBody[]
  endpoint: string
  status: number
  /** The requests that were sent. */
  sent?: string[]
  /** Answers of the backend, as far as their values are known. */
  answers?: readonly unknown[]
  /** The document that says what the answers are, in place of a backend. */
  document?: string
}

/** The message, and the key of the fixture that it is about. */
export function describeDifference(
  difference: Difference,
  { fixtures, endpoint, status, sent = [], answers = [], document }: Comparing,
): RouteDifference {
  const { path, kind } = difference
  const { route, keys } = placeOf(kind === 'key-new' ? path.slice(0, -1) : path, fixtures)
  const { key, ...made } = diagnoseDifference(difference, document)
  return {
    ...made,
    route,
    keys,
    sent,
    endpoint,
    key,
    edits: editsFor(difference, fixtures, answers),
    // An error format that has changed everywhere is one cause in each file.
    cause: status < 400 ? `${made.code} ${made.message}` : `errors of ${route.source.file}`,
  }
}

/** The diagnostic of a difference, and the name of its key. */
export function diagnoseDifference({ path, kind, ...details }: Difference, document?: string) {
  const start = path.findLastIndex((key, index) => typeof key === 'number' && index < path.length - 1) + 1
  const key = path
    .slice(start)
    .map((one) => (typeof one === 'number' ? '*' : one))
    .join('.')
  return { ...diagnoseAgainst(`against-${kind}`, {}, { key, ...details, document }), key }
}

/** The first fixture that has the path; else the one that has most of it. */
function placeOf(path: KeyPath, fixtures: readonly KnownBody[]): { route: Route; keys: KeyPath } {
  const [first] = fixtures
  let best = { route: first!.route, keys: first!.body.keyOf([]), length: -1 }
  for (const { route, body } of fixtures) {
    const concrete = longestWay(body.value, path)
    if (concrete.length > best.length) best = { route, keys: body.keyOf(concrete), length: concrete.length }
    if (best.length === path.length) break
  }
  return best
}

/** The keys of a path in a value, with the number of an item, or the key of a map, that has the most of it. */
function longestWay(value: unknown, [key, ...rest]: KeyPath): KeyPath {
  let best: KeyPath = []
  for (const one of key === undefined ? [] : keysAt(value, key)) {
    const way = [one, ...longestWay(valueAt(value, [one]), rest)]
    if (way.length > best.length) best = way
    if (best.length > rest.length) break
  }
  return best
}

/** An API that has renamed a field has done so in all its answers. */
export function oneForEachCause(found: readonly RouteDifference[]): FoundDifference[] {
  return [...groupBy(found, ({ cause }) => cause).values()].map((all) => {
    const group = all.toSorted((a, b) => Number(b.severity === 'error') - Number(a.severity === 'error'))
    const [first] = group as [RouteDifference]
    const sent = group.filter((one) => one.endpoint === first.endpoint).flatMap((one) => one.sent)
    const others = group.map(({ endpoint }) => endpoint).filter((one) => one !== first.endpoint)
    return {
      ...first,
      sent: [...new Set(sent)],
      alsoIn: [...new Set(others)],
      edits: group.flatMap(({ edits = [] }) => edits),
      isCertain: group.every(({ edits = [] }) => edits.length > 0),
    }
  })
}
