import { statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Diagnostic } from '../core/diagnostics/diagnostic.ts'
import { diagnoseFile } from '../core/diagnostics/file-texts.ts'
import { hasPatterns, parseFixture } from '../core/fixture/parse-fixture.ts'
import type { Route } from '../core/fixture/route.ts'
import { loadPatterns } from '../core/select/pattern.ts'
import { findParts } from '../loader/find-parts.ts'
import type { FoundFixtures } from '../loader/find-fixtures.ts'
import { hasDefaultExport, lookAtModule } from '../loader/module/look-at-module.ts'
import { candidates, findImports } from '../loader/module/module-imports.ts'
import { displayPath } from '../loader/paths.ts'
import { isDataFile, readData } from '../loader/read/read-data.ts'
import { diagnoseUnreadable, withFrames } from '../loader/read/read-fixture.ts'
import { emptyFixture, leaveOutEmpty } from '../loader/read/empty-fixture.ts'
import { readText } from '../loader/read/read-whole-file.ts'
import { readRouteFiles } from '../loader/read/read-route-files.ts'

/** A fixture file as a bundle needs it: data as it is written, code only as text. */
export interface BundledFixture {
  path: string
  /** The path as messages show it. */
  file: string
  isFixture: boolean
  diagnostics: Diagnostic[]
  /** Absolute paths of the other files that its part of the bundle is made of. */
  dependencies: string[]
  /** Those that have no routes of their own. */
  parts: string[]
  /** A fixture file that is code: its text. */
  text?: string
  /** A fixture file that is data. */
  data?: DataRoutes
}

/** Lists of the same length. */
interface DataRoutes {
  /** The routes as they are written. */
  written: readonly Readonly<Record<string, unknown>>[]
  /** The same routes, checked, with the contents of their files. */
  routes: readonly Route[]
  /** Line and column of each. */
  positions: readonly (readonly [line: number, column: number])[]
}

/** Reads the fixture files of a bundle, without those that are parts of another one. Never throws. */
export async function readFixtures(root: string, { files, links }: FoundFixtures): Promise<BundledFixture[]> {
  const read = new Map<string, BundledFixture>()
  for (const path of files) read.set(path, await readOne(root, path))
  const parts = findParts(read, links)
  return [...read.values()].filter(({ path }) => !parts.has(path))
}

async function readOne(root: string, path: string): Promise<BundledFixture> {
  const file = displayPath(root, path)
  const none = { path, file, isFixture: true, dependencies: [], parts: [] }
  try {
    return await (isDataFile(path) ? readDataFixture(root, path) : readCodeFixture(root, path))
  } catch (error) {
    return {
      ...none,
      diagnostics: [diagnoseUnreadable(file, error)],
    }
  }
}

/** Reads a fixture file that is data. @throws Error if it can't be read */
export async function readDataFixture(root: string, path: string): Promise<BundledFixture> {
  const file = displayPath(root, path)
  const text = readText(path)
  const source = await readData(path, file, text)
  const own = { path, file, isFixture: true, dependencies: [], parts: [] }
  if ('diagnostic' in source) return { ...own, diagnostics: withFrames([source.diagnostic], file, text) }
  const { value, locate } = source
  if (hasPatterns(value)) await loadPatterns()
  const parsed = leaveOutEmpty(parseFixture(value, { file, ...source }), file)
  const { routes, diagnostics, files } = await readRouteFiles(root, path, parsed.routes)
  const isWrapped = !Array.isArray(value)
  const written = ((isWrapped ? (value as { routes?: unknown } | null)?.routes : value) ??
    []) as DataRoutes['written']
  const positions = written.map((_, index) => {
    const { line = 1, column = 1 } = locate(isWrapped ? ['routes', index] : [index], 'value')
    return [line, column] as const
  })
  return {
    ...own,
    isFixture: parsed.isFixture,
    diagnostics: withFrames([...parsed.diagnostics, ...diagnostics], file, text),
    dependencies: files,
    parts: files,
    data: { written, routes, positions },
  }
}

/** Looks at a fixture file that is code. The bundler compiles it, and nothing runs it here. */
function readCodeFixture(root: string, path: string): BundledFixture {
  const file = displayPath(root, path)
  const text = readText(path)
  const look = lookAtModule(path, text)
  const diagnostics = text.trim() === '' ? emptyFixture(file).diagnostics : []
  const own = { path, file, text, isFixture: look.isFixture, diagnostics }
  if (!look.isFixture) return { ...own, dependencies: look.files, parts: [] }
  if (!hasDefaultExport(text))
    own.diagnostics.push(diagnoseFile('fixture-no-default-export', { file, line: 1 }))
  const imports = findImports(path, resolveImport)
  return { ...own, dependencies: [...imports.all], parts: [...imports.defaults] }
}

/** The file of a relative import. */
export function resolveImport(specifier: string, parent: string): string | undefined {
  return candidates(resolve(dirname(parent), specifier)).find((path) =>
    statSync(path, { throwIfNoEntry: false })?.isFile(),
  )
}
