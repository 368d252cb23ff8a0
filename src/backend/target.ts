import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { createProxyServer } from 'httpxy'

/** Where requests are sent. */
export interface Target {
  /** An origin, perhaps with a path that stands before those of the requests: `https://staging.example/v1`. */
  target: string
  /** Whether its certificate must be valid. */
  secure: boolean
  /** Request headers in addition to those of the client, or instead of them. */
  headers: Readonly<Record<string, string>>
}

/**
 * Sends a request to a server, and its answer to the client, as it comes. A redirect to the server itself leads to where the
 * client has sent its request, and cookies are those of the client's host.
 *
 * @param url path and query
 * @param body the bytes to send if the request has been read; otherwise the request is piped
 * @param failed is called if there is no answer; nothing has been sent then
 */
export function forward(
  req: IncomingMessage,
  res: ServerResponse,
  { target, secure, headers }: Target,
  { url, body, failed }: { url: string; body: Uint8Array | undefined; failed: (error: Error) => void },
): void {
  const given = req.url
  const isEncrypted = 'encrypted' in req.socket
  const proxy = createProxyServer({
    target,
    secure,
    changeOrigin: true,
    autoRewrite: true,
    protocolRewrite: isEncrypted ? 'https' : 'http',
    cookieDomainRewrite: '',
    headers: { ...headers },
    ...(body && { buffer: Readable.from([body]) }),
  })
  req.url = url // it is read synchronously
  proxy.web(req, res).catch((error: unknown) => {
    if (!res.headersSent && !res.destroyed) failed(error as Error)
  })
  if (given !== undefined) req.url = given
}
