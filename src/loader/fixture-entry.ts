import { groupBy } from '../core/values/collections.ts'
import type { Diagnostic } from '../core/diagnostics/diagnostic.ts'
import { shareScenario, type Route } from '../core/fixture/route.ts'
import type { Stamp } from './watch/file-stamps.ts'
import type { ReadFixture } from './read/read-fixture.ts'

/** A fixture file as it was read; endpoints with errors keep their last good routes. */
export interface Entry extends ReadFixture {
  /** Stamps of the file and its dependencies, taken before they were read. */
  stamps: ReadonlyMap<string, Stamp>
  /** Its path as messages show it. */
  shown: string
  /** Whether any of its routes has no errors. */
  hasGoodRoutes: boolean
  /** The last good routes among its routes. */
  kept?: readonly Route[] | undefined
  /** When it became missing, or it or one of its dependencies became empty (`performance.now()`). */
  missingSince?: number | undefined
}

/** Milliseconds for which a missing or empty file keeps its routes, since many editors save in two steps. */
const saveTime = 250

/** Whether a file that is missing or empty became so only just now. */
export function isRecentlyMissing(entry: Entry): boolean {
  const now = performance.now()
  entry.missingSince ??= now
  return now - entry.missingSince < saveTime
}

/**
 * What a file with errors answers with. An endpoint with an error keeps its last good routes, if the file had any. So does
 * a missing endpoint when it is unknown which routes are lost, as in a file that can't be parsed. All other routes are
 * those that were read. The file keeps its dependencies until it has no errors, since a change in any may fix them.
 */
export function keepLastGood(known: Entry | undefined, read: ReadFixture): ReadFixture & Pick<Entry, 'kept'> {
  if (!hasErrors(read)) return read
  const good = known?.routes.filter(({ error }) => !error) ?? []
  const present = new Set(read.routes.map(endpointOf))
  const broken = new Set(read.routes.filter(({ error }) => error).map(endpointOf))
  const kept = good.filter((route) => {
    const endpoint = endpointOf(route)
    return broken.has(endpoint) || (read.hasLostRoutes && !present.has(endpoint))
  })
  const keptEndpoints = new Set(kept.map(endpointOf))
  const both = (a: readonly string[] = [], b: readonly string[]) => [...new Set([...a, ...b])]
  return {
    ...read,
    kept,
    routes: [...read.routes.filter((route) => !keptEndpoints.has(endpointOf(route))), ...kept],
    schema: read.schema ?? known?.schema,
    diagnostics: read.diagnostics.map((diagnostic) => withMeanwhile(diagnostic, kept.length > 0)),
    dependencies: both(known?.dependencies, read.dependencies),
    parts: both(known?.parts, read.parts),
  }
}

/** Leaves out the last good default routes of endpoints that have a new one: a route may have moved to another file. */
export function withoutReplaced(routes: readonly Route[], kept: ReadonlySet<Route>): readonly Route[] {
  if (kept.size === 0) return routes
  const isDefault = ({ selector, error }: Route) => !selector && !error
  const replacing = groupBy(
    routes.filter((one) => isDefault(one) && !kept.has(one)),
    endpointOf,
  )
  const isReplaced = (one: Route) =>
    isDefault(one) && replacing.get(endpointOf(one))?.some((other) => shareScenario(other, one))
  return routes.filter((one) => !kept.has(one) || !isReplaced(one))
}

function endpointOf({ method = '', path }: Route): string {
  return `${method} ${path}`
}

/** Adds to an error that affects the whole file what answers until it is fixed. */
function withMeanwhile(diagnostic: Diagnostic, isKept: boolean): Diagnostic {
  if (diagnostic.severity !== 'error' || diagnostic.pointer) return diagnostic
  const meanwhile = isKept ? "the file's last good routes answer" : 'the file has no routes'
  return { ...diagnostic, fix: `${diagnostic.fix} Until then, ${meanwhile}.` }
}

export function hasErrors({ diagnostics }: { diagnostics: readonly Diagnostic[] }): boolean {
  return diagnostics.some(({ severity }) => severity === 'error')
}

export function hasShrunkToNothing(
  before: ReadonlyMap<string, Stamp>,
  now: ReadonlyMap<string, Stamp>,
): boolean {
  return [...now].some(([path, { size }]) => size === 0 && (before.get(path)?.size ?? 0) > 0)
}
