import type { Diagnostic } from '../core/diagnostics/diagnostic.ts'
import type { Stamp } from './watch/file-stamps.ts'
import type { ReadFixture } from './read/read-fixture.ts'

/** A fixture file as it was read, or where it has errors now, its last good routes with them. */
export interface Entry extends ReadFixture {
  /** Of the file and its dependencies, from before they were read. */
  stamps: Map<string, Stamp>
  /** Since when it is missing, or it or one of its dependencies is empty, as `performance.now()` tells it. */
  missingSince?: number | undefined
}

/** Milliseconds for which a file that is missing or empty keeps its routes. Many editors save in two steps. */
const bridgeTime = 250

/** Whether a file that is missing or empty has only just become so. */
export function isBridged(entry: Entry): boolean {
  const now = performance.now()
  entry.missingSince ??= now
  return now - entry.missingSince < bridgeTime
}

/** A file that breaks keeps its routes, and stays made of what it was made of, until it is mended or deleted. */
export function keepLastGood(known: Entry, read: ReadFixture): ReadFixture {
  const both = (a: readonly string[], b: readonly string[]) => [...new Set([...a, ...b])]
  return {
    routes: known.routes,
    schema: known.schema,
    diagnostics: read.diagnostics,
    dependencies: both(known.dependencies, read.dependencies),
    parts: both(known.parts, read.parts),
  }
}

export function hasErrors({ diagnostics }: { diagnostics: readonly Diagnostic[] }): boolean {
  return diagnostics.some(({ severity }) => severity === 'error')
}

/** A file with errors is read again after every change: what it lacked may have come. */
export function isToBeRead(entry: Entry, changed: ReadonlySet<string>): boolean {
  if ([...entry.stamps.keys()].some((path) => changed.has(path))) return true
  // One that never came to an end would keep all others waiting.
  return hasErrors(entry) && !entry.diagnostics.some(({ code }) => code === 'fixture-timeout')
}

export function hasShrunkToNothing(
  before: ReadonlyMap<string, Stamp>,
  now: ReadonlyMap<string, Stamp>,
): boolean {
  return [...now].some(([path, { size }]) => size === 0 && (before.get(path)?.size ?? 0) > 0)
}
