import type { Plugin, ResolvedConfig } from 'vite'
import type { DemoBuild } from '../bundle/build-demo.ts'
import { diagnoseOption } from '../core/diagnostics/option-texts.ts'
import { formatDiagnostic } from '../core/diagnostics/format.ts'
import { resolveOptions } from '../core/options/resolve-options.ts'
import type { Options } from '../core/options/options.ts'

/**
 * The script of the page, for pages of Vite, and for entries that are modules. Their URLs have the version, since a host may
 * let browsers keep scripts for a year.
 */
const scriptFile = 'mock-api.js'
const moduleFile = 'mock-api-module.js'

/** The part of a plugin context that is used, which differs between the versions of Vite. */
interface Context {
  environment?: { config: { consumer: string } }
}

/** Adds the mock API to a production build, if the option `build` says so. */
export function viteBuildHooks(given: Options): {
  hooks: Partial<Plugin>
  /** To be called with the resolved config. */
  use: (config: ResolvedConfig) => void
} {
  if (given.build === undefined) return { hooks: {}, use: () => {} }
  let config: ResolvedConfig
  let building: Promise<DemoBuild> | undefined
  const isPart = ({ environment }: Context) =>
    config.command === 'build' && (environment ? environment.config.consumer === 'client' : !config.build.ssr)

  const hooks: Partial<Plugin> = {
    async buildStart() {
      if (!isPart(this)) return
      const { root, logger } = config
      const options = resolveOptions(given, { root, logger })
      if (!options.enabled) return
      if (/^(?:\w+:)?\/\//.test(config.base)) {
        this.error(formatDiagnostic(diagnoseOption('worker-elsewhere', {}, { base: config.base })))
      }
      const { buildDemo } = await import('../bundle/build-demo.ts')
      building = buildDemo(options, { minify: config.build.minify !== false })
      const demo = await building
      if (this.meta.watchMode) for (const file of demo.files) this.addWatchFile(file)
      options.logger.info(demo.summary)
    },
    transformIndexHtml: {
      order: 'post',
      async handler(_, { path }) {
        const demo = await building
        if (!demo) return []
        const depth = path.split('/').length - 2
        const root = /^\.?$|^\.\//.test(config.base) ? '../'.repeat(depth) || './' : config.base
        return [
          { tag: 'script', attrs: { src: `${root}${scriptFile}?${demo.version}` }, injectTo: 'head-prepend' },
        ]
      },
    },
    // Entries without a page of Vite: the first import of a module runs before everything else.
    async banner(chunk) {
      const demo = isPart(this) && chunk.isEntry && !isHtml(chunk) ? await building : undefined
      if (!demo) return ''
      const depth = chunk.fileName.split('/').length - 1
      return `import "${'../'.repeat(depth) || './'}${moduleFile}?${demo.version}";`
    },
    async generateBundle(_, bundle) {
      const demo = isPart(this) ? await building : undefined
      if (!demo) return
      const { workerFile } = await import('../bundle/build-demo.ts')
      const emit = (fileName: string, source: string) => this.emitFile({ type: 'asset', fileName, source })
      emit(workerFile, demo.worker)
      const entries = Object.values(bundle).flatMap((output) =>
        output.type === 'chunk' && output.isEntry ? output : [],
      )
      if (entries.some((entry) => isHtml(entry))) emit(scriptFile, demo.page({ kind: 'script' }))
      if (!entries.every((entry) => isHtml(entry))) emit(moduleFile, demo.page({ kind: 'module' }))
    },
  }
  return {
    hooks,
    use(resolved) {
      config = resolved
    },
  }
}

/** Whether an entry is a page of Vite. */
function isHtml({ facadeModuleId }: { facadeModuleId?: string | null }): boolean {
  return Boolean(facadeModuleId?.endsWith('.html'))
}
