import { once } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { connect } from 'node:http2'
import { expect, it, onTestFinished } from 'vitest'
import type { Options } from '../../src/core/options/options.ts'
import { createMiddleware } from '../../src/connect.ts'
import { isPageRequest } from '../../src/server/origins/insert-script.ts'
import { closeServer } from '../hosts/serve.ts'
import { serveOrigins } from './serve-origins.ts'

async function serve(serving: Parameters<typeof serveOrigins>[0]) {
  const started = await serveOrigins(serving)
  onTestFinished(started.close)
  return started
}
const asPage = (res: ServerResponse) => {
  res.setHeader('content-type', 'text/html')
  res.end('<p>a')
}

/** `{own}` is the origin of the server. */
it.each<[what: string, url: string, code: string | undefined, at: string, fix: string]>([
  ['without scheme', 'api.example.com/a', 'url-invalid', '1:10', 'Write url: https://api.example.com/a.'],
  ['with credentials', 'https://me:secret@b.example/a', 'url-invalid', '1:10', 'Write it without them: https://b.example/a'],
  ['every subdomain', 'https://*.example.com/a', undefined, '', ''],
  ["the server's own port", '{own}/a', 'origin-own', '1:3', 'Write the path instead: path: /orders.'],
  ['an origin of two instances', 'https://b.example/a', 'origin-twice', '1:3', 'in the fixtures of one instance'],
  ["an origin that is the proxy's target", 'https://c.example/a', 'origin-proxied', '1:3', 'set the option "outgoing" to false'],
])('%s, %s: %s', async (_, given, code, at, fix) => {
  const { origin, log } = await serve({
    fixture: (own) => `- { url: '${given.replace('{own}', own)}', response: {} }\n- { url: https://ok.example/a, response: {} }`,
    facts: { proxy: { '/api': { target: 'https://c.example/v1' } } },
    otherOrigins: ['https://b.example'],
    next: asPage,
  })
  const open = async () => (await fetch(origin, { headers: { accept: 'text/html' } })).text()
  for (let times = 0; times < 2; times++)
    expect(await open()).toBe('<script src="/__mock-api/origins.js"></script><p>a')
  const said = code === undefined ? [] : [expect.stringContaining(`fixtures/a.yaml:${at} `)]
  expect(log).toEqual(said)
  if (code !== undefined) expect(log[0]).toContain(`[${code}]`)
  expect(log.join()).toContain(fix)
}) // prettier-ignore

const elsewhere = `
- { url: 'https://api.stripe.example/a', response: { body: ordinary } }
- { url: 'https://api.stripe.example/a', scenario: down, response: { body: down } }
`
/** What no one answers, by whatever way it was passed on: the journal has it once, the badge counts it, and the terminal says why. */
it.each<[what: string, fixture: string, options: Options, said: RegExp | undefined]>([
  ['no route', '', {}, /\[route-similar\]$/],
  ['no route, while the backend is recorded', '', { record: true }, undefined],
  ['an endpoint whose routes do not match', '- { path: /a, when: { query: { b: 1 } }, response: {} }', { unmatched: 'passthrough' }, /wants query\.b .*\[route-unmatched\]$/s],
  ['the same while the backend is recorded', '- { path: /a, when: { query: { b: 1 } }, response: {} }', { unmatched: 'passthrough', record: true }, undefined],
])('missed after %s', async (_, fixture, options, said) => {
  const { origin, log } = await serve({
    fixture: () => fixture + elsewhere,
    options,
    facts: { nextIsBackend: true },
    next: (res) => res.writeHead(404).end(),
  })
  const { headers } = await fetch(`${origin}/a`, { headers: { 'sec-fetch-dest': 'empty' } })
  expect(headers.get('server-timing')).toMatch(/^mock-api-miss;/)
  const { requests } = (await (await fetch(`${origin}/__mock-api/api/requests`)).json()) as {
    requests: { url: string; status?: number; isUnanswered?: boolean }[]
  }
  expect(requests).toEqual([expect.objectContaining({ url: '/a', status: 404, isUnanswered: true })])
  expect(log.filter((line) => !line.includes('recording'))).toEqual(said ? [expect.stringMatching(said)] : [])
}) // prettier-ignore

