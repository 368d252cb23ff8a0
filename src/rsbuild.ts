import { createRsbuildPlugin } from 'unplugin'
import { checkOptions } from './core/options/check-options.ts'
import type { Options } from './core/options/options.ts'
import { rsbuildHooks } from './plugin/rsbuild/rsbuild.ts'
import type { RsbuildPlugin } from './plugin-types.ts'

export type { Options } from './core/options/options.ts'

/**
 * The Rsbuild plugin: the dev server and the preview server answer from fixture files. A build is left alone.
 *
 * @param options see {@link Options}; `root` defaults to Rsbuild's root, `logger` to Rsbuild's logger
 * @throws MockApiError when an option is unknown or has a value of the wrong kind
 *
 * @example
 * // rsbuild.config.ts
 * import { defineConfig } from '@rsbuild/core'
 * import mockApi from 'unplugin-mock-api/rsbuild'
 *
 * export default defineConfig({ plugins: [mockApi()] })
 */
export const mockApi = createRsbuildPlugin((options: Options = {}) => {
  checkOptions(options)
  return { name: 'unplugin-mock-api', rsbuild: rsbuildHooks(options) }
}) as (options?: Options) => RsbuildPlugin

export default mockApi
