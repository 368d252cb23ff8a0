import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Jiti } from 'jiti'
import { diagnose, type Diagnostic } from '../core/diagnostics.ts'
import { placeInStack } from '../core/error-response.ts'
import { displayPath } from './find-fixtures.ts'
import { findImports, type ModuleImports } from './module-imports.ts'
import type { Source } from './read-data.ts'

export interface LoadedModule {
  source: Source
  /** Absolute paths of the project's own modules that it is made of. */
  dependencies: string[]
  /** Those of them whose default export it lists as its own. */
  parts: string[]
}

/** Loads fixture files that are code. */
export interface ModuleLoader {
  load: (path: string, file: string, text: string) => Promise<LoadedModule>
  /** Forgets a module and all that import it, so that they are evaluated anew. */
  forget: (path: string) => void
}

/**
 * A loader that evaluates TypeScript and JavaScript in the same way under every host and Node version, and can evaluate
 * a module again once it has changed. Modules are shared between fixture files, as modules are.
 */
export function createModuleLoader(root: string): ModuleLoader {
  let jiti: Jiti | undefined
  const importsOf = new Map<string, ModuleImports>()
  /** Modules that this loader has evaluated. What another of the process has is not taken over: it may be old. */
  const evaluated = new Set<string>()

  function resolveImport(specifier: string, parent: string): string | undefined {
    const url = jiti!.esmResolve(specifier, { parentURL: pathToFileURL(parent).href, try: true })
    return url?.startsWith('file:') ? fileURLToPath(url) : url
  }

  async function evaluate(path: string): Promise<unknown> {
    for (const module of [path, ...importsOf.get(path)!.all]) {
      if (!evaluated.has(module)) delete jiti!.cache[module]
      evaluated.add(module)
    }
    try {
      // Not `import`: it leaves ES modules to Node, which never evaluates one again.
      return jiti!(path) as unknown
    } catch (error) {
      if (!isTopLevelAwait(error)) throw error
      return jiti!.import(path)
    }
  }

  return {
    async load(path, file, text) {
      jiti ??= (await import('jiti')).createJiti(pathToFileURL(`${root}/`).href, { interopDefault: false })
      const imports = findImports(path, resolveImport)
      importsOf.set(path, imports)
      const found = { dependencies: [...imports.all], parts: [...imports.defaults] }
      try {
        const exported = defaultExport(await inTime(evaluate(path), 'its import'))
        if (exported === undefined) {
          const diagnostic = diagnose('fixture-no-default-export', { file, line: 1, column: 1 })
          return { source: { diagnostic }, ...found }
        }
        const value: unknown =
          typeof exported === 'function'
            ? await inTime((exported as () => unknown)(), 'its function')
            : exported
        const position = exportPosition(text)
        return { source: { value, locate: () => position }, ...found }
      } catch (error) {
        return { source: { diagnostic: importFailed(error, root, [path, ...imports.all]) }, ...found }
      }
    },
    forget(path) {
      evaluated.delete(path)
      for (const [module, { all }] of importsOf) {
        if (!all.has(path)) continue
        for (const affected of [module, ...all]) {
          if (affected === module || findImports(affected, resolveImport).all.has(path))
            evaluated.delete(affected)
        }
      }
    },
  }
}

/** Milliseconds that a fixture file may take: until it is loaded, every request of the dev server waits for it. */
const timeLimit = 10_000

/** @throws Error when a promise does not settle in time */
async function inTime<T>(work: T | Promise<T>, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`${what} did not settle within ${timeLimit / 1000} seconds`)),
      timeLimit,
    )
  })
  try {
    return await Promise.race([work, limit])
  } finally {
    clearTimeout(timer)
  }
}

/** The default export of a module; of a CommonJS one, the list or function that it exports. */
function defaultExport(module: unknown): unknown {
  if (Array.isArray(module) || typeof module === 'function') return module
  return (module as { default?: unknown } | null | undefined)?.default
}

function isTopLevelAwait(error: unknown): boolean {
  return error instanceof Error && /\bawait\b|top-level/i.test(error.message)
}

/** The diagnostic of a module that failed, in that of the project's modules where it failed. */
function importFailed(error: unknown, root: string, modules: readonly string[]): Diagnostic {
  const [path] = modules
  const reason = error instanceof Error ? error.message : `it threw ${String(error)}`
  // A parser puts the place at the end of its message, everything else into the stack.
  const parsed = /\s+(\S+):(\d+):(\d+)\s*$/.exec(reason)
  if (parsed && modules.includes(parsed[1]!)) {
    const place = {
      file: displayPath(root, parsed[1]!),
      line: Number(parsed[2]),
      column: Number(parsed[3]) + 1,
    }
    return diagnose('fixture-syntax', place, {
      reason: reason.slice(0, parsed.index).replace(/^ParseError: /, ''),
    })
  }
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const module =
    stack.split('\n').flatMap((line) => modules.filter((name) => line.includes(`${name}:`)))[0] ?? path!
  return diagnose(
    'fixture-import-failed',
    { file: displayPath(root, module), ...placeInStack(error, module) },
    { reason },
  )
}

/** A list that is code has no position for each key; what is wrong in it is reported where it is exported. */
function exportPosition(text: string): { line: number; column: number } {
  const lines = text.split('\n')
  const index = lines.findIndex((line) =>
    /^\s*(export\s+default\b|module\.exports\b|export\s*\{.*\bdefault\b)/.test(line),
  )
  return { line: index === -1 ? 1 : index + 1, column: 1 }
}
