import { connect as connectSocket, createServer, type AddressInfo, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

/** A connection on which a test sees every byte, for requests that no client sends and answers that none parses. */
export interface Wire {
  socket: Socket
  /** Closes the connection with a reset (RST). */
  reset: () => void
  /** What was received so far. */
  received: () => string
  /** Waits until this text was received, and fails if the connection ends before. */
  seen: (text: string) => Promise<void>
  /** Waits until the function finds something in what was received. `undefined` if the connection ends before. */
  find: <T>(look: (received: Buffer, isEnded: boolean) => T | undefined) => Promise<T | undefined>
  /** How the connection ended: `closed` in order, or `reset`. */
  ended: Promise<'closed' | 'reset'>
}

/** Connects, and writes the bytes. TLS connections speak HTTP/1.1. */
export function openWire(origin: string, ...bytes: string[]): Wire {
  const { hostname, port, protocol } = new URL(origin)
  let tcp: Socket
  let end: (how: 'closed' | 'reset') => void
  const endOfTcp = new Promise<'closed' | 'reset'>((resolve) => (end = resolve))
  const open = () => {
    const own = connectSocket({ host: hostname, port: Number(port), noDelay: true, allowHalfOpen: true })
    tcp = own
    // A process that is busy reads the last bytes and the reset behind them at once, and Node calls that an orderly end. Then writing
    // fails, even if it is nothing that is written.
    const tell = (error?: Error | null) => {
      end(error ? 'reset' : 'closed')
      own.end()
    }
    return own
      .on('end', () => (own.writable ? void own.write(Buffer.alloc(0), tell) : tell()))
      .on('error', () => end('reset'))
      .on('close', () => end('reset'))
  }
  let isOver = false
  // Node's TLS client reports some resets as an orderly end, so the connection that is watched is behind it.
  const openTls = () => {
    const relay = createServer({ allowHalfOpen: true }, (near) => {
      relay.close()
      const far = open().on('error', () => near.destroy())
      far.pipe(near)
      near.on('error', () => {}).on('data', (chunk: Buffer) => isOver || far.write(chunk))
      near.on('end', () => isOver || far.end())
      near.on('close', () => isOver || far.destroy())
    }).listen(0)
    const { port } = relay.address() as AddressInfo
    const client = connectTls({ port, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] })
    // It answers an orderly end with a message, which a server that is gone resets.
    return client.on('end', () => (isOver = true))
  }
  const socket: Socket = protocol === 'https:' ? openTls() : open()
  let received = Buffer.alloc(0)
  let isEnded = false
  const watchers = new Set<() => void>()
  const notify = () => watchers.forEach((watch) => watch())
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk])
    notify()
  })
  socket.on('error', () => {})
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => {
      isEnded = true
      resolve()
      notify()
    })
  })
  const ended = Promise.all([endOfTcp, closed]).then(([how]) => how)
  for (const text of bytes) socket.write(text, 'latin1')

  const changed = () =>
    new Promise<void>((resolve) => {
      const watch = () => {
        watchers.delete(watch)
        resolve()
      }
      watchers.add(watch)
    })
  const find: Wire['find'] = async (look) => {
    for (;;) {
      const found = look(received, isEnded)
      if (found !== undefined || isEnded) return found
      await changed()
    }
  }
  return {
    socket,
    reset: () => {
      tcp.resetAndDestroy()
      socket.destroy()
    },
    received: () => received.toString('latin1'),
    async seen(text) {
      if (await find((bytes) => bytes.includes(text, 0, 'latin1') || undefined)) return
      throw new Error(
        `It ended without ${JSON.stringify(text)}: ${JSON.stringify(received.toString('latin1'))}`,
      )
    },
    find,
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
