import type { Compiler } from 'webpack'
import type { DemoBuild } from '../bundle/build-demo.ts'
import type { ResolvedOptions } from '../core/options/options.ts'

const pluginName = 'unplugin-mock-api'

/**
 * Adds the mock API to a production build of webpack or Rspack, if the option `build` says so: the worker as a file, and its
 * registration as the first module of each entry.
 *
 * @param kind which of the two it is
 */
export function addToBuild(compiler: Compiler, kind: 'webpack' | 'rspack', options: ResolvedOptions): void {
  if (!options.build || !options.enabled) return
  const { webpack } = compiler
  compiler.hooks.make.tapPromise(pluginName, async (compilation) => {
    if (compilation.compiler !== compiler || !isBuild(compiler)) return
    const { buildDemo, workerFile } = await import('../bundle/build-demo.ts')
    const bundler = { kind, name: kind === 'webpack' ? 'webpack' : 'Rspack', webpack }
    const demo: DemoBuild = await buildDemo(options, {
      bundler,
      minify: compiler.options.optimization.minimize !== false,
    })
    compilation.fileDependencies.addAll(demo.files)
    compilation.emitAsset(workerFile, new webpack.sources.RawSource(demo.worker))
    options.logger.info(demo.summary)
    const source = demo.page({ kind: 'bundled', root: '__webpack_public_path__' })
    const request = `data:text/javascript,${encodeURIComponent(source)}`
    // Without a name, it belongs to all entries, and comes first.
    const entry = { name: undefined as never }
    await new Promise<void>((resolve, reject) => {
      compilation.addEntry(
        compiler.context,
        webpack.EntryPlugin.createDependency(request, entry),
        entry,
        (error) => {
          if (error) reject(error)
          else resolve()
        },
      )
    })
  })
}

/** A dev server answers itself. */
function isBuild({ options }: Compiler): boolean {
  return options.mode !== 'development' && !process.env['WEBPACK_SERVE'] && !process.env['RSPACK_SERVE']
}
