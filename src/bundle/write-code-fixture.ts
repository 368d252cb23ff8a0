import type { Diagnostic } from '../core/diagnostics/diagnostic.ts'
import type { Route } from '../core/fixture/route.ts'
import type { FileBody } from '../core/response/file-body.ts'
import { exportLine } from '../loader/module/load-module.ts'
import { readRouteFiles } from '../loader/read/read-route-files.ts'
import type { FileWriter } from './write-files.ts'
import { writeValue } from './write-value.ts'

/** The files that a fixture file in code names, as far as they exist. */
export interface NamedFiles {
  /** Absolute paths. */
  files: string[]
  bodies: Record<string, { path: string; body: FileBody }>
  items: Record<string, unknown[]>
  diagnostics: Diagnostic[]
}

/** `file: 'invoice.pdf'`, perhaps inside of `items: { … }`. */
const fileKey = /(\bitems\s*:\s*\{\s*)?(?<![\w$])["']?file["']?\s*:\s*(['"`])([^'"`\n\\]*[^'"`\n\\$])\2/g

/**
 * Reads the files that the text of a module names as bodies and as items. Which of them its routes use is known only when it
 * runs, where there are no files any more.
 */
export async function readNamedFiles(root: string, path: string, text: string): Promise<NamedFiles> {
  const named: NamedFiles = { files: [], bodies: {}, items: {}, diagnostics: [] }
  for (const [, isItems, , name = ''] of text.matchAll(fileKey)) {
    const source = { file: path }
    const route: Route = { path: '/', source, response: isItems ? {} : { file: name } }
    if (isItems) route.paging = { items: { file: name } } as NonNullable<Route['paging']>
    const { routes, files, diagnostics } = await readRouteFiles(root, path, [route])
    named.files.push(...files)
    // It may be no file of a route. If it is one, the error comes when the module runs.
    if (diagnostics.length > 0) continue
    const { paging, response } = routes[0]!
    if (isItems) named.items[name] = paging!.items as unknown[]
    else named.bodies[name] = { path: files[0]!, body: (response as { body: FileBody }).body }
  }
  return named
}

/** The source of the facts that are known only before the module runs: where its routes are, and what its files hold. */
export function writeCodeFacts(file: string, text: string, named: NamedFiles, files: FileWriter): string {
  const entries = Object.entries(named.bodies)
  return writeValue(
    {
      file,
      lines: linesOfPaths(text),
      exportLine: exportLine(text.split('\n')),
      files: Object.fromEntries(entries.map(([name, { path, body }]) => [name, files.write(path, body)])),
      items: named.items,
    },
    file,
  )
}

/** The lines with a string that could be a route's path, by its text. */
function linesOfPaths(text: string): Record<string, number[]> {
  const lines = new Map<string, Set<number>>()
  text.split('\n').forEach((line, index) => {
    for (const [, , path = ''] of line.matchAll(/(['"`])(\/[^'"`]*)\1/g))
      lines.set(path, (lines.get(path) ?? new Set()).add(index + 1))
  })
  return Object.fromEntries([...lines].map(([path, numbers]) => [path, [...numbers]]))
}

/** Whether the default export is an async function, according to the text: a module has to wait for its routes then. */
export function isAsync(text: string): boolean {
  return /\bexport\s+default\s+(?:defineFixture\s*\(\s*)?async\b/.test(text)
}
