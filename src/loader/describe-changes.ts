import type { Route } from '../core/fixture/route.ts'
import { plural } from '../core/values/describe-value.ts'
import { groupBy } from '../core/values/collections.ts'
import { errorsIn } from '../core/diagnostics/severity.ts'
import { summarise, type FixtureState } from './fixture-state.ts'

/** Comparing more routes takes longer than a save should. */
const maxCompared = 2000

/** Maximum files in a message. The end of a recording adds dozens. */
const maxListed = 3

type Change = 'added' | 'changed' | 'removed'

/** @param summary said if nothing is known to be different */
export function describeReload(
  before: FixtureState | undefined,
  after: FixtureState,
  summary = summarise(after),
): string {
  const changes = before && describeChanges(before, after)
  const errors = errorsIn(after.diagnostics).length
  const remaining = errors > 0 ? ` with ${plural(errors, 'error')}` : ''
  return `reloaded${remaining}: ${changes ? `${changes} (${plural(after.table.routeCount, 'route')})` : summary}`
}

/** `fixtures/orders.yaml: 1 route added`; `undefined` if nothing is known to be different, as after a comment. */
export function describeChanges(before: FixtureState, after: FixtureState): string | undefined {
  const files = [...new Set([...before.files, ...after.files])]
  const old = byFile(before.routes, after.routes)
  const now = byFile(after.routes, before.routes)
  if ([...old.values(), ...now.values()].flat().length > maxCompared) return undefined
  const texts = files.flatMap((file) => {
    const counts = countChanges(old.get(file) ?? [], now.get(file) ?? [])
    const said = Object.entries(counts).filter(([, count]) => count > 0)
    if (said.length === 0) return []
    const [[change, count], ...others] = said as [[string, number], ...[string, number][]]
    return `${file}: ${[`${plural(count, 'route')} ${change}`, ...others.map(([what, many]) => `${many} ${what}`)].join(', ')}`
  })
  const more = texts.splice(maxListed).length
  if (more > 0) texts.push(plural(more, 'more file'))
  return texts.length > 0 ? texts.join('; ') : undefined
}

/** Routes by file, without those that can't answer, and those of files not read again (the same objects). */
function byFile(routes: readonly Route[], others: readonly Route[]): Map<string, Route[]> {
  const same = new Set(others)
  return groupBy(
    routes.filter((route) => !same.has(route) && !route.error),
    ({ source }) => source.file,
  )
}

function countChanges(before: readonly Route[], after: readonly Route[]): Record<Change, number> {
  const left = leftOver(after, before, routeAsText)
  const gone = leftOver(before, after, routeAsText)
  const keyOf = ({ name = '', method = [], path }: Route) => `${method.join()} ${path} ${name}`
  const added = leftOver(left, gone, keyOf).length
  return {
    added,
    changed: left.length - added,
    removed: gone.length - (left.length - added),
  }
}

/** Items that have no equal among the others. */
function leftOver(routes: readonly Route[], others: readonly Route[], keyOf: (route: Route) => string) {
  const counts = new Map<string, number>()
  for (const key of others.map(keyOf)) counts.set(key, (counts.get(key) ?? 0) + 1)
  return routes.filter((route) => {
    const key = keyOf(route)
    const count = counts.get(key) ?? 0
    counts.set(key, count - 1)
    return count <= 0
  })
}

/** The route without its places, to compare. Functions are compared by their text. */
function routeAsText(route: Route): string {
  return JSON.stringify({ ...route, source: undefined, definition: undefined }, (key, value: unknown) => {
    if (key === 'contentSource') return undefined
    return typeof value === 'function' || typeof value === 'bigint' ? String(value) : value
  })
}
