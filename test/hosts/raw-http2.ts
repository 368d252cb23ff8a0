import { connect, constants, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2'
import type { RawResponse } from './raw.ts'
import type { Ask } from './requests/row.ts'

/** One HTTP/2 connection. */
export interface Http2Connection {
  /** The answer; `undefined` when the stream was reset instead. */
  send: (ask: Ask) => Promise<RawResponse | undefined>
  /** A stream whose body is still to be written. */
  start: (ask: Ask) => ClientHttp2Stream
  /** Leaves without a word. */
  destroy: () => void
  close: () => Promise<void>
}

export function openHttp2(origin: string): Http2Connection {
  const session: ClientHttp2Session = connect(origin, { rejectUnauthorized: false })
  session.on('error', () => {}) // a connection that the test itself has broken
  const start = ({ method = 'GET', target, headers = {}, body }: Ask) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const own = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
    )
    return session.request(
      { ':method': method, ':path': target, ...length, ...own },
      { endStream: body === undefined },
    )
  }
  return {
    start,
    send(ask) {
      const stream = start(ask)
      if (ask.body !== undefined) stream.end(ask.body)
      return answerOf(stream)
    },
    destroy: () => session.destroy(),
    close: () => new Promise((resolve) => (session.destroyed ? resolve() : session.close(resolve))),
  }
}

export function answerOf(stream: ClientHttp2Stream): Promise<RawResponse | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let head: Pick<RawResponse, 'status' | 'headers'> | undefined
    stream.on('response', ({ ':status': status, ...headers }) => {
      const texts = Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')])
      head = { status: Number(status), headers: Object.fromEntries(texts) as Record<string, string> }
    })
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('error', () => {})
    stream.on('close', () => {
      const bytes = Buffer.concat(chunks)
      resolve(head && { ...head, bytes, text: bytes.toString() })
    })
  })
}

/** How a client gives up a stream of its own. */
export const cancelled = constants.NGHTTP2_CANCEL
