import { resolve } from 'node:path'
import type { ResolvedConfig, Rollup, ViteDevServer } from 'vite'
import { writeRoutesModule } from '../../bundle/write-module.ts'
import { formatDiagnostic } from '../../core/diagnostics/format.ts'
import { resolveOptions } from '../../core/options/resolve-options.ts'
import type { Options } from '../../core/options/options.ts'
import { viteWorld } from './vite-world.ts'
import { toPosix } from '../../files/paths.ts'
import { errorsIn } from '../../core/diagnostics/severity.ts'

/** Vite 5 has no environments. */
type LoadContext = Rollup.PluginContext & { environment?: { name: string } }

export class VirtualModule {
  readonly #id: string
  readonly #options: Options
  readonly #config: ResolvedConfig
  /** Sources by the name of the environment; Vite 5 gets the names of later versions. */
  readonly #sources = new Map<string, { isServer: boolean; text: string }>()

  constructor(id: string, options: Options, config: ResolvedConfig) {
    this.#id = id
    this.#options = options
    this.#config = config
  }

  async load(context: LoadContext, isServer: boolean): Promise<Rollup.SourceDescription> {
    const source = { isServer, text: '' }
    this.#sources.set(context.environment?.name ?? (isServer ? 'ssr' : 'client'), source)
    const { code, errors, warnings, files, options } = await this.#write(isServer)
    source.text = codeOrErrors(code, errors)
    // A dev server follows the files itself, and logs warnings.
    const isBuild = this.#config.command === 'build'
    if (isBuild) for (const file of files) context.addWatchFile(file)
    const [first] = errors
    if (first) {
      const { file = '', line = 1, column = 1, frame = '' } = first
      const loc = { file: resolve(options.root, file), line, column }
      context.error({ message: source.text, ...(file && { loc, id: loc.file, frame }) })
    }
    if (isBuild) for (const warning of warnings) options.logger.warn(formatDiagnostic(warning))
    return { code, moduleSideEffects: false }
  }

  /** Vite itself reloads pages for what the module imports; its client makes one reload of those within 20 ms. */
  async reloadChanged(servers: readonly ViteDevServer[]): Promise<void> {
    for (const [environment, source] of this.#sources) {
      const { code, errors } = await this.#write(source.isServer)
      const text = codeOrErrors(code, errors)
      if (text === source.text) continue
      source.text = text
      for (const server of servers) {
        const target = 'environments' in server ? server.environments[environment] : server
        const module = target?.moduleGraph.getModuleById(this.#id)
        if (module) void target!.reloadModule(module)
      }
    }
  }

  async #write(isServer: boolean) {
    const { root, logger, plugins, ssr } = this.#config
    const options = resolveOptions(this.#options, { root, logger, world: () => viteWorld(this.#config) })
    // Vitest runs modules of browsers in Node, where the URL of an asset leads nowhere.
    const emitsAssets = !isServer && !plugins.some((plugin) => plugin.name === 'vitest')
    const { code, diagnostics, files } = await writeRoutesModule(options, {
      hasNode: isServer && ssr?.target !== 'webworker',
      assetUrl: emitsAssets ? importUrl : undefined,
    })
    const errors = errorsIn(diagnostics)
    return { code, errors, warnings: diagnostics, files, options }
  }
}

/** A module with errors has no code. */
function codeOrErrors(code: string, errors: Parameters<typeof formatDiagnostic>[0][]): string {
  return errors.length > 0 ? errors.map(formatDiagnostic).join('\n') : code
}

function importUrl(path: string, variable: string) {
  const statement = `import ${variable} from ${JSON.stringify(`${toPosix(path)}?url`)}`
  return { expression: variable, statement }
}
