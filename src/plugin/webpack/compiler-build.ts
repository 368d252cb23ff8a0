/* What a build needs, imported with the first module or the demo. */
import { statSync } from 'node:fs'
import type { Compilation, Compiler } from 'webpack'
import { buildDemo, workerFile } from '../../bundle/bundle-fixtures.ts'
import type { LoaderContext } from '../../bundle/routes-loader.ts'
import { writeRoutesModule } from '../../bundle/write-module.ts'
import { formatDiagnostic } from '../../core/diagnostics/format.ts'
import type { ResolvedOptions } from '../../core/options/resolve-options.ts'
import { errorsIn } from '../../core/diagnostics/severity.ts'

export type CompilerKind = 'webpack' | 'rspack'

export async function writeForCompiler(
  context: LoaderContext,
  compiler: Compiler,
  options: ResolvedOptions,
): Promise<string> {
  const hasNode = compiler.options.externalsPresets?.node === true
  const { code, diagnostics, files, places } = await writeRoutesModule(options, {
    hasNode,
    assetUrl: hasNode ? undefined : assetUrl,
  })
  for (const file of files) (isThere(file) ? context.addDependency : context.addMissingDependency)(file)
  for (const place of places) {
    if (!isThere(place)) context.addMissingDependency(place)
    else if (!files.includes(place)) context.addContextDependency(place)
  }
  const errors = errorsIn(diagnostics)
  if (errors.length > 0) {
    const message = errors.map(formatDiagnostic).join('\n')
    // The stack of our own code says nothing about a fixture file.
    throw Object.assign(new Error(message), { stack: message, hideStack: true })
  }
  return code
}

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined
}

function assetUrl(path: string) {
  return { expression: `new URL(${JSON.stringify(path)}, import.meta.url).href` }
}

export async function addDemo(
  compilation: Compilation,
  kind: CompilerKind,
  options: ResolvedOptions,
): Promise<void> {
  const { compiler } = compilation
  const { webpack } = compiler
  const bundler = { kind, name: kind === 'webpack' ? 'webpack' : 'Rspack', webpack }
  const minify = compiler.options.optimization.minimize !== false
  const demo = await buildDemo(options, { bundler, minify })
  compilation.fileDependencies.addAll(demo.files)
  compilation.emitAsset(workerFile, new webpack.sources.RawSource(demo.worker))
  options.logger.info(demo.summary)
  const source = demo.page('new URL(__webpack_public_path__, location.href)')
  const request = `data:text/javascript,${encodeURIComponent(source)}`
  // Without a name, it belongs to all entries, and comes first.
  const entry = { name: undefined as never }
  const dependency = webpack.EntryPlugin.createDependency(request, entry)
  await new Promise<void>((resolve, reject) => {
    compilation.addEntry(compiler.context, dependency, entry, (error) => (error ? reject(error) : resolve()))
  })
}
