import type { Compiler } from 'webpack'
import type { ResolvedOptions } from '../../core/options/options.ts'

/**
 * Adds the mock API to a production build of webpack or Rspack, if the option `build` says so. What does it is loaded when the
 * build starts.
 *
 * @param kind which of the two it is
 */
export function addToBuild(compiler: Compiler, kind: 'webpack' | 'rspack', options: ResolvedOptions): void {
  if (!options.build || !options.enabled) return
  compiler.hooks.make.tapPromise('unplugin-mock-api', async (compilation) => {
    if (compilation.compiler !== compiler || !isBuild(compiler)) return
    const { addDemo } = await import('./webpack-demo.ts')
    await addDemo(compilation, kind, options)
  })
}

/** A dev server answers itself. */
function isBuild({ options }: Compiler): boolean {
  return options.mode !== 'development' && !process.env['WEBPACK_SERVE'] && !process.env['RSPACK_SERVE']
}
