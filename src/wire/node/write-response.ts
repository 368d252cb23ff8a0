import type { IncomingMessage, OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { ServerHttp2Stream } from 'node:http2'
import type { PreparedResponse } from '../../core/response/prepare-response.ts'

/**
 * Headers are not given to `writeHead`: loggers ask for them with `getHeader` afterwards, and some middlewares read
 * a list as an object.
 */
export function writeResponse(
  { method }: Pick<IncomingMessage, 'method'>,
  res: ServerResponse,
  { status, headers, body }: PreparedResponse,
): void {
  if (res.headersSent || res.destroyed) return
  setHeaders(res, status, headers)
  if (method === 'HEAD') res.end()
  else if (typeof body === 'string') res.end(body, 'latin1')
  else res.end(toBuffer(body))
}

/** `headers` are alternating names and values. */
export function addHeaders(res: ServerResponse, headers: readonly string[]): void {
  if (res.headersSent) return
  for (let i = 0; i < headers.length; i += 2) res.appendHeader(headers[i]!, headers[i + 1]!)
}

/** Headers of an HTTP/1.1 connection. Over HTTP/2, Node throws for them, also when an error page follows. */
export const ofConnection =
  /^(?:connection|http2-settings|keep-alive|proxy-connection|te|transfer-encoding|upgrade)$/

/** Headers replace those of earlier middlewares, except `set-cookie` and `vary`, which are combined. */
export function setHeaders(res: ServerResponse, status: number, headers: readonly string[]): void {
  res.statusCode = status
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i]!
    let last = i
    while (headers[last + 2] === name) last += 2
    const value =
      last === i ? headers[i + 1]! : headers.slice(i, last + 2).filter((_, index) => index % 2 === 1)
    if ((name === 'set-cookie' || name === 'vary') && res.hasHeader(name)) res.appendHeader(name, value)
    else if (!isHttp2Response(res) || !ofConnection.test(name)) res.setHeader(name, value)
    i = last
  }
}

/** A `Buffer` of the same bytes: connect-livereload turns any other class into text. */
export function toBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}

/** The bytes of what `write` and `end` are given: a copy, since the caller may use them again. */
export function bytesOf(chunk: unknown, encoding: unknown): Buffer {
  if (typeof chunk !== 'string') return Buffer.from(chunk as Uint8Array)
  return Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8')
}

export function isGone(res: ServerResponse): boolean {
  return isHttp2Response(res) ? res.stream.destroyed : res.destroyed
}

export function isHttp2Response(res: ServerResponse): res is ServerResponse & { stream: ServerHttp2Stream } {
  return 'stream' in res
}

/** Changes headers by their name before they are sent, but for values that are there already; `undefined` leaves one out. */
export function changeHeaders(
  res: ServerResponse,
  changes: Readonly<Record<string, (text: string) => string | undefined>>,
): void {
  const before = new Map(Object.keys(changes).map((name) => [name, [res.getHeader(name)].flat()]))
  beforeHead(res, () => {
    for (const [name, change] of Object.entries(changes)) {
      const values = [res.getHeader(name) ?? []].flat().map(String)
      const changed = values.flatMap((one) => (before.get(name)!.includes(one) ? one : (change(one) ?? [])))
      if (changed.length === 0) res.removeHeader(name)
      else res.setHeader(name, values.length === 1 ? changed[0]! : changed)
    }
  })
}

/** Added again with the head: a proxy, or headers given to `writeHead`, may have replaced the cookie. */
export function addCookie(res: ServerResponse, cookie: string): void {
  const isThere = () => [res.getHeader('set-cookie')].flat().includes(cookie)
  if (isThere()) return // by another instance of the plugin
  res.appendHeader('set-cookie', cookie)
  beforeHead(res, () => {
    if (!isThere()) res.appendHeader('set-cookie', cookie)
  })
}

const headListeners = new WeakMap<ServerResponse, (() => void)[]>()

/** Completes a head that is written past the methods of the response. */
export function completeHead(res: ServerResponse): void {
  for (const listener of headListeners.get(res) ?? []) listener()
}

/** Calls a listener once, when the response has its status and all its headers, those that `writeHead` is given too. */
export function beforeHead(res: ServerResponse, listener: () => void): void {
  let isComplete = false
  const complete = () => {
    if (isComplete || res.headersSent) return
    isComplete = true
    listener()
  }
  headListeners.set(res, [complete, ...(headListeners.get(res) ?? [])])
  // eslint-disable-next-line @typescript-eslint/unbound-method -- it is called with its response
  const { writeHead } = res
  res.writeHead = (status: number, ...rest: unknown[]) => {
    const reasons = typeof rest[0] === 'string' ? [rest[0]] : []
    if (!res.headersSent) {
      res.statusCode = status
      setGiven(res, rest[reasons.length])
      complete()
    }
    return Reflect.apply(writeHead, res, [status, ...reasons]) as ServerResponse
  }
  // Without a call of `writeHead`, compression writes the head past this one.
  for (const name of ['write', 'end', 'flushHeaders'] as const) {
    // eslint-disable-next-line @typescript-eslint/unbound-method -- it is called with its response
    const method = res[name] as (...given: unknown[]) => unknown
    res[name] = (...given: unknown[]) => {
      complete()
      return Reflect.apply(method, res, given) as never
    }
  }
}

/** The headers of `writeHead`, which replace those of the same name. */
export function setGiven(res: ServerResponse, given: unknown): void {
  if (Array.isArray(given)) {
    const pairs = given.every(Array.isArray)
      ? (given as [string, OutgoingHttpHeader][])
      : given.flatMap((name: string, index) =>
          index % 2 === 0 ? [[name, given[index + 1] as OutgoingHttpHeader] as const] : [],
        )
    for (const [name] of pairs) res.removeHeader(name)
    for (const [name, value] of pairs)
      res.appendHeader(name, typeof value === 'number' ? String(value) : value)
  } else if (typeof given === 'object' && given !== null) {
    for (const [name, value] of Object.entries(given as OutgoingHttpHeaders))
      if (value !== undefined) res.setHeader(name, value)
  }
}
