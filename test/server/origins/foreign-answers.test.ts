/* What a third party answers has the dev server's own origin, and may be neither a page of it nor a setting. */
import { createServer } from 'node:http'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createFetchHandler } from '../../../src/fetch.ts'
import type { ContractResponse } from '../../contract.ts'
import { openHttp2, type Http2Connection } from '../../hosts/raw-http2.ts'
import { openRaw } from '../../hosts/raw.ts'
import { closeServer, listen } from '../../hosts/serve.ts'
import { exchange } from '../../http.ts'
import { serveOrigins } from '../serve-origins.ts'

/** What a third party may send to change the origin that its answer comes from. */
const acting: Record<string, string> = {
  'clear-site-data': '"*"',
  'strict-transport-security': 'max-age=63072000; includeSubDomains; preload',
  'alt-svc': 'h3="evil.example:443"; ma=2592000; persist=1',
  nel: '{"report_to":"a","max_age":31536000,"include_subdomains":true,"success_fraction":1}',
  'report-to': '{"group":"a","max_age":31536000,"endpoints":[{"url":"https://evil.example/"}]}',
  'reporting-endpoints': 'default="https://evil.example/"',
  'accept-ch': 'Sec-CH-UA-Model, Sec-CH-UA-Full-Version-List',
  'critical-ch': 'Sec-CH-UA-Model',
  'set-login': 'logged-out',
  'use-as-dictionary': 'match="/*"',
  'secure-session-registration': '(ES256);path="/start";challenge="a"',
  'secure-session-challenge': '"a";id="b"',
  'attribution-reporting-register-source': '{"destination":"https://evil.example"}',
  'attribution-reporting-register-trigger': '{}',
  'shared-storage-write': 'clear',
  'observe-browsing-topics': '?1',
  refresh: '0; url=https://evil.example/',
  'service-worker-allowed': '/',
  'origin-agent-cluster': '?0',
  'cross-origin-opener-policy': 'unsafe-none',
  'cross-origin-opener-policy-report-only': 'same-origin; report-to="a"',
  'cross-origin-embedder-policy': 'unsafe-none',
  'cross-origin-embedder-policy-report-only': 'require-corp; report-to="a"',
  'document-isolation-policy': 'none',
  'document-policy': 'force-load-at-top',
  'require-document-policy': 'force-load-at-top',
  'permissions-policy': 'camera=*',
  'permissions-policy-report-only': 'camera=()',
  'feature-policy': "camera 'none'",
  'integrity-policy': 'blocked-destinations=(script)',
  'connection-allowlist': '("https://evil.example/*")',
  'content-security-policy-report-only': "default-src 'none'; report-uri https://evil.example/",
  'x-frame-options': 'DENY',
  'speculation-rules': '"/rules.json"',
  'supports-loading-mode': 'credentialed-prerender',
  'activate-storage-access': 'load',
  'www-authenticate': 'Basic realm="the dev server"',
}
/** What it may send against what the dev server says of these answers. */
const overruled: Record<string, string> = {
  'content-security-policy': "default-src * 'unsafe-inline'",
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'none',
}
const said = {
  'content-security-policy': 'sandbox',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}
const sent = { ...acting, ...overruled }
const page = '<script>fetch("/__mock-api/api/edit")</script>'

const own = (mode: string, destination: string, accept = '*/*') => ({
  'sec-fetch-site': 'same-origin',
  'sec-fetch-mode': mode,
  'sec-fetch-dest': destination,
  referer: 'http://localhost/',
  accept,
})
const html = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const typed = { ...own('navigate', 'document', html), 'sec-fetch-site': 'none' }

