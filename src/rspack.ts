import { createRspackPlugin } from 'unplugin'
import { checkOptions, refusingCompiler } from './core/options/check-options.ts'
import type { Options } from './core/options/options.ts'
import { rspackHook } from './plugin/rspack/rspack.ts'
import type { CompilerPlugin } from './plugin-types.ts'

export type { Options } from './core/options/options.ts'

/**
 * The Rspack plugin: the dev server answers from fixture files. A build is left alone.
 *
 * @param options see {@link Options}; `root` defaults to Rspack's `context`, `logger` to Rspack's logger
 * @throws MockApiError when an option is unknown or has a value of the wrong kind, once Rspack applies the plugin
 *
 * @example
 * // rspack.config.mjs
 * import mockApi from 'unplugin-mock-api/rspack'
 *
 * export default {
 *   entry: './src/main.js',
 *   plugins: [mockApi()],
 * }
 */
export const mockApi = refusingCompiler(
  createRspackPlugin((options: Options = {}) => {
    checkOptions(options)
    return { name: 'unplugin-mock-api', rspack: rspackHook(options) }
  }) as (options?: Options) => CompilerPlugin,
)

export default mockApi
