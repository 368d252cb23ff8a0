import type { Plugin, PreviewServer, ViteDevServer } from 'vite'
import type { Diagnostic } from '../core/diagnostics.ts'
import { resolveOptions, type Options, type ResolvedOptions } from '../core/options.ts'
import {
  createFixtureStore,
  summarise,
  type FixtureState,
  type FixtureStore,
} from '../loader/fixture-store.ts'
import { createRequestHandler } from './node-http.ts'

/** The part of the plugin that Vite alone understands: it serves in dev and in preview, and does nothing in a build. */
export function viteHooks(options: Options): Partial<Plugin> {
  // One for each plugin instance: some frameworks configure several servers with the same instance.
  let running: { store: FixtureStore; options: ResolvedOptions } | undefined

  function start({ config }: ViteDevServer | PreviewServer) {
    if (!running) {
      const resolved = resolveOptions(options, { root: config.root, logger: config.logger })
      running = { store: createFixtureStore(resolved), options: resolved }
      running.store.onReload((state) => resolved.logger.info(`[mock-api] reloaded: ${summarise(state)}`))
    }
    return running
  }

  async function stop(): Promise<void> {
    const { store } = running ?? {}
    running = undefined
    await store?.close()
  }

  function serve(server: ViteDevServer | PreviewServer): FixtureStore | undefined {
    if (options.enabled === false) return undefined
    const { store, options: resolved } = start(server)
    // Added here, in the hook's body, it runs after Vite's own host check and CORS, and before proxy, base and the
    // HTML fallback. Vite's base is then still in front of the URL, and a client may leave it out.
    const { base } = resolved
    const bases = new Set([`${server.config.base.replace(/\/$/, '')}${base}`, base])
    server.middlewares.use(createRequestHandler(store, resolved, [...bases]))
    announce(server, store, resolved)
    return store
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
function announce(
  server: ViteDevServer | PreviewServer,
  store: FixtureStore,
  { logger }: ResolvedOptions,
): void {
  const printUrls = server.printUrls.bind(server)
  const print = () => logger.info(`  ➜  Mock API: ${summarise(store.current!)}`)
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
