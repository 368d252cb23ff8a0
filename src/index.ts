import { createUnplugin, type UnpluginFactory } from 'unplugin'
import { checkOptions, type Options } from './core/options/options.ts'
import { rsbuildHooks } from './hosts/rsbuild.ts'
import { rspackHook } from './hosts/rspack.ts'
import { viteHooks } from './hosts/vite.ts'
import { webpackHook } from './hosts/webpack.ts'

export type { Diagnostic, DiagnosticCode, SourceLocation } from './core/diagnostics/diagnostic.ts'
export { MockApiError } from './core/diagnostics/format.ts'
export type { Logger, LogLevel, Options } from './core/options/options.ts'

/**
 * The plugin's factory, for who builds a plugin of their own on it.
 *
 * @throws MockApiError when an option is unknown or has a value of the wrong kind
 */
export const unpluginFactory: UnpluginFactory<Options | undefined> = (options = {}) => {
  checkOptions(options)
  return {
    name: 'unplugin-mock-api',
    vite: viteHooks(options),
    webpack: webpackHook(options),
    rspack: rspackHook(options),
    rsbuild: rsbuildHooks(options),
  }
}

export const unplugin = createUnplugin(unpluginFactory)

export default unplugin
