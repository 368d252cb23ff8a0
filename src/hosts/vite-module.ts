import { resolve } from 'node:path'
import type { Plugin, ResolvedConfig, ViteDevServer } from 'vite'
import { formatDiagnostic } from '../core/diagnostics/format.ts'
import { resolveOptions } from '../core/options/resolve-options.ts'
import type { Options } from '../core/options/options.ts'
import { isFixtureName } from '../loader/fixture-names.ts'
import { isInside, toPosix } from '../loader/paths.ts'

/** The module's name, and what it is called in the module graph. */
const name = 'virtual:mock-api'
const id = `\0${name}`

/**
 * The hooks that give `virtual:mock-api` its source. They do nothing in a build that does not import it. What writes the module
 * is loaded with its first import.
 */
export function viteModuleHooks(options: Options): {
  hooks: Partial<Plugin>
  /** To be called with the resolved config. */
  use: (config: ResolvedConfig) => void
  /** To be called with each dev server. */
  watch: (server: ViteDevServer) => void
  /**
   * To be called with each dev server after the fixture files have been loaded again: reloads the module where Vite has not
   * noticed. Its watcher reports one change of a file within 50 ms, and none for the second half of a save.
   */
  reloadStale: (server: ViteDevServer) => void
} {
  let config: ResolvedConfig
  /** What the last modules were made of. */
  let files = new Set<string>()
  let places: string[] = []
  /** By environment: whether the files of its module have changed since. Deleted when Vite has told its pages of a change. */
  const isStaleIn = new Map<string, () => boolean>()

  /** Whether the module may change with a file that Vite does not know as a part of it. */
  const concerns = (file: string, isThere: boolean) =>
    files.has(file) || (!isThere && isSourceName(file) && places.some((place) => isInside(place, file)))

  const hooks: Partial<Plugin> = {
    resolveId: {
      filter: { id: /^virtual:mock-api$/ },
      handler: (source) => (source === name ? { id, moduleSideEffects: false } : undefined),
    },
    load: {
      filter: { id: /^\0virtual:mock-api$/ },
      async handler(source, { ssr } = {}) {
        if (source !== id) return undefined
        const [{ writeRoutesModule }, { stalePaths, takeStamp, takeStamps }] = await Promise.all([
          import('../bundle/write-module.ts'),
          import('../loader/watch/file-stamps.ts'),
        ])
        const { root, logger, command, plugins } = config
        const resolved = resolveOptions(options, { root, logger })
        const isServer = ssr === true
        const stamps = takeStamps([...files])
        // Vitest runs modules of browsers in Node, where the URL of an asset leads nowhere.
        const emitsAssets = !isServer && !plugins.some((plugin) => plugin.name === 'vitest')
        const written = await writeRoutesModule(resolved, {
          hasNode: isServer && config.ssr?.target !== 'webworker',
          assetUrl: emitsAssets ? importUrl : undefined,
        })
        files = new Set([...files, ...written.files.map(toPosix)])
        places = written.places
        for (const file of files) if (!stamps.has(file)) stamps.set(file, takeStamp(file))
        isStaleIn.set(environmentOf(this, isServer), () => stalePaths([{ stamps }]).size > 0)
        for (const file of written.files) this.addWatchFile(file)
        const errors = written.diagnostics.filter(({ severity }) => severity === 'error')
        const [first] = errors
        if (first) {
          const { file = '', line = 1, column = 1, frame = '' } = first
          const loc = { file: resolve(root, file), line, column }
          this.error({
            message: errors.map(formatDiagnostic).join('\n'),
            ...(file && { loc, id: loc.file, frame }),
          })
        }
        // In dev, the server has logged them.
        if (command === 'build')
          for (const warning of written.diagnostics) resolved.logger.warn(formatDiagnostic(warning))
        return { code: written.code, moduleSideEffects: false }
      },
    },
    // Not called by Vite 5, see `reloadInVite5`.
    hotUpdate({ type, file, modules }) {
      const module = this.environment.moduleGraph.getModuleById(id)
      if (!module || !concerns(file, type === 'update')) return undefined
      isStaleIn.delete(this.environment.name)
      if (!modules.some(({ importers }) => importers.has(module))) return [...modules, module]
      // The update of the fixture file reaches the module, but Vite would keep its source, which says what is in the file.
      this.environment.moduleGraph.invalidateModule(module)
      return undefined
    },
  }
  return {
    hooks,
    use(resolved) {
      config = resolved
    },
    watch(server) {
      if (!('environments' in server))
        reloadInVite5(server, (file, isThere) => {
          const isConcerned = concerns(file, isThere)
          if (isConcerned) isStaleIn.clear()
          return isConcerned
        })
    },
    reloadStale(server) {
      for (const [environment, isStale] of isStaleIn) {
        if (!isStale()) continue
        isStaleIn.delete(environment)
        reloadIn(server, environment)
      }
    },
  }
}

/** The name of the environment that loads a module. Vite 5 has none: these are those of later versions. */
function environmentOf({ environment }: { environment?: { name: string } }, isServer: boolean): string {
  return environment?.name ?? (isServer ? 'ssr' : 'client')
}

function reloadIn(server: ViteDevServer, name: string): void {
  const target = 'environments' in server ? server.environments[name] : server
  const module = target?.moduleGraph.getModuleById(id)
  if (module) void target!.reloadModule(module)
}

/** What `hotUpdate` does. Vite 5 has a hook for changes only, and none for files that appear or go. */
function reloadInVite5(server: ViteDevServer, concerns: (file: string, isThere: boolean) => boolean): void {
  const { moduleGraph, watcher } = server
  watcher.on('all', (event, path) => {
    const file = toPosix(path)
    const module = moduleGraph.getModuleById(id)
    if (!module || !concerns(file, event === 'change')) return
    const known = moduleGraph.getModulesByFile(file) ?? new Set()
    if (![...known].some(({ importers }) => importers.has(module))) void server.reloadModule(module)
    else moduleGraph.invalidateModule(module)
  })
}

function importUrl(path: string, variable: string) {
  return {
    expression: variable,
    statement: `import ${variable} from ${JSON.stringify(`${toPosix(path)}?url`)}`,
  }
}

function isSourceName(path: string): boolean {
  return isFixtureName(path) || /\.(?:graphqls?|gql)$/.test(path)
}
