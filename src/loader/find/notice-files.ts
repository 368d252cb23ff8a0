import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import { diagnoseFile } from '../../core/diagnostics/file-texts.ts'
import { listSome } from '../../core/diagnostics/text.ts'
import type { ResolvedOptions } from '../../core/options/resolve-options.ts'
import { groupBy } from '../../core/values/collections.ts'
import { isGlob } from './search-files.ts'
import { hiddenName, isDataFile, meantName, namesIn } from './fixture-names.ts'
import { nearestName } from '../../core/values/spelling.ts'
import { displayPath, toPosix } from '../../files/paths.ts'

export function noticeFiles(
  { root, fixtures, fixturesGiven }: Pick<ResolvedOptions, 'root' | 'fixtures' | 'fixturesGiven'>,
  found: readonly string[],
  withoutRoutes: readonly string[],
  misnamed: readonly string[],
): Diagnostic[] {
  const diagnostics: Diagnostic[] = []
  const show = (file: string) => displayPath(root, file)
  if (found.length === 0 && fixturesGiven && fixtures.length > 0) {
    const meant = suggestPlaces(root, fixtures)[0]?.meant
    diagnostics.push(diagnoseFile('fixtures-not-found', {}, { fixtures: fixtures.join(', '), meant }))
  } else {
    const suggestions = suggestPlaces(root, missingPlaces({ root, fixtures }))
    for (const suggestion of suggestions)
      diagnostics.push(diagnoseFile('fixtures-entry-missing', {}, suggestion))
  }
  const isNamedHidden = (file: string) => hiddenName(file) !== undefined
  for (const [isHidden, files] of groupBy(misnamed, isNamedHidden)) {
    const meant = (isHidden ? hiddenName : meantName)(files[0]!)!
    diagnostics.push(diagnoseFile('fixture-name-unknown', {}, { files: files.map(show), meant, isHidden }))
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

function missingPlaces({ root, fixtures }: Pick<ResolvedOptions, 'root' | 'fixtures'>): string[] {
  if (fixtures.length < 2) return []
  const isMissing = (entry: string) => !isGlob(toPosix(entry)) && !existsSync(resolve(root, entry))
  return fixtures.filter((entry) => !entry.startsWith('!') && isMissing(entry))
}

export function noticeReplaced(
  { fixtures, graphql }: Pick<ResolvedOptions, 'fixtures' | 'graphql'>,
  files: readonly string[],
): Diagnostic {
  const routes = [...graphql.paths.map((path) => `POST ${path}`), 'GET /items']
  return diagnoseFile('templates-replaced', {}, { routes, files: listSome(files), fixtures })
}

/** An entry with its first missing name replaced by a similar one that exists: `mocks` for `mock`. */
interface Suggestion {
  entry: string
  meant: string
}

function suggestPlaces(root: string, entries: readonly string[]): Suggestion[] {
  return entries
    .filter((entry) => !entry.startsWith('!'))
    .map((entry) => ({ entry, meant: correctName(root, toPosix(entry).split('/')) }))
    .filter((suggestion): suggestion is Suggestion => suggestion.meant !== undefined)
}

function correctName(root: string, names: readonly string[]): string | undefined {
  const index = names.findIndex((_, at) => !existsSync(resolve(root, folderPath(names.slice(0, at + 1)))))
  if (index === -1) return undefined
  // No one keeps fixture files in hidden folders and `node_modules`.
  const there = namesIn(resolve(root, folderPath(names.slice(0, index)))).filter(
    (name) => !name.startsWith('.') && name !== 'node_modules',
  )
  const meant = nearestName(names[index]!, there)
  return meant === undefined ? undefined : names.with(index, meant).join('/')
}

/** The folder as a path: that of the root folder is `/`, not an empty text. */
function folderPath(names: readonly string[]): string {
  return names.length === 1 && names[0] === '' ? '/' : names.join('/')
}
