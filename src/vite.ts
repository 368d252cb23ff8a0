import { createVitePlugin } from 'unplugin'
import { checkOptions, refuseUncalled } from './core/options/check-options.ts'
import type { Options } from './core/options/options.ts'
import { viteHooks } from './plugin/vite/vite.ts'
import type { VitePlugin } from './plugin-types.ts'

export type { Options } from './core/options/options.ts'

/**
 * The Vite plugin: the dev server and the preview server answer from fixture files. A build is left alone.
 *
 * @param options see {@link Options}; `root` defaults to Vite's root, `logger` to Vite's logger
 * @throws MockApiError when an option is unknown or has a value of the wrong kind
 *
 * @example
 * // vite.config.ts
 * import mockApi from 'unplugin-mock-api/vite'
 * import { defineConfig } from 'vite'
 *
 * export default defineConfig({ plugins: [mockApi()] })
 */
export const mockApi = createVitePlugin((options: Options = {}) => {
  checkOptions(options)
  return { name: 'unplugin-mock-api', vite: viteHooks(options) }
}) as (options?: Options) => VitePlugin

// Vite takes a function for a plugin without hooks, and would say nothing. `require` does not list it as an export.
Object.defineProperty(mockApi, 'config', { value: refuseUncalled })

export default mockApi
