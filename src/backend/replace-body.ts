import type { IncomingMessage } from 'node:http'
import type { ReceivedBody } from '../core/answer/exchange.ts'

/** Where earlier body parsers put the parsed value. */
type Request = IncomingMessage & { body?: unknown }

/** Puts another JSON body in the place of one that was read and put back, or that an earlier middleware has parsed. */
export function replaceBody(req: Request, bytes: Uint8Array): ReceivedBody {
  describeBytes(req, bytes)
  if (req.readableEnded) req.body = JSON.parse(Buffer.from(bytes).toString()) as unknown
  else {
    while (req.read() !== null); // in the same turn, before the stream ends
    req.unshift(bytes)
  }
  return { kind: 'complete', bytes }
}

/**
 * The bytes to send if nothing can be read from the request any more, since an earlier middleware has read it; `undefined` if
 * it can be piped.
 */
export function useBytes(req: IncomingMessage, received: ReceivedBody): Uint8Array | undefined {
  if (!req.readableEnded || received.kind !== 'complete' || !received.bytes) return undefined
  const [first, second, third] = received.bytes
  const hasMark = first === 0xef && second === 0xbb && third === 0xbf
  const bytes = hasMark ? received.bytes.subarray(3) : received.bytes
  describeBytes(req, bytes)
  return bytes
}

function describeBytes({ headers }: IncomingMessage, bytes: Uint8Array): void {
  headers['content-length'] = String(bytes.length)
  delete headers['transfer-encoding']
  delete headers['content-encoding']
}
