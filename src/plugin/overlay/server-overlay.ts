/* The overlay of webpack-dev-server and Rspack: errors are the server's own messages. */
import { isAbsolute } from 'node:path'
import { pluginName, type PluginInstance } from '../plugin-instance.ts'
import { Overlay, type BuildStats, type Channel, type OverlayError } from './overlay.ts'

type Page = unknown

interface Tap {
  tap: (options: { name: string; stage?: number }, listener: (stats: BuildStats) => void) => void
}

export interface OverlayServer {
  compiler: { hooks: object }
  /** webpack-dev-server 5 and Rspack; set when the server listens. */
  webSocketServer?: {
    clients: Page[]
    implementation: { on: (event: 'connection', listener: (page: Page) => void) => void }
  } | null
  sendMessage?: (pages: Page[], type: string, data?: unknown) => void
  /** webpack-dev-server 6, whose own `sendMessage` is deprecated. */
  middleware?: {
    publish?: (payload: object) => void
    publishTo?: (page: Page, payload: object) => void
    onConnect?: (listener: (page: Page) => void) => void
  }
}

interface ServerChannel extends Channel<Page> {
  onConnect: (listener: (page: Page) => void) => void
}

const overlays = new WeakMap<OverlayServer, Overlay<Page>>()

export function showInOverlay(server: OverlayServer, instances: readonly PluginInstance[]): void {
  const overlay = overlays.get(server) ?? createOverlay(server)
  overlays.set(server, overlay)
  void Promise.allSettled(instances.map((instance) => instance.start())).then((starts) =>
    overlay.follow(starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []))),
  )
}

function createOverlay(server: OverlayServer): Overlay<Page> {
  let channel: ServerChannel | undefined
  const overlay = new Overlay<Page>(() => channel)
  const { done, invalid } = server.compiler.hooks as Record<'done' | 'invalid', Tap>
  // After the server's own tap, so its pages already know about the build.
  done.tap({ name: pluginName, stage: 1000 }, (stats) => {
    overlay.built = stats
    if (!channel) {
      channel = openChannel(server, () => overlay.built?.hash ?? '')
      channel?.onConnect((page) => setImmediate(() => overlay.showIn(page)))
    }
    setImmediate(() => overlay.endBuild())
  })
  invalid.tap({ name: pluginName }, () => (overlay.built = undefined))
  return overlay
}

/** `undefined` without a connection to pages, as with `hot: false` and `liveReload: false`. */
function openChannel(server: OverlayServer, hash: () => string): ServerChannel | undefined {
  const { middleware, webSocketServer } = server
  if (middleware?.publish) {
    const payload = (errors: readonly OverlayError[]) => ({
      action: 'sync',
      name: '', // for the pages of every bundle
      // Without errors, a page checks whether it is up to date; with several bundles it can't know, and may reload.
      hash: hash(),
      errors: errors.map(toPageError).map(({ file, message }) => `${file}\n${message}`),
      warnings: [],
    })
    return {
      show: (errors, page) =>
        page ? middleware.publishTo!(page, payload(errors)) : middleware.publish!(payload(errors)),
      hide: () => middleware.publish!(payload([])),
      onConnect: (listener) => middleware.onConnect!(listener),
    }
  }
  if (!webSocketServer) return undefined
  const send = (pages: Page[], type: string, data?: unknown) => server.sendMessage!(pages, type, data)
  return {
    show(errors, page) {
      const pages = page ? [page] : webSocketServer.clients
      send(pages, 'still-ok') // some pages add errors to what they show
      send(pages, 'errors', errors.map(toPageError))
    },
    hide: () => send(webSocketServer.clients, 'still-ok'),
    onConnect: (listener) => webSocketServer.implementation.on('connection', listener),
  }
}

function toPageError({ place, link, text }: OverlayError) {
  return {
    // As webpack writes it, which makes it clickable.
    file: place && !isAbsolute(place) ? `./${place}` : place,
    moduleIdentifier: link,
    message: `[mock-api] ${text}`,
  }
}
