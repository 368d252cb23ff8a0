import type { IncomingMessage, ServerResponse } from 'node:http'
import { beforeHead, bytesOf } from '../../wire/node/write-response.ts'

/* A page gets its script as the first of its head, whoever has written it, and as it is written: a stream stays one. */

export function isPageRequest({ method, headers }: IncomingMessage): boolean {
  const { accept = '', 'sec-fetch-dest': destination = 'document', 'sec-fetch-mode': mode } = headers
  // A service worker of the application passes a navigation on as a request of its own.
  const isPassedOn = destination === 'empty' && mode !== 'cors'
  const isPage = isPassedOn || /^i?frame$|^document$/.test(String(destination))
  return method === 'GET' && isPage && accept.includes('text/html')
}

export function insertScript(req: IncomingMessage, res: ServerResponse, src: string): void {
  // A page without the script may be in the browser's cache.
  delete req.headers['if-none-match']
  delete req.headers['if-modified-since']
  // eslint-disable-next-line @typescript-eslint/unbound-method -- they may be those of other middlewares
  const { write, end } = res
  let inserts: boolean | undefined

  function decide(): void {
    if (inserts !== undefined) return
    const type = String(res.getHeader('content-type'))
    inserts = /^text\/html\b/i.test(type) && !res.hasHeader('content-encoding') && !res.headersSent
    if (!inserts) return
    for (const name of ['content-length', 'etag', 'last-modified']) res.removeHeader(name)
    res.setHeader('cache-control', 'no-store')
  }

  function withScript(chunk: unknown, encoding: unknown): unknown {
    decide()
    if (!inserts || (typeof chunk !== 'string' && !ArrayBuffer.isView(chunk))) return chunk
    inserts = false
    const text = bytesOf(chunk, encoding)
    const html = text.toString('latin1')
    const [nonce] = /\bnonce-[\w+/=-]+/.exec(String(res.getHeader('content-security-policy'))) ?? []
    const tag = `<script src="${src}"${nonce ? ` nonce="${nonce.slice('nonce-'.length)}"` : ''}></script>`
    const before = /<head\b[^>]*>/i.exec(html) ?? /^\s*(?:<!doctype[^>]*>)?\s*(?:<html\b[^>]*>)?/i.exec(html)!
    const at = before.index + before[0].length
    return Buffer.concat([text.subarray(0, at), Buffer.from(tag), text.subarray(at)])
  }

  beforeHead(res, decide)
  res.write = ((chunk: unknown, ...rest: unknown[]) =>
    Reflect.apply(write, res, [withScript(chunk, rest[0]), ...rest]) as boolean) as ServerResponse['write']
  res.end = ((...given: unknown[]) =>
    Reflect.apply(end, res, [
      withScript(given[0], given[1]),
      ...given.slice(1),
    ]) as ServerResponse) as ServerResponse['end']
}
