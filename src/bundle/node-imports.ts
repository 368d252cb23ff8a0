import { existsSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join } from 'node:path'
import { readText, scanImports } from '../loader/module/module-imports.ts'
import { resolveImport } from './read-fixtures.ts'

/**
 * How a module comes to import a module of Node, directly or through others of the project: `['./db.ts', 'node:fs']`.
 * `undefined` if it does not. Packages are not searched: what they import is often never reached in a browser.
 */
export function findNodeImport(path: string): string[] | undefined {
  const seen = new Set([path])
  const waiting: { module: string; chain: string[] }[] = [{ module: path, chain: [] }]
  for (const { module, chain } of waiting) {
    for (const { specifier, bound } of scanImports(readText(module), true)) {
      if (isTypes(bound)) continue
      if (needsNode(specifier, module)) return [...chain, specifier]
      const imported = specifier.startsWith('.') ? resolveImport(specifier, module) : undefined
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