type Way = [way: string, headers: Record<string, string>]
const refused: Way[] = [
  ['a navigation', own('navigate', 'document', html)],
  ['a link of a native application', typed],
  ['a navigation that asks for anything', { ...typed, accept: '*/*' }],
  ['a navigation over plain HTTP', { accept: html, 'upgrade-insecure-requests': '1' }],
  ['a navigation in capitals', { accept: html.toUpperCase() }],
  ['a navigation that a service worker passes on', own('same-origin', 'empty', html)],
  ['a reload that a service worker passes on', own('navigate', 'empty', html)],
  ['a frame', own('navigate', 'iframe', html)],
  ['an old frame', own('navigate', 'frame', html)],
  ['a fenced frame', own('navigate', 'fencedframe', html)],
  ['an object', own('navigate', 'object', html)],
  ['an object that is no navigation', own('no-cors', 'object')],
  ['an embed', own('navigate', 'embed', html)],
  ['an embed that is no navigation', own('no-cors', 'embed')],
  ['a worker', own('same-origin', 'worker')],
  ['an import of a worker', own('cors', 'worker')],
  ['a shared worker', own('same-origin', 'sharedworker')],
  ['a service worker', { ...own('same-origin', 'serviceworker'), 'service-worker': 'script' }],
  ['a service worker of an old browser', { 'service-worker': 'script', accept: '*/*' }],
  ['a worklet', own('cors', 'audioworklet')],
  ['a paint worklet', own('cors', 'paintworklet')],
  ['a style sheet of XML', own('same-origin', 'xslt')],
  ['a manifest', own('cors', 'manifest')],
  ['rules for navigations', own('cors', 'speculationrules')],
  ['a destination that is not known yet', own('cors', 'hologram')],
  ['a destination said twice', own('cors', 'empty, document')],
  ['a destination alone', { 'sec-fetch-dest': 'iframe' }],
  ['a mode alone', { 'sec-fetch-mode': 'navigate' }],
]
const allowed: Way[] = [
  ['a fetch', own('cors', 'empty')],
  ['a fetch of HTML', own('cors', 'empty', 'text/html')],
  ['a fetch of HTML over plain HTTP', { accept: 'text/html', 'x-mock-cookies': 'omit' }],
  ['a request with cookies over plain HTTP', { accept: 'text/html, */*; q=0.01', 'x-mock-cookies': 'include' }],
  ['a fetch without CORS, or a beacon', own('no-cors', 'empty')],
  ['an event source', own('cors', 'empty', 'text/event-stream')],
  ['a script', own('no-cors', 'script')],
  ['a module', own('cors', 'script')],
  ['an image', own('no-cors', 'image', 'image/avif,image/webp,*/*')],
  ['a video', own('no-cors', 'video')],
  ['a sound', own('no-cors', 'audio')],
  ['subtitles', own('cors', 'track')],
  ['a style sheet', own('no-cors', 'style', 'text/css,*/*;q=0.1')],
  ['a font', own('cors', 'font')],
  ['JSON', own('cors', 'json')],
  ['an image over plain HTTP', { accept: 'image/avif,image/webp,*/*' }],
  ['curl', { accept: '*/*' }],
  ['fetch of Node', { accept: '*/*', 'sec-fetch-mode': 'cors' }],
] // prettier-ignore

/** Paths of the third party, and the status that a script gets. */
const sources: [source: string, path: string, status: number][] = [
  ['passed on', '/real', 200],
  ['passed on, a refusal', '/401', 401],
  ['passed on, a redirect', '/302', 302],
  ['passed on, unchanged', '/304', 304],
  ['a route', '/route', 200],
  ['a late route', '/late', 200],
  ['a stream', '/stream', 200],
  ['a changed answer', '/changed', 200],
  ['a miss', '/miss', 404],
]

type Answer = Pick<ContractResponse, 'status' | 'headers' | 'text'>

/** Says what the third party has been asked. */
const asked: string[] = []
const third = createServer((req, res) => {
  asked.push(req.url!)
  const { pathname, searchParams } = new URL(req.url!, 'http://a')
  const status = pathname === '/moved' ? 302 : Number(pathname.slice(1)) || 200
  const challenge = { 'www-authenticate': searchParams.get('challenge') ?? sent['www-authenticate'] }
  const moved = status === 302 && { location: '/next', 'set-cookie': 'sid=1; Path=/; Secure' }
  res.writeHead(status, { ...sent, ...challenge, ...moved, 'content-type': 'text/html' })
  res.end(status === 304 ? '' : page)
})
third.on('upgrade', (_, socket) => {
  asked.push('upgrade')
  const lines = Object.entries(sent).map((one) => `${one.join(': ')}\r\n`)
  socket.on('error', () => {})
  socket.end(`HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n${lines.join('')}\r\n`)
}) // prettier-ignore

