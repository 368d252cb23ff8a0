import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Diagnostic } from '../core/diagnostics/diagnostic.ts'
import { diagnoseFile } from '../core/diagnostics/file-texts.ts'
import { listSome } from '../core/diagnostics/text.ts'
import type { ResolvedOptions } from '../core/options/options.ts'
import { hiddenName, meantName } from './fixture-names.ts'
import { displayPath } from './paths.ts'
import { isDataFile } from './read/read-data.ts'
import type { suggestPlaces as SuggestPlaces } from './suggest-place.ts'

/**
 * Diagnostics about the files that were found: that the option `fixtures`, or an entry of it, matches no file, that some files
 * have no routes, or names that no fixture file has.
 *
 * @param suggestPlaces given where nothing is found, or an entry does not exist; it is imported then
 */
export function noticeFiles(
  { root, fixtures, fixturesGiven }: Pick<ResolvedOptions, 'root' | 'fixtures' | 'fixturesGiven'>,
  found: readonly string[],
  withoutRoutes: readonly string[],
  misnamed: readonly string[],
  suggestPlaces?: typeof SuggestPlaces,
): Diagnostic[] {
  const diagnostics: Diagnostic[] = []
  const show = (file: string) => displayPath(root, file)
  if (isNothingFound({ fixtures, fixturesGiven }, found)) {
    const meant = suggestPlaces?.(root, fixtures)[0]?.meant
    diagnostics.push(diagnoseFile('fixtures-not-found', {}, { fixtures: fixtures.join(', '), meant }))
  } else {
    const suggestions = suggestPlaces?.(root, missingPlaces({ root, fixtures })) ?? []
    for (const suggestion of suggestions)
      diagnostics.push(diagnoseFile('fixtures-entry-missing', {}, suggestion))
  }
  if (misnamed.length > 0) {
    const hidden = misnamed.filter((file) => hiddenName(file) !== undefined)
    const others = misnamed.filter((file) => !hidden.includes(file))
    for (const [files, nameOf] of [
      [others, meantName],
      [hidden, hiddenName],
    ] as const) {
      if (files.length === 0) continue
      const details = { files: files.map(show), meant: nameOf(files[0]!)!, isHidden: files === hidden }
      diagnostics.push(diagnoseFile('fixture-name-unknown', {}, details))
    }
  }
  if (withoutRoutes.length > 0) {
    const isCode = withoutRoutes.some((file) => !isDataFile(file))
    const folder = fixtures[0] ?? 'fixtures'
    diagnostics.push(
      diagnoseFile('fixture-without-routes', {}, { files: withoutRoutes.map(show), folder, isCode }),
    )
  }
  return diagnostics
}

/** Whether the option `fixtures` was given and matches no file. */
export function isNothingFound(
  { fixtures, fixturesGiven }: Pick<ResolvedOptions, 'fixtures' | 'fixturesGiven'>,
  found: readonly string[],
): boolean {
  return found.length === 0 && fixturesGiven && fixtures.length > 0
}

/** The entries of the option `fixtures` that name a file or a folder that does not exist. Globs are left out. */
export function missingPlaces({ root, fixtures }: Pick<ResolvedOptions, 'root' | 'fixtures'>): string[] {
  if (fixtures.length < 2) return []
  return fixtures.filter((entry) => !/[*?!()[\]{}]/.test(entry) && !existsSync(resolve(root, entry)))
}

/** Says that the project's first fixture file replaces the starter templates, and how to keep them. */
export function noticeReplaced(
  { fixtures, graphql }: Pick<ResolvedOptions, 'fixtures' | 'graphql'>,
  files: readonly string[],
): Diagnostic {
  const routes = [...graphql.paths.map((path) => `POST ${path}`), 'GET /items']
  return diagnoseFile('templates-replaced', {}, { routes, files: listSome(files), fixtures })
}
