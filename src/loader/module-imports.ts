import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** What a module imports by relative path. */
export interface ModuleImports {
  /** Absolute paths of all modules that it is made of, those that these import too. Some may not exist yet. */
  all: Set<string>
  /** Those whose default export is imported: a list that is listed again. */
  defaults: Set<string>
}

/** Resolves a relative specifier; `undefined` when there is no such module. */
export type Resolve = (specifier: string, parent: string) => string | undefined

/**
 * Finds the imports of a module in its text. The module system could tell them only once it has evaluated the module, and
 * tells them to the first of several importers alone.
 */
export function findImports(path: string, resolveImport: Resolve): ModuleImports {
  const imports: ModuleImports = { all: new Set(), defaults: new Set() }
  collect(path, imports, resolveImport)
  imports.all.delete(path)
  imports.defaults.delete(path)
  return imports
}

const importPattern =
  /\b(?:import|export)\s+(?<type>type\s+)?(?<clause>[\w$\s{},*]*?)\s*from\s*(['"])(?<from>\.{1,2}\/[^'"\n]+)\3|\b(?:import|require)\s*\(?\s*(['"])(?<bare>\.{1,2}\/[^'"\n]+)\5/g

function collect(path: string, imports: ModuleImports, resolveImport: Resolve): void {
  for (const { groups } of readCode(path).matchAll(importPattern)) {
    if (groups!.type) continue
    const specifier = groups!.from ?? groups!.bare!
    const found = resolveImport(specifier, path)
    // One that is missing is waited for, under each name that it can have.
    for (const module of found ? [found] : candidates(resolve(dirname(path), specifier))) {
      if (found && importsDefault(groups!.clause)) imports.defaults.add(module)
      if (imports.all.has(module)) continue
      imports.all.add(module)
      collect(module, imports, resolveImport)
    }
  }
}

/** `import list from`, `import * as all from`, `export * from` and `{ default … }` take the default export. */
function importsDefault(clause: string | undefined): boolean {
  return clause === undefined || /^[\w$]|\*|\bdefault\b/.test(clause)
}

function candidates(path: string): string[] {
  const bare = path.replace(/\.m?[jt]s$/, '')
  return [path, ...['.ts', '.mts', '.js', '.mjs', '/index.ts', '/index.js'].map((ending) => bare + ending)]
}

/** A module's text without its comments, as far as a search for imports needs it. */
function readCode(path: string): string {
  try {
    return readFileSync(path, 'utf8')
      .replace(/\/\*[\s\S]*?\*\//g, '')
      .replace(/^\s*\/\/.*$/gm, '')
  } catch {
    return ''
  }
}
