import type { Server as HttpServer } from 'node:http'
import type { Plugin, ResolvedConfig, ViteDevServer } from 'vite'
import type { Options } from '../../core/options/options.ts'
import type { MockServer } from '../../server/mock-server.ts'
import { socketOrigins, viteOrigins } from '../../server/origin-policies.ts'
import { hasBadge, withBadge } from '../badge/with-badge.ts'
import { addInstance, PluginInstance } from '../plugin-instance.ts'
import type { ViteDemo } from './vite-demo.ts'
import type { VirtualModule } from './vite-module.ts'
import { viteWorld } from './vite-world.ts'
import { withNotes } from '../overlay/note.ts'
import { sendReload, showInNewPage, updateOverlay, viteClient } from './vite-pages.ts'
import {
  addShortcut,
  announce,
  isInspected,
  isViteSocket,
  moveChecksInFront,
  passOptions,
  type Server,
} from './vite-server.ts'
import { toolHooks } from './vite-tools.ts'

/** A build only has `virtual:mock-api`. */
export function viteHooks(options: Options): Partial<Plugin> {
  let config: ResolvedConfig
  // Some frameworks have several servers with one plugin.
  let instance: PluginInstance | undefined
  let mockServer: MockServer | undefined
  const servers = new Set<Server>()
  const virtualModule = virtualModuleHooks(options, () => config)

  /** @returns what to do after Vite has added all its middlewares; `undefined` if the plugin is disabled */
  function serve(server: Server): (() => void) | undefined {
    const { root, logger, base, appType } = server.config
    instance ??= new PluginInstance(options, { root, logger, world: () => viteWorld(server.config) })
    if (!instance.options.enabled || !addInstance(server, instance)) return undefined
    servers.add(server)
    const name = 'ws' in server ? 'server' : 'preview'
    const hostOptions = server.config[name]
    // In middleware mode, hot reload may have the server of the application.
    const { hmr } = server.config.server
    const ofApplication = typeof hmr === 'object' ? hmr.server : undefined
    // In the hook's body: after Vite's host check and CORS, before proxy, base and HTML fallback.
    const handler = instance.createHandler(base, viteOrigins, {
      hasPages: appType !== 'custom',
      isPreview: !('ws' in server),
      proxy: hostOptions.proxy,
      server: (server.httpServer ?? ofApplication) as HttpServer | null | undefined,
      sockets: {
        origins: socketOrigins(viteOrigins, { ...hostOptions, named: `${name}.allowedHosts` }),
        isOfHost: isViteSocket,
      },
    })
    announce(server, instance)
    server.middlewares.use(handler)
    if (!mockServer) instance.whenStarted(tellPages)
    return () => {
      moveChecksInFront(server.middlewares.stack, handler)
      passOptions(server.middlewares.stack, handler)
    }
  }

  function tellPages(started: MockServer): void {
    mockServer = started
    const { store } = started
    store.onReload((state, hasRead) => {
      void virtualModule.reloadChanged(devServers())
      for (const server of devServers()) {
        updateOverlay(server, started)
        if (hasRead) sendReload(server, state)
      }
    })
    void store.ready.then(() => {
      void virtualModule.reloadChanged(devServers()) // it may have been loaded before
      for (const server of devServers()) updateOverlay(server, started)
    })
  }

  const devServers = () => [...servers].filter((server) => 'ws' in server)

  async function release(server: Server | undefined): Promise<void> {
    if (!server || !servers.delete(server) || servers.size > 0) return
    const stopped = instance
    instance = mockServer = undefined
    await stopped?.stop()
  }

  return {
    ...virtualModule.hooks,
    ...demoHooks(options, () => config),
    ...toolHooks(
      options,
      () => config,
      () => [...servers].some((server) => isInspected(server, instance!)),
    ),
    // A page that is written there would make all pages reload.
    config: ({ server }) =>
      server?.watch === null ? undefined : { server: { watch: { ignored: ['**/mock-api-report/**'] } } },
    configResolved(resolved) {
      config = resolved
    },
    // First: some plugins answer every request, such as @hono/vite-dev-server and Nitro.
    // https://github.com/vitejs/vite/blob/v8.2.2/packages/vite/src/node/plugins/index.ts#L203
    configureServer: {
      order: 'pre',
      handler(server) {
        const onReady = serve(server)
        if (!onReady) return
        if (isInspected(server, instance!)) addShortcut(server)
        server.ws.on('connection', (page) => {
          if (mockServer) showInNewPage(server, page, mockServer)
        })
        return onReady
      },
    },
    configurePreviewServer: {
      order: 'pre',
      handler(server) {
        server.httpServer.once('close', () => void release(server))
        return serve(server)
      },
    },
    transform: {
      filter: { id: viteClient },
      handler(code, id) {
        if (!viteClient.test(id)) return undefined
        const noted = withNotes(code)
        return { code: instance && hasBadge(instance.options) ? withBadge(noted) : noted, map: null }
      },
    },
    // The end of a dev server, in a restart after the next one is configured. Since Vite 6, each environment calls it.
    closeBundle() {
      const { environment } = this as { environment?: unknown }
      const isClosed = (server: Server) =>
        'ws' in server && (!environment || Object.values(server.environments).includes(environment as never))
      return release([...servers].find(isClosed))
    },
  }
}

const moduleName = 'virtual:mock-api'
const moduleId = `\0${moduleName}`

/** Hooks for the virtual module. The code that writes it is loaded with its first import. */
function virtualModuleHooks(options: Options, config: () => ResolvedConfig) {
  let loaded: VirtualModule | undefined
  const hooks: Partial<Plugin> = {
    resolveId: {
      filter: { id: /^virtual:mock-api$/ },
      handler: (source) => (source === moduleName ? { id: moduleId, moduleSideEffects: false } : undefined),
    },
    load: {
      filter: { id: /^\0virtual:mock-api$/ },
      async handler(source, { ssr } = {}) {
        if (source !== moduleId) return undefined
        const { VirtualModule } = await import('./vite-module.ts')
        loaded ??= new VirtualModule(moduleId, options, config())
        return loaded.load(this, ssr === true)
      },
    },
  }
  return {
    hooks,
    reloadChanged: (servers: readonly ViteDevServer[]) => loaded?.reloadChanged(servers),
  }
}

/** Vite 5 has no environment. */
interface BuildContext {
  environment?: { config: { consumer: string } }
}

/** The option `build`; what builds is loaded when a build starts. */
function demoHooks(options: Options, configOf: () => ResolvedConfig): Partial<Plugin> {
  if (options.build === undefined) return {}
  let demo: ViteDemo | undefined
  function isPart({ environment }: BuildContext): boolean {
    const config = configOf()
    if (config.command !== 'build') return false
    return environment ? environment.config.consumer === 'client' : !config.build.ssr
  }
  return {
    async buildStart() {
      if (!isPart(this)) return
      const { buildViteDemo } = await import('./vite-demo.ts')
      demo = await buildViteDemo(this, options, configOf())
    },
    transformIndexHtml: {
      order: 'post',
      handler: (_, { path }) => demo?.tagsOf(path),
    },
    // Entries without a page of Vite: the first import of a module runs before everything else.
    banner(chunk) {
      return (isPart(this) && demo?.importOf(chunk)) || ''
    },
    generateBundle(_, bundle) {
      if (isPart(this)) demo?.emit(this, bundle)
    },
  }
}
