import { METHODS } from 'node:http'
import { resolve } from 'node:path'
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import { diagnoseFile } from '../../core/diagnostics/file-texts.ts'
import type { SchemaSource } from '../../core/graphql-schema/create-checker.ts'
import type { Route } from '../../core/fixture/route.ts'
import { isTooDeep, reasonOf } from '../../core/values/thrown.ts'
import { displayPath } from '../../files/paths.ts'
import { lookAtModule } from '../module/look-at-module.ts'
import { isDataFile } from '../find/fixture-names.ts'
import { readText } from './read-text.ts'
import {
  emptyFixture,
  failed,
  leaveOutEmpty,
  readFixtureText,
  readSource,
  withFrames,
} from '../../reader/read-fixture-text.ts'
import type { ModuleLoader } from '../module/load-module.ts'
import { readRouteFiles, type Project } from './read-route-files.ts'
import { UnusableFileError } from '../../files/read-whole-file.ts'
import { noFixture, type ParsedFixture } from '../../core/fixture/parse-fixture.ts'
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
    const options = { wasFixture, keepsDefinitions, methods }
    let schema: SchemaSource | undefined
    let parsed: ParsedFixture & Pick<ReadFixture, 'isDatabase'>
    if (isDataFile(path))
      parsed = await readFixtureText(text, file, { ...options, isNamed: isNamed(project, path) })
    else {
      const { source, ...module } = await modules.load(path, file, text, note)
      ;({ schema, ...made } = module)
      const whole = await readSource(source, file, text, options)
      parsed = schema === undefined ? leaveOutEmpty(whole, file) : whole
    }
    const read = await readRouteFiles(project, path, parsed.routes, note)
    const diagnostics = [...parsed.diagnostics, ...withFrames(read.diagnostics, file, text)]
    return {
      isFixture: parsed.isFixture || schema !== undefined,
      isDatabase: parsed.isDatabase ?? false,
      routes: read.routes,
      hasLostRoutes: parsed.hasLostRoutes,
      schema,
      diagnostics,
      brokenText: describeBroken(text, diagnostics),
      dependencies: [...made.dependencies, ...read.files],
      parts: [...made.parts, ...read.files],
    }
  } catch (error) {
    // The value is nested too deeply, or, in a module, has properties that throw when they are read.
    const code = isDataFile(path) || isTooDeep(error) ? 'fixture-too-complex' : 'fixture-import-failed'
    return { ...failed(diagnoseFile(code, { file }, { reason: reasonOf(error) })), ...made }
  }
}

function isNamed({ root, fixtures = [] }: Project, path: string): boolean {
  return fixtures.some((entry) => resolve(root, entry) === path)
}

export function diagnoseUnreadable(file: string, error: unknown): Diagnostic {
  const fix = error instanceof UnusableFileError ? error.fix : undefined
  return diagnoseFile('fixture-unreadable', { file }, { reason: reasonOf(error), fix })
}

function describeBroken(text: string, diagnostics: readonly Diagnostic[]): string | undefined {
  const errors = errorsIn(diagnostics)
  return errors.length > 0 ? [text, ...errors.map(({ fix }) => fix)].join('\n') : undefined
}
