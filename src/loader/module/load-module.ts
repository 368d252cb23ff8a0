import { setMaxListeners } from 'node:events'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Jiti } from 'jiti'
import { diagnoseFile } from '../../core/diagnostics/file-texts.ts'
import type { ModuleWorld } from '../../core/options/module-world.ts'
import type { SchemaSource } from '../../core/graphql-schema/create-checker.ts'
import { snapshot } from '../../core/values/json-value.ts'
import { isRecord, type KeyPath } from '../../core/values/values.ts'
import { lineInCode } from '../../core/fixture/listed-routes.ts'
import type { FixtureSource } from '../../core/fixture/route.ts'
import { isFresh, takeStamp, type Stamp } from '../watch/file-stamps.ts'
import { inTime, type TimeLimit } from '../../wire/in-time.ts'
import { toPosix } from '../../files/paths.ts'
import { importFailed } from './explain-import.ts'
import { findImports, hasText, type Follow, type ModuleImports } from './module-imports.ts'
import type { Resolver } from './resolve-import.ts'

interface LoadedModule {
  source: FixtureSource
  schema?: SchemaSource | undefined
  /** Absolute paths of the project's own modules that it imports. */
  dependencies: string[]
  /** Modules whose default export is a part of this module's. */
  parts: string[]
}

export interface ModuleLimits {
  /** Milliseconds that a fixture file may take to load, since every request of the dev server waits for it. */
  timeLimit?: number
  signal?: AbortSignal
}

export interface ModuleLoader {
  load: (path: string, file: string, text: string, note?: (path: string) => void) => Promise<LoadedModule>
  /** Causes the module and all its importers to be evaluated again. */
  forget: (path: string) => void
  resolver: () => Promise<Resolver>
}

