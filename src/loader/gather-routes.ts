import type { Diagnostic } from '../core/diagnostics/diagnostic.ts'
import type { Route } from '../core/fixture/route.ts'
import { findParts, isNamedInBroken } from './find-parts.ts'
import { withoutReplaced, type Entry } from './fixture-entry.ts'
import type { FixtureFiles } from './fixture-files.ts'

/** What counts of all that was read from the fixture files. */
export interface Gathered {
  /** What it was gathered from. */
  paths: readonly string[]
  read: readonly (Entry | undefined)[]
  /** The files whose routes answer, with errors or not. */
  own: readonly Entry[]
  /** Absolute paths of the files that have something else in them than routes. */
  withoutRoutes: readonly string[]
  routes: readonly Route[]
  /** The index of each file's first route, and behind those the number of routes. */
  starts: readonly number[]
  diagnostics: readonly Diagnostic[]
  /** The files that have a route without errors, as messages show them. */
  answering: readonly string[]
}

/** More changed files than this are not taken over one by one. */
const maxChanged = 10

/**
 * Gathers the routes of all files. It takes over what was gathered last where a few files have other routes than before:
 * the memory of thousands of files is not in the processor's cache, so that reading it takes longer than everything else
 * that a save needs.
 *
 * @param isLeftOut is given the absolute path of a file
 */
export function gatherRoutes(
  files: FixtureFiles,
  isLeftOut?: (file: string) => boolean,
  last?: Gathered,
): Gathered {
  return (last && takeOver(last, files)) ?? gatherAll(files, isLeftOut)
}

function gatherAll({ paths, entries, links }: FixtureFiles, isLeftOut?: (file: string) => boolean): Gathered {
  const parts = findParts(entries, links)
  const read = entries.inOrder
  const own: Entry[] = []
  const withoutRoutes: string[] = []
  const routes: Route[] = []
  const starts = [0]
  const kept = new Set<Route>()
  const diagnostics: Diagnostic[] = []
  const answering: string[] = []
  let broken: Entry[] | undefined
  // Code that runs this rarely is interpreted, and `flatMap` takes ten times as long as `push` there.
  for (const [index, file] of paths.entries()) {
    const entry = read[index]
    if (!entry || parts.has(file)) {
      // It has no routes of its own.
    } else if (!entry.isFixture) {
      const isNamed = isNamedInBroken(file, (broken ??= read.filter(isBroken)))
      if (!isNamed && entry.diagnostics.length === 0) withoutRoutes.push(file)
      if (!isNamed) diagnostics.push(...entry.diagnostics)
    } else if (!isLeftOut?.(file)) {
      own.push(entry)
      for (const route of entry.routes) routes.push(route)
      for (const route of entry.kept ?? []) kept.add(route)
      for (const diagnostic of entry.diagnostics) diagnostics.push(diagnostic)
      if (entry.hasGoodRoutes) answering.push(entry.shown)
    }
    starts.push(routes.length)
  }
  const left = withoutReplaced(routes, kept)
  return { paths, read, own, withoutRoutes, routes: left, starts, diagnostics, answering }
}

/** `undefined` if more has changed than the routes of a few files. */
function takeOver(last: Gathered, { paths, entries }: FixtureFiles): Gathered | undefined {
  const read = entries.inOrder
  if (paths !== last.paths || last.routes.length !== last.starts.at(-1)) return undefined
  const changed: number[] = []
  for (let i = 0; i < read.length; i++)
    if (read[i] !== last.read[i] && changed.push(i) > maxChanged) return undefined
  const own = [...last.own]
  let { routes, starts } = last
  for (const index of changed) {
    const [before, now] = [last.read[index], read[index]]
    if (!before || !now || !isSound(before) || !isSound(now)) return undefined
    const [start, end] = [starts[index]!, starts[index + 1]!]
    if (before.routes.length !== end - start) return undefined // the routes of another file contain them
    own[own.indexOf(before)] = now
    routes = [...routes.slice(0, start), ...now.routes, ...routes.slice(end)]
    const more = now.routes.length - before.routes.length
    if (more !== 0) starts = starts.map((other, place) => (place > index ? other + more : other))
  }
  return { ...last, read, own, routes, starts }
}

function isBroken(entry: Entry | undefined): entry is Entry {
  return entry?.brokenText !== undefined
}

/** Whether a file decides about nothing but its own routes. */
function isSound({ isFixture, routes, kept, diagnostics, dependencies, schema }: Entry): boolean {
  const isAlone = dependencies.length === 0 && !schema
  return isFixture && routes.length > 0 && !kept && diagnostics.length === 0 && isAlone
}
