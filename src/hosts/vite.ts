import { resolve } from 'node:path'
import type { ErrorPayload, Plugin, PreviewServer, ViteDevServer } from 'vite'
import { diagnose, type Diagnostic } from '../core/diagnostics/diagnostic.ts'
import { resolveOptions, type Logger, type Options } from '../core/options/options.ts'
import type { FixtureStore } from '../loader/fixture-store.ts'
import { viteOrigins } from './origin-policies.ts'
import { startMockServer, type MockServer } from './mock-server.ts'
import type { RequestHandler } from './node/node-http.ts'
import { formatDiagnostic } from '../core/diagnostics/format.ts'
import { summarise } from '../loader/fixture-state.ts'
import type { FixtureState } from '../loader/fixture-state.ts'

type Server = ViteDevServer | PreviewServer

interface Serving {
  store: FixtureStore
  /** Folder that places of diagnostics start from. */
  root: string
  /** To be called when Vite has added all that is its own. */
  onReady: () => void
}

/** How often the plugin was met in the config of a server. */
const timesListed = new WeakMap<Server, number>()

/** The part of the plugin that Vite alone understands: it serves in dev and in preview, and does nothing in a build. */
export function viteHooks(options: Options): Partial<Plugin> {
  // One for each plugin instance: some frameworks configure several servers with the same instance.
  let running: MockServer | undefined
  const servers = new Set<Server>()

  function serve(server: Server): Serving | undefined {
    if (options.enabled === false) return undefined
    const { root, logger, base, appType } = server.config
    const times = (timesListed.get(server) ?? 0) + 1
    timesListed.set(server, times)
    if (times > 1) {
      const text = `[mock-api] ${formatDiagnostic(diagnose('plugin-duplicate', {}))}`
      if (times === 2) resolveOptions(options, { root, logger }).logger.warn(text)
      return undefined
    }
    running ??= start(root, logger)
    servers.add(server)
    // Added here, in the hook's body, it runs after Vite's own host check and CORS, and before proxy, base and the
    // HTML fallback.
    const handler = running.createHandler(base, viteOrigins, appType !== 'custom')
    server.middlewares.use(handler)
    announce(server, running)
    const onReady = () => moveChecksInFront(server.middlewares.stack, handler)
    return { store: running.store, root: running.options.root, onReady }
  }

  function start(root: string, logger: Logger): MockServer {
    const started = startMockServer(options, { root, logger })
    const update = (state: FixtureState) =>
      servers.forEach((server) => updateOverlay(server, state, started.options.root))
    started.store.onReload(update)
    void started.store.ready.then(() => update(started.store.current!))
    return started
  }

  async function release(server: Server | undefined): Promise<void> {
    if (!server || !servers.delete(server) || servers.size > 0) return
    const stopped = running
    running = undefined
    await stopped?.close()
  }

  return {
    apply: 'serve',
    configureServer(server) {
      const serving = serve(server)
      if (!serving) return
      const { store, root, onReady } = serving
      // A page that is opened, or reloaded, while a fixture file is broken is told so too.
      server.ws.on('connection', (socket) => {
        const error = store.current && firstError(store.current)
        if (!error) return
        covered.add(server)
        socket.send(JSON.stringify(toOverlay(error, root)))
      })
      return onReady
    },
    configurePreviewServer(server) {
      server.httpServer.once('close', () => void release(server))
      return serve(server)?.onReady
    },
    // Vite calls this when a dev server is closed, in a restart once the next one has been configured: from Vite 6 for
    // each environment of the server, before that without one.
    closeBundle() {
      const { environment } = this as { environment?: unknown }
      const isClosed = (server: Server) =>
        'ws' in server && (!environment || Object.values(server.environments).includes(environment as never))
      return release([...servers].find(isClosed))
    },
  }
}

/** Those whose line is on its way, or printed: some frameworks have two servers of one. */
const announced = new WeakSet<MockServer>()

/** One line below Vite's own URLs; where Vite prints none, since it runs inside another server, on its own. */
function announce(server: Server, running: MockServer): void {
  if (announced.has(running)) return
  announced.add(running)
  const { store, options } = running
  const print = () => options.logger.info(`  ➜  Mock API: ${summarise(store.current!)}`)
  if ('ws' in server && server.config.server.middlewareMode) {
    void store.ready.then(print)
    return
  }
  const printUrls = server.printUrls.bind(server)
  server.printUrls = () => {
    printUrls()
    if (store.current) print()
    else void store.ready.then(print)
  }
}

/**
 * Vite 5 and 6 put what a plugin adds in front of their CORS headers and their host check. There our answers need them as
 * much as any, so these two are moved, to where Vite has them from version 7 on.
 */
function moveChecksInFront(stack: { handle: unknown }[], handler: RequestHandler): void {
  const own = stack.findIndex(({ handle }) => handle === handler)
  const names = ['corsMiddleware', 'viteHostCheckMiddleware']
  const behind = stack.slice(own).filter(({ handle }) => names.includes((handle as { name: string }).name))
  const others = stack.filter((layer) => !behind.includes(layer))
  if (own !== -1) stack.splice(0, stack.length, ...others.slice(0, own), ...behind, ...others.slice(own))
}

/** Servers whose pages show the overlay because of us. */
const covered = new WeakSet<Server>()

/** Shows the first error in the pages that are open, and takes the overlay away once all are mended. */
function updateOverlay(server: Server, state: FixtureState, root: string): void {
  // Where no page is open, Vite would keep an error for the first that is, even if it is mended by then.
  if (!('ws' in server) || server.ws.clients.size === 0) return
  const error = firstError(state)
  if (error) {
    covered.add(server)
    server.ws.send(toOverlay(error, root))
  } else if (covered.delete(server)) {
    server.ws.send({ type: 'update', updates: [] }) // what Vite's client takes as "the error is gone"
  }
}

function firstError({ diagnostics }: FixtureState): Diagnostic | undefined {
  return diagnostics.find(({ severity }) => severity === 'error')
}

function toOverlay(diagnostic: Diagnostic, root: string): ErrorPayload {
  const { message, fix, line = 1, column = 1, frame, code } = diagnostic
  // Vite makes a link into the editor of an absolute path.
  const file = diagnostic.file && resolve(root, diagnostic.file)
  return {
    type: 'error',
    err: {
      message: `${message}\n${fix} [${code}]`,
      stack: '',
      plugin: 'unplugin-mock-api',
      ...(file && { id: file, loc: { file, line, column } }),
      ...(frame && { frame }),
    },
  }
}
