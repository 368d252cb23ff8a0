import { diagnose, type Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import type { SchemaSource } from '../../core/graphql-schema/create-checker.ts'
import type { Route } from '../../core/fixture/route.ts'
import { isTooDeep, reasonOf } from '../../core/values/thrown.ts'
import { displayPath } from '../paths.ts'
import { isDataFile, readData } from './read-data.ts'
import type { ModuleLoader } from '../module/load-module.ts'
import { readRouteFiles } from './read-route-files.ts'
import { byteOrderMark, readWholeFile } from './read-whole-file.ts'
import { codeFrame } from '../../core/diagnostics/format.ts'
import { splitLines } from '../../core/diagnostics/format.ts'
import { parseFixture } from '../../core/fixture/parse-fixture.ts'

/** What one fixture file came to. */
export interface ReadFixture {
  routes: Route[]
  diagnostics: Diagnostic[]
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
 */
export async function readFixture(
  root: string,
  path: string,
  modules: ModuleLoader,
  note: (path: string) => void = () => {},
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
    const { source, schema, dependencies, parts } = await readSource(path, file, text, modules, note)
    made = { dependencies, parts }
    const parsed =
      'diagnostic' in source ? failed(source.diagnostic) : parseFixture(source.value, { file, ...source })
    const read = await readRouteFiles(root, path, parsed.routes, note)
    return {
      routes: read.routes,
      schema,
      diagnostics: withFrames([...parsed.diagnostics, ...read.diagnostics], file, text),
      dependencies: [...dependencies, ...read.files],
      parts: [...parts, ...read.files],
    }
  } catch (error) {
    // What is nested without end, and values of a module whose properties throw when they are read.
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

function failed(diagnostic: Diagnostic): { routes: Route[]; diagnostics: Diagnostic[] } {
  return { routes: [], diagnostics: [diagnostic] }
}

function readText(path: string): string {
  const text = readWholeFile(path).toString('utf8').replace(byteOrderMark, '')
  return text.includes('\r') ? text.replaceAll(/\r(?!\n)/g, '\n') : text // as old as Mac OS 9, and YAML may have it
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
