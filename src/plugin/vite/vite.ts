import { styleText } from 'node:util'
import type { Plugin, PreviewServer, ViteDevServer } from 'vite'
import type { Options } from '../../core/options/options.ts'
import { reasonOf } from '../../core/values/thrown.ts'
import type { MockServer } from '../../server/mock-server.ts'
import type { RequestHandler } from '../../wire/node/request-handler.ts'
import { viteOrigins } from '../../server/origin-policies.ts'
import { addInstance, instancesOf, PluginInstance } from '../plugin-instance.ts'
import { viteBuildHooks } from './vite-build.ts'
import { viteModuleHooks } from './vite-module.ts'
import { addShortcut, viteInspectorAddress } from './vite-inspector.ts'
import type * as Pages from './vite-pages.ts'
import { toolHooks } from './vite-tools.ts'

type Server = ViteDevServer | PreviewServer

/** The part of the plugin for Vite: it serves in dev and in preview. In a build, it only has `virtual:mock-api`. */
export function viteHooks(options: Options): Partial<Plugin> {
  // One instance for all servers with this plugin: some frameworks have several.
  let instance: PluginInstance | undefined
  let mockServer: MockServer | undefined
  const servers = new Set<Server>()

  /** @returns what to do after Vite has added all its middlewares; `undefined` if the plugin is disabled */
  function serve(server: Server): (() => void) | undefined {
    const { root, logger, base, appType } = server.config
    instance ??= new PluginInstance(options, { root, logger })
    if (!instance.options.enabled || !addInstance(server, instance)) return undefined
    servers.add(server)
    // Added in the hook's body, it runs after Vite's host check and CORS, and before proxy, base and HTML fallback.
    const handler = instance.createHandler(base, viteOrigins, {
      hasPages: appType !== 'custom',
      isPreview: !('ws' in server),
      proxy: 'ws' in server ? server.config.server.proxy : server.config.preview.proxy,
    })
    server.middlewares.use(handler)
    instance.refuseUpgrades(server.httpServer, base)
    announce(server, instance)
    if (!mockServer) instance.whenStarted(watchErrors)
    return () => moveChecksInFront(server.middlewares.stack, handler)
  }

  function watchErrors(started: MockServer): void {
    mockServer = started
    const { store } = started
    store.onReload((state, hasRead) =>
      tellPages(({ updateOverlay, sendReload }) => {
        for (const server of devServers()) {
          updateOverlay(server, started)
          routesModule.reloadStale(server)
          if (hasRead) sendReload(server, state)
        }
      }),
    )
    void store.ready.then(() => {
      if (!hasErrors(started)) return
      tellPages(({ updateOverlay }) => devServers().forEach((server) => updateOverlay(server, started)))
    })
  }

  function tellPages(tell: (pages: typeof Pages) => void): void {
    const failed = (error: unknown) => instance?.options.logger.error(reasonOf(error))
    import('./vite-pages.ts').then(tell).catch(failed)
  }

  const devServers = () => [...servers].filter((server) => 'ws' in server)

  async function release(server: Server | undefined): Promise<void> {
    if (!server || !servers.delete(server) || servers.size > 0) return
    const stopped = instance
    instance = mockServer = undefined
    await stopped?.stop()
  }

  const routesModule = viteModuleHooks(options)
  const demoBuild = viteBuildHooks(options)
  return {
    ...routesModule.hooks,
    ...demoBuild.hooks,
    configResolved(config) {
      routesModule.use(config)
      demoBuild.use(config)
    },
    // Before the hooks of other plugins, in whatever order they are listed: some of them answer every request, such as
    // @hono/vite-dev-server and Nitro (https://github.com/vitejs/vite/blob/v8.2.2/packages/vite/src/node/plugins/index.ts#L203).
    configureServer: {
      order: 'pre',
      handler(server) {
        routesModule.watch(server)
        const onReady = serve(server)
        if (!onReady) return
        if (isInspected(server, instance!)) addShortcut(server)
        // A page that is opened while a fixture file has an error also shows it.
        server.ws.on('connection', (page) => {
          const started = mockServer
          if (started && hasErrors(started)) tellPages((pages) => pages.showInNewPage(server, page, started))
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
    // Vite calls this when a dev server is closed, in a restart once the next one has been configured: from Vite 6 for
    // each environment of the server, before that without one.
    closeBundle() {
      const { environment } = this as { environment?: unknown }
      const isClosed = (server: Server) =>
        'ws' in server && (!environment || Object.values(server.environments).includes(environment as never))
      return release([...servers].find(isClosed))
    },
    ...toolHooks(options, () => [...servers].some((server) => isInspected(server, instance!))),
  }
}

/** Whether the inspector on a server is that of an instance: of several, the first one's. */
function isInspected(server: Server, instance: PluginInstance): boolean {
  const { enabled, inspector } = instance.options
  return (
    enabled && ('ws' in server ? inspector.dev : inspector.preview) && instancesOf(server)[0] === instance
  )
}

/** Instances whose line has been or will be printed: some frameworks have two servers with the same instance. */
const announced = new WeakSet<PluginInstance>()

/** Prints its lines below Vite's own URLs, or alone in middleware mode, where Vite prints none. */
function announce(server: Server, instance: PluginInstance): void {
  if (announced.has(instance)) return
  announced.add(instance)
  const { logger } = instance.options
  const print = () => {
    const inspector = isInspected(server, instance) ? viteInspectorAddress(server) : undefined
    void instance.announce(inspector, (label, text) => logger.print(formatLine(label, text)))
  }
  if ('ws' in server && server.config.server.middlewareMode) return print()
  const printUrls = server.printUrls.bind(server)
  server.printUrls = () => {
    printUrls()
    print()
  }
}

/** A line in the style of Vite's own URLs. Without colours where the terminal has none. */
function formatLine(label: string, text: string): string {
  const shown = /^https?:/.test(text) ? styleText('cyan', text) : text
  return `  ${styleText('green', '➜')}  ${styleText('bold', label)}: ${shown}`
}

/**
 * Vite 5 and 6 call `configureServer` before they add their CORS headers and their host check. Mock answers need both, so
 * these two are moved to where they are since Vite 7.
 *
 * @see https://github.com/vitejs/vite/blob/v6.4.1/packages/vite/src/node/server/index.ts#L866
 */
function moveChecksInFront(stack: { handle: unknown }[], handler: RequestHandler): void {
  const own = stack.findIndex(({ handle }) => handle === handler)
  const names = ['corsMiddleware', 'viteHostCheckMiddleware']
  const behind = stack.slice(own).filter(({ handle }) => names.includes((handle as { name: string }).name))
  const others = stack.filter((layer) => !behind.includes(layer))
  if (own !== -1) stack.splice(0, stack.length, ...others.slice(0, own), ...behind, ...others.slice(own))
}

function hasErrors({ store }: MockServer): boolean {
  return Boolean(store.current?.diagnostics.some(({ severity }) => severity === 'error'))
}
