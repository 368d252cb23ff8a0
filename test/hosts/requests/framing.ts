import { expect } from 'vitest'
import {
  chunked,
  echo,
  host,
  plain,
  read,
  stride,
  toBytes,
  type Expected,
  type Group,
  type Row,
  type TestedServer,
} from './row.ts'

const post = (headers: string, body: string | Uint8Array) =>
  Buffer.concat([Buffer.from(`POST /echo HTTP/1.1\r\n${host}${headers}\r\n`), Buffer.from(body)])
const chunkedHeader = 'Transfer-Encoding: chunked\r\n'
const plainAnswer: Expected = { status: 200, body: 'plain' }
const closedWith400 = { by: 'Node' as const, expected: [{ status: 400 }] as Expected[], closes: true }
const text = '{"text":"Zoë 🦊"}'
const value = { text: 'Zoë 🦊' }

/** A row for requests that every server must reject. */
const malformed = (request: string, ...bytes: (string | Uint8Array)[]): Row => ({
  request,
  answer: '400',
  bytes,
  ...closedWith400,
})

async function readsAs(
  { open }: TestedServer,
  pieces: Iterable<Uint8Array>,
  piecewise = false,
): Promise<void> {
  const connection = await open()
  for (const piece of pieces) {
    connection.write(piece)
    if (piecewise) await new Promise((resolve) => setImmediate(resolve))
  }
  const response = await connection.next()
  expect(JSON.parse(response!.text)).toMatchObject({ read: value })
  connection.reset()
}

function* bytesOf(bytes: Uint8Array) {
  for (const byte of bytes) yield Uint8Array.of(byte)
}

const framings: [name: string, bytes: Uint8Array][] = [
  ['content-length', toBytes(echo(text))],
  ['chunked', post(chunkedHeader, chunked(text))],
]

