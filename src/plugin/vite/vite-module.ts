import { resolve } from 'node:path'
import type { DevEnvironment, HotUpdateOptions, ResolvedConfig, Rollup, ViteDevServer } from 'vite'
import { writeRoutesModule } from '../../bundle/write-module.ts'
import { formatDiagnostic } from '../../core/diagnostics/format.ts'
import { resolveOptions } from '../../core/options/resolve-options.ts'
import type { Options } from '../../core/options/options.ts'
import { isFixtureName } from '../../loader/fixture-names.ts'
import { isInside, toPosix } from '../../loader/paths.ts'
import { stalePaths, takeStamp, takeStamps } from '../../loader/watch/file-stamps.ts'

/** The context of a hook that loads a module. Vite 5 has no environments. */
type LoadContext = Rollup.PluginContext & { environment?: { name: string } }

/** `virtual:mock-api` in Vite: its source, and when it changes. */
export class VirtualModule {
  readonly #id: string
  readonly #options: Options
  readonly #config: ResolvedConfig
  /** What the last modules were made of. */
  #files = new Set<string>()
  #places: string[] = []
  /** By environment: whether the files of its module have changed since. Deleted when Vite has told its pages of a change. */
  readonly #isStaleIn = new Map<string, () => boolean>()

  /** @param id what it is called in the module graph */
  constructor(id: string, options: Options, config: ResolvedConfig) {
    this.#id = id
    this.#options = options
    this.#config = config
  }

  /** Writes the module for the environment that asks for it. */
  async load(context: LoadContext, isServer: boolean): Promise<Rollup.SourceDescription> {
    const { root, logger, command, plugins, ssr } = this.#config
    const resolved = resolveOptions(this.#options, { root, logger })
    const stamps = takeStamps([...this.#files])
    // Vitest runs modules of browsers in Node, where the URL of an asset leads nowhere.
    const emitsAssets = !isServer && !plugins.some((plugin) => plugin.name === 'vitest')
    const written = await writeRoutesModule(resolved, {
      hasNode: isServer && ssr?.target !== 'webworker',
      assetUrl: emitsAssets ? importUrl : undefined,
    })
    this.#files = new Set([...this.#files, ...written.files.map(toPosix)])
    this.#places = written.places
    for (const file of this.#files) if (!stamps.has(file)) stamps.set(file, takeStamp(file))
    this.#isStaleIn.set(environmentOf(context, isServer), () => stalePaths([{ stamps }]).size > 0)
    for (const file of written.files) context.addWatchFile(file)
    const errors = written.diagnostics.filter(({ severity }) => severity === 'error')
    const [first] = errors
    if (first) {
      const { file = '', line = 1, column = 1, frame = '' } = first
      const loc = { file: resolve(root, file), line, column }
      context.error({
        message: errors.map(formatDiagnostic).join('\n'),
        ...(file && { loc, id: loc.file, frame }),
      })
    }
    // In dev, the server has logged them.
    if (command === 'build')
      for (const warning of written.diagnostics) resolved.logger.warn(formatDiagnostic(warning))
    return { code: written.code, moduleSideEffects: false }
  }

  /** The hook `hotUpdate`. */
  update(
    environment: DevEnvironment,
    { type, file, modules }: HotUpdateOptions,
  ): HotUpdateOptions['modules'] | undefined {
    const module = environment.moduleGraph.getModuleById(this.#id)
    if (!module || !this.#concerns(file, type === 'update')) return undefined
    this.#isStaleIn.delete(environment.name)
    if (!modules.some(({ importers }) => importers.has(module))) return [...modules, module]
    // The update of the fixture file reaches the module, but Vite would keep its source, which says what is in the file.
    environment.moduleGraph.invalidateModule(module)
    return undefined
  }

  /** The same for an event of the watcher of Vite 5. */
  updateInVite5(server: ViteDevServer, event: string, path: string): void {
    const { moduleGraph } = server
    const file = toPosix(path)
    const module = moduleGraph.getModuleById(this.#id)
    if (!module || !this.#concerns(file, event === 'change')) return
    this.#isStaleIn.clear()
    const known = moduleGraph.getModulesByFile(file) ?? new Set()
    if (![...known].some(({ importers }) => importers.has(module))) void server.reloadModule(module)
    else moduleGraph.invalidateModule(module)
  }

  /**
   * Reloads the module where Vite has not noticed a change. Its watcher reports one change of a file within 50 ms, and none for
   * the second half of a save.
   */
  reloadStale(server: ViteDevServer): void {
    for (const [environment, isStale] of this.#isStaleIn) {
      if (!isStale()) continue
      this.#isStaleIn.delete(environment)
      const target = 'environments' in server ? server.environments[environment] : server
      const module = target?.moduleGraph.getModuleById(this.#id)
      if (module) void target!.reloadModule(module)
    }
  }

  /** Whether the module may change with a file that Vite does not know as a part of it. */
  #concerns(file: string, isThere: boolean): boolean {
    if (this.#files.has(file)) return true
    return !isThere && isSourceName(file) && this.#places.some((place) => isInside(place, file))
  }
}

/** The name of the environment that loads a module. For Vite 5, the names are those of later versions. */
function environmentOf({ environment }: LoadContext, isServer: boolean): string {
  return environment?.name ?? (isServer ? 'ssr' : 'client')
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
