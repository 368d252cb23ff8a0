import type { IncomingMessage, ServerResponse } from 'node:http'
import type { PreparedResponse } from '../../core/response/prepare-response.ts'

/** Writes a whole response at once. */
export function writeResponse(req: IncomingMessage, res: ServerResponse, response: PreparedResponse): void {
  if (res.headersSent || res.destroyed) return
  const { status, headers, body } = response
  // The list as it is is the fastest way out. Beside headers that somebody has set it is the slowest, since Node merges
  // them; and HTTP/2 would send a repeated header once.
  const isPlain = req.httpVersionMajor === 1 && res.getHeaderNames().length === 0
  if (isPlain) res.writeHead(status, headers as string[])
  else setHeaders(res, status, headers)
  if (req.method === 'HEAD') res.end()
  else if (typeof body === 'string') res.end(body, 'latin1')
  else res.end(body)
}

/** Sets status and headers one by one, beside what middlewares before us have set. */
export function setHeaders(res: ServerResponse, status: number, headers: readonly string[]): void {
  res.statusCode = status
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i]!
    // A header that the fixture repeats is sent as often; one that a middleware before us has set is replaced.
    let last = i
    while (headers[last + 2] === name) last += 2
    res.setHeader(
      name,
      last === i ? headers[i + 1]! : headers.slice(i, last + 2).filter((_, index) => index % 2 === 1),
    )
    i = last
  }
}
