import type { Plugin, ResolvedConfig, ViteDevServer } from 'vite'
import type { Options } from '../../core/options/options.ts'
import type { RoutesModule } from './vite-routes-module.ts'

/** The module's name, and what it is called in the module graph. */
const name = 'virtual:mock-api'
const id = `\0${name}`

/**
 * The hooks that give `virtual:mock-api` its source. They do nothing where it is not imported. What writes and updates the
 * module is loaded with its first import.
 */
export function viteModuleHooks(options: Options): {
  hooks: Partial<Plugin>
  /** To be called with the resolved config. */
  use: (config: ResolvedConfig) => void
  /** To be called with each dev server. */
  watch: (server: ViteDevServer) => void
  /** To be called with each dev server after the fixture files have been loaded again. */
  reloadStale: (server: ViteDevServer) => void
} {
  let config: ResolvedConfig
  let routesModule: RoutesModule | undefined
  const hooks: Partial<Plugin> = {
    resolveId: {
      filter: { id: /^virtual:mock-api$/ },
      handler: (source) => (source === name ? { id, moduleSideEffects: false } : undefined),
    },
    load: {
      filter: { id: /^\0virtual:mock-api$/ },
      async handler(source, { ssr } = {}) {
        if (source !== id) return undefined
        const { RoutesModule } = await import('./vite-routes-module.ts')
        routesModule ??= new RoutesModule(id, options, config)
        return routesModule.load(this, ssr === true)
      },
    },
    // Not called by Vite 5, see `watch`.
    hotUpdate(change) {
      return routesModule?.update(this.environment, change)
    },
  }
  return {
    hooks,
    use(resolved) {
      config = resolved
    },
    watch(server) {
      const { watcher } = server
      // Vite 5 has a hook for changes only, and none for files that appear or go.
      if (!('environments' in server))
        watcher.on('all', (event, path) => routesModule?.updateInVite5(server, event, path))
    },
    reloadStale: (server) => routesModule?.reloadStale(server),
  }
}