/** Modules are evaluated alike in every host and Node version, once for all importers, and again after a change. */
export function createModuleLoader(
  root: string,
  { timeLimit = 10_000, signal }: ModuleLimits = {},
  worldOf?: () => ModuleWorld,
): ModuleLoader {
  try {
    if (signal) setMaxListeners(0, signal) // many modules load at the same time
  } catch {
    // Node refuses the AbortSignal of an environment such as happy-dom, which has no such limit.
  }
  let made: { world: ModuleWorld; resolver: Resolver; follow: Follow } | undefined
  /** Whether a config or a file of variables has changed since. */
  let isStale = false
  let jiti: Jiti | undefined
  const importsOf = new Map<string, ModuleImports>()
  /** Modules of other loaders in the process are not reused: they may be old. */
  const evaluated = new Map<string, Stamp>()
  /** Modules whose evaluation is not finished, with the import that they belong to. */
  const importing = new Map<string, Promise<unknown>>()

  async function project() {
    const { createJiti } = await import('jiti')
    const { createFollow, createProjectJiti, createResolver, projectWorld } =
      await import('./project-modules.ts')
    if (made && !isStale) return made
    isStale = false
    const world = worldOf?.() ?? projectWorld(root)
    const resolver = createResolver(root, world)
    jiti = createProjectJiti(createJiti, root, { world, resolver })
    const follow = createFollow(resolver, (specifier, parent) => {
      const url = jiti!.esmResolve(specifier, { parentURL: pathToFileURL(parent).href, try: true })
      return url?.startsWith('file:') ? fileURLToPath(url) : url
    })
    return (made = { world, resolver, follow })
  }

  async function evaluate(path: string): Promise<unknown> {
    const modules = [path, ...importsOf.get(path)!.all]
    // Another importer of a module that is still being evaluated would get it without its exports.
    for (;;) {
      const others = modules.flatMap((module) => importing.get(module) ?? [])
      if (others.length === 0) break
      await Promise.allSettled(others)
    }
    for (const module of modules) {
      const stamp = evaluated.get(module)
      if (stamp && !isFresh(module, stamp)) forget(module)
    }
    for (const module of modules) {
      const keys = [module, toPosix(module)] // on Windows, jiti writes paths with forward slashes
      // The cache keeps a module that has thrown, with the exports that it had by then.
      const hasThrown = keys.some((key) => jiti!.cache[key]?.loaded === false)
      if (evaluated.has(module) && !hasThrown) continue
      for (const key of keys) delete jiti!.cache[key]
      evaluated.set(module, takeStamp(module))
    }
    try {
      // Not `import`: it leaves ES modules to Node, which never evaluates a module twice.
      return jiti!(path) as unknown
    } catch (error) {
      if (!isTopLevelAwait(error)) throw error
      const work = jiti!.import(path)
      for (const module of modules) importing.set(module, work)
      return work.finally(() => giveUp(modules, work))
    }
  }

  function giveUp(modules: readonly string[], work?: Promise<unknown>): void {
    for (const module of modules) if (!work || importing.get(module) === work) importing.delete(module)
  }

  function forget(path: string): void {
    if (!made) return
    const { world, resolver, follow } = made
    isStale ||= world.envFiles.includes(path) || resolver.configs.has(path)
    evaluated.delete(path)
    importing.delete(path)
    for (const [module, { all }] of importsOf) {
      if (module !== path && !all.has(path)) continue
      // With circular imports, a module also depends on its importers.
      for (const affected of [module, ...all]) {
        if (affected !== module && !findImports(affected, follow, world.envFiles).all.has(path)) continue
        evaluated.delete(affected)
        importing.delete(affected)
      }
    }
  }

  return {
    async load(path, file, text, note = () => {}) {
      const { world, follow } = await project()
      const imports = findImports(path, follow, world.envFiles)
      importsOf.set(path, imports)
      imports.all.forEach(note)
      const deadline = performance.now() + timeLimit
      const limit = (part: NeverSettled['part']): TimeLimit => ({
        milliseconds: Math.max(0, deadline - performance.now()),
        error: () => new NeverSettled(part),
        signal,
      })
      const found = { dependencies: [...imports.all], parts: [...imports.defaults] }
      try {
        const module = await inTime(evaluate(path), limit('import'))
        const exported = defaultExport(module)
        if (exported === undefined) {
          const diagnostic = diagnoseFile('fixture-no-default-export', { file, line: 1 })
          return { source: { diagnostic }, ...found }
        }
        const value: unknown =
          typeof exported === 'function'
            ? await inTime((exported as () => unknown)(), limit('function'))
            : exported
        const locate = locateRoutes(text, value)
        const sdl = (module as { schema?: unknown }).schema
        const schema = typeof sdl === 'string' ? { file, text: sdl } : undefined
        // The module may change its list later; the routes stay as they were exported.
        return {
          source: { value: snapshot(value), locate, isCode: true },
          schema,
          ...found,
        }
      } catch (error) {
        if (error instanceof NeverSettled) giveUp([path, ...imports.all])
        const diagnostic =
          error instanceof NeverSettled
            ? diagnoseFile('fixture-timeout', { file }, { part: error.part, seconds: timeLimit / 1000 })
            : importFailed(error, root, path, imports)
        return { source: { diagnostic }, ...found }
      }
    },
    forget,
    resolver: async () => (await project()).resolver,
  }
}

class NeverSettled extends Error {
  constructor(readonly part: 'import' | 'function') {
    super()
  }
}

/** In CommonJS, the exported list or function is the default export. */
function defaultExport(module: unknown): unknown {
  if (Array.isArray(module) || typeof module === 'function') return module
  return (module as { default?: unknown } | null | undefined)?.default
}

function isTopLevelAwait(error: unknown): boolean {
  return error instanceof Error && /\bawait\b|top-level/i.test(error.message)
}

/** Reports routes at their lines (`lineInCode`), and otherwise where the list is exported. There is no column. */
function locateRoutes(text: string, value: unknown): (path: KeyPath) => { line: number } {
  let lines: string[] | undefined
  const pathsOf = (list: unknown) =>
    Array.isArray(list) ? list.map((route) => (isRecord(route) ? route['path'] : undefined)) : []
  return (keyPath) => {
    lines ??= text.split('\n')
    const isWrapped = keyPath[0] === 'routes'
    const paths = pathsOf(isWrapped ? (value as { routes?: unknown }).routes : value)
    const index = keyPath[isWrapped ? 1 : 0] as number
    const path = paths[index]
    if (typeof path === 'string') {
      const places = lines.flatMap((line, number) => (hasText(line, path) ? number + 1 : []))
      const line = lineInCode(paths, index, places)
      if (line !== undefined) return { line }
    }
    return { line: exportLine(lines) }
  }
}

export function exportLine(lines: readonly string[]): number {
  const index = lines.findIndex((line) =>
    /^\s*(export\s+default\b|module\.exports\b|export\s*\{.*\bdefault\b)/.test(line),
  )
  return index === -1 ? 1 : index + 1
}
