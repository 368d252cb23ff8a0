import type { Diagnostic } from '../core/diagnostics/diagnostic.ts'
import type { Route } from '../core/fixture/route.ts'
import type { SchemaSource } from '../core/graphql-schema/create-checker.ts'
import type { ResolvedOptions } from '../core/options/options.ts'
import { unknownInOption } from '../core/state/unknown-scenarios.ts'
import { createCompiler } from '../core/table/compile-routes.ts'
import { findParts } from './find-parts.ts'
import { withoutReplaced, type Entry } from './fixture-entry.ts'
import type { FixtureFiles } from './fixture-files.ts'
import type { FixtureState } from './fixture-state.ts'
import type { LoadedChecker } from './load-checker.ts'
import { noticeFiles } from './notice-files.ts'
import { placeTemplates } from './templates.ts'

/** The files that count, out of all that were found. */
export interface Listed {
  /** Those whose routes answer, with errors or not. */
  own: Entry[]
  /** Absolute paths of those that list no routes. */
  withoutRoutes: string[]
}

/** @param isLeftOut is given the absolute path of a file */
export function listEntries(
  { paths, entries, links }: FixtureFiles,
  isLeftOut?: (file: string) => boolean,
): Listed {
  const parts = findParts(entries, links)
  const listed: Listed = { own: [], withoutRoutes: [] }
  for (const file of paths) {
    const entry = entries.get(file)
    if (!entry || parts.has(file)) continue
    if (!entry.isFixture) listed.withoutRoutes.push(file)
    else if (!isLeftOut?.(file)) listed.own.push(entry)
  }
  return listed
}

export function schemasOf(entries: Iterable<Entry>): SchemaSource[] {
  const schemas: SchemaSource[] = []
  for (const { schema } of entries) if (schema) schemas.push(schema)
  return schemas
}

/**
 * Makes a function that makes the state of the fixture files out of what was read from them.
 *
 * Each save runs it for all files. Loops over thousands of them that run only now and then are interpreted, not compiled, where
 * `flatMap` takes ten times as long as `push`.
 */
export function createComposer(
  options: ResolvedOptions,
  fixtures: readonly string[],
): (
  files: FixtureFiles,
  listed: Listed,
  checked: LoadedChecker,
  templates: readonly Route[] | undefined,
) => FixtureState {
  const compile = createCompiler(options)
  return (files, { own, withoutRoutes }, checked, templates) => {
    const { routes, diagnostics, shown } = gather(own)
    if (templates) routes.push(...placeTemplates(templates, routes, options.graphql.paths))
    const compiled = compile(routes, checked)
    return {
      table: compiled.table,
      routes,
      schemas: schemasOf(files.entries.values()),
      diagnostics: [
        ...noticeFiles({ ...options, fixtures }, files.paths, withoutRoutes),
        ...diagnostics,
        ...checked.diagnostics,
        ...compiled.diagnostics,
        ...unknownInOption(options, compiled.table),
      ],
      files: shown,
      hasTemplates: templates !== undefined,
    }
  }
}

function gather(own: readonly Entry[]) {
  const all: Route[] = []
  const kept = new Set<Route>()
  const diagnostics: Diagnostic[] = []
  const shown: string[] = []
  for (const entry of own) {
    for (const route of entry.routes) all.push(route)
    for (const route of entry.kept ?? []) kept.add(route)
    for (const diagnostic of entry.diagnostics) diagnostics.push(diagnostic)
    if (entry.hasGoodRoutes) shown.push(entry.shown)
  }
  return { routes: withoutReplaced(all, kept), diagnostics, shown }
}
