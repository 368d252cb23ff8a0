import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { parts } from '../sampling.ts'

/* Requests as bytes, made of what HTTP is made of, and then damaged. */

const header = fc.constantFrom(
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
const share = fc.double({ min: 0, max: 1, noNaN: true })

type Damage = (bytes: Buffer) => Buffer
const damage: fc.Arbitrary<Damage> = fc.oneof(
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

/** A request that is right, and what the route that it is for gives back of its body. */
export interface ValidRequest {
  bytes: Uint8Array
  expected: { status: number; text?: string; read?: unknown }
}

const coders: Record<string, (bytes: Uint8Array) => Buffer> = {
  gzip: (bytes) => gzipSync(bytes),
  deflate: (bytes) => deflateSync(bytes),
  Deflate: (bytes) => deflateRawSync(bytes),
  br: (bytes) => brotliCompressSync(bytes),
  identity: (bytes) => Buffer.from(bytes),
}

const json = fc.jsonValue({ maxDepth: 3, noUnicodeString: false })
function chunk(bytes: Uint8Array, sizes: readonly number[], extension: string, trailer: string): Buffer {
  const parts: Buffer[] = []
  for (let at = 0, index = 0; at < bytes.length; index++) {
    const part = bytes.subarray(at, at + (sizes[index % sizes.length] ?? 7))
    parts.push(
      Buffer.from(`${part.length.toString(16)}${extension}\r\n`),
      Buffer.from(part),
      Buffer.from('\r\n'),
    )
    at += part.length
  }
  return Buffer.concat([...parts, Buffer.from(`0\r\n${trailer}\r\n`)])
}

/** A POST whose body is given back, in any framing and any encoding. */
const echoRequest: fc.Arbitrary<ValidRequest> = fc
  .record({
    body: json,
    codings: fc.array(fc.constantFrom(...Object.keys(coders)), { maxLength: 2 }),
    sizes: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 }),
    isChunked: fc.boolean(),
    extension: fc.constantFrom('', ';a', ';a=b', ';a="b"'),
    trailer: fc.constantFrom('', 'x-a: 1\r\n', 'Content-Type: text/plain\r\n'),
    headers: fc.uniqueArray(header, { maxLength: 3 }),
  })
  .map(({ body, codings, sizes, isChunked, extension, trailer, headers }) => {
    const encoded = codings.reduce<Buffer>(
      (bytes, coding) => coders[coding]!(bytes),
      Buffer.from(JSON.stringify(body)),
    )
    const lines = [
      'POST /echo HTTP/1.1',
      'Host: localhost',
      'Content-Type: application/json',
      ...headers.filter((line) => !line.startsWith('Expect')),
      ...(codings.length > 0 ? [`Content-Encoding: ${codings.join(', ')}`] : []),
      isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${encoded.length}`,
    ]
    const framed = isChunked ? chunk(encoded, sizes, extension, trailer) : encoded
    const read = JSON.parse(JSON.stringify(body)) as unknown
    return {
      bytes: Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), framed]),
      expected: { status: 200, read },
    }
  })

const plainRequest: fc.Arbitrary<ValidRequest> = fc
  .tuple(fc.constantFrom('/plain', '/plain?a=b&&', '/pl%61in', 'http://localhost/plain'), fc.boolean())
  .map(([target, hasBody]) => ({
    bytes: Buffer.from(
      `GET ${target} HTTP/1.1\r\nHost: localhost\r\n${hasBody ? 'Content-Length: 3\r\n\r\nabc' : '\r\n'}`,
    ),
    expected: { status: 200, text: 'plain' },
  }))

const unreadRequest: fc.Arbitrary<ValidRequest> = fc.integer({ min: 0, max: 70_000 }).map((size) => ({
  bytes: Buffer.from(
    `POST /unread HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${size}\r\n\r\n${'G'.repeat(size)}`,
  ),
  expected: { status: 200, text: 'unread' },
}))

const unmatchedRequest: fc.Arbitrary<ValidRequest> = json.map((body) => {
  const text = JSON.stringify(body)
  return {
    bytes: Buffer.from(
      `POST /select HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
    ),
    expected: { status: 404 },
  }
})

