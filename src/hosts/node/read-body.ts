import type { IncomingMessage } from 'node:http'
import type { ReceivedBody } from '../../core/answer/exchange.ts'
import { decodeBody } from './decode-body.ts'

type BodyResult =
  /** The bytes as sent. */
  | { kind: 'complete'; bytes: Uint8Array }
  /** Serialised again from the value that an earlier middleware parsed: decoded, in UTF-8. */
  | { kind: 'parsed'; bytes: Uint8Array | undefined }
  | { kind: 'too-large'; limit: number }
  /** An earlier middleware parsed it to a value that can't be serialised again. */
  | { kind: 'parsed-by-others'; reason: string }
  /** The client left before it had sent everything. */
  | { kind: 'aborted' }

/** Where earlier body parsers put the parsed value. */
interface ParsedByOthers {
  body?: unknown
}

/**
 * Makes the reader of request bodies. It decodes them, and calls back unless the client disconnects before it has sent
 * everything.
 *
 * @param options.bodyLimit bytes of a body, as sent and decoded
 * @param options.unmatched with `passthrough`, the next middleware may have to read the body too
 */
export function createBodyReader({
  bodyLimit,
  unmatched,
}: {
  bodyLimit: number
  unmatched: 'error' | 'passthrough'
}): (req: IncomingMessage, done: (body: ReceivedBody) => void) => void {
  const read = unmatched === 'passthrough' ? peekBody : takeBody
  return (req, done) =>
    read(req, bodyLimit, (result) => {
      if (result.kind === 'aborted') return
      if (result.kind !== 'complete')
        return done(result.kind === 'parsed' ? { ...result, kind: 'complete' } : result)
      const decoded = decodeBody(result.bytes, req.headers, bodyLimit)
      done('bytes' in decoded ? { kind: 'complete', bytes: decoded.bytes } : decoded)
    })
}

/** Whether the request has a body: https://www.rfc-editor.org/rfc/rfc9112#section-6 */
export function hasBody(req: IncomingMessage): boolean {
  const length = req.headers['content-length']
  return (
    req.headers['transfer-encoding'] !== undefined ||
    (length !== undefined && length !== '0') ||
    isHttp2Request(req)
  )
}

/**
 * Reads the whole body, up to a limit in bytes, and puts it back in the turn of the event loop in which its last byte was
 * read, so that the next middleware can still read all of it.
 */
function peekBody(req: IncomingMessage, limit: number, done: (result: BodyResult) => void): void {
  const known = knownBeforehand(req, limit)
  if (known) return done(known)
  const chunks: Buffer[] = []
  let size = 0
  const finish = (result: BodyResult) => {
    req.off('readable', onReadable).off('error', onAbort).off('close', onAbort)
    // A client that disconnects after that is not an error of the dev server.
    req.on('error', ignore)
    done(result)
  }
  const putBack = () => {
    const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size)
    if (size > 0) req.unshift(bytes)
    return bytes
  }
  const onAbort = () => finish({ kind: 'aborted' })
  const onReadable = () => {
    for (let chunk = req.read() as Buffer | null; chunk !== null; chunk = req.read() as Buffer | null) {
      size += chunk.length
      chunks.push(chunk)
      if (size > limit) {
        putBack()
        return finish({ kind: 'too-large', limit })
      }
    }
    if (isRead(req)) finish({ kind: 'complete', bytes: putBack() })
  }
  req.on('readable', onReadable).on('error', onAbort).on('close', onAbort)
}

/** Like `peekBody`, for bodies that are never passed on: this saves 7 % of the time of a small POST on `node:http`. */
function takeBody(req: IncomingMessage, limit: number, done: (result: BodyResult) => void): void {
  const known = knownBeforehand(req, limit)
  if (known) return done(known)
  const chunks: Buffer[] = []
  let size = 0
  let open = true
  const finish = (result: BodyResult) => {
    if (!open) return
    open = false
    done(result)
  }
  req.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size <= limit) chunks.push(chunk)
    else finish({ kind: 'too-large', limit })
  })
  req.on('end', () =>
    finish({ kind: 'complete', bytes: chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size) }),
  )
  const onAbort = () => finish({ kind: 'aborted' })
  req.on('error', onAbort).on('close', onAbort)
}

/** Whether the last byte has arrived. With HTTP/2, only the underlying stream knows before the request has ended. */
function isRead(req: IncomingMessage & { stream?: { readableEnded?: boolean } }): boolean {
  return req.complete || req.stream?.readableEnded === true
}

/** The result, if it is known without reading the body. */
function knownBeforehand(req: IncomingMessage, limit: number): BodyResult | undefined {
  if (Number(req.headers['content-length']) > limit) return { kind: 'too-large', limit }
  if (req.readableEnded || req.readableDidRead) return alreadyParsed(req)
  return req.destroyed ? { kind: 'aborted' } : undefined
}

function alreadyParsed({ body }: IncomingMessage & ParsedByOthers): BodyResult {
  if (body === undefined || body === null) return { kind: 'parsed', bytes: undefined }
  if (Buffer.isBuffer(body)) return { kind: 'parsed', bytes: body }
  try {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    return { kind: 'parsed', bytes: Buffer.from(`${byteOrderMark}${text}`) }
  } catch (error) {
    return { kind: 'parsed-by-others', reason: (error as Error).message } // nested too deeply, circular, or with a BigInt
  }
}

/** Marks the text as UTF-8, whatever the content type says. */
const byteOrderMark = '\uFEFF'

function isHttp2Request(req: IncomingMessage): boolean {
  return req.httpVersionMajor >= 2 && req.method !== 'GET' && req.method !== 'HEAD'
}

function ignore(): void {}