type Protocol = 'HTTP/1.1' | 'HTTP/2'
let elsewhere: string
let served: Awaited<ReturnType<typeof serveOrigins>>
let connection: Http2Connection

beforeAll(async () => {
  elsewhere = await listen(third)
  const headers = { ...sent, 'content-type': 'text/html' }
  const url = (path: string) => `${elsewhere}${path}`
  const fixture = () =>
    JSON.stringify([
      { url: url('/route'), response: { headers, body: page } },
      { url: url('/late'), response: { headers, body: page, delay: 1 } },
      { url: url('/stream'), response: { headers, stream: [{ data: page }], end: 'complete' } },
      { url: url('/broken'), response: { headers, body: page, fault: 'truncated' } },
      { url: url('/changed'), response: { from: 'backend', headers: { 'x-changed': '1' } } },
      { url: url('/moved'), response: { from: 'backend' } },
      { url: url('/miss'), when: { query: { a: 1 } }, response: {} },
    ])
  served = await serveOrigins({ fixture, base: '/app', next: (res) => res.end('passed on') })
  connection = openHttp2(served.http2)
})
afterAll(async () => {
  await connection.close()
  await Promise.all([served.close(), closeServer(third)])
})
beforeEach(() => void (asked.length = 0))

async function ask(protocol: Protocol, target: string, headers: Record<string, string>): Promise<Answer> {
  if (protocol === 'HTTP/2') return (await connection.send({ target, headers }))!
  const { response, bytes } = await exchange(served.origin, { url: target, headers })
  const texts = Object.entries(response.headers).map(([name, value]) => [name, [value].flat().join(', ')])
  return {
    status: response.statusCode!,
    headers: Object.fromEntries(texts) as Record<string, string>,
    text: bytes.toString(),
  }
}

/** What is left of the answer's power over the origin. */
function left({ headers }: Pick<Answer, 'headers'>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => Object.hasOwn(sent, name)))
}

const folder = '/__mock-api/origin/'
const protocols: [Protocol, folder: string][] = [
  ['HTTP/1.1', folder],
  ['HTTP/2', `/app${folder}omit/`],
]

describe.each(protocols)('%s, below %s', (protocol, below) => {
  it.each(refused)('%s is refused, and nobody is asked', async (_, headers) => {
    for (const path of ['/real', '/route']) {
      const answer = await ask(protocol, `${below}${elsewhere}${path}`, headers)
      expect([answer.status, answer.text]).toEqual([403, expect.stringContaining('"origin-page-refused"')])
      expect(left(answer)).toEqual(said)
    }
    expect(asked).toEqual([])
  })

  it.each(sources)(
    '%s (%s): %i for scripts, with nothing that acts on the origin',
    async (_, path, status) => {
      for (const [way, headers] of allowed) {
        const answer = await ask(protocol, `${below}${elsewhere}${path}`, headers)
        expect([way, answer.status, left(answer)]).toEqual([way, status, said])
        if (status === 200) expect(answer.text).toContain('<script>')
      }
    },
  )
})

it('an answer that breaks off', async () => {
  const connection = await openRaw(served.origin)
  connection.write(`GET ${folder}${elsewhere}/broken HTTP/1.1\r\nhost: a\r\n\r\n`)
  const [head] = (await connection.rest()).split('\r\n\r\n', 1)
  const headers = head!.split('\r\n').slice(1).map((line) => line.split(': ') as [string, string])
  expect(left({ headers: Object.fromEntries(headers) })).toEqual(said)
}) // prettier-ignore

it.each<[what: string, target: string, headers: Record<string, string>, status: number]>([
  ['an origin that nobody names', 'https://evil.example/', own('cors', 'empty'), 404],
  ['no origin', '', own('cors', 'empty'), 404],
  ['a page of another site', 'https://evil.example/', { 'sec-fetch-site': 'cross-site' }, 403],
  ['a test that asks nobody', 'https://evil.example/', { 'x-mock-unmatched': 'fail' }, 404],
])('what the dev server itself says is no page either: %s', async (_, target, headers, status) => {
  const answer = await ask('HTTP/1.1', `${folder}${target}`, headers)
  expect([answer.status, left(answer)]).toEqual([status, said])
})

