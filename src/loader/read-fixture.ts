import { readFileSync, realpathSync } from 'node:fs'
import { dirname, extname, resolve } from 'node:path'
import { lookup } from 'mrmime'
import { codeFrame, diagnose, type Diagnostic } from '../core/diagnostics.ts'
import { parseFixture, type FixtureFile, type Route } from '../core/parse-fixture.ts'
import { FileBody } from '../core/respond.ts'
import { displayPath, isInside } from './find-fixtures.ts'
import type { ModuleLoader } from './load-module.ts'

/** What one fixture file came to. */
export interface ReadFixture {
  routes: Route[]
  diagnostics: Diagnostic[]
  /** Absolute paths of the other files it is made of: imported modules, body files. */
  dependencies: string[]
}

/** What a format's reader gives: the value, and where in the text its parts stand. */
export type Source = { value: unknown; locate: FixtureFile['locate'] } | { diagnostic: Diagnostic }

/** Reads one fixture file. Never throws: whatever is wrong with it is a diagnostic. */
export async function readFixture(root: string, path: string, modules: ModuleLoader): Promise<ReadFixture> {
  const file = displayPath(root, path)
  const text = readText(path, file)
  if ('diagnostic' in text) return { routes: [], diagnostics: [text.diagnostic], dependencies: [] }
  const { source, dependencies } = await readSource(path, file, text.value, modules)
  const parsed =
    'diagnostic' in source ? failed(source.diagnostic) : parseFixture(source.value, { file, ...source })
  const read = readBodyFiles(root, path, parsed.routes)
  return {
    routes: read.routes,
    diagnostics: [...parsed.diagnostics, ...read.diagnostics].map((diagnostic) =>
      withFrame(diagnostic, file, text.value),
    ),
    dependencies: [...dependencies, ...read.files],
  }
}

async function readSource(path: string, file: string, text: string, modules: ModuleLoader) {
  const format = extname(path).slice(1)
  // Each reader is loaded when the first file needs it: a dev server's start pays for what the project uses.
  switch (format) {
    case 'yaml':
    case 'yml':
      return { source: (await import('./read-yaml.ts')).readYaml(text, file), dependencies: [] }
    case 'json':
    case 'jsonc':
    case 'json5':
      return { source: (await import('./read-json.ts')).readJson(text, file, format), dependencies: [] }
    default:
      return modules.load(path, file, text)
  }
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

/** Puts the bytes of `response.file` in its place, so that the route table holds everything that is sent. */
function readBodyFiles(root: string, fixturePath: string, routes: readonly Route[]) {
  const files: string[] = []
  const diagnostics: Diagnostic[] = []
  const withBytes = routes.map((route): Route => {
    if (typeof route.response === 'function' || route.response.file === undefined) return route
    const { file: name, ...response } = route.response
    const path = resolve(dirname(fixturePath), name)
    files.push(path)
    try {
      if (!isInside(realpathSync(root), realpathSync(path))) {
        diagnostics.push(diagnose('body-file-outside-root', route.source, { path: name }))
        return route
      }
      const contentType = lookup(path) ?? 'application/octet-stream'
      const isText = /^text\/|[/+](?:json|xml)$|javascript$/.test(contentType)
      const body = new FileBody(readFileSync(path), isText ? `${contentType}; charset=utf-8` : contentType)
      return { ...route, response: { ...response, body } }
    } catch (error) {
      const reason = (error as Error).message
      diagnostics.push(diagnose('body-file-unreadable', route.source, { path: name, reason }))
      return route
    }
  })
  return { routes: diagnostics.length > 0 ? [] : withBytes, diagnostics, files }
}

function withFrame(diagnostic: Diagnostic, file: string, text: string): Diagnostic {
  if (diagnostic.file !== file || diagnostic.line === undefined) return diagnostic
  return { ...diagnostic, frame: codeFrame(text, diagnostic.line, diagnostic.column) }
}
