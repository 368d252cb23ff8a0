import { readFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Jiti } from 'jiti'
import { diagnose } from '../core/diagnostics.ts'
import { placeInStack } from '../core/error-response.ts'
import type { Source } from './read-data.ts'

/** Loads fixture files that are code. */
export interface ModuleLoader {
  /** Imports a fixture file, and names the modules of the project that it is made of. */
  load: (path: string, file: string, text: string) => Promise<{ source: Source; dependencies: string[] }>
  /** Forgets a module and all that import it, so that they are evaluated anew. */
  forget: (path: string) => void
}

/**
 * A loader that evaluates TypeScript and JavaScript in the same way under every host and Node version, and can evaluate
 * a module again once it has changed. Modules are shared between fixture files, as modules are.
 */
export function createModuleLoader(root: string): ModuleLoader {
  let jiti: Jiti | undefined
  /** Imports by module, the transitive ones too. */
  const importsOf = new Map<string, Set<string>>()

  return {
    async load(path, file, text) {
      jiti ??= (await import('jiti')).createJiti(pathToFileURL(`${root}/`).href, { interopDefault: false })
      importsOf.set(path, collectImports(path, jiti))
      const dependencies = [...importsOf.get(path)!]
      try {
        const exported = defaultExport(await jiti.import(path))
        if (exported === undefined) {
          const diagnostic = diagnose('fixture-no-default-export', { file, line: 1, column: 1 })
          return { source: { diagnostic }, dependencies }
        }
        const value: unknown = typeof exported === 'function' ? await (exported as () => unknown)() : exported
        const position = exportPosition(text)
        return { source: { value, locate: () => position }, dependencies }
      } catch (error) {
        return { source: { diagnostic: importFailed(error, path, file) }, dependencies }
      }
    },
    forget(path) {
      if (!jiti) return
      delete jiti.cache[path]
      for (const [module, imports] of importsOf) {
        if (!imports.has(path)) continue
        delete jiti.cache[module]
        for (const other of imports) if (collectImports(other, jiti).has(path)) delete jiti.cache[other]
      }
    },
  }
}

/** The default export of a module; of a CommonJS one, the list or function that it exports. */
function defaultExport(module: unknown): unknown {
  if (Array.isArray(module) || typeof module === 'function') return module
  return (module as { default?: unknown }).default
}

function importFailed(error: unknown, path: string, file: string) {
  const reason = error instanceof Error ? error.message : `it threw ${String(error)}`
  // A parser puts the place at the end of its message, everything else into the stack.
  const parsed = /\s+(\S+):(\d+):(\d+)\s*$/.exec(reason)
  if (parsed?.[1] === path) {
    const place = { file, line: Number(parsed[2]), column: Number(parsed[3]) + 1 }
    return diagnose('fixture-syntax', place, {
      reason: reason.slice(0, parsed.index).replace(/^ParseError: /, ''),
    })
  }
  return diagnose('fixture-import-failed', { file, ...placeInStack(error, path) }, { reason })
}

/** A list that is code has no position for each key; what is wrong in it is reported where it is exported. */
function exportPosition(text: string): { line: number; column: number } {
  const lines = text.split('\n')
  const index = lines.findIndex((line) =>
    /^\s*(export\s+default\b|module\.exports\b|export\s*\{.*\bdefault\b)/.test(line),
  )
  return { line: index === -1 ? 1 : index + 1, column: 1 }
}

/** The project's own modules that a module imports by relative path, and those that these import. */
function collectImports(path: string, jiti: Jiti, found = new Set<string>()): Set<string> {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return found
  }
  for (const [, , specifier] of text.matchAll(
    /(?:from|import|require)\s*\(?\s*(['"])(\.{1,2}\/[^'"\n]+)\1/g,
  )) {
    const url = jiti.esmResolve(specifier!, { parentURL: pathToFileURL(path).href, try: true })
    const imported = url?.startsWith('file:') ? fileURLToPath(url) : url
    if (!imported || imported === path || found.has(imported)) continue
    found.add(imported)
    collectImports(imported, jiti, found)
  }
  return found
}
