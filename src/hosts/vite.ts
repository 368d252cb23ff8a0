import type { Plugin, PreviewServer, ViteDevServer } from 'vite'
import type { Diagnostic } from '../core/diagnostics.ts'
import type { Options } from '../core/options.ts'
import { summarise, type FixtureState, type FixtureStore } from '../loader/fixture-store.ts'
import { startMockServer, type MockServer } from './mock-server.ts'

/** The part of the plugin that Vite alone understands: it serves in dev and in preview, and does nothing in a build. */
export function viteHooks(options: Options): Partial<Plugin> {
  // One for each plugin instance: some frameworks configure several servers with the same instance.
  let running: MockServer | undefined

  function serve(server: ViteDevServer | PreviewServer): FixtureStore | undefined {
    if (options.enabled === false) return undefined
    const { root, logger, base } = server.config
    running ??= startMockServer(options, { root, logger })
    // Added here, in the hook's body, it runs after Vite's own host check and CORS, and before proxy, base and the
    // HTML fallback.
    server.middlewares.use(running.createHandler(base))
    announce(server, running)
    return running.store
  }

  async function stop(): Promise<void> {
    const stopped = running
    running = undefined
    await stopped?.close()
  }

  return {
    apply: 'serve',
    configureServer(server) {
      const store = serve(server)
      store?.onReload((state) => showOverlay(server, state))
      void store?.ready.then(() => showOverlay(server, store.current!))
    },
    configurePreviewServer(server) {
      serve(server)
      server.httpServer.once('close', () => void stop())
    },
    // Vite calls this when the dev server is closed or restarts.
    closeBundle: stop,
  }
}

/** One line below Vite's own URLs. */
function announce(server: ViteDevServer | PreviewServer, { store, options }: MockServer): void {
  const printUrls = server.printUrls.bind(server)
  const print = () => options.logger.info(`  ➜  Mock API: ${summarise(store.current!)}`)
  server.printUrls = () => {
    printUrls()
    if (store.current) print()
    else void store.ready.then(print)
  }
}

/** Servers whose page shows the overlay because of us. */
const covered = new WeakSet<ViteDevServer>()

/** Shows the first error in the page, and takes the overlay away once all are mended. */
function showOverlay(server: ViteDevServer, { diagnostics }: FixtureState): void {
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
