import type { Diagnostic } from '../core/diagnostics/diagnostic.ts'
import { listSome } from '../core/diagnostics/text.ts'
import { placeTemplates } from '../core/fixture/listed-routes.ts'
import type { Route } from '../core/fixture/route.ts'
import type { SchemaSource } from '../core/graphql-schema/create-checker.ts'
import type { ResolvedOptions } from '../core/options/options.ts'
import { unknownInOption } from '../core/state/unknown-scenarios.ts'
import { compileRoutes } from '../core/table/compile-routes.ts'
import type { RouteTable } from '../core/table/route-table.ts'
import { findParts, isNamedInBroken, withoutReplaced, type Entry } from './fixture-entries.ts'
import type { FixtureFiles } from './fixture-files.ts'
import type { LoadedChecker } from './graphql-schema.ts'
import { noticeFiles } from './notice-files.ts'

/** The state of the fixture files at one moment. */
export interface FixtureState {
  table: RouteTable
  /** What the table was compiled from, in the order in which routes are tried. */
  routes: readonly Route[]
  /** The GraphQL schemas that fixture files export. */
  schemas: readonly SchemaSource[]
  diagnostics: readonly Diagnostic[]
  /** The project's own fixture files that have routes, as messages show them. */
  files: readonly string[]
  /** Whether the starter templates answer, alone or together with the project's own files. */
  hasTemplates: boolean
}

/** One line that says what answers: `5 routes from the starter templates`. */
export function summarise({ table, files, hasTemplates }: FixtureState): string {
  const routes = `${table.routeCount} ${table.routeCount === 1 ? 'route' : 'routes'}`
  const sources = [
    ...(files.length > 0 ? [listSome(files)] : []),
    ...(hasTemplates ? ['the starter templates'] : []),
  ]
  return sources.length === 0 ? routes : `${routes} from ${sources.join(', and ')}`
}

/** What counts of all that was read from the fixture files. */
export interface Gathered {
  /** The files whose routes answer, with errors or not. */
  own: readonly Entry[]
  /** Absolute paths of the files that have something else in them than routes. */
  withoutRoutes: readonly string[]
  routes: readonly Route[]
  diagnostics: readonly Diagnostic[]
}

/**
 * Gathers the routes of all files.
 *
 * @param isLeftOut is given the absolute path of a file
 */
export function gatherRoutes(
  { paths, entries, links }: FixtureFiles,
  isLeftOut?: (file: string) => boolean,
): Gathered {
  const parts = findParts(entries, links)
  const own: Entry[] = []
  const withoutRoutes: string[] = []
  const routes: Route[] = []
  const kept = new Set<Route>()
  const diagnostics: Diagnostic[] = []
  for (const file of paths) {
    const entry = entries.get(file)
    if (!entry || parts.has(file)) continue
    if (!entry.isFixture) {
      if (isNamedInBroken(file, entries.values())) continue
      if (entry.diagnostics.length === 0) withoutRoutes.push(file)
    } else if (isLeftOut?.(file)) continue
    else own.push(entry)
    for (const route of entry.routes) routes.push(route)
    for (const route of entry.kept ?? []) kept.add(route)
    diagnostics.push(...entry.diagnostics)
  }
  return { own, withoutRoutes, routes: withoutReplaced(routes, kept), diagnostics }
}

/**
 * Compiles what was gathered.
 *
 * @param options `fixtures` is without the word for the starter templates
 * @param templates their routes, if they answer
 */
export function composeState(
  options: ResolvedOptions,
  { entries, paths, misnamed }: FixtureFiles,
  { own, withoutRoutes, routes: ownRoutes, diagnostics: found }: Gathered,
  checked: LoadedChecker,
  templates: readonly Route[] | undefined,
): FixtureState {
  const always = ownRoutes.filter(({ scenarios }) => !scenarios)
  const moveTo = (route: Route, path: string) => ({ ...route, path })
  const placed = placeTemplates(templates ?? [], always, options.graphql.paths, moveTo)
  const routes = templates ? [...ownRoutes, ...placed] : ownRoutes
  const { table, diagnostics } = compileRoutes(routes, { ...options, ...checked })
  return {
    table,
    routes,
    schemas: schemasOf(entries),
    diagnostics: [
      ...noticeFiles(options, paths, withoutRoutes, misnamed),
      ...found,
      ...checked.diagnostics,
      ...diagnostics,
      ...unknownInOption(options, table),
    ],
    files: own.filter(({ hasGoodRoutes }) => hasGoodRoutes).map(({ shown }) => shown),
    hasTemplates: templates !== undefined,
  }
}

/** The GraphQL schemas that the files export, in the order of their paths. */
export function schemasOf(entries: ReadonlyMap<string, Entry>): SchemaSource[] {
  return [...entries]
    .filter(([, { schema }]) => schema)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { schema }]) => schema!)
}
