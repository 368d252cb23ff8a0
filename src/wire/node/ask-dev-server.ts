import { request } from 'node:https'
import { text } from 'node:stream/consumers'
import { isLoopback } from '../../core/http/host-name.ts'

/** Like `fetch`, but accepts a dev server of this machine that has signed its certificate itself, as most do. */
export async function askDevServer(url: string, init: RequestInit = {}): Promise<Response> {
  const { protocol, hostname } = new URL(url)
  if (protocol !== 'https:' || !isLoopback(hostname)) return fetch(url, init)
  const { method = 'GET', headers, body, signal } = init
  return new Promise((resolve, reject) => {
    const asked = { method, rejectUnauthorized: false, ...(signal && { signal }) }
    request(url, { ...asked, headers: Object.fromEntries(new Headers(headers)) }, (res) => {
      const type = res.headers['content-type'] ?? ''
      const answer = { status: res.statusCode ?? 0, headers: { 'content-type': type } }
      text(res).then((read) => resolve(new Response(read, answer)), reject)
    })
      .on('error', reject)
      .end(body)
  })
}
