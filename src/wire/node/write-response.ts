import { ServerResponse, type IncomingMessage } from 'node:http'
import type { ServerHttp2Stream } from 'node:http2'
import type { PreparedResponse } from '../../core/response/prepare-response.ts'

// eslint-disable-next-line @typescript-eslint/unbound-method -- they are only compared
const { writeHead, setHeader, write, end } = ServerResponse.prototype

/** Writes a whole response at once. Does nothing if headers were sent already or the client has disconnected. */
export function writeResponse(
  { method }: Pick<IncomingMessage, 'method'>,
  res: ServerResponse,
  { status, headers, body }: PreparedResponse,
): void {
  if (res.headersSent || res.destroyed) return
  if (takesHeaderList(res)) res.writeHead(status, headers as string[])
  else setHeaders(res, status, headers)
  if (method === 'HEAD') res.end()
  else if (typeof body === 'string') res.end(body, 'latin1')
  else res.end(toBuffer(body))
}

/**
 * Whether `writeHead` can be called with a flat list of headers, which is fastest. Only Node's own HTTP/1 response accepts
 * it: middlewares that replace `writeHead` read the list as an object and send headers named `0` and `1`. With headers that
 * are already set it is slowest, since Node merges them. And `getHeader()` does not return these headers afterwards, so it
 * can't be used when a logger listens to the response (Node itself listens to `finish` once).
 *
 * @see https://github.com/jshttp/on-headers/blob/v1.0.2/index.js#L76
 * @see https://nodejs.org/docs/latest-v20.x/api/http.html#responsewriteheadstatuscode-statusmessage-headers
 */
function takesHeaderList(res: ServerResponse): boolean {
  return (
    res.writeHead === writeHead &&
    res.setHeader === setHeader &&
    res.write === write &&
    res.end === end &&
    res.getHeaderNames().length === 0 &&
    res.listenerCount('finish') <= 1 &&
    res.listenerCount('close') === 0
  )
}

/** Adds headers to those of earlier middlewares, given as alternating names and values. */
export function addHeaders(res: ServerResponse, headers: readonly string[]): void {
  if (res.headersSent) return
  for (let i = 0; i < headers.length; i += 2) res.appendHeader(headers[i]!, headers[i + 1]!)
}

/**
 * Sets status and headers one by one. A repeated header is sent several times. Headers replace those of earlier
 * middlewares, except `set-cookie` and `vary`, which are combined.
 */
export function setHeaders(res: ServerResponse, status: number, headers: readonly string[]): void {
  res.statusCode = status
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i]!
    let last = i
    while (headers[last + 2] === name) last += 2
    const value =
      last === i ? headers[i + 1]! : headers.slice(i, last + 2).filter((_, index) => index % 2 === 1)
    if (isAdditive(name) && res.hasHeader(name)) res.appendHeader(name, value)
    else res.setHeader(name, value)
    i = last
  }
}

function isAdditive(name: string): boolean {
  return name === 'set-cookie' || name === 'vary'
}

/** The same bytes as a `Buffer`: connect-livereload turns any other class into text. */
export function toBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}

/** Whether the client has disconnected. */
export function isGone(res: ServerResponse): boolean {
  return isHttp2Response(res) ? res.stream.destroyed : res.destroyed
}

export function isHttp2Response(res: ServerResponse): res is ServerResponse & { stream: ServerHttp2Stream } {
  return 'stream' in res
}
