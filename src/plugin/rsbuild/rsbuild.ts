import type { Server } from 'node:http'
import type { RsbuildPlugin, RsbuildPluginAPI, ServerConfig } from '@rsbuild/core'
import type { Compiler } from '@rspack/core'
import type { Options } from '../../core/options/options.ts'
import type { RequestHandler } from '../../wire/node/request-handler.ts'
import { rsbuildOrigins, socketOrigins } from '../../server/origin-policies.ts'
import { inspectorAddress } from '../../inspector/inspector-folder.ts'
import { originOf } from '../../wire/node/listening-origin.ts'
import { addInstance, instancesOf, PluginInstance } from '../plugin-instance.ts'
import type { ModuleWorld } from '../../core/options/module-world.ts'
import { pluginDefinitions, worldOfCompiler } from '../webpack/compiler-world.ts'
import { addToClient, addToBuild, ignoreReport, provideModule } from '../webpack/compiler.ts'
import { createOverlay } from '../overlay/rsbuild-overlay.ts'

type ServerSetup = Extract<ServerConfig['setup'], (...args: never[]) => unknown>

/** A build only has `virtual:mock-api`. */
export function rsbuildHooks(options: Options): Partial<RsbuildPlugin> {
  return {
    // No `apply: 'serve'`: an instance that builds and then previews sets its plugins up once, for the build.
    setup(api) {
      const host = { root: api.context.rootPath, logger: api.logger, world: () => rsbuildWorld(api) }
      const instance = new PluginInstance(options, host)
      api.modifyRspackConfig((_, { target, appendPlugins }) =>
        appendPlugins({
          apply(compiler: Compiler) {
            provideModule(compiler as never, instance.options)
            addToClient(compiler as never, instance.options)
            ignoreReport(compiler as never)
            // A build for a server has no pages.
            if (target === 'web' && api.context.action === 'build')
              addToBuild(compiler as never, 'rspack', instance.options)
          },
        }),
      )
      if (instance.options.enabled && addInstance(api.context, instance)) serveIn(api, instance)
    },
  }
}

/** Fixture files are loaded before there is a compiler. */
function rsbuildWorld(api: RsbuildPluginAPI): ModuleWorld {
  const { mode, resolve, source, server, tools } = api.getNormalizedConfig()
  const isProduction = mode === 'production'
  // Its functions run with the compiler.
  const ofTools = [tools.rspack].flat().filter((one) => typeof one === 'object')
  return {
    ...worldOfCompiler({
      source: 'the config of Rsbuild',
      root: api.context.rootPath,
      resolve: {
        alias: Object.assign(
          {},
          ...[resolve.alias].flat(),
          ...ofTools.map((one) => one.resolve?.alias),
        ) as object,
        tsConfig: source.tsconfigPath,
      },
      define: Object.assign(
        { ...source.define },
        ...ofTools.flatMap(({ plugins = [] }) => plugins.map(pluginDefinitions)),
      ) as Record<string, unknown>,
      publicPath: server.base,
    }),
    env: { MODE: mode, DEV: !isProduction, PROD: isProduction, SSR: false, BASE_URL: server.base },
  }
}

function serveIn(api: RsbuildPluginAPI, instance: PluginInstance): void {
  const showInOverlay = createOverlay(api)
  let inspector = (): string | undefined => undefined
  const addMiddleware: ServerSetup = async ({ action, server }) => {
    // A failed start is logged, and the dev server runs on.
    const mockServer = await instance.start().catch(() => undefined)
    instance.isServed = true
    if (mockServer && action === 'dev') showInOverlay(server, mockServer)
    const config = api.getNormalizedConfig()
    const { base, htmlFallback, proxy, host } = config.server
    const given = api.getRsbuildConfig('original').server
    const origins = rsbuildOrigins(given)
    const handler = instance.createHandler(base, origins, {
      hasPages: Boolean(htmlFallback),
      proxy,
      isPreview: action === 'preview',
      server: server.httpServer as Server | null,
      sockets: {
        origins: socketOrigins(origins, {
          ...config.server,
          allowedHosts: given?.allowedHosts,
          named: 'server.allowedHosts',
        }),
        isOfHost: ({ url = '' }) =>
          action === 'dev' && url.split('?', 1)[0]!.endsWith(config.dev.client.path ?? '/rsbuild-hmr'),
      },
    })
    server.middlewares.use(handler)
    server.httpServer?.once('close', () => void instance.stop())
    const isInspected = instance.options.inspector[action] && instancesOf(api.context)[0] === instance
    inspector = () => (isInspected ? inspectorAddress(originOf(server.httpServer, host), base) : undefined)
    return () => moveBehindCors(server.middlewares.stack, handler)
  }
  const announce = () => (instance.isServed ? instance.announce(inspector()) : undefined)

  api.modifyRsbuildConfig((config) => {
    config.server = { ...config.server, setup: [config.server?.setup ?? [], addMiddleware].flat() }
  })
  api.onAfterStartDevServer(announce)
  api.onAfterStartPreviewServer(announce)
  api.onCloseDevServer(() => instance.stop()) // in middleware mode, there is no HTTP server to close
}

/**
 * Moves the middleware after Rsbuild's CORS headers, which mock answers need. Rsbuild has no later hook than `server.setup`.
 *
 * @see https://github.com/web-infra-dev/rsbuild/blob/64c8af5b931a14e61aaa3fe8679bf8500de04066/packages/core/src/server/devMiddlewares.ts#L92
 */
function moveBehindCors(stack: { handle: unknown }[], handler: RequestHandler): void {
  const from = stack.findIndex(({ handle }) => handle === handler)
  const cors = stack.findIndex(
    ({ handle }) => typeof handle === 'function' && handle.name === 'corsMiddleware',
  )
  if (cors > from) stack.splice(cors, 0, ...stack.splice(from, 1))
}
