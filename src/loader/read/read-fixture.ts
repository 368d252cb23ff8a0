import { diagnose, type Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import type { SchemaSource } from '../../core/graphql-schema/create-checker.ts'
import type { Route } from '../../core/fixture/route.ts'
import { isTooDeep, reasonOf } from '../../core/values/thrown.ts'
import { displayPath } from '../paths.ts'
import { lookAtModule } from '../module/looks-like-fixture.ts'
import { isDataFile, readData } from './read-data.ts'
import type { ModuleLoader } from '../module/load-module.ts'
import { readRouteFiles } from './read-route-files.ts'
import { byteOrderMark, readWholeFile } from './read-whole-file.ts'
import { codeFrame } from '../../core/diagnostics/format.ts'
import { splitLines } from '../../core/diagnostics/format.ts'
import { noFixture, parseFixture, type ParsedFixture } from '../../core/fixture/parse-fixture.ts'

/** What was read from one file. */
export interface ReadFixture {
  /** Whether it lists routes, well or badly written. Test data does not, and has no diagnostics. */
  isFixture: boolean
  routes: Route[]
  diagnostics: Diagnostic[]
  /** Whether there are routes that are not in the list, since nothing tells which requests they are for. */
  hasLostRoutes: boolean
  /** The GraphQL schema that a module exports beside its routes. */
  schema?: SchemaSource | undefined
  /** Absolute paths of the other files it is made of: imported modules, body files. */
  dependencies: string[]
  /** Those of them that list no routes of their own, since this file sends them or lists them as its own. */
  parts: string[]
}

/**
 * Reads one fixture file. Never throws: whatever is wrong with it is a diagnostic.
 *
 * @param note is told of each file before it is read, since it can be written to while the others are read
 * @param wasFixture whether the file has listed routes before: then it is an error if it does not any more
 */
export async function readFixture(
  root: string,
  path: string,
  modules: ModuleLoader,
  note: (path: string) => void = () => {},
  wasFixture = false,
): Promise<ReadFixture> {
  const file = displayPath(root, path)
  let text = ''
  let made: { dependencies: string[]; parts: string[] } = { dependencies: [], parts: [] }
  try {
    note(path)
    text = readText(path)
  } catch (error) {
    return { ...failed(diagnose('fixture-unreadable', { file }, { reason: reasonOf(error) })), ...made }
  }
  try {
    // An emptied module is as good as a new one that is still empty. Anything else in its place is a mistake.
    const hasListed = wasFixture && text.trim() !== ''
    const look = isDataFile(path) || hasListed ? undefined : lookAtModule(path, text, note)
    if (look && !look.isFixture) return { ...noFixture, dependencies: look.files, parts: [] }
    const { source, schema, dependencies, parts } = await readSource(path, file, text, modules, note)
    made = { dependencies, parts }
    const parsed =
      'diagnostic' in source
        ? failed(source.diagnostic)
        : parseFixture(source.value, { file, wasFixture, ...source })
    const read = await readRouteFiles(root, path, parsed.routes, note)
    return {
      isFixture: parsed.isFixture || schema !== undefined,
      routes: read.routes,
      hasLostRoutes: parsed.hasLostRoutes,
      schema,
      diagnostics: withFrames([...parsed.diagnostics, ...read.diagnostics], file, text),
      dependencies: [...dependencies, ...read.files],
      parts: [...parts, ...read.files],
    }
  } catch (error) {
    // A value that is nested too deeply, or, in a module, whose properties throw when they are read.
    const code = isDataFile(path) || isTooDeep(error) ? 'fixture-too-complex' : 'fixture-import-failed'
    return { ...failed(diagnose(code, { file }, { reason: reasonOf(error) })), ...made }
  }
}

async function readSource(
  path: string,
  file: string,
  text: string,
  modules: ModuleLoader,
  note: (path: string) => void,
) {
  return isDataFile(path)
    ? { source: await readData(path, file, text), schema: undefined, dependencies: [], parts: [] }
    : modules.load(path, file, text, note)
}

function failed(diagnostic: Diagnostic): ParsedFixture {
  return { isFixture: true, routes: [], hasLostRoutes: true, diagnostics: [diagnostic] }
}

function readText(path: string): string {
  const text = readWholeFile(path).toString('utf8').replace(byteOrderMark, '')
  return text.includes('\r') ? text.replaceAll(/\r(?!\n)/g, '\n') : text // a lone CR ends a line in YAML
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
