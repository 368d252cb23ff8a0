import type { IncomingMessage, ServerResponse } from 'node:http'
import type { PreparedResponse } from '../../core/response/prepare-response.ts'
import type { StreamFault } from '../../core/schema/fault-schema.ts'
import { wait } from '../web/web-fault.ts'
import { breakOff, wireOf } from './write-later.ts'
import { isGone, setHeaders } from './write-response.ts'

/** Milliseconds in which a client can read what it has been sent: a reset discards the rest. */
const beforeReset = 20

/** Writes each chunk at once, and waits for a client that reads slowly. `signal` has the reason of an early end. */
export async function writeStream(
  { method }: IncomingMessage,
  res: ServerResponse,
  head: PreparedResponse,
  chunks: AsyncGenerator<string | { fault: StreamFault }, void>,
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
  for await (const chunk of chunks) {
    if (isGone(res)) return
    if (typeof chunk !== 'string') {
      if (chunk.fault === 'reset') await wait(beforeReset, signal)
      return breakOff(res, chunk.fault)
    }
    if (!wire.write(Buffer.from(chunk))) await drained(res, signal)
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