/** Whatever passes a page on: it gets the script once, and what its server calls belongs to the client. */
it.each<[what: string, fixture: string, options: Options, path: string]>([
  ['no route', '', {}, '/'],
  ['no route, while the backend is recorded', '', { record: true }, '/'],
  ['a route that passes navigations on', '- { path: /a, navigation: passthrough, response: {} }', {}, '/a'],
  ['an endpoint whose routes do not match', '- { path: /a, when: { query: { b: 1 } }, response: {} }', { unmatched: 'passthrough' }, '/a'],
  ['the same while the backend is recorded', '- { path: /a, when: { query: { b: 1 } }, response: {} }', { unmatched: 'passthrough', record: true }, '/a'],
  ['a page of the backend', '- { path: /a, response: { from: backend } }', {}, '/a'],
])('passed on by %s', async (_, fixture, options, path) => {
  const { origin } = await serve({
    fixture: () => fixture + elsewhere,
    options: { outgoing: true, ...options },
    facts: { nextIsBackend: true },
    next: (res) => {
      res.setHeader('content-type', 'text/html')
      void fetch('https://api.stripe.example/a').then(async (one) => res.end(`<p>${await one.text()}`))
    },
  })
  for (const [scenario, sent] of [['', 'ordinary'], ['down', 'down']] as const) {
    const headers = { accept: 'text/html', ...(scenario && { 'x-mock-scenario': scenario }) }
    const page = await (await fetch(`${origin}${path}`, { headers })).text()
    expect(page).toBe(`<script src="/__mock-api/origins.js"></script><p>${sent}`)
  }
}) // prettier-ignore

it("notices the server's own origin over HTTP/2, which has no header host", async () => {
  const { http2, log } = await serve({
    fixture: (_, own) => `- { url: '${own}/a', response: {} }`,
    next: asPage,
  })
  const session = connect(http2)
  await once(session.request({ ':path': '/', accept: 'text/html' }).resume(), 'end')
  session.close()
  expect(log).toContainEqual(expect.stringContaining('[origin-own]'))
})

it.each([
  ['https:/api.stripe.example/v1/charges', 200],
  ['https://user@api.stripe.example/v1/charges', 404],
  ['https://api.stripe.example.evil.example/', 404],
  ['https://api.stripe.example@evil.example/', 404],
  ['https://api.stripe.example:8443/v1/charges', 404],
  ['http://api.stripe.example/v1/charges', 404],
  ['https://evil.example\\@api.stripe.example/v1/charges', 404],
  ['https://evil.example%2F@api.stripe.example/v1/charges', 404],
  ['https://api.stripe.example%2eevil.example/', 404],
  ['omit/omit/https://api.stripe.example/v1/charges', 404],
  ['file:///etc/passwd', 404],
  ['__proto__', 404],
])('an address below the path of other origins: %s gets %i', async (address, status) => {
  const fixture = () => '- { url: https://api.stripe.example/v1/charges, response: { body: 1 } }'
  const { origin } = await serve({ fixture })
  expect((await fetch(`${origin}/__mock-api/origin/${address}`)).status).toBe(status)
})

it('names the nearest route of an origin that does not answer', async () => {
  // The port of a server that is closed could be another test's by now.
  const elsewhere = 'http://127.0.0.1:9'
  const { origin, log } = await serve({
    fixture: () =>
      `origin: ${elsewhere}\nroutes:\n  - { path: /orders/:id, response: { body: 1 } }\n  - { path: /real, response: { from: backend } }`,
  })
  const ask = async (path: string) => {
    const answer = await fetch(`${origin}/__mock-api/origin/${elsewhere}${path}`)
    const { error } = (await answer.json()) as { error: { code: string; message: string; fix: string } }
    return [answer.status, error.code, error.message, error.fix]
  }
  expect(await ask('/ordres/7?token=secret')).toEqual([
    502,
    'origin-unreachable',
    expect.stringContaining(`No route answers GET ${elsewhere}/ordres/7, and ${elsewhere} did not answer it`),
    expect.stringMatching(/^Did you mean "GET \S+\/orders\/:id"\? .*unmatched: 'fail'/),
  ])
  expect(log).toEqual([expect.stringContaining('[origin-unreachable]')])
  expect(await ask('/real')).toEqual([
    502,
    'backend-unreachable',
    expect.stringContaining(`${elsewhere}/real`),
    expect.stringContaining('Correct the address'),
  ])
})

