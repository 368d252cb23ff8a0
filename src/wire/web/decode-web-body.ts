import { unknownCharset } from '../../core/http/body.ts'
import { codingsOf, isZlib } from '../../core/http/content-coding.ts'
import type { ReceivedBody } from '../../core/answer/exchange.ts'
import { readStream } from './read-stream.ts'
import type { RawRequest } from '../../core/http/raw-request.ts'

/** The formats of `DecompressionStream` by content coding. Not every runtime has all of them. */
const formats: Record<string, string> = { gzip: 'gzip', deflate: 'deflate', br: 'brotli', zstd: 'zstd' }

/** Like `decodeBody`, with web standards. */
export async function decodeWebBody(
  bytes: Uint8Array,
  headers: RawRequest['headers'],
  limit: number,
): Promise<ReceivedBody> {
  const charset = unknownCharset(headers)
  if (charset !== undefined) return { kind: 'charset-unknown', charset }
  if (headers['content-encoding'] === undefined || bytes.length === 0) return { kind: 'complete', bytes }
  const codings = codingsOf(headers)
  if (!codings?.every(isSupported))
    return { kind: 'encoding-unknown', accepted: Object.keys(formats).filter(isSupported) }
  let decoded = bytes
  for (const coding of codings) {
    const format = coding === 'deflate' && !isZlib(decoded) ? 'deflate-raw' : formats[coding]!
    const stream = new Blob([decoded as BlobPart]).stream().pipeThrough(decompression(format))
    try {
      const read = await readStream(stream, limit, 'cancel')
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
