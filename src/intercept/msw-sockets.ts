import * as msw from 'msw'
import { socketMethod } from '../core/schema/schema.ts'
import type { MockApiHandler } from './msw-handler.ts'

/** Close code that a client sees for a refused handshake, or a broken connection. */
const lostConnection = 1006

/** One handler for the WebSockets of all routes and of GraphQL. None before MSW 2.6, which has no WebSockets. */
export function createSocketHandlers(http: MockApiHandler): msw.WebSocketHandler[] {
  if (!('WebSocketHandler' in msw)) return []
  const has = (url: string) => http.isOwn(socketMethod, url) || http.isOwn('POST', url)

  class SocketHandler extends msw.WebSocketHandler {
    override predicate({ url }: { url: string | URL }): boolean {
      return has(httpUrl(url))
    }

    override async run(connection: Parameters<msw.WebSocketHandler['run']>[0]) {
      const { client, info } = connection
      const url = httpUrl(client.url)
      if (!has(url)) return null
      const answer = await http.served.answer(upgrade(url, info.protocols), {
        accept: () => ({ socket: client, response: new Response(null) }),
      })
      if (!answer) return null
      if (answer.status !== 200) client.close(lostConnection)
      return { ...connection, params: {} }
    }
  }
  return [new SocketHandler('*')]
}

/** Browsers make no `Request` with these headers. */
function upgrade(url: string, protocols: string | string[] | undefined): Request {
  const { document } = globalThis as { document?: { cookie: string } }
  const headers = new Headers({ upgrade: 'websocket', cookie: document?.cookie ?? '' })
  headers.set('sec-websocket-protocol', [protocols ?? []].flat().join(', '))
  return { method: 'GET', url, headers, signal: new AbortController().signal } as Request
}

function httpUrl(url: string | URL): string {
  return String(url).replace(/^ws/, 'http')
}
