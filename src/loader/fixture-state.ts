import { plural } from '../core/values/describe-value.ts'
import type { Diagnostic, SourceLocation } from '../core/diagnostics/diagnostic.ts'
import { formatPlace } from '../core/diagnostics/format.ts'
import { listSome } from '../core/diagnostics/text.ts'
import { placeTemplates } from '../core/fixture/listed-routes.ts'
import type { Route } from '../core/fixture/route.ts'
import type { SchemaSource } from '../core/graphql-schema/create-checker.ts'
import type { ResolvedOptions } from '../core/options/resolve-options.ts'
import { unknownInOption } from '../core/state/mock-state.ts'
import { compileRoutes } from '../core/table/compile-routes.ts'
import type { RouteTable } from '../core/table/route-table.ts'
import { findParts, isNamedInBroken, withoutReplaced, type FixtureEntry } from './fixture-entries.ts'
import type { FixtureFiles } from './fixture-files.ts'
import type { LoadedChecker } from './graphql-schema.ts'
import { noticeFiles } from './find/notice-files.ts'
import { compareTexts } from '../core/values/values.ts'

export interface FixtureState {
  table: RouteTable
  /** Routes in the order in which they are tried. */
  routes: readonly Route[]
  schemas: readonly SchemaSource[]
  diagnostics: readonly Diagnostic[]
  /** The project's own fixture files that have routes, as messages show them. */
  files: readonly string[]
  /** Whether the starter templates answer, alone or together with the project's own files. */
  hasTemplates: boolean
  /** The files whose routes answer, with errors or not, and the checks of GraphQL documents. */
  own: readonly FixtureEntry[]
  checked: LoadedChecker
}

/** One line that says what answers: `5 routes from the starter templates`. */
export function summarise({ table, files, hasTemplates }: FixtureState): string {
  const routes = plural(table.routeCount, 'route')
  const sources = [
    ...(files.length > 0 ? [listSome(files)] : []),
    ...(hasTemplates ? ['the starter templates'] : []),
  ]
  return sources.length === 0 ? routes : `${routes} from ${sources.join(', and ')}`
}

/** @param options its `fixtures` is without the entry for the starter templates */
export function composeState(
  options: ResolvedOptions,
  { entries, found: { files: paths, misnamed, links } }: Pick<FixtureFiles, 'entries' | 'found'>,
  checked: LoadedChecker,
  templates: readonly Route[] | undefined,
  isLeftOut?: (file: string) => boolean,
): FixtureState {
  const parts = findParts(entries, links)
  const own: FixtureEntry[] = []
  const withoutRoutes: string[] = []
  const read: Route[] = []
  const kept = new Set<Route>()
  const ownDiagnostics: Diagnostic[] = []
  for (const file of paths) {
    const entry = entries.get(file)
    if (!entry || parts.has(file)) continue
    if (!entry.isFixture) {
      if (isNamedInBroken(file, entries.values())) continue
      if (entry.diagnostics.length === 0) withoutRoutes.push(file)
    } else if (isLeftOut?.(file)) continue
    else own.push(entry)
    for (const route of entry.routes) read.push(route)
    for (const route of entry.kept ?? []) kept.add(route)
    ownDiagnostics.push(...entry.diagnostics)
  }
  const ownRoutes = withoutReplaced(read, kept)
  const always = () => ownRoutes.filter(({ scenarios }) => !scenarios)
  const moveTo = (route: Route, path: string) => ({ ...route, path })
  const placed = templates ? placeTemplates(templates, always(), options.graphql.paths, moveTo) : []
  const routes = [...ownRoutes, ...placed]
  const { table, diagnostics } = compileRoutes(routes, { ...options, ...checked })
  return {
    table,
    routes,
    schemas: entrySchemas(entries),
    diagnostics: [
      ...noticeFiles(options, paths, withoutRoutes, misnamed),
      ...ownDiagnostics,
      ...checked.diagnostics,
      ...withoutKept(diagnostics, ownRoutes, kept),
      ...unknownInOption(options, table),
    ],
    files: own.filter(({ hasGoodRoutes }) => hasGoodRoutes).map(({ shown }) => shown),
    hasTemplates: templates !== undefined,
    own,
    checked,
  }
}

/** Drops diagnostics of routes kept from the last good file: their line numbers are stale. */
function withoutKept(diagnostics: readonly Diagnostic[], routes: readonly Route[], kept: ReadonlySet<Route>) {
  if (kept.size === 0) return diagnostics
  const placeText = (source: Partial<SourceLocation>) => `${formatPlace(source)} ${source.pointer}`
  const places = new Set([...kept].map(({ source }) => placeText(source)))
  for (const route of routes) if (!kept.has(route)) places.delete(placeText(route.source))
  return diagnostics.filter((one) => !places.has(placeText(one)))
}

export function entrySchemas(entries: ReadonlyMap<string, FixtureEntry>): SchemaSource[] {
  return [...entries]
    .filter(([, { schema }]) => schema)
    .sort(([a], [b]) => compareTexts(a, b))
    .map(([, { schema }]) => schema!)
}
