/* A page asks other origins, in every way that a page can. test/e2e/hosts.test.ts asks on every host. */
import { createServer } from 'node:http'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { build, createServer as createViteServer } from 'vite'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { hostsNamed, startOnce } from '../hosts/hosts.ts'
import { closeServer, listen } from '../hosts/serve.ts'
import { createTestProject } from '../hosts/test-project.ts'
import { isThorough } from '../sampling.ts'
import { useBrowser } from './use-browser.ts'

const browser = useBrowser()
const [vite] = hostsNamed('Vite 8 dev')

/** The real third party. */
const real = createServer((req, res) => {
  const { url, method, headers } = req
  res.setHeader('access-control-allow-origin', headers.origin ?? 'none')
  res.setHeader('content-type', 'application/json')
  res.setHeader('set-cookie', 'real=1; Domain=127.0.0.1; Secure; SameSite=None')
  const { origin, host, cookie, referer, authorization } = headers
  res.end(JSON.stringify({ url, method, origin, host, cookie, referer, authorization, name: 'real' }))
})
const elsewhere = await listen(real)

const fixtures = (origin: string) => `
origin: https://api.stripe.example
routes:
  - { path: /v1/charges, response: { body: { data: [ch_1] } } }
  - { path: /v1/charges, method: POST, when: { body: { amount: '5' } }, response: { status: 201, body: { id: ch_2 } } }
  - { path: /v1/charges, scenario: down, response: { status: 503 } }
  - { path: /v1/old, response: { status: 302, headers: { location: /v1/charges } } }
  - { path: /v1/private, response: { headers: { access-control-allow-origin: https://other.example }, body: {} } }
  - { path: /login, method: POST, response: { headers: { set-cookie: 'sid=7; Domain=stripe.example; Secure; HttpOnly; SameSite=None' } } }
  - { path: /me, when: { cookies: { sid: 7, app: { $exists: false } } }, response: { body: { me: true } } }
  - { path: /me, response: { status: 401 } }
  - { path: /dot.svg, response: { headers: { content-type: image/svg+xml }, body: '<svg xmlns="http://www.w3.org/2000/svg" width="3" height="3"/>' } }
  - { path: /events, response: { headers: { content-type: text/event-stream }, body: "data: hello\\n\\n" } }
  - { path: /beacon, method: POST, response: { status: 204 } }
  - { path: /star, response: { headers: { access-control-allow-origin: '*' }, body: {} } }
  - { path: /live, response: { stream: [{ data: hello }], end: stay } }
  - { path: /graphql, when: { operationName: Hero }, response: { body: { data: { hero: { name: Ada } } } } }
  - { url: '${origin}/known', response: { body: { name: mocked } } }
  - { url: '${origin}/changed', response: { from: backend, patch: { name: changed } } }
`
const html = `<!doctype html><html><head><meta charset="utf-8"><title>a shop</title>
<script>globalThis.first = fetch('https://api.stripe.example/v1/charges').then((answer) => answer.json())
const onLoad = sessionStorage.asks && fetch(sessionStorage.asks).then((answer) => answer.json())</script>
</head><body><img id="markup" src="https://api.stripe.example/dot.svg"><script type="module" src="/main.js"></script></body></html>`
/** Keeps what the page has asked, as many do, and counts it. */
const pwa = `
addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => event.waitUntil(clients.claim()))
addEventListener('fetch', (event) => event.respondWith(fetch(event.request)))
`
const worker = `onmessage = async ({ data }) => postMessage(await (await fetch(data)).json())\n`

afterAll(() => closeServer(real))

const files = {
  'index.html': html,
  'worker.js': worker,
  'public/pwa.js': pwa,
  'public/mockServiceWorker.js': readFileSync('node_modules/msw/lib/mockServiceWorker.js', 'utf8'),
  'fixtures/stripe.yaml': fixtures(elsewhere),
}
const options = { graphql: { path: ['/graphql', 'https://api.stripe.example/graphql'] } }
const started = startOnce(vite!, files, { hostBase: '/app/', options })
let page: Page
beforeAll(async () => {
  const context = await browser().newContext()
  page = await context.newPage()
  await page.goto(`${started.origin}/app/`)
})

