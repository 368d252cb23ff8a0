import type { Diagnostic } from '../core/diagnostics/diagnostic.ts'
import { diagnoseFolder } from '../core/diagnostics/folder-texts.ts'
import { listSome } from '../core/diagnostics/text.ts'
import type { ResolvedOptions } from '../core/options/options.ts'
import { meantName } from './fixture-names.ts'
import { displayPath } from './paths.ts'
import { isDataFile } from './read/read-data.ts'

/**
 * Diagnostics about the files that were found: that the option `fixtures` matches no file, that some files have no routes, or
 * names that no fixture file has.
 */
export function noticeFiles(
  { root, fixtures, fixturesGiven }: Pick<ResolvedOptions, 'root' | 'fixtures' | 'fixturesGiven'>,
  found: readonly string[],
  withoutRoutes: readonly string[],
  misnamed: readonly string[],
): Diagnostic[] {
  const diagnostics: Diagnostic[] = []
  const show = (file: string) => displayPath(root, file)
  if (found.length === 0 && fixturesGiven && fixtures.length > 0)
    diagnostics.push(diagnoseFolder('fixtures-not-found', {}, { fixtures: fixtures.join(', ') }))
  if (misnamed.length > 0) {
    const meant = meantName(misnamed[0]!)!
    diagnostics.push(diagnoseFolder('fixture-name-unknown', {}, { files: misnamed.map(show), meant }))
  }
  if (withoutRoutes.length > 0) {
    const isCode = withoutRoutes.some((file) => !isDataFile(file))
    const folder = fixtures[0] ?? 'fixtures'
    diagnostics.push(
      diagnoseFolder('fixture-without-routes', {}, { files: withoutRoutes.map(show), folder, isCode }),
    )
  }
  return diagnostics
}

/** Says that the project's first fixture file replaces the starter templates, and how to keep them. */
export function noticeReplaced(
  { fixtures, graphql }: Pick<ResolvedOptions, 'fixtures' | 'graphql'>,
  files: readonly string[],
): Diagnostic {
  const routes = [...graphql.paths.map((path) => `POST ${path}`), 'GET /items']
  return diagnoseFolder('templates-replaced', {}, { routes, files: listSome(files), fixtures })
}
