import { createUnplugin } from 'unplugin'
import { checkOptions, type Options } from './core/options/options.ts'
import { rsbuildHooks } from './hosts/rsbuild.ts'
import { rspackHook } from './hosts/rspack.ts'
import { viteHooks } from './hosts/vite.ts'
import { webpackHook } from './hosts/webpack.ts'
import type { CompilerPlugin, RsbuildPlugin, VitePlugin } from './plugin-types.ts'

export type { Diagnostic, DiagnosticCode, SourceLocation } from './core/diagnostics/diagnostic.ts'
export { MockApiError } from './core/diagnostics/format.ts'
export type { Logger, LogLevel, Options } from './core/options/options.ts'
export type { CompilerPlugin, RsbuildPlugin, VitePlugin } from './plugin-types.ts'

/** The plugin for each bundler. The entries `/vite`, `/webpack`, `/rspack` and `/rsbuild` load one of them alone. */
export interface MockApiPlugins {
  vite: (options?: Options) => VitePlugin
  webpack: (options?: Options) => CompilerPlugin
  rspack: (options?: Options) => CompilerPlugin
  rsbuild: (options?: Options) => RsbuildPlugin
}

/**
 * The plugin for whichever bundler.
 *
 * @throws MockApiError when an option is unknown or has a value of the wrong kind
 *
 * @example
 * import mockApi from 'unplugin-mock-api'
 *
 * export default { plugins: [mockApi.vite({ fixtures: 'mocks' })] }
 */
export const unplugin = createUnplugin((options: Options = {}) => {
  checkOptions(options)
  return {
    name: 'unplugin-mock-api',
    vite: viteHooks(options),
    webpack: webpackHook(options),
    rspack: rspackHook(options),
    rsbuild: rsbuildHooks(options),
  }
}) as unknown as MockApiPlugins

export default unplugin
