import * as zlib from 'node:zlib'
import { echo, host, read, refused, type Ask, type Group } from './row.ts'

const text = '{"a":"é"}'
const sample = Buffer.from(text)
const value = read({ a: 'é' })
const { gzipSync, deflateSync, deflateRawSync, brotliCompressSync } = zlib
const gzipped = gzipSync(sample)
/** Compresses to a thousandth of its size. */
const zeros = Buffer.alloc(20_000_000)
/** A frame of one block that is not compressed, by hand: not every Node can make one. */
const zstd = Buffer.concat([
  Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x20, sample.length, (sample.length << 3) | 1, 0, 0]),
  sample,
])
const hasZstd = 'zstdDecompressSync' in zlib
/** In the fetch handler, the supported encodings depend on the runtime. */
const acceptedEncodings = /^gzip, deflate(, br)?(, zstd)?$/

const encode = (encoding: string, bytes: Uint8Array, path = '/echo'): Ask => ({
  ...echo(bytes, { 'Content-Type': 'application/json', 'Content-Encoding': encoding }),
  target: path,
})

export const encodings: Group = {
  title: 'Encoded bodies',
  rows: [
    {
      request: '`content-encoding: gzip`, `x-gzip`, `deflate` (with or without the zlib header), `identity`',
      answer: 'The body is decoded',
      asks: [
        encode('gzip', gzipped),
        encode('X-GZip', gzipped),
        encode('deflate', deflateSync(sample)),
        encode('deflate', deflateRawSync(sample)),
        encode('identity', sample),
      ],
      expected: value,
    },
    {
      request: '`content-encoding: br`',
      answer: 'The body is decoded. In the fetch handler, only if the runtime supports it',
      asks: [encode('br', brotliCompressSync(sample))],
      expected: value,
      not: ['fetch'],
    },
    {
      request: '`content-encoding: zstd`',
      answer: 'The body is decoded on Node 22.15 and later; before, 415',
      asks: [encode('zstd', zstd)],
      expected: hasZstd ? value : refused(415, 'request-encoding-unknown'),
      ...(!hasZstd && { logged: 'request-encoding-unknown' }),
      not: ['fetch'],
    },
    {
      request: 'Up to four encodings, in one header or several (`gzip, br`)',
      answer: 'They are decoded in reverse order',
      asks: [encode('identity, gzip , Deflate', deflateSync(gzipped))],
      bytes: [
        Buffer.concat([
          Buffer.from(`POST /echo HTTP/1.1\r\n${host}Content-Encoding: gzip\r\nContent-Encoding: br\r\n`),
          Buffer.from(`Content-Length: ${brotliCompressSync(gzipped).length}\r\n\r\n`),
          brotliCompressSync(gzipped),
        ]),
      ],
      expected: value,
    },
    {
      request: 'An unknown encoding, or more than four encodings',
      answer: '415; the response header `accept-encoding: gzip, deflate, br` lists the supported encodings',
      asks: [
        encode('compress', sample),
        encode('gzip, constructor', gzipped),
        encode('gzip,gzip,gzip,gzip,gzip', gzipped),
        encode('gzip,'.repeat(1000), gzipped),
      ],
      expected: [
        {
          ...refused(415, 'request-encoding-unknown')[0]!,
          headers: { 'accept-encoding': acceptedEncodings },
        },
      ],
      logged: 'request-encoding-unknown',
    },
    {
      request: 'A body that does not match its encoding, or is truncated',
      answer: '400',
      asks: [
        encode('gzip', sample),
        encode('gzip', gzipped.subarray(0, -9)),
        encode('deflate', sample),
        encode('deflate', deflateSync(sample).fill(0xff, 4)),
      ],
      expected: refused(400, 'request-encoding-corrupt'),
      logged: 'request-encoding-corrupt',
    },
    {
      request: 'A small body that decodes to more than `bodyLimit` (a zip bomb)',
      answer: '413; decoding stops at the limit',
      asks: [
        encode('gzip', gzipSync(zeros)),
        encode('deflate', deflateRawSync(zeros)),
        encode('gzip, gzip', gzipSync(gzipSync(zeros))),
      ],
      expected: refused(413, 'request-body-too-large'),
      logged: 'request-body-too-large',
    },
    {
      request: 'An encoding without a body',
      answer: 'There is no body',
      asks: [encode('gzip', Buffer.alloc(0))],
      expected: [{ status: 200, body: { nothing: true } }],
    },
  ],
}

const theirs = (body: string | Uint8Array, headers: Record<string, string> = {}): Ask => ({
  method: 'POST',
  target: '/graphql',
  headers: { 'Content-Type': 'application/json', ...headers },
  body,
})
const theirText = '{"operationName":"Theirs","a":"é"}'
const encoded = (encoding: string, bytes: Uint8Array) => theirs(bytes, { 'Content-Encoding': encoding })

export const passthrough: Group = {
  title: 'With `unmatched: "passthrough"`',
  rows: [
    {
      request: 'A request whose body was read or decoded, and that no route matches',
      answer: 'The next middleware gets the body exactly as it was sent',
      passedOn: [
        theirs(theirText),
        encoded('gzip', gzipSync(theirText)),
        encoded('gzip, deflate', deflateSync(gzipSync(theirText))),
      ],
    },
    {
      request:
        'A body that would otherwise be refused: too large (also after decoding), corrupt, or in an unknown encoding or charset',
      answer:
        'The next middleware gets the body exactly as it was sent, and it is logged only if nobody answers',
      passedOn: [
        theirs(Buffer.alloc(1_048_577, 32)),
        encoded('gzip', gzipSync(zeros)),
        encoded('unknown', sample),
        encoded('gzip', sample),
        theirs(theirText, { 'Content-Type': 'application/json; charset=klingon' }),
      ],
    },
  ],
}
