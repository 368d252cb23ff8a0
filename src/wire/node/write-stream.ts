import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { PreparedResponse } from '../../core/response/prepare-response.ts'
import { wait, type Chunk, type NamedFault } from '../web/web-fault.ts'
import { completeHead, isGone, isHttp2Response, setHeaders, toBuffer } from './write-response.ts'

/** Milliseconds in which a client can read what it has been sent: a reset discards the rest. */
const beforeReset = 20

/** Writes each chunk at once, and waits for a client that reads slowly. `signal` has the reason of an early end. */
export async function writeStream(
  { method }: IncomingMessage,
  res: ServerResponse,
  head: PreparedResponse,
  chunks: AsyncGenerator<Chunk, void>,
  signal: AbortSignal,
): Promise<void> {
  if (res.headersSent || isGone(res)) return
  if (method === 'HEAD') {
    setHeaders(res, head.status, head.headers)
    return void res.end()
  }
  const wire = wireOf(res)
  res.on('error', () => {}) // the client has left
  wire.start(head)
  let written = Promise.resolve()
  for await (const chunk of chunks) {
    if (isGone(res)) return
    if (typeof chunk === 'object' && 'fault' in chunk) {
      if (chunk.fault === 'reset') await wait(beforeReset, signal)
      await written
      return breakOff(res, chunk.fault)
    }
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : toBuffer(chunk)
    let hasRoom = true
    written = new Promise((resolve) => (hasRoom = wire.write(bytes, resolve)))
    if (!hasRoom) await drained(res, signal)
  }
  if (isGone(res)) return
  if (signal.reason === 'cut') res.destroy()
  else wire.end(Buffer.alloc(0))
}

function drained(res: ServerResponse, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      res.off('drain', done).off('close', done)
      signal.removeEventListener('abort', done)
      resolve()
    }
    res.once('drain', done).once('close', done)
    signal.addEventListener('abort', done)
    if (signal.aborted || isGone(res)) done()
  })
}

/** HTTP/2 sends several answers over one connection, so only the stream of this one fails. */
export function breakOff(res: ServerResponse, fault: NamedFault): void {
  if (isHttp2Response(res)) {
    if (fault !== 'stalled') res.stream.close(fault === 'malformed' ? protocolError : internalError)
    return
  }
  const { socket } = res
  if (!socket || fault === 'stalled') return
  if (fault === 'reset') return reset(socket)
  if (fault === 'malformed') socket.write('this is no chunk\r\n')
  socket.destroySoon()
}

/** @see https://www.rfc-editor.org/rfc/rfc9113#section-7 */
const protocolError = 1
const internalError = 2

/** The original methods: middlewares replace them, and compression buffers what is written. */
function wireOf(res: ServerResponse) {
  const own = Object.getPrototypeOf(res) as ServerResponse
  return {
    start({ status, headers }: PreparedResponse): void {
      setHeaders(res, status, headers)
      completeHead(res)
      own.writeHead.call(res, status)
      own.flushHeaders.call(res)
    },
    /** Whether more may be written at once. */
    write: (bytes: Uint8Array, done: () => void): boolean => own.write.call(res, bytes, 'latin1', done),
    end: (bytes: Uint8Array): void => void own.end.call(res, bytes, 'latin1'),
  }
}

/** TLS has no reset of its own, and hides the underlying connection. */
export function reset(socket: Socket & { _parent?: Socket }): void {
  try {
    const below = socket._parent ?? socket
    below.resetAndDestroy()
  } catch {
    socket.destroy() // not TCP: a pipe of the operating system
  }
}
