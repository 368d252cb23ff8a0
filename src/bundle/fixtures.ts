import type { FixtureResponse } from '../core/schema/schema.ts'
import { textFileOf } from '../core/stream/stream.ts'
import { existsSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { diagnoseFile } from '../core/diagnostics/file-texts.ts'
import type { ModuleWorld } from '../core/options/module-world.ts'
import type { Route } from '../core/fixture/route.ts'
import { isFileChoice, type FileChoice } from '../core/request-values/compile-values.ts'
import { isFileBody, type FileBody } from '../core/response/prepare-response.ts'
import { isRecord } from '../core/values/values.ts'
import { findParts } from '../loader/fixture-entries.ts'
import type { FoundFixtures } from '../loader/find/find-fixtures.ts'
import { exportLine } from '../loader/module/load-module.ts'
import { hasDefaultExport, lookAtModule } from '../loader/module/look-at-module.ts'
import { createFollow } from '../loader/module/follow-import.ts'
import { projectWorld } from '../loader/module/project-world.ts'
import { createResolver, type Resolver } from '../loader/module/resolve-import.ts'
import { findImports, findModule, readModule, scanImports } from '../loader/module/module-imports.ts'
import { displayPath } from '../files/paths.ts'
import { isDataFile } from '../loader/find/fixture-names.ts'
import { emptyFixture } from '../reader/read-fixture-text.ts'
import { diagnoseUnreadable, readFixture, type ReadFixture } from '../loader/read/read-fixture.ts'
import { type Project, readRouteFiles } from '../loader/read/read-route-files.ts'
import { readText } from '../loader/read/read-text.ts'
import { RawCode, writeText, writeValue, type FileWriter } from './source-code.ts'

/** Data is kept as it is written, code as text. */
export interface BundledFixture extends Pick<
  ReadFixture,
  'isFixture' | 'diagnostics' | 'dependencies' | 'parts'
> {
  path: string
  file: string
  /** The source, for code only. */
  text?: string
  /** The routes of a data file, with the contents of their files. Without an error, each has its definition. */
  routes?: readonly Route[]
}

/** Parts of another file are left out. Never throws. */
export async function readForBundle(
  project: Project,
  { files, links }: FoundFixtures,
): Promise<BundledFixture[]> {
  const read = new Map<string, BundledFixture>()
  for (const path of files) read.set(path, await readBundledFixture(project, path))
  const parts = findParts(read, links)
  return [...read.values()].filter(({ path }) => !parts.has(path))
}

/** Never throws. */
export async function readBundledFixture(project: Project, path: string): Promise<BundledFixture> {
  const file = displayPath(project.root, path)
  if (isDataFile(path)) {
    const read = await readFixture(project, path, noModules, undefined, false, true)
    return { path, file, ...read }
  }
  const own = { path, file, isFixture: true, diagnostics: [], dependencies: [], parts: [] }
  try {
    return { ...own, ...readCodeFixture(project, path, file, readText(path)) }
  } catch (error) {
    return { ...own, diagnostics: [diagnoseUnreadable(file, error)] }
  }
}

const noModules = undefined as never

/** One line for each route of a data file without errors, with the contents of its files. */
export function writeDataRoutes({ path, file, routes = [] }: BundledFixture, files: FileWriter): string {
  const lines = routes.map(({ definition, response, sequence, paging, collection }) => {
    const withFile = (one: unknown, checked: Route['response'] | undefined): unknown => {
      const { body, stream } = (checked ?? {}) as FixtureResponse
      if (isRecord(one) && textFileOf(one) !== undefined) return { ...one, stream }
      if (!isRecord(one) || one['file'] === undefined || !(isFileBody(body) || isFileChoice(body))) return one
      const code = files.write(fileOrFolder(path, one['file'] as string | object), body)
      return new RawCode(`/*#__PURE__*/ mockApi.withFile(${writeValue(one, file)}, ${code.text})`)
    }
    const made: Record<string, unknown> = { ...definition }
    if (sequence) {
      const given = made['response'] as unknown[]
      made['response'] = given.map((one, index) => withFile(one, sequence.parts[index]?.response))
    } else if (made['response']) made['response'] = withFile(made['response'], response)
    if (collection) made['collection'] = { ...definition!.collection, items: paging!.items }
    else if (paging) made['paginate'] = { ...definition!.paginate, items: paging.items }
    return `  ${writeValue(made, file)},\n`
  })
  const positions = routes.map(({ source: { line = 1, column = 1 } }) => [line, column])
  return `/*#__PURE__*/ mockApi.dataRoutes(${writeText(file)}, [\n${lines.join('')}], ${writeValue(positions, file)})`
}

/** The files of a choice have their paths from the folder of the fixture file. */
function fileOrFolder(path: string, file: string | object): string {
  return typeof file === 'string' ? resolve(dirname(path), file) : dirname(path)
}

/* Code: the bundler compiles it, and nothing runs it here. */

function readCodeFixture(
  project: Project,
  path: string,
  file: string,
  text: string,
): Partial<BundledFixture> {
  const resolver = resolverOf(project)
  const look = lookAtModule(path, text, undefined, resolver.resolve)
  const diagnostics = text.trim() === '' ? emptyFixture(file).diagnostics : []
  if (!look.isFixture) return { text, isFixture: false, diagnostics, dependencies: look.files }
  if (!hasDefaultExport(text)) diagnostics.push(diagnoseFile('fixture-no-default-export', { file, line: 1 }))
  const imports = findImports(path, createFollow(resolver, findFile))
  return { text, diagnostics, dependencies: [...imports.all], parts: [...imports.defaults] }
}

/** `files` has the absolute paths of the files that the module names. */
export async function writeCodeRoutes(
  project: Project,
  module: string,
  { path, file, text = '' }: BundledFixture,
  writer: FileWriter,
): Promise<{ list: string; files: string[] }> {
  const { files, bodies, items } = await readNamedFiles(project, path, text)
  const facts = {
    file,
    lines: linesOfPaths(text),
    exportLine: exportLine(text.split('\n')),
    files: Object.fromEntries(bodies.map(({ name, path, body }) => [name, writer.write(path, body)])),
    items,
  }
  // A module has to wait for the routes of an async function.
  const isAsync = /\bexport\s+default\s+(?:defineFixture\s*\(\s*)?async\b/.test(text)
  const call = isAsync ? 'await mockApi.asyncCodeRoutes' : '/*#__PURE__*/ mockApi.codeRoutes'
  return { list: `${call}(${module}, ${writeValue(facts, file)})`, files }
}

interface NamedFiles {
  files: string[]
  bodies: { name: string; path: string; body: FileBody | FileChoice }[]
  items: Record<string, unknown[]>
}

/** `file: 'invoice.pdf'`, perhaps inside of `items: { … }`, or `file: { $text: 'invoices/{params.id}.pdf' }`. */
const fileKey =
  /(\bitems\s*:\s*\{\s*)?(?<![\w$])["']?file["']?\s*:\s*(\{\s*["']?\$text["']?\s*:\s*)?(['"`])([^'"`\n\\]*[^'"`\n\\$])\3/g

/** All files that the text names: which of them routes use is known when it runs, where there are no files any more. */
async function readNamedFiles(project: Project, path: string, text: string): Promise<NamedFiles> {
  const named: NamedFiles = { files: [], bodies: [], items: {} }
  for (const [, isItems, isChoice, , name = ''] of text.matchAll(fileKey)) {
    const file = isChoice ? { $text: name } : name
    const route: Route = { path: '/', source: { file: path }, response: isItems ? {} : { file } }
    if (isItems) route.paging = { items: { file: name } } as NonNullable<Route['paging']>
    const { routes, files, diagnostics } = await readRouteFiles(project, path, [route])
    named.files.push(...files)
    // It may be no file of a route. If it is one, the error comes when the module runs.
    if (diagnostics.length > 0) continue
    const { paging, response } = routes[0]!
    if (isItems) named.items[name] = paging!.items as unknown[]
    else
      named.bodies.push({ name, path: fileOrFolder(path, file), body: (response as { body: FileBody }).body })
  }
  return named
}

function linesOfPaths(text: string): Record<string, number[]> {
  const lines = new Map<string, Set<number>>()
  text.split('\n').forEach((line, index) => {
    for (const [, , path = ''] of line.matchAll(/(['"`])(\/[^'"`]*)\1/g))
      lines.set(path, (lines.get(path) ?? new Set()).add(index + 1))
  })
  return Object.fromEntries([...lines].map(([path, numbers]) => [path, [...numbers]]))
}

export function worldOf({ root, world = () => projectWorld(root) }: Project): ModuleWorld {
  return world()
}

function resolverOf(project: Project): Resolver {
  return createResolver(project.root, worldOf(project))
}

/** Modules of packages are not followed. */
function findFile(specifier: string, parent: string): string | undefined {
  return findModule(resolve(dirname(parent), specifier))
}

/**
 * A chain of imports within the project: `['./db.ts', 'node:fs']`; `undefined` if it needs no Node.
 * Packages are not searched: what they import is often never reached in a browser.
 */
export function findNodeImport(project: Project, path: string): string[] | undefined {
  const follow = createFollow(resolverOf(project), findFile)
  const seen = new Set([path])
  const waiting: { module: string; chain: string[] }[] = [{ module: path, chain: [] }]
  for (const { module, chain } of waiting) {
    for (const { specifier, bound } of scanImports(readModule(module))) {
      if (isTypes(bound)) continue
      if (needsNode(specifier, module)) return [...chain, specifier]
      const imported = follow(specifier, module).found
      if (imported === undefined || seen.has(imported)) continue
      seen.add(imported)
      waiting.push({ module: imported, chain: [...chain, specifier] })
    }
  }
  return undefined
}

/** `{ type A, type B }`, which leaves nothing to import. */
function isTypes(bound: string): boolean {
  const [, names] = /^\{([^}]*)\}$/.exec(bound) ?? []
  return names !== undefined && names.split(',').every((name) => /^\s*(?:type\s+\S|$)/.test(name))
}

/** Without `node:`, an installed package may take the place of Node's module: `buffer`, `events`. */
function needsNode(specifier: string, module: string): boolean {
  if (!isBuiltin(specifier)) return false
  if (specifier.startsWith('node:')) return true
  const [name = ''] = specifier.split('/')
  for (let folder = dirname(module); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'node_modules', name, 'package.json'))) return false
    if (folder === dirname(folder)) return true
  }
}
