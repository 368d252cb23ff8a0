import { ClientLeft, codingsToUndo, isZlib, type ReceivedBody } from '../../core/http/body.ts'
import { joinBytes } from '../../core/values/collections.ts'
import type { Headers } from '../../core/http/raw-request.ts'

/** @param keepOriginal reads a copy, for a next handler: a stream can be read only once @throws ClientLeft */
export async function readWebBody(
  request: Request,
  headers: Headers,
  limit: number,
  keepOriginal: boolean,
): Promise<ReceivedBody> {
  if (request.bodyUsed || request.body?.locked) return { kind: 'used' }
  let bytes: Uint8Array | undefined
  try {
    const body = await bodyOf(keepOriginal ? request.clone() : request)
    if (!body) return { kind: 'complete', bytes: undefined }
    // Without a next handler, the body is read to its end: some runtimes cut off a client that is still sending.
    bytes = await readWebStream(body, limit, keepOriginal ? 'cancel' : 'drain')
  } catch {
    throw new ClientLeft()
  }
  if (!bytes) return { kind: 'too-large', limit }
  return decodeWebBody(bytes, headers, limit)
}

/** Firefox has no `Request.body` (https://bugzilla.mozilla.org/show_bug.cgi?id=1387483). */
async function bodyOf(request: Request): Promise<Request['body']> {
  if ((request.body as Request['body'] | undefined) !== undefined) return request.body
  const blob = await request.blob()
  return blob.size === 0 ? null : blob.stream()
}

/** Formats of `DecompressionStream` by content coding. Not every runtime has all of them. */
const formats: Record<string, string> = { gzip: 'gzip', deflate: 'deflate', br: 'brotli', zstd: 'zstd' }

/** Like `decodeBody`, with web standards. */
export async function decodeWebBody(
  bytes: Uint8Array,
  headers: Headers,
  limit: number,
): Promise<ReceivedBody> {
  const codings = codingsToUndo(bytes, headers, () => Object.keys(formats).filter(isSupported))
  if (!Array.isArray(codings)) return codings
  let decoded = bytes
  for (const coding of codings) {
    const format = coding === 'deflate' && !isZlib(decoded) ? 'deflate-raw' : formats[coding]!
    const stream = new Blob([decoded as BlobPart]).stream().pipeThrough(decompression(format))
    try {
      const read = await readWebStream(stream, limit, 'cancel')
      if (!read) return { kind: 'too-large', limit }
      decoded = read
    } catch (error) {
      // From Node 22 on, the message is that of the cause.
      const { message, cause } = error as Error
      const reason = message || (cause as Error | undefined)?.message || `it is not ${coding}`
      return { kind: 'encoding-corrupt', reason }
    }
  }
  return { kind: 'complete', bytes: decoded }
}

function isSupported(coding: string): boolean {
  const format = Object.hasOwn(formats, coding) ? formats[coding] : undefined
  try {
    return format !== undefined && Boolean(decompression(format))
  } catch {
    return false
  }
}

function decompression(format: string) {
  return new DecompressionStream(format as CompressionFormat) as ReadableWritablePair<
    Uint8Array,
    Uint8Array<ArrayBuffer>
  >
}

/** `undefined` above the limit; `giveUp` says whether the rest stays unread or is read and discarded. */
export async function readWebStream(
  stream: ReadableStream<Uint8Array>,
  limit: number,
  giveUp: 'cancel' | 'drain',
): Promise<Uint8Array | undefined> {
  const reader = stream.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return size > limit ? undefined : joinBytes(chunks)
    size += value.length
    if (size <= limit) chunks.push(value)
    else if (giveUp === 'drain') chunks.length = 0
    else {
      void reader.cancel().catch(() => {})
      return undefined
    }
  }
}
