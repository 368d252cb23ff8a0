import type { RsbuildPlugin, RsbuildPluginAPI, ServerConfig } from '@rsbuild/core'
import { diagnose } from '../core/diagnostics/diagnostic.ts'
import type { Options } from '../core/options/options.ts'
import { rsbuildOrigins } from './origin-policies.ts'
import type { MockServer } from './mock-server.ts'
import type { RequestHandler } from './node/node-http.ts'
import { createOverlay } from './overlay/rsbuild-overlay.ts'
import { formatDiagnostic } from '../core/diagnostics/format.ts'

type ServerSetup = Extract<ServerConfig['setup'], (...args: never[]) => unknown>

/** What the plugin keeps for one Rsbuild instance. */
interface Applied {
  listedAgain: boolean
}

const applied = new WeakMap<RsbuildPluginAPI['context'], Applied>()

/** The part of the plugin that Rsbuild alone understands: it serves in dev and in preview, and does nothing in a build. */
export function rsbuildHooks(options: Options): Partial<RsbuildPlugin> {
  return {
    // Without `apply: 'serve'`: an instance that builds and then previews sets its plugins up once, for the build.
    setup(api) {
      if (options.enabled === false) return
      const known = applied.get(api.context)
      if (known) {
        known.listedAgain = true
        return
      }
      const plugin: Applied = { listedAgain: false }
      applied.set(api.context, plugin)
      serveIn(api, options, plugin)
    },
  }
}

function serveIn(api: RsbuildPluginAPI, options: Options, plugin: Applied): void {
  let running: MockServer | undefined

  async function start(): Promise<MockServer> {
    const { startMockServer } = await import('./mock-server.ts') // a build must not pay for loading it
    const started = startMockServer(options, { root: api.context.rootPath, logger: api.logger })
    if (plugin.listedAgain) {
      started.options.logger.warn(`[mock-api] ${formatDiagnostic(diagnose('plugin-duplicate', {}))}`)
    }
    return started
  }
  const showInOverlay = createOverlay(api)
  const addMiddleware: ServerSetup = async ({ action, server }) => {
    running ??= await start()
    if (action === 'dev') showInOverlay(server, running)
    const { base, htmlFallback } = api.getNormalizedConfig().server
    const origins = rsbuildOrigins(api.getRsbuildConfig('original').server)
    const handler = running.createHandler(base, origins, Boolean(htmlFallback))
    server.middlewares.use(handler)
    server.httpServer?.once('close', () => void stop())
    return () => moveBehindCors(server.middlewares.stack, handler)
  }
  async function announce(): Promise<void> {
    if (!running) return
    const { store, options: resolved } = running
    await store.ready
    const { summarise } = await import('../loader/fixture-state.ts')
    resolved.logger.info(`[mock-api] ${summarise(store.current!)}`)
  }
  async function stop(): Promise<void> {
    const stopped = running
    running = undefined
    await stopped?.close()
  }

  api.modifyRsbuildConfig((config) => {
    config.server = { ...config.server, setup: [config.server?.setup ?? [], addMiddleware].flat() }
  })
  api.onAfterStartDevServer(announce)
  api.onAfterStartPreviewServer(announce)
  api.onCloseDevServer(stop) // in middleware mode, there is no HTTP server to close
}

/**
 * What `server.setup` adds comes after Rsbuild's host check, but before its CORS headers, which our answers need as
 * much as any. Rsbuild offers no place in between; its connect app lists its middlewares in the open, though.
 */
function moveBehindCors(stack: { handle: unknown }[], handler: RequestHandler): void {
  const from = stack.findIndex(({ handle }) => handle === handler)
  const cors = stack.findIndex(
    ({ handle }) => typeof handle === 'function' && handle.name === 'corsMiddleware',
  )
  if (cors > from) stack.splice(cors, 0, ...stack.splice(from, 1))
}
