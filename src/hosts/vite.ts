import type { Plugin, PreviewServer, ViteDevServer } from 'vite'
import { diagnose, formatDiagnostic, type Diagnostic } from '../core/diagnostics.ts'
import { resolveOptions, type Logger, type Options } from '../core/options.ts'
import { summarise, type FixtureState, type FixtureStore } from '../loader/fixture-store.ts'
import { startMockServer, type MockServer } from './mock-server.ts'

type Server = ViteDevServer | PreviewServer

/** How often the plugin was met in the config of a server. */
const timesListed = new WeakMap<Server, number>()

/** The part of the plugin that Vite alone understands: it serves in dev and in preview, and does nothing in a build. */
export function viteHooks(options: Options): Partial<Plugin> {
  // One for each plugin instance: some frameworks configure several servers with the same instance.
  let running: MockServer | undefined
  const servers = new Set<Server>()

  function serve(server: Server): FixtureStore | undefined {
    if (options.enabled === false) return undefined
    const { root, logger, base } = server.config
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
    server.middlewares.use(running.createHandler(base))
    announce(server, running)
    return running.store
  }

  function start(root: string, logger: Logger): MockServer {
    const started = startMockServer(options, { root, logger })
    started.store.onReload((state) => servers.forEach((server) => showOverlay(server, state)))
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
      const store = serve(server)
      if (!store) return
      // A page that is opened, or reloaded, while a fixture file is broken is told so too.
      server.ws.on('connection', () => store.current && showOverlay(server, store.current))
      void store.ready.then(() => showOverlay(server, store.current!))
    },
    configurePreviewServer(server) {
      serve(server)
      server.httpServer.once('close', () => void release(server))
    },
    // Vite calls this when a dev server is closed, in a restart once the next one has been configured: from Vite 6 for
    // each environment of the server, before that without one.
    closeBundle() {
      const { environment } = this as { environment?: unknown }
      const isClosed = (server: Server) =>
        !environment || Object.values((server as ViteDevServer).environments).includes(environment as never)
      return release([...servers].find(isClosed))
    },
  }
}

/** One line below Vite's own URLs; where Vite prints none, since it runs inside another server, on its own. */
function announce(server: Server, { store, options }: MockServer): void {
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

/** Servers whose page shows the overlay because of us. */
const covered = new WeakSet<Server>()

/** Shows the first error in the page, and takes the overlay away once all are mended. */
function showOverlay(server: Server, { diagnostics }: FixtureState): void {
  // Vite keeps an error for the first page that is opened, even if it is mended by then. Ours waits for the page here.
  if (!('ws' in server) || server.ws.clients.size === 0) return
  const error = diagnostics.find(({ severity }) => severity === 'error')
  if (error) {
    covered.add(server)
    server.ws.send({ type: 'error', err: toOverlay(error) })
  } else if (covered.delete(server)) {
    server.ws.send({ type: 'update', updates: [] }) // what Vite's client takes as "the error is gone"
  }
}

function toOverlay({ message, fix, file, line = 1, column = 1, frame, code }: Diagnostic) {
  return {
    message: `${message}\n${fix} [${code}]`,
    stack: '',
    plugin: 'unplugin-mock-api',
    ...(file && { id: file, loc: { file, line, column } }),
    ...(frame && { frame }),
  }
}
