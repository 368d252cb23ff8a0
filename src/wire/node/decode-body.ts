import * as zlib from 'node:zlib'
import { unknownCharset } from '../../core/http/body.ts'
import { codingsOf, isZlib } from '../../core/http/content-coding.ts'
import type { ReceivedBody } from '../../core/answer/exchange.ts'
import type { RawRequest } from '../../core/http/raw-request.ts'

type Decoder = (bytes: Uint8Array, options: { maxOutputLength: number }) => Uint8Array

/** Node 22.15 and later. */
const { zstdDecompressSync } = zlib as unknown as { zstdDecompressSync?: Decoder }

const decoders = new Map<string, Decoder>([
  ['gzip', zlib.gunzipSync],
  ['deflate', (bytes, options) => (isZlib(bytes) ? zlib.inflateSync : zlib.inflateRawSync)(bytes, options)],
  ['br', zlib.brotliDecompressSync],
  ...(zstdDecompressSync ? [['zstd', zstdDecompressSync] as const] : []),
])

/** The codings that can be undone, for `accept-encoding`. */
export const decodedCodings: readonly string[] = [...decoders.keys()]

/**
 * Decodes a body according to its `content-encoding`. Synchronous, so that the next middleware can still read the original
 * body. Decoding stops as soon as the result is larger than the limit in bytes.
 */
export function decodeBody(bytes: Uint8Array, headers: RawRequest['headers'], limit: number): ReceivedBody {
  const charset = unknownCharset(headers)
  if (charset !== undefined) return { kind: 'charset-unknown', charset }
  if (headers['content-encoding'] === undefined || bytes.length === 0) return { kind: 'complete', bytes }
  const codings = codingsOf(headers)
  if (!codings?.every((coding) => decoders.has(coding)))
    return { kind: 'encoding-unknown', accepted: [...decoders.keys()] }
  let decoded = bytes
  for (const coding of codings) {
    try {
      decoded = decoders.get(coding)!(decoded, { maxOutputLength: Math.max(limit, 1) })
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      if (code === 'ERR_BUFFER_TOO_LARGE') return { kind: 'too-large', limit }
      return { kind: 'encoding-corrupt', reason: message }
    }
  }
  return decoded.length > limit ? { kind: 'too-large', limit } : { kind: 'complete', bytes: decoded }
}