export const framing: Group = {
  title: 'Framing and connections',
  rows: [
    {
      request: 'Several requests in one write, some with bodies (pipelining)',
      answer: 'Each request is answered, in the order in which they were sent',
      bytes: [
        Buffer.concat([
          toBytes(echo('{"n":1}')),
          Buffer.from(plain),
          post(chunkedHeader, chunked('{"n":2}')),
          toBytes(echo('[3]')),
        ]),
      ],
      expected: [...read({ n: 1 }), plainAnswer, ...read({ n: 2 }), ...read([3])],
    },
    {
      request: 'A request that arrives byte by byte',
      answer:
        'It is answered like any other. Node closes the connection when a request takes longer than 5 minutes',
      async run(server) {
        for (const [, bytes] of framings) await readsAs(server, bytesOf(bytes), true)
      },
    },
    {
      request: 'A body in two writes, split at any byte, even within a character',
      answer: 'It is read as if it had arrived in one piece',
      async run(server) {
        for (const [, bytes] of framings) {
          const start = bytes.indexOf(123 /* { */) - 5
          for (let at = start; at < bytes.length; at += stride)
            await readsAs(server, [bytes.subarray(0, at), bytes.subarray(at)], true)
        }
      },
    },
    {
      request: 'A client that disconnects after any byte of its request, with FIN or RST',
      answer: 'There is no answer, nothing is logged, and the next request is answered',
      async run(server) {
        for (const [, bytes] of framings) {
          const start = bytes.indexOf(13) // in the first line, then in the headers, then in the body
          for (let at = start; at < bytes.length; at += at < bytes.indexOf(123) - 8 ? 7 * stride : stride) {
            for (const leave of ['end', 'reset'] as const) {
              const connection = await server.open()
              connection.write(bytes.subarray(0, at))
              expect(await server.isAlive()).toBe(true) // by now the server has read what was sent
              connection[leave]()
              if (leave === 'end') await connection.next() // Node's 400
              await connection.closed
            }
          }
        }
        expect(server.logged()).toEqual([])
      },
    },
    {
      request: '`content-length` larger than the body, then the end of the connection',
      answer: '400',
      by: 'Node',
      async run({ open }) {
        const connection = await open()
        connection.write(post('Content-Length: 20\r\n', '{"a":1}'))
        connection.end()
        expect((await connection.next())?.status).toBe(400)
        expect(await connection.next()).toBeUndefined()
      },
    },
    {
      request: '`content-length` smaller than the body',
      answer: 'The rest is parsed as the next request: 400',
      by: 'Node',
      async run({ open }) {
        const connection = await open()
        connection.write(post('Content-Length: 7\r\n', '{"a":1}'))
        expect((await connection.next())?.status).toBe(200)
        connection.write('{"b":2}')
        expect((await connection.next())?.status).toBe(400)
        expect(await connection.next()).toBeUndefined()
      },
    },
    malformed(
      '`content-length` twice, even with the same value',
      post('Content-Length: 2\r\nContent-Length: 2\r\n', '{}'),
    ),
    malformed(
      '`content-length` that is not a number',
      post('Content-Length: 1e3\r\n', '{}'),
      post('Content-Length: -1\r\n', '{}'),
    ),
    malformed(
      'Both `content-length` and `transfer-encoding`',
      post(`Content-Length: 2\r\n${chunkedHeader}`, chunked('{}')),
    ),
    malformed(
      '`transfer-encoding` that does not end in `chunked`',
      post('Transfer-Encoding: gzip\r\n', '{}'),
    ),
    malformed(
      'A chunk whose size is not a number, or whose end is missing',
      post(chunkedHeader, '2\r\n{}0\r\n\r\n'),
      post(chunkedHeader, 'two\r\n{}\r\n0\r\n\r\n'),
    ),
    malformed('A chunk of more than 2^64 bytes', post(chunkedHeader, 'FFFFFFFFFFFFFFFFF\r\n{}')),
    {
      request: 'Chunk extensions, and trailers after the last chunk',
      answer: 'Both are ignored',
      bytes: [post(chunkedHeader, '3;a=b\r\n{"a\r\n4\r\n":1}\r\n0\r\nx-trailer: 1\r\n\r\n')],
      expected: read({ a: 1 }),
    },
    {
      request: '`expect: 100-continue`',
      answer: '100 immediately, then the answer',
      bytes: [post('Expect: 100-continue\r\nContent-Length: 2\r\n', '[]')],
      expected: [{ status: 100 }, ...read([])],
    },
    {
      request: 'Any other `expect`',
      answer: '417',
      by: 'Node',
      bytes: [post('Expect: coffee\r\nContent-Length: 2\r\n', '[]')],
      expected: [{ status: 417 }],
    },
    {
      request: 'HTTP/1.0',
      answer: 'It is answered, and the connection is closed',
      bytes: [`GET /plain HTTP/1.0\r\n${host}\r\n`],
      expected: [plainAnswer],
      closes: true,
    },
    {
      request: 'HTTP/1.0 with `connection: keep-alive`',
      answer: 'It is answered, and so is the next request on the connection',
      bytes: [`GET /plain HTTP/1.0\r\n${host}Connection: keep-alive\r\n\r\n`],
      expected: [plainAnswer],
    },
    {
      ...malformed('HTTP/1.1 without `host`', 'GET /plain HTTP/1.1\r\n\r\n'),
      answer: '400. (A server that also speaks HTTP/2 accepts it.)',
      not: ['http2 server'],
    },
    malformed(
      'Header lines that end in LF alone, or are folded',
      'GET /plain HTTP/1.1\nHost: localhost\n\n',
      `GET /plain HTTP/1.1\r\n${host}x-a: a\r\n b\r\n\r\n`,
    ),
    malformed(
      'A NUL character in a header or in the target',
      `GET /plain HTTP/1.1\r\n${host}x-a: a\0b\r\n\r\n`,
      `GET /parts/\0 HTTP/1.1\r\n${host}\r\n`,
    ),
    malformed('A target with a byte that is not ASCII', `GET /parts/é HTTP/1.1\r\n${host}\r\n`),
    malformed(
      'A method that Node does not know, or in lower case',
      `get /plain HTTP/1.1\r\n${host}\r\n`,
      `FETCH /plain HTTP/1.1\r\n${host}\r\n`,
    ),
    {
      request: '`CONNECT`',
      answer: 'The connection is closed',
      by: 'Node',
      bytes: [`CONNECT localhost:443 HTTP/1.1\r\n${host}\r\n`],
      expected: [],
      closes: true,
    },
  ],
}
