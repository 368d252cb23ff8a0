import { diagnose, type Diagnostic } from '../core/diagnostics/diagnostic.ts'
import { listSome } from '../core/diagnostics/text.ts'
import type { ResolvedOptions } from '../core/options/options.ts'
import { displayPath } from './paths.ts'
import { isDataFile } from './read/read-data.ts'

/**
 * Diagnostics about the files that were found: that the option `fixtures` matches no file, or that some files have no
 * routes.
 */
export function noticeFiles(
  { root, fixtures, fixturesGiven }: Pick<ResolvedOptions, 'root' | 'fixtures' | 'fixturesGiven'>,
  found: readonly string[],
  withoutRoutes: readonly string[],
): Diagnostic[] {
  if (found.length === 0 && fixturesGiven && fixtures.length > 0)
    return [diagnose('fixtures-not-found', {}, { fixtures: fixtures.join(', ') })]
  if (withoutRoutes.length === 0) return []
  const files = withoutRoutes.map((file) => displayPath(root, file))
  const isCode = withoutRoutes.some((file) => !isDataFile(file))
  return [diagnose('fixture-without-routes', {}, { files, folder: fixtures[0] ?? 'fixtures', isCode })]
}

/** Says that the project's first fixture file replaces the starter templates, and how to keep them. */
export function noticeReplaced(
  { fixtures, graphql }: Pick<ResolvedOptions, 'fixtures' | 'graphql'>,
  files: readonly string[],
): Diagnostic {
  const routes = [...graphql.paths.map((path) => `POST ${path}`), 'GET /items']
  return diagnose('templates-replaced', {}, { routes, files: listSome(files), fixtures })
}