const json = (url: string, init?: RequestInit) =>
  page.evaluate(
    async ([url, init]) => {
      try {
        const answer = (await fetch(url, init)).clone()
        const text = await answer.text()
        return {
          status: answer.status,
          url: answer.url,
          type: answer.type,
          body: text && (JSON.parse(text) as object),
        }
      } catch (error) {
        return { failed: (error as Error).name }
      }
    },
    [url, init] as const,
  )
const stripe = 'https://api.stripe.example'

it('the first request of the page, from a script in its head', async () => {
  expect(await page.evaluate('first')).toEqual({ data: ['ch_1'] })
})

it.each<[what: string, path: string, init: RequestInit | undefined, answer: object]>([
  ['a fetch', '/v1/charges#hash', undefined, { status: 200, url: `${stripe}/v1/charges`, type: 'cors', body: { data: ['ch_1'] } }],
  ['a POST with a header that needs a preflight', '/v1/charges', { method: 'POST', headers: { authorization: 'Bearer x' }, body: new URLSearchParams({ amount: '5' }).toString() }, { status: 404 }],
  ['a form', '/v1/charges', { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded', authorization: 'Bearer x' }, body: 'amount=5' }, { status: 201, body: { id: 'ch_2' } }],
  ['a scenario', '/v1/charges', { headers: { 'x-mock-scenario': 'down' } }, { status: 503 }],
  ['a redirect', '/v1/old', undefined, { status: 200, url: `${stripe}/v1/charges`, body: { data: ['ch_1'] } }],
  ['an answer that is not for this page', '/v1/private', undefined, { failed: 'TypeError' }],
  ['an answer for every page', '/star', undefined, { status: 200 }],
  ['an answer for every page, asked with credentials', '/star', { credentials: 'include' }, { failed: 'TypeError' }],
  ['an operation, asked with credentials', '/graphql', { method: 'POST', credentials: 'include', headers: { 'content-type': 'application/json' }, body: '{"operationName":"Hero"}' }, { status: 200, url: `${stripe}/graphql`, body: { data: { hero: { name: 'Ada' } } } }],
  ['a request that outlives its page', '/login', { method: 'POST', keepalive: true, body: 'a' }, { status: 200 }],
])('%s', async (_, path, init, answer) => {
  expect(await json(`${stripe}${path}`, init)).toMatchObject(answer)
}) // prettier-ignore

it('cookies are those of the other origin, where the page sends them', async () => {
  await page.evaluate(() => (document.cookie = 'app=1'))
  for (const [path, init, status] of [
    ['/login', { method: 'POST' }, 200],
    ['/me', { credentials: 'include' }, 401],
    ['/login', { method: 'POST', credentials: 'include' }, 200],
    ['/me', { credentials: 'include' }, 200],
    ['/me', {}, 401],
  ] as [string, RequestInit, number][])
    expect(await json(`${stripe}${path}`, init)).toMatchObject({ status })
  expect(await page.evaluate(() => document.cookie)).toBe('app=1')
  const asked = (withCredentials: boolean) =>
    page.evaluate(
      (withCredentials) =>
        new Promise((resolve) => {
          const request = new XMLHttpRequest()
          request.open('GET', 'https://api.stripe.example/me')
          request.setRequestHeader('x-a', 'b')
          request.withCredentials = withCredentials
          request.onloadend = () => resolve([request.status, request.responseURL])
          request.send()
        }),
      withCredentials,
    )
  expect(await asked(true)).toEqual([200, `${stripe}/me`])
  expect(await asked(false)).toEqual([401, `${stripe}/me`])
})

it('images, also of markup, events, beacons and workers', async () => {
  const seen = await page.evaluate(async () => {
    const origin = 'https://api.stripe.example'
    const loaded = (image: HTMLImageElement) =>
      image.complete && image.naturalWidth > 0
        ? image.naturalWidth
        : new Promise<number>((resolve) => image.addEventListener('load', () => resolve(image.naturalWidth)))
    const image = new Image()
    image.src = `${origin}/dot.svg`
    const other = document.createElement('div')
    other.innerHTML = `<img src="${origin}/dot.svg?2">`
    document.body.append(other)
    const event = await new Promise((resolve) => {
      const source = new EventSource(`${origin}/events`)
      source.onmessage = ({ data }) => {
        source.close()
        resolve([data, source.url])
      }
    })
    const ofWorker = (options?: WorkerOptions) =>
      new Promise((resolve) => {
        const worker = new Worker('/app/worker.js', options)
        worker.onmessage = ({ data }) => resolve(data)
        worker.postMessage(`${origin}/v1/charges`)
      })
    return {
      widths: await Promise.all([
        loaded(image),
        loaded(document.querySelector<HTMLImageElement>('#markup')!),
        loaded(other.querySelector('img')!),
      ]),
      src: [image.src, document.querySelector('#markup')!.getAttribute('src')],
      event,
      beacon: navigator.sendBeacon(`${origin}/beacon`, 'a'),
      workers: await Promise.all([ofWorker(), ofWorker({ type: 'module' })]),
    }
  })
  expect(seen).toEqual({
    widths: [3, 3, 3],
    src: [`${stripe}/dot.svg`, `${stripe}/dot.svg`],
    event: ['hello', `${stripe}/events`],
    beacon: true,
    workers: [{ data: ['ch_1'] }, { data: ['ch_1'] }],
  })
})

it('a stream arrives as it is sent, and the route knows that the page has left it', async () => {
  const first = await page.evaluate(async (url) => {
    const controller = new AbortController()
    const answer = await fetch(url, { signal: controller.signal })
    const { value } = await answer.body!.getReader().read()
    controller.abort()
    return new TextDecoder().decode(value)
  }, `${stripe}/live`)
  expect(first).toContain('data: hello')
  const state = async () => {
    const { requests } = (await (await fetch(`${started.origin}/__mock-api/api/requests`)).json()) as {
      requests: { url: string; stream?: { state: string } }[]
    }
    return requests.find(({ url }) => url === `${stripe}/live`)?.stream?.state
  }
  await expect.poll(state).toBe('left')
})

// Its bundle takes longer than all other requests: the table has the same request without it.
it.runIf(isThorough)('Apollo Client asks with credentials', async () => {
  const entry = join(import.meta.dirname, 'apollo-page.js')
  const lib = { entry, formats: ['iife' as const], name: 'apollo', fileName: 'apollo' }
  const define = { 'process.env.NODE_ENV': '"development"', 'globalThis.__DEV__': 'true' }
  const built = await build({ configFile: false, logLevel: 'silent', define, build: { lib, write: false, minify: false } })
  const [{ output }] = built as { output: { code: string }[] }[] as [{ output: { code: string }[] }]
  await page.addScriptTag({ content: output[0]!.code })
  const asked = page.waitForRequest((request) => request.url().includes('/graphql'))
  expect(await page.evaluate(`(async () => {
    const { ApolloClient, HttpLink, InMemoryCache, gql } = apollo
    const link = new HttpLink({ uri: '${stripe}/graphql', credentials: 'include' })
    const client = new ApolloClient({ link, cache: new InMemoryCache() })
    return (await client.query({ query: gql('query Hero { hero { name } }') })).data
  })()`)).toEqual({ hero: { name: 'Ada' } })
  expect((await asked).url()).toBe(`${started.origin}/app/__mock-api/origin/${stripe}/graphql`)
}) // prettier-ignore

it("MSW's worker and a PWA's leave these requests as they are, and so does a reload without one", async () => {
  const asks = () => page.evaluate('first')
  await page.addScriptTag({ path: 'node_modules/msw/lib/iife/index.js' })
  const byMsw = await page.evaluate(`(async () => {
    const { setupWorker, http, HttpResponse } = MockServiceWorker
    const worker = setupWorker(
      http.get('/app/of-msw', () => HttpResponse.json('msw')),
      http.get('${stripe}/v1/charges', () => HttpResponse.json('msw')),
    )
    const serviceWorker = { url: '/app/mockServiceWorker.js' }
    await worker.start({ quiet: true, onUnhandledRequest: 'bypass', serviceWorker })
    const answers = [await fetch('/app/of-msw'), await fetch('${stripe}/v1/charges')]
    const texts = await Promise.all(answers.map((answer) => answer.json()))
    await worker.stop()
    return [navigator.serviceWorker.controller !== null, texts]
  })()`)
  expect(byMsw).toEqual([true, ['msw', { data: ['ch_1'] }]])
  await page.evaluate(`(async () => {
    for (const one of await navigator.serviceWorker.getRegistrations()) await one.unregister()
    const controls = new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve))
    await navigator.serviceWorker.register('/app/pwa.js')
    await controls
  })()`)
  const isControlled = () => page.evaluate(() => navigator.serviceWorker.controller !== null)
  await page.reload()
  expect([await isControlled(), await asks()]).toEqual([true, { data: ['ch_1'] }])
  // Shift and reload: the browser asks no worker.
  const session = await page.context().newCDPSession(page)
  const loaded = page.waitForEvent('load')
  await session.send('Page.reload', { ignoreCache: true })
  await loaded
  expect([await isControlled(), await asks()]).toEqual([false, { data: ['ch_1'] }])
  await page.evaluate(async () => {
    for (const one of await navigator.serviceWorker.getRegistrations()) await one.unregister()
  })
  await page.reload()
}) // prettier-ignore

it('what no route answers comes from the real third party, without what is not its own', async () => {
  await page.evaluate(() => (document.cookie = 'app=1'))
  const { origin } = started
  const host = new URL(elsewhere).host
  expect(await json(`${elsewhere}/known`)).toMatchObject({ body: { name: 'mocked' } })
  expect(
    await json(`${elsewhere}/other?a=1`, { credentials: 'include', headers: { authorization: 'b' } }),
  ).toEqual({
    failed: 'TypeError', // it does not allow credentials
  })
  expect(await json(`${elsewhere}/other?a=1`, { headers: { authorization: 'b' } })).toMatchObject({
    status: 200,
    url: `${elsewhere}/other?a=1`,
    body: { url: '/other?a=1', origin, host, referer: `${origin}/`, authorization: 'b', name: 'real' },
  })
  expect(await json(`${elsewhere}/changed`)).toMatchObject({
    body: { url: '/changed', name: 'changed', host },
  })
})

it('the inspector shows them, and curl repeats them', async () => {
  const repeated = await fetch(`${started.origin}/__mock-api/origin/${stripe}/v1/charges`)
  expect([repeated.status, await repeated.json()]).toEqual([200, { data: ['ch_1'] }])
  const { requests } = (await (await fetch(`${started.origin}/__mock-api/api/requests`)).json()) as {
    requests: { url: string; answeredBy: string; isServer?: boolean }[]
  }
  expect(requests).toContainEqual(
    expect.objectContaining({ url: `${stripe}/v1/charges`, answeredBy: 'route', status: 200 }),
  )
})

it('the inspector lists an origin without routes, and one click records it', async () => {
  const third = createServer((req, res) => {
    const { pathname } = new URL(req.url!, 'http://a')
    res.setHeader('access-control-allow-origin', '*')
    res.setHeader('access-control-allow-headers', '*')
    res.setHeader('content-type', 'application/json')
    res.end(req.method === 'OPTIONS' ? '' : JSON.stringify({ at: pathname, method: req.method }))
  })
  const { origin } = new URL(await listen(third))
  const inspector = await page.context().newPage()
  onTestFinished(() => inspector.close())
  await inspector.goto(`${started.origin}/__mock-api/`)
  await page.evaluate((origin) => (sessionStorage.asks = `${origin}/on-load`), origin)
  await page.reload()
  await page.evaluate('onLoad')
  await page.evaluate((origin) => fetch(`${origin}/orders/7`).then((answer) => answer.json()), origin)
  const line = inspector.getByText(`This page also asks ${origin}: 2 requests`)
  await line.waitFor()
  const reloaded = page.waitForEvent('load')
  await inspector.getByRole('button', { name: 'Record', exact: true }).click()
  await reloaded
  await page.evaluate('onLoad')
  const headers = { 'content-type': 'application/json' }
  expect(await json(`${origin}/orders/8`, { method: 'PUT', body: '{"a":1}', headers })).toMatchObject({
    body: { at: '/orders/8', method: 'PUT' },
  })
  await inspector.getByText(`Recording ${origin}`).waitFor()
  expect(await line.count()).toBe(0)
  await inspector.getByRole('button', { name: 'End the recording' }).click()
  await inspector.getByText(`Recording ${origin}`).waitFor({ state: 'detached' })
  const slug = origin.replace(/\W+/g, '-').replace('http-', '')
  const file = join(started.project.root, `fixtures/recorded/${slug}-orders-id.put.yaml`)
  expect(readFileSync(file, 'utf8')).toContain(`- method: PUT\n  url: ${origin}/orders/:id\n`)
  await closeServer(third)
  await page.reload()
  expect(await page.evaluate('onLoad')).toEqual({ at: '/on-load', method: 'GET' })
  started.project.remove('fixtures/recorded')
})

it('a route that is added, changed and removed while the page is open', async () => {
  const name = async () => {
    const answer = await json(`${elsewhere}/late`)
    return 'body' in answer && typeof answer.body === 'object'
      ? (answer.body as { name?: string }).name
      : answer
  }
  const write = (to: string) =>
    started.project.write(
      'fixtures/late.yaml',
      `- { url: '${elsewhere}/late', response: { body: { name: ${to} } } }`,
    )
  expect(await name()).toBe('real')
  for (const to of ['added', 'changed']) {
    write(to)
    await expect.poll(name, { timeout: 20_000 }).toBe(to)
  }
  started.project.remove('fixtures/late.yaml')
  await expect.poll(name, { timeout: 20_000 }).toBe('real')
})

it('nothing is left when the last such route goes', async () => {
  const before = await (await fetch(`${started.origin}/app/`, { headers: { accept: 'text/html' } })).text()
  expect(before).toContain('<script src="/app/__mock-api/origins.js"></script>')
  started.project.remove('fixtures/stripe.yaml')
  const ask = async () => (await fetch(`${started.origin}/app/`, { headers: { accept: 'text/html' } })).text()
  await expect.poll(ask, { timeout: 20_000 }).not.toContain('origins.js')
  // The open page still asks here, and gets what the third party says.
  expect(await json(`${elsewhere}/known`)).toMatchObject({ body: { name: 'real' } })
  await page.reload()
  expect(
    await page.evaluate(() => navigator.serviceWorker.getRegistrations().then((all) => all.length)),
  ).toBe(0)
  expect(await page.evaluate(() => Symbol.for('unplugin-mock-api.origins') in globalThis)).toBe(false)
})

it('nothing is left when the plugin is removed', async () => {
  started.project.write('fixtures/stripe.yaml', fixtures(elsewhere))
  const isFollowed = () => page.evaluate(() => Symbol.for('unplugin-mock-api.origins') in globalThis)
  await expect.poll(async () => page.reload().then(isFollowed)).toBe(true)
  const address = page.url()
  // An open page reloads itself as soon as the port answers again, at the same moment as this test.
  await page.goto('about:blank')
  await started.close()
  const { hostname: host, port } = new URL(started.origin)
  const project = createTestProject(files)
  onTestFinished(project.close)
  const without = await createViteServer({
    ...{ root: project.root, configFile: false, logLevel: 'silent', base: '/app/' },
    server: { host, port: Number(port), strictPort: true },
  })
  await without.listen()
  onTestFinished(() => without.close())
  await page.goto(address)
  const workers = () => page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)
  expect([await page.title(), await isFollowed(), await workers()]).toEqual(['a shop', false, 0])
})
