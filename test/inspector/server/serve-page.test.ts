/* Needs `npm run build`, which `npm test` does first. */
import { createServer } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { servePage } from '../../../src/inspector/server/serve-page.ts'
import { closeServer, listen } from '../../hosts/serve.ts'

const server = createServer((req, res) => {
  servePage(req, res, req.url!.slice('/__mock-api'.length)).then(
    (isServed) => isServed || res.writeHead(404).end(),
    (error: unknown) => res.writeHead(500).end(String(error)),
  )
})
let page: string
beforeAll(async () => {
  page = `${await listen(server)}/__mock-api/`
})
afterAll(() => closeServer(server))

const files = [
  ['', 'text/html; charset=utf-8'],
  ['inspector.js', 'text/javascript; charset=utf-8'],
  ['inspector.css', 'text/css; charset=utf-8'],
  ['badge.js', 'text/javascript; charset=utf-8'],
] as const

describe.each(files)('the file "%s"', (name, type) => {
  it('comes with its type, its size and a policy that lets nothing else run', async () => {
    const response = await fetch(page + name)
    const bytes = await response.arrayBuffer()
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': type,
      'content-length': String(bytes.byteLength),
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    })
    const policy = response.headers.get('content-security-policy')!.split('; ')
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "frame-ancestors 'self'",
        "require-trusted-types-for 'script'",
      ]),
    )
    expect(policy.join()).not.toMatch(/unsafe|\*|https?:/)
  })

  it('is not sent again to a browser that has it, and HEAD has no body', async () => {
    const { headers } = await fetch(page + name)
    const again = await fetch(page + name, { headers: { 'if-none-match': headers.get('etag')! } })
    expect([again.status, await again.text()]).toEqual([304, ''])
    const head = await fetch(page + name, { method: 'HEAD' })
    expect([head.status, head.headers.get('etag')]).toEqual([200, headers.get('etag')])
  })
})

it.each(['index.html/', '../package.json', 'constructor', 'inspector.js.map', 'metafile-esm.json'])(
  'has no file %s',
  async (name) => expect((await fetch(page + encodeURIComponent(name))).status).toBe(404),
)

it('is read with GET alone', async () => {
  expect((await fetch(page, { method: 'POST' })).status).toBe(404)
})

it.each([
  ['/', ''],
  ['', '__mock-api/'],
])('loads its files relative to itself, and nothing inline or from elsewhere, with "%s"', async (end, to) => {
  const html = await (await fetch(page.slice(0, -1) + end)).text()
  const addresses = [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address!)
  expect(addresses.filter((address) => !address.startsWith('data:'))).toEqual([
    `${to}inspector.css`,
    `${to}inspector.js`,
  ])
  expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]* src=)/)
})

it('imports no package, which a browser would not find', async () => {
  const scripts = files.filter(([name]) => name.endsWith('.js'))
  const texts = await Promise.all(scripts.map(async ([name]) => (await fetch(page + name)).text()))
  expect(texts.map((text) => /(?:^|[;}])import\b/.test(text))).toEqual(scripts.map(() => false))
})

// 65 782 bytes. It was 60 KiB until cells kept ids of 19 digits, which needs core's reader of exact numbers; Reality has 1 KiB,
// and the editor's completion of JSON with what it describes under the pointer another one.
it('is small: at most 65 KiB gzipped, all files together', async () => {
  const texts = await Promise.all(
    files.filter(([name]) => name !== 'badge.js').map(async ([name]) => (await fetch(page + name)).text()),
  )
  const sizes = texts.map((text) => gzipSync(text, { level: 9 }).length)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(65 * 1024)
})
