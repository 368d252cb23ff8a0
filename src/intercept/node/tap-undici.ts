import type { Tap } from './tap-fetch.ts'

const tapped = Symbol.for('unplugin-mock-api.tapped-undici')

interface Target {
  origin?: string | URL
  path: string
  method: string
}
interface Dispatcher {
  constructor: new (options: object) => Dispatcher
  dispatch: (target: Target, handler: unknown) => boolean
  [tapped]?: { current: Tap }
}

/**
 * Gives requests of undici for mock endpoints a connection to the server: those of the `XMLHttpRequest` of jsdom from
 * version 28 on, which uses undici's global dispatcher. There may be one for each version of its interface.
 */
export function tapUndici(tap: Tap): void {
  for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
    if (!symbol.description?.startsWith('undici.globalDispatcher.')) continue
    const dispatcher = (globalThis as { [symbol]?: Dispatcher })[symbol]
    if (dispatcher) tapDispatcher(dispatcher, tap)
  }
}

function tapDispatcher(dispatcher: Dispatcher, tap: Tap): void {
  const own = dispatcher[tapped]
  if (own) return void (own.current = tap)
  const current = (dispatcher[tapped] = { current: tap })
  const dispatch = dispatcher.dispatch.bind(dispatcher)
  dispatcher.dispatch = (target, handler) => {
    const { server: serverOf, client } = current.current
    const server = serverOf()
    const url = URL.canParse(target.path, target.origin) ? new URL(target.path, target.origin) : undefined
    const send = () => {
      if (!url || !server.isFor(target.method, url)) return dispatch(target, handler)
      const socket = server.connect(client())
      // Later: undici does not expect to be connected at once.
      const connect = (_: unknown, done: (error: null, socket: unknown) => void) =>
        void setImmediate(() => done(null, socket))
      return new dispatcher.constructor({ connect, keepAliveTimeout: 1, keepAliveMaxTimeout: 1 }).dispatch(
        target,
        handler,
      )
    }
    if (server.isReady) return send()
    void server.ready.then(send)
    return true
  }
}
