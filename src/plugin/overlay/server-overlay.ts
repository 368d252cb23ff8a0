import { isAbsolute } from 'node:path'
import type { MockServer } from '../../server/mock-server.ts'
import type { PluginInstance } from '../plugin-instance.ts'
import { overlayErrors } from './overlay-errors.ts'

/*
 * Errors in fixture files, in the overlay of webpack-dev-server and of Rspack's dev server. The pages get them as the server's
 * own messages. The build is not affected: nothing is rebuilt, and hot reload keeps working.
 */

const pluginName = 'unplugin-mock-api'

/** A page that is open. */
type Client = unknown

interface Stats {
  hash?: string | null
  hasErrors: () => boolean
}

interface Tap {
  tap: (options: { name: string; stage?: number }, listener: (stats: Stats) => void) => void
}

/** The part of a dev server that is used. */
interface OverlayServer {
  compiler: { hooks: object }
  /** webpack-dev-server 5 and Rspack; set when the server listens. */
  webSocketServer?: {
    clients: Client[]
    implementation: { on: (event: 'connection', listener: (client: Client) => void) => void }
  } | null
  sendMessage?: (clients: Client[], type: string, data?: unknown) => void
  /** webpack-dev-server 6, whose own `sendMessage` is deprecated. */
  middleware?: {
    publish?: (payload: object) => void
    publishTo?: (client: Client, payload: object) => void
    onConnect?: (listener: (client: Client) => void) => void
  }
}

/** How to send messages to the pages of a server. */
interface Channel {
  /** Shows errors in one page, or in all open pages. */
  show: (errors: readonly PageError[], client?: Client) => void
  hide: () => void
  onConnect: (listener: (client: Client) => void) => void
}
type PageError = { file: string; message: string; moduleIdentifier: string }

type Show = (instances: readonly PluginInstance[]) => void
/** Keyed by server, which can be started again. */
const overlays = new WeakMap<object, Show>()

/** Shows the errors of all plugins of a server, in open pages and in those that are opened later. */
export function showInOverlay(server: object, instances: readonly PluginInstance[]): void {
  let show = overlays.get(server)
  if (!show) overlays.set(server, (show = createOverlay(server as OverlayServer)))
  show(instances)
}

function createOverlay(server: OverlayServer): Show {
  let mockServers: readonly MockServer[] = []
  let channel: Channel | undefined
  /** `undefined` during a build. While the build has errors, nothing is shown or hidden. */
  let built: Stats | undefined
  let isShown = false

  const errors = () => (built && !built.hasErrors() ? mockServers.flatMap(pageErrors) : [])
  const showTo = (client?: Client) => {
    const current = errors()
    if (current.length > 0) channel!.show(current, client)
    return current.length > 0
  }
  function update(): void {
    if (!channel || !built || built.hasErrors()) return
    const shows = showTo()
    if (isShown && !shows) channel.hide()
    isShown = shows
  }

  const { done, invalid } = server.compiler.hooks as Record<'done' | 'invalid', Tap>
  // After the server's own tap, so that its pages know about the build already.
  done.tap({ name: pluginName, stage: 1000 }, (stats) => {
    built = stats
    if (!channel) {
      channel = openChannel(server, () => built?.hash ?? '')
      channel?.onConnect((client) => setImmediate(() => (isShown = showTo(client) || isShown)))
    }
    setImmediate(update)
  })
  invalid.tap({ name: pluginName }, () => (built = undefined))

  return (instances) =>
    void Promise.allSettled(instances.map((instance) => instance.start())).then((starts) => {
      mockServers = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []))
      for (const { store } of mockServers) {
        store.onReload(update)
        void store.ready.then(update)
      }
    })
}

function pageErrors(mockServer: MockServer): PageError[] {
  return overlayErrors(mockServer).map(({ place, link, text }) => ({
    // As webpack writes it, which makes it clickable.
    file: place && !isAbsolute(place) ? `./${place}` : place,
    moduleIdentifier: link,
    message: `[mock-api] ${text}`,
  }))
}

/** `undefined` for a server without a connection to its pages, as with `hot: false` and `liveReload: false`. */
function openChannel(server: OverlayServer, hash: () => string): Channel | undefined {
  const { middleware } = server
  if (middleware?.publish) {
    const payload = (errors: readonly PageError[]) => ({
      action: 'sync',
      name: '', // for the pages of every bundle
      // With errors, a page only shows them. Without, it checks whether it is up to date; with several bundles it can't know,
      // and may reload.
      hash: hash(),
      errors: errors.map(({ file, message }) => `${file}\n${message}`),
      warnings: [],
    })
    return {
      show: (errors, client) =>
        client ? middleware.publishTo!(client, payload(errors)) : middleware.publish!(payload(errors)),
      hide: () => middleware.publish!(payload([])),
      onConnect: (listener) => middleware.onConnect!(listener),
    }
  }
  if (!server.webSocketServer) return undefined
  const { webSocketServer } = server
  const send = (clients: Client[], type: string, data?: unknown) => server.sendMessage!(clients, type, data)
  return {
    show(errors, client) {
      const clients = client ? [client] : webSocketServer.clients
      send(clients, 'still-ok') // some pages add errors to what they show
      send(clients, 'errors', errors)
    },
    hide: () => send(webSocketServer.clients, 'still-ok'),
    onConnect: (listener) => webSocketServer.implementation.on('connection', listener),
  }
}
