import { createUnplugin, type UnpluginFactory } from 'unplugin'
import { checkOptions, type Options } from './core/options.ts'
import { viteHooks } from './hosts/vite.ts'

export type { Diagnostic, DiagnosticCode, SourceLocation } from './core/diagnostics.ts'
export { MockApiError } from './core/diagnostics.ts'
export type { Logger, LogLevel, Options } from './core/options.ts'

/**
 * The plugin's factory, for who builds a plugin of their own on it.
 *
 * @throws MockApiError when an option is unknown or has a value of the wrong kind
 */
export const unpluginFactory: UnpluginFactory<Options | undefined> = (options = {}) => {
  checkOptions(options)
  return { name: 'unplugin-mock-api', vite: viteHooks(options) }
}

export const unplugin = createUnplugin(unpluginFactory)

export default unplugin
