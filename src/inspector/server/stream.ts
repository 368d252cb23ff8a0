import type { IncomingMessage, ServerResponse } from 'node:http'
import type { StreamEvent } from '../api.ts'
import { setOwnHeaders } from './write-json.ts'

/** Milliseconds between two comments, which keep proxies from closing an idle connection. */
const heartbeat = 15_000
/** A client that has this many bytes unread is disconnected. It comes back, and asks for what it has missed. */
const maxUnread = 4_194_304

/** An open stream of server-sent events. */
export interface EventStream {
  send: (event: StreamEvent, id?: number) => void
}

/**
 * Begins a stream of server-sent events, which stays open until the client leaves or the server closes.
 *
 * @param onEnd called once, when it has ended
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export function openStream(
  { method }: IncomingMessage,
  res: ServerResponse,
  onEnd: () => void,
): EventStream | undefined {
  setOwnHeaders(res)
  res.statusCode = 200
  res.setHeader('content-type', 'text/event-stream; charset=utf-8')
  res.setHeader('x-accel-buffering', 'no')
  if (method === 'HEAD') {
    res.end()
    return undefined
  }
  res.write('retry: 1000\n\n')
  // It must not keep the process alive.
  const timer = setInterval(() => res.write(':\n\n'), heartbeat).unref()
  res.once('close', () => {
    clearInterval(timer)
    onEnd()
  })
  res.on('error', () => {}) // the client has left
  return {
    send({ event, data }, id) {
      if (res.destroyed) return
      const name = id === undefined ? '' : `id: ${id}\n`
      res.write(`event: ${event}\n${name}data: ${JSON.stringify(data)}\n\n`)
      if (res.writableLength > maxUnread) res.destroy()
    },
  }
}
