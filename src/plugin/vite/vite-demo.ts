import type { HtmlTagDescriptor, ResolvedConfig, Rollup } from 'vite'
import { buildDemo, workerFile } from '../../bundle/bundle-fixtures.ts'
import { diagnoseSetup } from '../../core/diagnostics/setup-texts.ts'
import { formatDiagnostic } from '../../core/diagnostics/format.ts'
import { resolveOptions } from '../../core/options/resolve-options.ts'
import type { Options } from '../../core/options/options.ts'
import { viteWorld } from './vite-world.ts'

/** Files for pages of Vite and for modules. Their URLs have the version: browsers may keep scripts for a year. */
const scriptFile = 'mock-api.js'
const moduleFile = 'mock-api-module.js'

export type ViteDemo = NonNullable<Awaited<ReturnType<typeof buildViteDemo>>>

type Chunk = Pick<Rollup.RenderedChunk, 'isEntry' | 'facadeModuleId' | 'fileName'>

/** @returns `undefined` if the plugin is disabled */
export async function buildViteDemo(context: Rollup.PluginContext, given: Options, config: ResolvedConfig) {
  const { root, logger, base } = config
  const options = resolveOptions(given, { root, logger, world: () => viteWorld(config) })
  if (!options.enabled) return undefined
  if (/^(?:\w+:)?\/\//.test(base))
    context.error(formatDiagnostic(diagnoseSetup('worker-elsewhere', {}, { base })))
  const demo = await buildDemo(options, { minify: config.build.minify !== false })
  if (context.meta.watchMode) for (const file of demo.files) context.addWatchFile(file)
  options.logger.info(demo.summary)
  return {
    tagsOf(path: string): HtmlTagDescriptor[] {
      const depth = path.split('/').length - 2
      const folder = /^\.?$|^\.\//.test(base) ? '../'.repeat(depth) || './' : base
      return [
        { tag: 'script', attrs: { src: `${folder}${scriptFile}?${demo.version}` }, injectTo: 'head-prepend' },
      ]
    },
    /** The first import of an entry without a page of Vite; `undefined` for all other chunks. */
    importOf(chunk: Chunk): string | undefined {
      if (!chunk.isEntry || isHtml(chunk)) return undefined
      const depth = chunk.fileName.split('/').length - 1
      return `import "${'../'.repeat(depth) || './'}${moduleFile}?${demo.version}";`
    },
    emit(context: Rollup.PluginContext, bundle: Rollup.OutputBundle): void {
      const emit = (fileName: string, source: string) => context.emitFile({ type: 'asset', fileName, source })
      emit(workerFile, demo.worker)
      const entries = Object.values(bundle).flatMap((output) =>
        output.type === 'chunk' && output.isEntry ? output : [],
      )
      if (entries.some((entry) => isHtml(entry))) emit(scriptFile, demo.page('document.currentScript.src'))
      if (!entries.every((entry) => isHtml(entry))) emit(moduleFile, demo.page('import.meta.url'))
    },
  }
}

function isHtml({ facadeModuleId }: { facadeModuleId?: string | null }): boolean {
  return Boolean(facadeModuleId?.endsWith('.html'))
}
