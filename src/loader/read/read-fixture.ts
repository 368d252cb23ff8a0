import { METHODS } from 'node:http'
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import { diagnoseFile } from '../../core/diagnostics/file-texts.ts'
import type { SchemaSource } from '../../core/graphql-schema/create-checker.ts'
import type { Route } from '../../core/fixture/route.ts'
import { loadPatterns } from '../../core/select/pattern.ts'
import { isTooDeep, reasonOf } from '../../core/values/thrown.ts'
import { displayPath } from '../../files/paths.ts'
import { callItems } from '../../core/fixture/call-items.ts'
import { lookAtModule } from '../module/look-at-module.ts'
import { isDataFile } from '../find/fixture-names.ts'
import { readData, readText } from './read-data.ts'
import { fromDatabase } from './database.ts'
import type { ModuleLoader } from '../module/load-module.ts'
import { findMalformed } from './explain-file.ts'
import { readRouteFiles, type Project } from './read-route-files.ts'
import { UnusableFileError } from '../../files/read-whole-file.ts'
import { codeFrame, splitLines } from '../../core/diagnostics/format.ts'
import { hasPatterns, noFixture, parseFixture, type ParsedFixture } from '../../core/fixture/parse-fixture.ts'
import { errorsIn } from '../../core/diagnostics/severity.ts'

/** For `CONNECT`, Node closes the connection instead of calling a request handler. */
const methods = METHODS.filter((method) => method !== 'CONNECT')

export interface ReadFixture {
  /** Whether it is a list of routes, valid or not. Test data is not. */
  isFixture: boolean
  /** Whether its routes are made from the data of json-server. */
  isDatabase?: boolean
  routes: Route[]
  diagnostics: Diagnostic[]
  /** Whether routes with errors are not in the list, since their requests are unknown. */
  hasLostRoutes: boolean
  schema?: SchemaSource | undefined
  /** Absolute paths: imported modules, body files. */
  dependencies: string[]
  /** Files without routes of their own, since this file sends them or includes their list. */
  parts: string[]
  /** The text and fixes of a file with errors: which other files it names can't be known. */
  brokenText?: string | undefined
}

/**
 * Never throws: all errors are diagnostics.
 *
 * @param note is called with the path of each file before it is read, since it may change while others are being read
 * @param wasFixture whether the file had routes before: it is an error if it no longer has any
 * @param given the text, if it is not the file's own
 */
export async function readFixture(
  project: Project,
  path: string,
  modules: ModuleLoader,
  note: (path: string) => void = () => {},
  wasFixture = false,
  keepsDefinitions = false,
  given?: string,
): Promise<ReadFixture> {
  const file = displayPath(project.root, path)
  let text = ''
  let made: { dependencies: string[]; parts: string[] } = { dependencies: [], parts: [] }
  try {
    note(path)
    text = given ?? readText(path)
  } catch (error) {
    return { ...failed(diagnoseUnreadable(file, error)), ...made }
  }
  try {
    // An emptied module is as good as a new one that is still empty. Anything else in its place is a mistake.
    const hasListed = wasFixture && text.trim() !== ''
    const look =
      isDataFile(path) || hasListed
        ? undefined
        : lookAtModule(path, text, note, (await modules.resolver()).resolve)
    if (look && !look.isFixture)
      return { ...(text.trim() === '' ? emptyFixture(file) : noFixture), dependencies: look.files, parts: [] }
    const { source, schema, dependencies, parts, isDatabase } = isDataFile(path)
      ? {
          ...fromDatabase(await readData(path, file, text), project, path),
          ...{ schema: undefined, dependencies: [], parts: [] },
        }
      : { ...(await modules.load(path, file, text, note)), isDatabase: false }
    made = { dependencies, parts }
    if ('value' in source && hasPatterns(source.value)) await loadPatterns()
    const whole =
      'diagnostic' in source
        ? failed(source.diagnostic)
        : parseFixture(source.value, {
            file,
            wasFixture,
            keepsDefinitions,
            methods,
            ...source,
          })
    const parsed = schema === undefined ? leaveOutEmpty(whole, file) : whole
    const called = callItems(parsed.routes)
    const read = await readRouteFiles(project, path, called.routes, note)
    const diagnostics = [...parsed.diagnostics, ...called.diagnostics, ...read.diagnostics]
    if (parsed.isFixture) diagnostics.push(...findMalformed(text, file))
    return {
      isFixture: parsed.isFixture || schema !== undefined,
      isDatabase,
      routes: read.routes,
      hasLostRoutes: parsed.hasLostRoutes,
      schema,
      diagnostics: withFrames(diagnostics, file, text),
      brokenText: describeBroken(text, diagnostics),
      dependencies: [...dependencies, ...read.files],
      parts: [...parts, ...read.files],
    }
  } catch (error) {
    // The value is nested too deeply, or, in a module, has properties that throw when they are read.
    const code = isDataFile(path) || isTooDeep(error) ? 'fixture-too-complex' : 'fixture-import-failed'
    return { ...failed(diagnoseFile(code, { file }, { reason: reasonOf(error) })), ...made }
  }
}

/** A file without routes gets a warning: the starter templates answer until there is a route. */
function leaveOutEmpty(parsed: ParsedFixture, file: string): ParsedFixture {
  const { isFixture, routes, hasLostRoutes, diagnostics } = parsed
  const isEmpty = isFixture && routes.length === 0 && !hasLostRoutes && diagnostics.length === 0
  return isEmpty ? emptyFixture(file) : parsed
}

export function emptyFixture(file: string): ParsedFixture {
  return { ...noFixture, diagnostics: [diagnoseFile('fixture-empty', { file })] }
}

function failed(diagnostic: Diagnostic): ParsedFixture {
  return { isFixture: true, routes: [], hasLostRoutes: true, diagnostics: [diagnostic] }
}

export function diagnoseUnreadable(file: string, error: unknown): Diagnostic {
  const fix = error instanceof UnusableFileError ? error.fix : undefined
  return diagnoseFile('fixture-unreadable', { file }, { reason: reasonOf(error), fix })
}

function describeBroken(text: string, diagnostics: readonly Diagnostic[]): string | undefined {
  const errors = errorsIn(diagnostics)
  return errors.length > 0 ? [text, ...errors.map(({ fix }) => fix)].join('\n') : undefined
}

function withFrames(diagnostics: readonly Diagnostic[], file: string, text: string): Diagnostic[] {
  let lines: string[] | undefined
  return diagnostics.map((diagnostic) => {
    if (diagnostic.file !== file || diagnostic.line === undefined) return diagnostic
    return {
      ...diagnostic,
      frame: codeFrame((lines ??= splitLines(text)), diagnostic.line, diagnostic.column),
    }
  })
}
