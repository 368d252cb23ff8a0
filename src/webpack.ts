import { createWebpackPlugin } from 'unplugin'
import { checkOptions, refusingCompiler } from './core/options/check-options.ts'
import type { Options } from './core/options/options.ts'
import { webpackHook } from './plugin/webpack/webpack.ts'
import type { CompilerPlugin } from './plugin-types.ts'

export type { Options } from './core/options/options.ts'

/**
 * The webpack plugin: webpack-dev-server answers from fixture files. A build is left alone.
 *
 * @param options see {@link Options}; `root` defaults to webpack's `context`, `logger` to webpack's infrastructure logger
 * @throws MockApiError when webpack gets the config, and an option is unknown or has a value of the wrong kind
 *
 * @example
 * // webpack.config.mjs
 * import mockApi from 'unplugin-mock-api/webpack'
 *
 * export default { entry: './src/main.js', plugins: [mockApi()] }
 */
export const mockApi = refusingCompiler(
  createWebpackPlugin((options: Options = {}) => {
    checkOptions(options)
    return { name: 'unplugin-mock-api', webpack: webpackHook(options) }
  }) as (options?: Options) => CompilerPlugin,
)

export default mockApi
