import type { Diagnostic } from '../core/diagnostics/diagnostic.ts'
import { diagnoseFile } from '../core/diagnostics/file-texts.ts'
import { codeFrame, splitLines } from '../core/diagnostics/format.ts'
import { callItems } from '../core/fixture/call-items.ts'
import { neededBy, noFixture, parseFixture, type ParsedFixture } from '../core/fixture/parse-fixture.ts'
import type { FixtureFile, FixtureSource } from '../core/fixture/route.ts'
import { reasonOf } from '../core/values/thrown.ts'
import { fromDatabase } from './database.ts'
import { readData } from './read-data.ts'

/* The text of a fixture file becomes routes, or diagnostics. Pure: what answers in a page reads texts as the loader does. */

type ReadingOptions = Pick<FixtureFile, 'wasFixture' | 'keepsDefinitions' | 'methods'>

interface TextOptions extends ReadingOptions {
  /** Whether an option names the file itself, which may then be a database of json-server. */
  isNamed?: boolean
}

/**
 * Reads YAML or JSON, as the name of the file says. Never throws: all errors are diagnostics. Files that routes send are
 * left to the caller.
 */
export async function readFixtureText(
  text: string,
  file: string,
  { isNamed = false, ...options }: TextOptions = {},
): Promise<ParsedFixture & { isDatabase: boolean }> {
  try {
    const { source, isDatabase } = fromDatabase(await readData(text, file), isNamed)
    return { ...leaveOutEmpty(await readSource(source, file, text, options), file), isDatabase }
  } catch (error) {
    const reason = reasonOf(error) // the value is nested too deeply
    return { ...failed(diagnoseFile('fixture-too-complex', { file }, { reason })), isDatabase: false }
  }
}

/** The value of a file, of data or code, as routes. Each diagnostic about its text shows the line. */
export async function readSource(
  source: FixtureSource,
  file: string,
  text: string,
  options: ReadingOptions,
): Promise<ParsedFixture> {
  if ('value' in source) await neededBy(source.value)?.()
  const parsed =
    'diagnostic' in source
      ? failed(source.diagnostic)
      : parseFixture(source.value, { file, ...options, ...source })
  const { routes, diagnostics } = callItems(parsed.routes)
  const malformed = parsed.isFixture ? findMalformed(text, file) : []
  const all = [...parsed.diagnostics, ...diagnostics, ...malformed]
  return { ...parsed, routes, diagnostics: withFrames(all, file, text) }
}

/** A file without routes gets a warning: the starter templates answer until there is a route. */
export function leaveOutEmpty(parsed: ParsedFixture, file: string): ParsedFixture {
  const { isFixture, routes, hasLostRoutes, diagnostics } = parsed
  const isEmpty = isFixture && routes.length === 0 && !hasLostRoutes && diagnostics.length === 0
  return isEmpty ? emptyFixture(file) : parsed
}

export function emptyFixture(file: string): ParsedFixture {
  return { ...noFixture, diagnostics: [diagnoseFile('fixture-empty', { file })] }
}

export function failed(diagnostic: Diagnostic): ParsedFixture {
  return { isFixture: true, routes: [], hasLostRoutes: true, diagnostics: [diagnostic] }
}

/** The first character that stands for bytes which are not UTF-8. */
export function findMalformed(text: string, file: string): Diagnostic[] {
  const position = text.indexOf('\uFFFD')
  if (position === -1) return []
  const before = splitLines(text.slice(0, position))
  const place = { file, line: before.length, column: before.at(-1)!.length + 1 }
  return [diagnoseFile('fixture-encoding', place)]
}

export function withFrames(diagnostics: readonly Diagnostic[], file: string, text: string): Diagnostic[] {
  let lines: string[] | undefined
  return diagnostics.map((diagnostic) => {
    if (diagnostic.file !== file || diagnostic.line === undefined) return diagnostic
    return {
      ...diagnostic,
      frame: codeFrame((lines ??= splitLines(text)), diagnostic.line, diagnostic.column),
    }
  })
}
