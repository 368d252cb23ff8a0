import type { IncomingMessage, ServerResponse } from 'node:http'

/** Writes a JSON answer that no page of another site can read, whatever CORS headers the host has set. */
export function writeJson(
  { method }: IncomingMessage,
  res: ServerResponse,
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (res.headersSent || res.destroyed) return
  const text = JSON.stringify(value)
  setOwnHeaders(res)
  res.statusCode = status
  res.setHeader('content-type', 'application/json; charset=utf-8')
  res.setHeader('content-length', Buffer.byteLength(text))
  for (const [name, header] of Object.entries(headers)) res.setHeader(name, header)
  res.end(method === 'HEAD' ? undefined : text)
}

/** Headers of every answer of the control API. */
export function setOwnHeaders(res: ServerResponse): void {
  for (const name of res.getHeaderNames()) if (name.startsWith('access-control-')) res.removeHeader(name)
  res.setHeader('cache-control', 'no-store, no-transform')
  res.setHeader('x-content-type-options', 'nosniff')
  res.setHeader('cross-origin-resource-policy', 'same-origin')
}
