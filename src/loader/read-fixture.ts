import { readFileSync } from 'node:fs'
import { codeFrame, diagnose, type Diagnostic } from '../core/diagnostics.ts'
import { parseFixture, type Route } from '../core/parse-fixture.ts'
import { displayPath } from './find-fixtures.ts'
import { isDataFile, readData } from './read-data.ts'
import type { ModuleLoader } from './load-module.ts'
import { readRouteFiles } from './read-route-files.ts'

/** What one fixture file came to. */
export interface ReadFixture {
  routes: Route[]
  diagnostics: Diagnostic[]
  /** Absolute paths of the other files it is made of: imported modules, body files. */
  dependencies: string[]
  /** Those of them that list no routes of their own, since this file sends them or lists them as its own. */
  parts: string[]
}

/** Reads one fixture file. Never throws: whatever is wrong with it is a diagnostic. */
export async function readFixture(root: string, path: string, modules: ModuleLoader): Promise<ReadFixture> {
  const file = displayPath(root, path)
  const text = readText(path, file)
  if ('diagnostic' in text) return { routes: [], diagnostics: [text.diagnostic], dependencies: [], parts: [] }
  const { source, dependencies, parts } = await readSource(path, file, text.value, modules)
  const parsed =
    'diagnostic' in source ? failed(source.diagnostic) : parseFixture(source.value, { file, ...source })
  const read = await readRouteFiles(root, path, parsed.routes)
  return {
    routes: read.routes,
    diagnostics: [...parsed.diagnostics, ...read.diagnostics].map((diagnostic) =>
      withFrame(diagnostic, file, text.value),
    ),
    dependencies: [...dependencies, ...read.files],
    parts: [...parts, ...read.files],
  }
}

async function readSource(path: string, file: string, text: string, modules: ModuleLoader) {
  return isDataFile(path)
    ? { source: await readData(path, file, text), dependencies: [], parts: [] }
    : modules.load(path, file, text)
}

function failed(diagnostic: Diagnostic): { routes: Route[]; diagnostics: Diagnostic[] } {
  return { routes: [], diagnostics: [diagnostic] }
}

function readText(path: string, file: string): { value: string } | { diagnostic: Diagnostic } {
  try {
    return { value: readFileSync(path, 'utf8').replace(/^\uFEFF/, '') }
  } catch (error) {
    return { diagnostic: diagnose('fixture-unreadable', { file }, { reason: (error as Error).message }) }
  }
}

function withFrame(diagnostic: Diagnostic, file: string, text: string): Diagnostic {
  if (diagnostic.file !== file || diagnostic.line === undefined) return diagnostic
  return { ...diagnostic, frame: codeFrame(text, diagnostic.line, diagnostic.column) }
}
