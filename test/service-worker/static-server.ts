import { createServer } from 'node:http'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { lookup } from 'mrmime'
import { closeServer, listen } from '../hosts/serve.ts'

export interface StaticServer {
  origin: string
  /** What was requested. */
  requests: string[]
  /** Serves another folder from now on. */
  serve: (folder: string) => void
  close: () => Promise<void>
}

/** Forbids inline scripts and styles. */
const strictPolicy =
  "default-src 'self'; connect-src 'self' https://api.stripe.example; object-src 'none'; base-uri 'none'"

/** The plainest static host: files of a folder below a base path, 404 for the rest, and a content security policy. */
export async function startStaticServer(
  folder: string,
  base = '/',
  policy = strictPolicy,
): Promise<StaticServer> {
  const requests: string[] = []
  const server = createServer((req, res) => {
    const { pathname } = new URL(req.url!, 'http://localhost')
    if (pathname === '/favicon.ico') return res.writeHead(204).end()
    requests.push(`${req.method} ${pathname}`)
    const name = pathname.endsWith('/') ? `${pathname}index.html` : pathname
    const file = name.startsWith(base) ? join(folder, name.slice(base.length)) : ''
    readFile(file).then(
      (body) => {
        res.writeHead(200, {
          'content-type': lookup(file) ?? 'application/octet-stream',
          'cache-control': 'max-age=31536000',
          'content-security-policy': policy,
          ...(file.endsWith('.html') && { 'cache-control': 'no-cache' }),
        })
        res.end(req.method === 'HEAD' ? undefined : body)
      },
      () => res.writeHead(404, { 'content-type': 'text/plain' }).end('not found'),
    )
  })
  return {
    origin: await listen(server),
    requests,
    serve: (next) => void (folder = next),
    close: () => closeServer(server),
  }
}