it('the script of pages is one for their workers, too', async () => {
  for (const [mode, destination] of [['no-cors', 'script'], ['cors', 'worker'], ['same-origin', 'worker']])
    expect((await ask('HTTP/1.1', '/__mock-api/origins.js', own(mode!, destination!))).status).toBe(200)
  const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
  expect((await ask('HTTP/1.1', '/__mock-api/origins.js', foreign)).status).toBe(403)
  const worker = `${elsewhere}/real?mock-api-worker=classic`
  const refused = await ask('HTTP/1.1', `${folder}${worker}`, own('same-origin', 'worker'))
  expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('"origin-page-refused"')])
}) // prettier-ignore

it.each([
  ['Bearer error="invalid_token"', true],
  ['DPoP algs="ES256"', true],
  ['Negotiate', false],
  ['NTLM', false],
  ['Digest realm="a", nonce="b"', false],
  ['Bearer realm="a", Basic realm="b"', false],
])('a challenge %s: passed on %s', async (challenge, isKept) => {
  const path = `/401?challenge=${encodeURIComponent(challenge)}`
  const { headers } = await ask('HTTP/1.1', `${folder}${elsewhere}${path}`, own('cors', 'empty'))
  expect(headers['www-authenticate']).toBe(isKept ? challenge : undefined)
})

it('an upgrade is not passed on', async () => {
  const headers = { connection: 'upgrade', upgrade: 'websocket', 'sec-websocket-version': '13', 'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==' }
  const target = `${folder}${elsewhere}/real`
  for (const more of [{}, own('websocket', 'empty'), own('websocket', 'websocket')]) {
    const { status, ...answer } = await ask('HTTP/1.1', target, { ...headers, ...more })
    expect([status, left(answer)]).toEqual([status === 403 ? 403 : 502, said])
  }
}) // prettier-ignore

it('server code gets the answer as it is', async () => {
  const { headers, text } = await ask('HTTP/1.1', `${folder}${elsewhere}/real`, { 'sec-mock-server': '1', ...typed })
  expect([left({ headers }), text]).toEqual([sent, page])
  const lie = { 'sec-mock-server': '1', origin: 'http://localhost:1' }
  expect((await ask('HTTP/1.1', `${folder}${elsewhere}/real`, lie)).status).toBe(403)
}) // prettier-ignore

it.each([
  ['passed on', '/302'],
  ['asked by a route', '/moved'],
])('redirects and cookies are changed once: %s', async (_, path) => {
  const { headers } = await ask('HTTP/1.1', `${folder}${elsewhere}${path}`, own('cors', 'empty'))
  expect(headers['location']).toBe(`${folder}${elsewhere}/next`)
  const name = `mock-origin.${elsewhere.replace(/[^\w.-]/g, '_')}.sid`
  expect(headers['set-cookie']).toBe(`${name}=1; Path=${folder}${elsewhere}; SameSite=Lax`)
})

it('a recording has what the third party has said', async () => {
  const headers = { 'x-mock-api': '1', 'content-type': 'application/json' }
  const record = async (recording: boolean) => {
    const body = JSON.stringify({ recording, ...(recording && { origin: elsewhere }) })
    const answer = await fetch(`${served.origin}/__mock-api/api/record`, { method: 'PUT', headers, body })
    return (await answer.json()) as { files: string[] }
  }
  await record(true)
  await ask('HTTP/1.1', `${folder}${elsewhere}/302`, own('cors', 'empty'))
  const { files } = await record(false)
  const text = readFileSync(join(served.project.root, files[0]!), 'utf8')
  expect(text).toMatch(/^ +location: \/next$/m)
  expect(text).toMatch(/^ +set-cookie: sid=redacted/m)
})

it('runtimes without a dev server have no such path', async () => {
  const handler = createFetchHandler([{ url: 'https://a.example/a', response: { body: page } }])
  for (const [, below] of protocols)
    expect(await handler(new Request(`http://localhost${below}https://a.example/a`))).toBeUndefined()
})
