import { isThorough } from '../../sampling.ts'
import type { RawConnection } from '../raw.ts'

/** Bytes from one cut to the next: the slow run cuts at every byte. Three is less than a character of four bytes. */
export const stride = isThorough ? 1 : 3

/** A request that HTTP/1.1, HTTP/2 and the fetch handler can all send. */
export interface Ask {
  method?: string
  target: string
  headers?: Record<string, string>
  body?: string | Uint8Array
}

/** What an answer must contain. */
export interface Expected {
  /** `host`: whatever the host or the next middleware answers. */
  status: number | 'host'
  /** Part of the body's JSON value, or its text. */
  body?: object | string
  headers?: Record<string, string | RegExp | undefined>
  /** A text that neither the answer nor the log may contain. */
  without?: string
}

/** One entry of `docs/requests.md`, and how it is tested. */
export interface Row {
  /** What is sent. Also the name of the test. */
  request: string
  /** What is answered. */
  answer: string
  /** Who decides: the package, Node's HTTP parser, or the host and the middlewares after the package. */
  by?: 'package' | 'Node' | 'host'
  /** Requests that each get this answer; sent over HTTP/1.1, over HTTP/2, and through the fetch handler. */
  asks?: Ask[]
  /** Where the request can't be sent, or is answered differently. */
  not?: ('http2' | 'http2 server' | 'fetch')[]
  /** Requests that are passed on with their whole body with `unmatched: 'passthrough'`. */
  passedOn?: Ask[]
  /** Bytes that each get this answer, for requests that only a socket can send. */
  bytes?: (string | Uint8Array)[]
  /** A test that needs more than one write and its answers. */
  run?: (server: TestedServer) => Promise<void>
  /** The answers, in order. */
  expected?: Expected[]
  /** Whether the server closes the connection. If not, the next request on it must be answered. */
  closes?: boolean
  /** The code of the diagnostic that is logged; by default nothing is logged. */
  logged?: string
}

export interface Group {
  title: string
  rows: Row[]
}

/** A server that the rows are sent to. */
export interface TestedServer {
  open: () => Promise<RawConnection>
  /** Whether a plain request is answered, on a connection of its own. */
  isAlive: () => Promise<boolean>
  /** What the package has logged since the test began. */
  logged: () => string[]
}

export const host = 'Host: localhost\r\n'

/** The bytes of a request in HTTP/1.1. */
export function toBytes({ method = 'GET', target, headers = {}, body }: Ask): Uint8Array {
  const bytes = body === undefined ? undefined : Buffer.from(body)
  const length = bytes && !('Transfer-Encoding' in headers) ? { 'Content-Length': String(bytes.length) } : {}
  const lines = Object.entries({ Host: 'localhost', ...length, ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  return Buffer.concat([
    Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`),
    bytes ?? Buffer.alloc(0),
  ])
}

export const plain = `GET /plain HTTP/1.1\r\n${host}\r\n`

/** A chunked body (`transfer-encoding: chunked`), with chunks of the given size. */
export function chunked(body: string | Uint8Array, size = 4): Uint8Array {
  const bytes = Buffer.from(body)
  const parts: Buffer[] = []
  for (let at = 0; at < bytes.length; at += size) {
    const part = bytes.subarray(at, at + size)
    parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n'))
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')])
}

/** A POST to a route that responds with the body as the package has parsed it. */
export function echo(body: string | Uint8Array, headers: Record<string, string> = {}): Ask {
  return { method: 'POST', target: '/echo', headers, body }
}

export const read = (body: unknown): Expected[] => [{ status: 200, body: { read: body } }]
export const refused = (status: number, code: string): Expected[] => [{ status, body: { error: { code } } }]
