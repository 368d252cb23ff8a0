import { parse } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { groupBy } from '../core/values/collections.ts'
import type { Diagnostic } from '../core/diagnostics/diagnostic.ts'
import { shareScenario, type Route } from '../core/fixture/route.ts'
import { isFresh, type Stamp } from './watch/file-stamps.ts'
import { namesOf, type Links } from '../files/links.ts'
import type { ReadFixture } from './read/read-fixture.ts'
import { isError } from '../core/diagnostics/severity.ts'

/** A fixture file as it was read; endpoints with errors keep their last good routes. */
export interface FixtureEntry extends ReadFixture {
  /** Stamps of the file and its dependencies, taken before they were read. */
  stamps: ReadonlyMap<string, Stamp>
  shown: string
  hasGoodRoutes: boolean
  /** When the save with all its routes was written (`mtimeMs`); `undefined` if they are of several saves. */
  savedAt?: number | undefined
  kept?: readonly Route[] | undefined
  /** When it became missing, or it or one of its dependencies became empty (`performance.now()`). */
  missingSince?: number | undefined
}

/** Milliseconds for which a missing or empty file keeps its routes, since many editors save in two steps. */
export const saveTime = 250

export function isRecentlyMissing(entry: FixtureEntry): boolean {
  const now = performance.now()
  entry.missingSince ??= now
  return now - entry.missingSince < saveTime
}

/**
 * An endpoint with an error keeps its last good routes, and so does a missing one when it is unknown which routes are lost,
 * as in a file that can't be parsed. The file keeps its dependencies until it has no errors: a change in any may fix them.
 */
export function keepLastGood(
  known: FixtureEntry | undefined,
  read: ReadFixture,
): ReadFixture & Pick<FixtureEntry, 'kept' | 'savedAt'> {
  if (!isFaulty(read)) return read
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
    savedAt: read.routes.length === 0 ? known?.savedAt : undefined,
    routes: [...read.routes.filter((route) => !keptEndpoints.has(endpointOf(route))), ...kept],
    schema: read.schema ?? known?.schema,
    diagnostics: read.diagnostics.map((diagnostic) => withMeanwhile(diagnostic, kept, known?.savedAt)),
    dependencies: both(known?.dependencies, read.dependencies),
    parts: both(known?.parts, read.parts),
  }
}

export function hasSameErrors(known: FixtureEntry, made: ReadFixture): boolean {
  const parts = ['routes', 'diagnostics', 'schema', 'dependencies', 'parts'] as const
  const isSame = () => parts.every((part) => isDeepStrictEqual(known[part], made[part]))
  return isFaulty(made) && [...known.stamps].every(([path, stamp]) => isFresh(path, stamp)) && isSame()
}

/** A last good default route is left out where its endpoint has a new one: it may have moved to another file. */
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

function endpointOf({ method = [], path }: Route): string {
  return `${method.join()} ${path}`
}

/** Adds to an error that affects the whole file what answers until it is fixed. */
function withMeanwhile(diagnostic: Diagnostic, kept: readonly Route[], savedAt: number | undefined) {
  const isWhole = !diagnostic.pointer || diagnostic.pointer === '/routes'
  if (diagnostic.severity !== 'error' || !isWhole) return diagnostic
  const lastGood =
    savedAt === undefined
      ? "the file's last good routes answer"
      : `the file answers as saved ${inWords(new Date(savedAt))}`
  return {
    ...diagnostic,
    fix: `${diagnostic.fix} Until then, ${kept.length > 0 ? lastGood : 'the file has no routes'}.`,
  }
}

/** The local time, `at 16:07:31`, or with the day if that is another one. */
function inWords(date: Date): string {
  const time = `at ${date.toTimeString().slice(0, 8)}`
  const day = date.toDateString()
  return day === new Date().toDateString() ? time : `${time} on ${day}`
}

export function isFaulty({ diagnostics }: { diagnostics: readonly Diagnostic[] }): boolean {
  return diagnostics.some(isError)
}

export function hasShrunkToNothing(
  before: ReadonlyMap<string, Stamp>,
  now: ReadonlyMap<string, Stamp>,
): boolean {
  return [...now].some(([path, { size }]) => size === 0 && (before.get(path)?.size ?? 0) > 0)
}

/** A file with errors is read after any change, which may fix it; not a module that never settles and blocks the others. */
export function filesToRead(
  entries: Iterable<[file: string, entry: FixtureEntry]>,
  changed: ReadonlySet<string>,
): string[] {
  const mayBeFixed = (entry: FixtureEntry) =>
    isFaulty(entry) && !entry.diagnostics.some(({ code }) => code === 'fixture-timeout')
  const isStale = ({ stamps }: FixtureEntry) => [...stamps.keys()].some((path) => changed.has(path))
  return [...entries].filter(([, entry]) => mayBeFixed(entry) || isStale(entry)).map(([file]) => file)
}

type PartsEntry = Pick<ReadFixture, 'dependencies' | 'parts' | 'isFixture' | 'diagnostics'>

/** Bodies, lists exported again, and imported modules without a list. Two files that are parts of each other are both kept. */
export function findParts(
  entries: Iterable<[file: string, entry: PartsEntry]> & { get: (file: string) => PartsEntry | undefined },
  links: Links,
): Set<string> {
  const parts = new Set<string>()
  // After a link, the module system knows a module by its real path, and the search by the path through the link.
  const isOneOf = (file: string, paths: readonly string[]) =>
    paths.some((path) => path === file || namesOf(path, links).has(file))
  for (const [file, entry] of entries) {
    if (entry.dependencies.length === 0) continue
    for (const path of new Set(entry.dependencies.flatMap((real) => [...namesOf(real, links)]))) {
      const dependency = entries.get(path)
      if (!dependency || isOneOf(file, dependency.parts)) continue
      if (isOneOf(path, entry.parts) || !dependency.isFixture || dependency.diagnostics.some(saysNoList))
        parts.add(path)
    }
  }
  return parts
}

/** Whether the text of a broken file names the file, which is then probably a part of it. */
export function isNamedInBroken(file: string, entries: Iterable<Pick<ReadFixture, 'brokenText'>>): boolean {
  const { base, name } = parse(file)
  const [whole, imported] = [base, name].map((text) => text.replace(/[^\w-]/g, '\\$&'))
  const named = new RegExp(`(?<![\\w-])${whole}(?![\\w-])|/${imported}["'\`]`)
  for (const { brokenText } of entries) if (brokenText !== undefined && named.test(brokenText)) return true
  return false
}

function saysNoList({ code, pointer }: Diagnostic): boolean {
  return code === 'fixture-no-default-export' || (code === 'fixture-invalid' && pointer === '')
}
