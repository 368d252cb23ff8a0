import fc from 'fast-check'
import { parts } from '../sampling.ts'

/* What becomes of bytes on their way to a server that must live through it. */

export const header = fc.constantFrom(
  'Accept: */*',
  'Cookie: a=1; b="2',
  'X-Empty:',
  'x-tabs:\ta\t',
  `x-long: ${'x'.repeat(3000)}`,
  ...parts('Connection: keep-alive¦Expect: 100-continue¦If-None-Match: "a", W/"b"'),
  ...parts('Origin: http://localhost:1¦Accept-Encoding: gzip;q=0, *¦Authorization: Bearer abc'),
)

/** What a server must not trip over, wherever it stands. */
const token = fc.constantFrom(
  ...parts('\r\n¦\r\n\r\n¦\n¦\r¦:¦ ¦\t¦0\r\n\r\n¦\0¦%¦%00¦?¦#¦;¦,¦ffffffffffffffff'),
  ...['Content-Length: 5\r\n', 'Content-Length: -1\r\n', 'Content-Length: 99999999999999999999\r\n'],
  ...['Transfer-Encoding: chunked\r\n', 'Transfer-Encoding: gzip, chunked\r\n', 'Transfer-Encoding:\r\n'],
  ...[
    'Content-Encoding: gzip\r\n',
    'Content-Encoding: gzip,gzip,gzip,gzip,br\r\n',
    'Content-Encoding: x\r\n',
  ],
  ...['Content-Type: application/json; charset=utf-16\r\n', 'Content-Type: text/plain; charset=x\r\n'],
  ...[
    'Expect: 100-continue\r\n',
    'Expect: x\r\n',
    'Upgrade: websocket\r\nConnection: upgrade\r\n',
    'Connection: close\r\n',
  ],
  ...parts('GET ¦POST ¦HEAD ¦OPTIONS * ¦CONNECT a:1 ¦PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n¦HTTP/1.0¦HTTP/0.9'),
  ...parts('/graphql¦/graphql?query={a}¦/parts/%¦/select¦//¦/../¦{"query":"{a¦[[[[[[[¦\uFEFF¦"\\ud800"'),
)
const inserted = fc.oneof(
  token.map((text) => Buffer.from(text)),
  header.map((line) => Buffer.from(`${line}\r\n`)),
  fc.uint8Array({ minLength: 1, maxLength: 8 }),
)
export const share = fc.double({ min: 0, max: 1, noNaN: true })

export type Damage = (bytes: Buffer) => Buffer
export const damage: fc.Arbitrary<Damage> = fc.oneof(
  fc.tuple(share, inserted).map(([at, text]): Damage => (bytes) => {
    const place = Math.round(at * bytes.length)
    return Buffer.concat([bytes.subarray(0, place), text, bytes.subarray(place)])
  }),
  fc.tuple(share, inserted).map(([at, text]): Damage => (bytes) => {
    const copy = Buffer.from(bytes)
    copy.set(
      text.subarray(0, Math.max(0, copy.length - Math.floor(at * copy.length))),
      Math.floor(at * copy.length),
    )
    return copy
  }),
  fc.tuple(share, share).map(([from, to]): Damage => (bytes) => {
    const [start, end] = [from, to].map((place) => Math.round(place * bytes.length)).sort((a, b) => a - b)
    return Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)])
  }),
  fc.tuple(share, share).map(([from, to]): Damage => (bytes) => {
    const [start, end] = [from, to].map((place) => Math.round(place * bytes.length)).sort((a, b) => a - b)
    return Buffer.concat([bytes.subarray(0, end), bytes.subarray(start)])
  }),
  fc.tuple(share, fc.integer({ min: 0, max: 7 })).map(([at, bit]): Damage => (bytes) => {
    const copy = Buffer.from(bytes)
    const place = Math.min(Math.floor(at * copy.length), copy.length - 1)
    if (place >= 0) copy[place]! ^= 1 << bit
    return copy
  }),
  share.map(
    (at): Damage =>
      (bytes) =>
        bytes.subarray(0, Math.round(at * bytes.length)),
  ),
)
