import type { Options } from './core/options/options.ts'
import type { CompilerPlugin, RsbuildPlugin, VitePlugin } from './plugin-types.ts'
import { mockApi as rsbuild } from './rsbuild.ts'
import { mockApi as rspack } from './rspack.ts'
import { mockApi as vite } from './vite.ts'
import { mockApi as webpack } from './webpack.ts'

export type { Diagnostic, DiagnosticCode, SourceLocation } from './core/diagnostics/diagnostic.ts'
export { MockApiError } from './core/diagnostics/format.ts'
export type { Logger, LogLevel, Options } from './core/options/options.ts'
export type { CompilerPlugin, RsbuildPlugin, VitePlugin } from './plugin-types.ts'

/** The plugin for each bundler. The entries `/vite`, `/webpack`, `/rspack` and `/rsbuild` load one of them alone. */
export interface MockApiPlugins {
  /** For the `plugins` of a Vite config. */
  vite: (options?: Options) => VitePlugin
  /** For the `plugins` of a webpack config. */
  webpack: (options?: Options) => CompilerPlugin
  /** For the `plugins` of an Rspack config. */
  rspack: (options?: Options) => CompilerPlugin
  /** For the `plugins` of an Rsbuild config. */
  rsbuild: (options?: Options) => RsbuildPlugin
}

/**
 * The plugin for every bundler.
 *
 * @throws MockApiError when an option is unknown or has a value of the wrong kind
 *
 * @example
 * import mockApi from 'unplugin-mock-api'
 *
 * export default { plugins: [mockApi.vite({ fixtures: 'mocks' })] }
 */
export const unplugin: MockApiPlugins = { vite, webpack, rspack, rsbuild }

export default unplugin
