import { connect as connectSocket, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

/** Everything that happens on a connection until it ends, for answers that a client would not parse. */
export interface Wire {
  socket: Socket
  /** What was received so far. */
  received: () => string
  /** Waits until this text was received, and fails where the connection ends before. */
  seen: (text: string) => Promise<void>
  /** How the connection ended: `closed` in order, or `reset`. */
  ended: Promise<'closed' | 'reset'>
}

export function openWire(origin: string, ...bytes: string[]): Wire {
  const { hostname, port, protocol } = new URL(origin)
  const to = { host: hostname, port: Number(port) }
  const socket: Socket =
    protocol === 'https:'
      ? connectTls({ ...to, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] })
      : connectSocket(to)
  let received = ''
  let isEnded = false
  const watchers = new Set<() => void>()
  const notify = () => watchers.forEach((watch) => watch())
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString('latin1')
    notify()
  })
  const ended = new Promise<'closed' | 'reset'>((resolve) => {
    const end = (how: 'closed' | 'reset') => () => {
      isEnded = true
      resolve(how)
      notify()
    }
    socket.on('error', end('reset')).on('end', end('closed')).on('close', end('reset'))
  })
  for (const text of bytes) socket.write(text, 'latin1')
  return {
    socket,
    received: () => received,
    seen: (text) =>
      new Promise((resolve, reject) => {
        const watch = () => {
          if (received.includes(text)) resolve()
          else if (isEnded)
            reject(new Error(`It ended without ${JSON.stringify(text)}: ${JSON.stringify(received)}`))
          else return
          watchers.delete(watch)
        }
        watchers.add(watch)
        watch()
      }),
    ended,
  }
}

/** A request without a body, from a client that accepts compressed answers. */
export function requestText(method: string, path: string): string {
  return `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip, deflate, br\r\n\r\n`
}

/** Head and body of what was received, the lines of the head in lower case. */
export function parts(received: string): { head: string[]; body: string } {
  const end = received.indexOf('\r\n\r\n')
  const [head, body] = end === -1 ? [received, ''] : [received.slice(0, end), received.slice(end + 4)]
  return { head: head.toLowerCase().split('\r\n'), body }
}
