import type { Transform } from 'node:stream'
import * as zlib from 'node:zlib'
import { isZlib } from '../../core/http/body.ts'

/** A content coding of bodies. */
interface Coding {
  /** Decodes a body that has arrived. @throws Error with the code `ERR_BUFFER_TOO_LARGE` above the limit in bytes */
  decode: (bytes: Uint8Array, limit: { maxOutputLength: number }) => Uint8Array
  /** Makes what decodes a body while it arrives. What has arrived comes out at once. */
  stream: () => Transform
}

/** Node 22.15 and later. */
const { zstdDecompressSync, createZstdDecompress } = zlib as unknown as {
  zstdDecompressSync?: Coding['decode']
  createZstdDecompress?: Coding['stream']
}

/** A body that breaks off is decoded as far as it goes, as `fetch` does. */
const flushes = { flush: zlib.constants.Z_SYNC_FLUSH, finishFlush: zlib.constants.Z_SYNC_FLUSH }

export const codings: ReadonlyMap<string, Coding> = new Map<string, Coding>([
  ['gzip', { decode: zlib.gunzipSync, stream: () => zlib.createGunzip(flushes) }],
  [
    'deflate',
    {
      decode: (bytes, limit) => (isZlib(bytes) ? zlib.inflateSync : zlib.inflateRawSync)(bytes, limit),
      stream: () => zlib.createInflate(flushes),
    },
  ],
  ['br', { decode: zlib.brotliDecompressSync, stream: () => zlib.createBrotliDecompress() }],
  ...(zstdDecompressSync && createZstdDecompress
    ? [['zstd', { decode: zstdDecompressSync, stream: createZstdDecompress }] as const]
    : []),
])
