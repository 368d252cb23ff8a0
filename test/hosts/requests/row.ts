import type { RawConnection } from '../raw.ts'

/** A request that HTTP/1.1, HTTP/2 and the fetch handler can all send. */
export interface Ask {
  method?: string
  target: string
  headers?: Record<string, string>
  body?: string | Uint8Array
}

/** What an answer must have. */
export interface Expected {
  /** `host`: whatever the host, or the next middleware, answers. */
  status: number | 'host'
  /** Part of the body's JSON value, or its text. */
  body?: object | string
  headers?: Record<string, string | RegExp | undefined>
  /** A text that is neither in the answer nor in the log. */
  without?: string
}

/** One line of the table in `docs/requests.md`, and how it is tested. */
export interface Row {
  /** What is sent, in the words of the page. */
  request: string
  /** What is answered, in the words of the page. */
  answer: string
  /** Who decides: the package, Node's HTTP parser, or the host and what follows. */
  by?: 'package' | 'Node' | 'host'
  /** Requests that each get this answer; sent over HTTP/1.1, over HTTP/2, and through the fetch handler. */
  asks?: Ask[]
  /** What can't send it. */
  not?: ('http2' | 'http2 server' | 'fetch')[]
  /** Requests that are passed on with every byte of their body under `unmatched: 'passthrough'`. */
  passedOn?: Ask[]
  /** Bytes that each get this answer, for requests that only a socket can send. */
  bytes?: (string | Uint8Array)[]
  /** A test that is more than a write and its answers. */
  run?: (server: TestedServer) => Promise<void>
  /** The answers, in order. */
  expected?: Expected[]
  /** Whether the server closes the connection. If not, the next request on it is answered too. */
  closes?: boolean
  /** The diagnostic that is logged; none by default. */
  logged?: string
}

export interface Group {
  title: string
  rows: Row[]
}

/** A server that rows are tried on. */
export interface TestedServer {
  open: () => Promise<RawConnection>
  /** Whether a plain request is answered, on a connection of its own. */
  isAlive: () => Promise<boolean>
  /** What the package has logged since. */
  logged: () => string[]
}

export const host = 'Host: localhost\r\n'

/** A request as HTTP/1.1 writes it. */
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

/** Bytes as chunks of some size. */
export function chunked(body: string | Uint8Array, size = 4): Uint8Array {
  const bytes = Buffer.from(body)
  const parts: Buffer[] = []
  for (let at = 0; at < bytes.length; at += size) {
    const part = bytes.subarray(at, at + size)
    parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n'))
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')])
}

/** A POST to the route that returns the body as the package has read it. */
export function echo(body: string | Uint8Array, headers: Record<string, string> = {}): Ask {
  return { method: 'POST', target: '/echo', headers, body }
}

export const read = (body: unknown): Expected[] => [{ status: 200, body: { read: body } }]
export const refused = (status: number, code: string): Expected[] => [{ status, body: { error: { code } } }]
