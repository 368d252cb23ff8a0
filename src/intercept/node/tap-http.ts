import { errorMonitor } from 'node:events'
import { Agent, type ClientRequest } from 'node:http'
import type { Tap } from './tap-fetch.ts'

const tapped = Symbol.for('unplugin-mock-api.tapped-http')

type AddRequest = (this: TappedAgent, req: ClientRequest, ...rest: unknown[]) => void
interface TappedAgent {
  addRequest: AddRequest
  [tapped]?: { current: Tap }
}

/**
 * Gives requests of `node:http` and `node:https` for mock endpoints a connection to the server: those of axios, of got, and
 * of the `XMLHttpRequest` of jsdom and happy-dom. Every agent inherits the method that is replaced, also those of
 * applications. Requests without an agent are left alone.
 */
export function tapHttp(tap: Tap): void {
  const prototype = Agent.prototype as unknown as TappedAgent
  const own = prototype[tapped]
  if (own) return void (own.current = tap)
  const current = { current: tap }
  const { addRequest } = prototype
  prototype[tapped] = current
  prototype.addRequest = function (req, ...rest) {
    const { server: serverOf, client } = current.current
    const server = serverOf()
    const url = urlOf(req)
    const add = () => {
      if (url && server.isFor(req.method, url)) return req.onSocket(server.connect(client()) as never)
      if (url) req.once(errorMonitor, (error) => server.noticeFailed(req.method, url, error))
      addRequest.call(this, req, ...rest)
    }
    if (server.isReady) add()
    else void server.ready.then(add)
  }
}

function urlOf(req: ClientRequest): URL | undefined {
  const host = String(req.getHeader('host') ?? req.host)
  const url = `${req.protocol}//${host}${req.path}`
  return URL.canParse(url) ? new URL(url) : undefined
}
