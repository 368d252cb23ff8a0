import type { Tap } from './tap-fetch.ts'

const tapped = Symbol.for('unplugin-mock-api.tapped-undici')

interface Target {
  origin?: string | URL
  path: string
  method: string
}
/** Gets the parts of an answer, or the error. Its interface has changed between versions of undici. */
interface Handler {
  onResponseError?: (controller: unknown, error: unknown) => unknown
  /** Before version 7. */
  onError?: (error: unknown) => unknown
}
interface Dispatcher {
  constructor: new (options: object) => Dispatcher
  dispatch: (target: Target, handler: Handler) => boolean
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
      if (!url) return dispatch(target, handler)
      if (!server.isFor(target.method, url)) {
        const notice = (error: unknown) => server.noticeFailed(target.method, url, error)
        return dispatch(target, withNotice(handler, notice))
      }
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

/** The same handler; an error is also passed to a function. */
function withNotice(handler: Handler, notice: (error: unknown) => void): Handler {
  return new Proxy(handler, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        if (name === 'onResponseError' || name === 'onError') notice(args.at(-1))
        return Reflect.apply(value, target, args) as unknown // it may have private fields
      }
    },
  })
}