it.each<[what: string, headers: IncomingHttpHeaders, isPage: boolean]>([
  ['a navigation', { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' }, true],
  ['one that a service worker passes on', { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'same-origin' }, true],
  ['a reload that a service worker passes on', { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'navigate' }, true],
  ['a frame', { 'sec-fetch-dest': 'iframe', 'sec-fetch-mode': 'navigate' }, true],
  ['over plain HTTP under another name', {}, true],
  ['a script that asks for HTML', { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors' }, false],
  ['a style sheet', { 'sec-fetch-dest': 'style', 'sec-fetch-mode': 'no-cors' }, false],
])('%s gets the script: %o %s', (_, headers, isPage) => {
  const request = { method: 'GET', headers: { accept: 'text/html,*/*', ...headers } } as IncomingMessage
  expect(isPageRequest(request)).toBe(isPage)
  expect(isPageRequest({ ...request, method: 'POST' } as IncomingMessage)).toBe(false)
}) // prettier-ignore

it('allows credentials, also where the dev server has set CORS headers of its own', async () => {
  const { origin } = await serve({
    fixture: () => "- { url: 'https://a.example/a', method: POST, response: { body: 1 } }",
    before: (res, own) => res.setHeader('access-control-allow-origin', own), // as Vite does for each request with an origin
  })
  const address = `${origin}/__mock-api/origin/https://a.example/a`
  const { status, headers } = await fetch(address, { method: 'POST', headers: { origin } })
  expect([
    status,
    headers.get('access-control-allow-origin'),
    headers.get('access-control-allow-credentials'),
  ]).toEqual([200, origin, 'true'])
})

it("asks nobody for a request with unmatched: 'fail' that no route answers", async () => {
  let asked = 0
  const { origin } = await serve({
    fixture: (own) => `- { url: '${own}/a', response: { body: 1 } }`,
    next: (res) => res.end(String(++asked)),
  })
  const ask = async (url: string, headers: HeadersInit) => {
    const answer = await fetch(`${origin}/__mock-api/origin/${url}`, { headers })
    return [answer.status, await answer.text()]
  }
  const refused = (url: string) => [
    404,
    expect.stringContaining(`No route answers GET ${url}, and with`) as string,
  ]
  const byCookie = { cookie: 'a=b; mock-client=one; mock-unmatched=fail' }
  const byHeader = { 'x-mock-client': 'one', 'x-mock-unmatched': 'fail' }
  expect(await ask(`${origin}/a`, byCookie)).toEqual([200, '1'])
  for (const url of [`${origin}/b`, 'https://unknown.example/b']) {
    expect(await ask(url, byCookie)).toEqual(refused(url))
    expect(await ask(`omit/${url}`, byCookie)).toEqual(refused(url))
    expect(await ask(url, byHeader)).toEqual(refused(url))
  }
  const { requests } = (await (await fetch(`${origin}/__mock-api/api/requests?client=one`)).json()) as {
    requests: { answeredBy: string }[]
  }
  expect(requests.filter(({ answeredBy }) => answeredBy === 'nothing')).toHaveLength(6)
  expect(asked).toBe(0)
})

it('answers what code of another process asks, and says which requests a server has sent', async () => {
  const [a, b] = ['https://a.example', 'https://b.example']
  const { origin, project, web, log, logger } = await serve({
    options: { outgoing: false },
    fixture: () => `origin: ${a}
routes:
  - { path: /a, response: { body: 1 } }
  - { path: /a, scenario: down, response: { status: 503 } }
  - { path: /old, response: { status: 302, headers: { location: /a, set-cookie: a=b; Domain=a.example } } }
  - { path: /events, response: { stream: [{ data: hello }], end: stay } }
  - { path: /own, method: POST, when: { headers: { host: a.example } }, response: { body: { $from: body } } }`,
  })
  const other = createMiddleware({ root: project.root, watch: false, outgoing: origin, logger })
  onTestFinished(() => other.close())
  await other.ready
  const ask = async (url: string, init?: RequestInit) => {
    const answer = await fetch(url, init)
    return [answer.status, answer.url, answer.headers.get('set-cookie'), await answer.text()]
  }
  expect(await ask(`${a}/a`)).toEqual([200, `${a}/a`, null, '1'])
  expect(await ask(`${a}/a`, { headers: { origin: b, 'x-mock-scenario': 'down' } })).toEqual([503, `${a}/a`, null, '']) // prettier-ignore
  expect(await ask(`${a}/old`)).toEqual([200, `${a}/a`, null, '1'])
  expect(await ask(`${a}/old`, { redirect: 'manual' })).toEqual([302, `${a}/old`, 'a=b; Domain=a.example', '']) // prettier-ignore
  expect(await ask(`${a}/own`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '[7]' })).toEqual([200, `${a}/own`, null, '[7]']) // prettier-ignore
  const controller = new AbortController()
  const events = await fetch(`${a}/events`, { signal: controller.signal })
  await events.body!.getReader().read()
  controller.abort()
  type Request = { url: string; isServer?: boolean; stream?: { state: string } }
  const requests = async () =>
    ((await (await fetch(`${origin}/__mock-api/api/requests`)).json()) as { requests: Request[] }).requests
  await expect.poll(async () => (await requests())[0]!.stream?.state).toBe('left')
  expect((await requests()).map(({ isServer }) => isServer)).not.toContain(undefined)
  await closeServer(web)
  log.length = 0
  expect(await ask(`${a}/a`)).toEqual([502, `${a}/a`, null, expect.stringContaining('"outgoing-unreachable"')]) // prettier-ignore
  expect(log).toEqual([expect.stringContaining(`was asked for GET ${a}/a, and did not answer`)])
})
