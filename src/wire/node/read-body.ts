import type { IncomingMessage } from 'node:http'
import type { Http2Stream } from 'node:http2'
import { ClientLeft, codingsToUndo, type ReceivedBody } from '../../core/http/body.ts'
import type { Headers } from '../../core/http/raw-request.ts'
import { codings } from './codings.ts'

interface ParsedByOthers {
  body?: unknown
}

/**
 * The body is put back, so that the next middleware can still read all of it.
 * @param limit bytes, as sent and decoded
 * @throws ClientLeft
 */
export async function readBody(req: IncomingMessage, limit: number): Promise<ReceivedBody> {
  if (Number(req.headers['content-length']) > limit) return { kind: 'too-large', limit }
  if (req.readableEnded || req.readableDidRead) return parsedByOthers(req)
  if (req.destroyed) throw new ClientLeft()
  const bytes = await peekBytes(req, limit)
  return bytes ? decodeBody(bytes, req.headers, limit) : { kind: 'too-large', limit }
}

/** @see https://www.rfc-editor.org/rfc/rfc9112#section-6 */
export function hasBody(req: IncomingMessage): boolean {
  const length = req.headers['content-length']
  return (
    req.headers['transfer-encoding'] !== undefined ||
    (length !== undefined && length !== '0') ||
    isHttp2Request(req)
  )
}

/**
 * `undefined` above the limit. The bytes are put back in the turn of the event loop in which the last one was read:
 * later, the request would have ended.
 */
function peekBytes(req: IncomingMessage, limit: number): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const stop = () => req.off('readable', onReadable).off('close', onClose)
    const onClose = () => {
      stop()
      reject(new ClientLeft())
    }
    const finish = () => {
      stop()
      const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size)
      if (size > 0) req.unshift(bytes)
      resolve(size > limit ? undefined : bytes)
    }
    const onReadable = () => {
      // Reading nothing from a request that has ended would make it emit `end`, which nobody listens to yet.
      if (size === 0 && req.readableLength === 0 && isRead(req, size)) return finish()
      for (let chunk = req.read() as Buffer | null; chunk !== null; chunk = req.read() as Buffer | null) {
        size += chunk.length
        chunks.push(chunk)
        if (size > limit) return finish()
      }
      if (isRead(req, size)) finish()
    }
    req
      .on('readable', onReadable)
      .on('close', onClose)
      .on('error', () => {}) // a client that disconnects
  })
}

/**
 * With HTTP/2, a request is also `complete` when its client has reset the stream. Requests of light-my-request, which
 * Fastify's `inject` sends, are never `complete`.
 */
function isRead(req: Partial<IncomingMessage> & { stream?: Http2Stream }, size: number): boolean {
  const { stream, complete = size === Number(req.headers?.['content-length']) } = req
  return stream ? stream.readableEnded && stream.rstCode === 0 && !stream.destroyed : complete
}

/** Serialised again, in UTF-8, from the value of an earlier body parser. */
function parsedByOthers({ body }: IncomingMessage & ParsedByOthers): ReceivedBody {
  if (body === undefined || body === null) return { kind: 'complete', bytes: undefined }
  if (Buffer.isBuffer(body)) return { kind: 'complete', bytes: body }
  try {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    return { kind: 'complete', bytes: Buffer.from(`${byteOrderMark}${text}`) }
  } catch (error) {
    return { kind: 'parsed-by-others', reason: (error as Error).message } // nested too deeply, circular, or with a BigInt
  }
}

/** Marks the text as UTF-8, whatever the content type says. */
const byteOrderMark = '\uFEFF'

function isHttp2Request(req: IncomingMessage): boolean {
  return req.httpVersionMajor >= 2 && req.method !== 'GET' && req.method !== 'HEAD'
}

export const decodedCodings: readonly string[] = [...codings.keys()]

/** Synchronous, so that the next middleware can still read the body. Decoding stops at the limit in bytes. */
export function decodeBody(bytes: Uint8Array, headers: Headers, limit: number): ReceivedBody {
  const toUndo = codingsToUndo(bytes, headers, () => decodedCodings)
  if (!Array.isArray(toUndo)) return toUndo
  let decoded = bytes
  for (const coding of toUndo) {
    try {
      decoded = codings.get(coding)!.decode(decoded, { maxOutputLength: Math.max(limit, 1) })
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      if (code === 'ERR_BUFFER_TOO_LARGE') return { kind: 'too-large', limit }
      return { kind: 'encoding-corrupt', reason: message }
    }
  }
  return decoded.length > limit ? { kind: 'too-large', limit } : { kind: 'complete', bytes: decoded }
}
