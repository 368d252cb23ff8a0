import { join } from 'node:path'
import type { ResolvedOptions } from '../../core/options/options.ts'
import { packageFolder } from '../../bundle/package-files.ts'
import type { WriteForLoader } from '../../bundle/routes-loader.ts'
import type { CompilerTarget } from './compiler-routes-module.ts'
import { addToHash, hashStart } from '../../core/values/hash.ts'

/** The part of a compiler of webpack or Rspack that is used. */
interface ModuleCompiler {
  options: CompilerTarget
  webpack: {
    NormalModuleReplacementPlugin: new (
      request: RegExp,
      replacement: string,
    ) => { apply: (compiler: never) => void }
  }
}

const writerKey = Symbol.for('unplugin-mock-api.routes-module')

/**
 * Gives a compiler `virtual:mock-api`. It is a file of this package with a loader that returns another source, so nothing is
 * written anywhere. The request is replaced before webpack looks at its scheme, which it would not know.
 *
 * A second call for the same compiler does nothing: with several plugins, the module has the routes of the first.
 */
export function provideModule(compiler: ModuleCompiler, options: ResolvedOptions): void {
  if (writerKey in compiler) return
  const write: WriteForLoader = async (context) => {
    const { writeForCompiler } = await import('./compiler-routes-module.ts')
    return writeForCompiler(context, compiler.options, options)
  }
  Object.defineProperty(compiler, writerKey, { value: write })
  const dist = join(packageFolder(), 'dist')
  // The options are a part of the request, and so of the key in a cache on the disk.
  const request = `!!${join(dist, 'bundle/routes-loader.js')}?${keyOf(options)}!${join(dist, 'bundle/entry.js')}`
  new compiler.webpack.NormalModuleReplacementPlugin(/^virtual:mock-api$/, request).apply(compiler as never)
}

/** Data options that are the same have the same key. */
function keyOf(options: ResolvedOptions): string {
  const data = JSON.stringify({ ...options, logger: undefined })
  return (addToHash(hashStart, data) >>> 0).toString(36)
}
