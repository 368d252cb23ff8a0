import type { Compilation } from 'webpack'
import { buildDemo, workerFile } from '../../bundle/build-demo.ts'
import type { ResolvedOptions } from '../../core/options/options.ts'

/** Adds the worker as a file, and its registration as the first module of each entry. */
export async function addDemo(
  compilation: Compilation,
  kind: 'webpack' | 'rspack',
  options: ResolvedOptions,
): Promise<void> {
  const { compiler } = compilation
  const { webpack } = compiler
  const bundler = { kind, name: kind === 'webpack' ? 'webpack' : 'Rspack', webpack }
  const demo = await buildDemo(options, {
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
  const dependency = webpack.EntryPlugin.createDependency(request, entry)
  await new Promise<void>((resolve, reject) => {
    compilation.addEntry(compiler.context, dependency, entry, (error) => {
      if (error) reject(error)
      else resolve()
    })
  })
}
