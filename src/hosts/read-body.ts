import type { IncomingMessage } from 'node:http'

export type BodyResult =
  | { kind: 'complete'; bytes: Uint8Array | undefined }
  /** With what has been read of it, where that can be put back. */
  | { kind: 'too-large'; bytes?: Uint8Array }
  /** The client left before it had sent everything. */
  | { kind: 'aborted' }

/** Body parsers that run before us leave what they read here. */
interface ParsedByOthers {
  body?: unknown
}

/** Whether there is a body to wait for at all (RFC 9112, section 6). */
export function hasBody(req: IncomingMessage): boolean {
  const length = req.headers['content-length']
  return (
    req.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0') || isHttp2(req)
  )
}

/**
 * Reads the whole body, up to a limit in bytes, and hands it over in the same turn in which its last byte was read:
 * until then `restoreBody` can still put everything back.
 */
export function readBody(req: IncomingMessage, limit: number, done: (result: BodyResult) => void): void {
  if (Number(req.headers['content-length']) > limit) return done({ kind: 'too-large' })
  if (req.readableEnded || req.readableDidRead) return done({ kind: 'complete', bytes: alreadyParsed(req) })
  if (req.destroyed) return done({ kind: 'aborted' })
  const chunks: Buffer[] = []
  let size = 0
  const finish = (result: BodyResult) => {
    req.off('readable', onReadable).off('error', onAbort).off('close', onAbort)
    // What a client does after that, such as leaving, is no error of the dev server.
    req.on('error', ignore)
    done(result)
  }
  const onAbort = () => finish({ kind: 'aborted' })
  const onReadable = () => {
    for (let chunk = req.read() as Buffer | null; chunk !== null; chunk = req.read() as Buffer | null) {
      size += chunk.length
      chunks.push(chunk)
      if (size > limit) return finish({ kind: 'too-large', bytes: Buffer.concat(chunks, size) })
    }
    if (isRead(req)) finish({ kind: 'complete', bytes: Buffer.concat(chunks, size) })
  }
  req.on('readable', onReadable).on('error', onAbort).on('close', onAbort)
}

/** Like `readBody`, for who never puts a body back: a third fewer steps. */
export function takeBody(req: IncomingMessage, limit: number, done: (result: BodyResult) => void): void {
  if (Number(req.headers['content-length']) > limit) return done({ kind: 'too-large' })
  if (req.readableEnded || req.readableDidRead) return done({ kind: 'complete', bytes: alreadyParsed(req) })
  if (req.destroyed) return done({ kind: 'aborted' })
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
    else finish({ kind: 'too-large' })
  })
  req.on('end', () =>
    finish({ kind: 'complete', bytes: chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size) }),
  )
  const onAbort = () => finish({ kind: 'aborted' })
  req.on('error', onAbort).on('close', onAbort)
}

/** Whether the last byte has arrived. Of HTTP/2, only the stream below the request tells before it has ended. */
function isRead(req: IncomingMessage & { stream?: { readableEnded?: boolean } }): boolean {
  return req.complete || req.stream?.readableEnded === true
}

/** Puts a body back, so that whoever comes next reads every byte. Only in the turn in which it was read. */
export function restoreBody(req: IncomingMessage, bytes: Uint8Array | undefined): void {
  if (bytes?.length && !req.readableEnded) req.unshift(bytes)
}

function alreadyParsed(req: IncomingMessage & ParsedByOthers): Uint8Array | undefined {
  const { body } = req
  if (body === undefined || body === null) return undefined
  if (Buffer.isBuffer(body)) return body
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}

function isHttp2(req: IncomingMessage): boolean {
  return req.httpVersionMajor >= 2 && req.method !== 'GET' && req.method !== 'HEAD'
}

function ignore(): void {}
