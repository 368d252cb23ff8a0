import { diagnoseFile } from '../../core/diagnostics/file-texts.ts'
import { noFixture, type ParsedFixture } from '../../core/fixture/parse-fixture.ts'

/** A file without routes is left out with a warning: the starter templates answer until there is a route. */
export function leaveOutEmpty(parsed: ParsedFixture, file: string): ParsedFixture {
  const { isFixture, routes, hasLostRoutes, diagnostics } = parsed
  const isEmpty = isFixture && routes.length === 0 && !hasLostRoutes && diagnostics.length === 0
  return isEmpty ? emptyFixture(file) : parsed
}

export function emptyFixture(file: string): ParsedFixture {
  return { ...noFixture, diagnostics: [diagnoseFile('fixture-empty', { file })] }
}
