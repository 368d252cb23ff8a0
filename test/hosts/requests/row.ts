import type { RawConnection } from '../raw.ts'

/** A request that every way of sending one can send. */
export interface Ask {
  method?: string
  target: string
  headers?: Record<string, string>
  body?: string | Uint8Array
}

/** What an answer must be. */
export interface Expected {
  /** `host` is whatever the next in line answers. */
  status: number | 'host'
  /** What is in the body: part of its JSON value, or its text. */
  body?: object | string
  headers?: Record<string, string | RegExp | undefined>
  /** What is nowhere in it, nor in what is logged. */
  without?: string
}

/** One line of the table in `docs/requests.md`, and how it is shown to be true. */
export interface Row {
  /** What is sent, in the words of the page. */
  request: string
  /** What comes of it, in the words of the page. */
  answer: string
  /** Who says so: the package, Node's HTTP parser, or whoever is next in line. */
  by?: 'package' | 'Node' | 'host'
  /** Requests that are each answered so; sent over HTTP/1.1, over HTTP/2, and through the fetch handler. */
  asks?: Ask[]
  /** Where not everything can send it. */
  not?: ('http2' | 'http2 server' | 'fetch')[]
  /** Requests that reach the next in line with their body, byte for byte, under `unmatched: 'passthrough'`. */
  passedOn?: Ask[]
  /** Bytes that are each answered so, for what only a socket can send. */
  bytes?: (string | Uint8Array)[]
  /** More than a write and its answers; to be called on every host. */
  run?: (server: TestedServer) => Promise<void>
  /** The answers, in order. */
  expected?: Expected[]
  /** Whether the server closes the connection; else the next request on it is answered too. */
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

/** A POST to the route that gives back the body as the package has read it. */
export function echo(body: string | Uint8Array, headers: Record<string, string> = {}): Ask {
  return { method: 'POST', target: '/echo', headers, body }
}

export const read = (body: unknown): Expected[] => [{ status: 200, body: { read: body } }]
export const refused = (status: number, code: string): Expected[] => [{ status, body: { error: { code } } }]