export const validRequest = fc.oneof(
  { weight: 4, arbitrary: echoRequest },
  { weight: 2, arbitrary: plainRequest },
  { weight: 1, arbitrary: unreadRequest },
  { weight: 1, arbitrary: unmatchedRequest },
)

/** Where bytes are parted into writes, as shares of their length. */
export const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 })

export function cutAt(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const ends = [...places.map((place) => Math.round(place * bytes.length)), bytes.length].sort(
    (a, b) => a - b,
  )
  return ends
    .map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end))
    .filter((piece) => piece.length > 0)
}

/** Requests that are right, one behind the other or one inside the other, and then damaged. */
export const damaged: fc.Arbitrary<Uint8Array> = fc
  .tuple(
    fc.array(validRequest, { minLength: 1, maxLength: 3 }),
    fc.option(share),
    fc.array(damage, { minLength: 1, maxLength: 4 }),
  )
  .map(([requests, interleaveAt, damages]) => {
    const [first, ...others] = requests.map(({ bytes }) => Buffer.from(bytes))
    const rest = Buffer.concat(others)
    const place = Math.round((interleaveAt ?? 1) * first!.length)
    const whole = Buffer.concat([first!.subarray(0, place), rest, first!.subarray(place)])
    return damages.reduce<Buffer>((bytes, apply) => apply(bytes), whole)
  })

const anyBody = fc
  .tuple(
    fc.oneof(
      json.map((value) => Buffer.from(JSON.stringify(value))),
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
      fc.string({ unit: 'binary' }).map((text) => Buffer.from(text)),
      fc
        .record({ query: fc.string(), operationName: json, variables: json })
        .map((payload) => Buffer.from(JSON.stringify(payload))),
      fc
        .constantFrom('{ a { b } }', 'a=1&b=%zz', '{"query":"{ a"}', '[]', '[{}]', '\uFEFF{}', ' ')
        .map((text) => Buffer.from(text)),
    ),
    fc.array(fc.constantFrom(...Object.keys(coders)), { maxLength: 3 }),
    fc.array(damage, { maxLength: 2 }),
  )
  .map(([body, codings, damages]) => {
    const encoded = codings.reduce<Buffer>((bytes, coding) => coders[coding]!(bytes), body)
    return { codings, bytes: damages.reduce<Buffer>((bytes, apply) => apply(bytes), encoded) }
  })

/** One request whose frame is right, whatever is in it. */
export const framed: fc.Arbitrary<Uint8Array> = fc
  .record({
    method: fc.constantFrom('POST', 'POST', 'POST', 'GET', 'DELETE', 'PUT', 'PROPFIND', 'OPTIONS'),
    path: fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom('/echo', '/select', '/graphql') },
      fc.constantFrom('/parts/1', '/unread', '/plain', '*', 'http://a', '//'),
      fc.webPath().map((path) => `/parts${path}`),
    ),
    search: fc.oneof(
      fc.constant(''),
      fc.webQueryParameters(),
      fc.constantFrom('query={a}', 'operationName=Mine&variables={', '%', '&='),
    ),
    body: anyBody,
    codings: fc.option(
      fc.constantFrom('gzip', 'deflate', 'br', 'x', 'gzip, gzip, gzip, gzip, gzip', '__proto__'),
    ),
    type: fc.constantFrom(
      ...parts('application/json¦application/json¦application/graphql¦text/plain'),
      ...parts('application/x-www-form-urlencoded¦'),
      ...[
        'multipart/form-data',
        'multipart/form-data; boundary=a',
        'application/json; charset=utf-16',
        'text/a; charset=b',
        '/',
      ],
    ),
    headers: fc.uniqueArray(header, { maxLength: 4 }),
    sizes: fc.option(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 })),
  })
  .map(({ method, path, search, body, codings, type, headers, sizes }) => {
    const encoding = codings ?? body.codings.join(', ')
    const lines = [
      `${method} ${path}${search && `?${search}`} HTTP/1.1`,
      'Host: localhost',
      `Content-Type: ${type}`,
      ...headers,
      ...(encoding === '' ? [] : [`Content-Encoding: ${encoding}`]),
      sizes ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.bytes.length}`,
    ]
    const inFrame = sizes ? chunk(body.bytes, sizes, '', '') : body.bytes
    return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), inFrame])
  })
