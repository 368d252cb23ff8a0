/* A third party sends pages and workers where an application asks for data, and people are led there. None of it runs with the
 * dev server's own origin. */
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { hostsNamed, startOnce } from '../hosts/hosts.ts'
import { closeServer, listen } from '../hosts/serve.ts'
import { useBrowser } from './use-browser.ts'

const browser = useBrowser()
const [vite] = hostsNamed('Vite 8 dev')

/** Says which of its scripts have run, and with which origin. */
const ran: string[] = []
const third = createServer((req, res) => answer(req, res))
const elsewhere = await listen(third)

/** Tells at once that it runs, then does what it came for. */
const script = (what: string) => `(function () {
  if (!self.XMLHttpRequest) return // a service worker
  function send(method, url, body, own) {
    var sent = new XMLHttpRequest()
    try {
      sent.open(method, url, false)
      if (own) sent.setRequestHeader('x-mock-api', '1')
      if (own) sent.setRequestHeader('content-type', 'application/json')
      sent.send(body)
    } catch (error) {}
  }
  send('GET', '${elsewhere}/ran?${what} ' + self.origin)
  send('GET', '/ran?${what} ' + self.origin) // a browser may keep a page of another machine from this one
  send('PUT', '/__mock-api/api/scenario', '{"scenario":["taken"]}', true)
  if (self.onconnect !== undefined) self.onconnect = function (event) { event.ports[0].postMessage('ran') }
  else if (!self.document && self.postMessage) self.postMessage('ran')
})()`
const tag = (what: string) => `<script>//<![CDATA[\n${script(what)}\n//]]></script>`
const documents: Record<string, [type: string | undefined, text: string]> = {
  '/page': ['text/html', `<!doctype html><title>foreign</title>${tag('page')}<p>foreign`],
  '/page.svg': ['image/svg+xml', `<svg xmlns="http://www.w3.org/2000/svg" width="3" height="3">${tag('svg')}</svg>`],
  '/page.xhtml': ['application/xhtml+xml', `<html xmlns="http://www.w3.org/1999/xhtml"><body>${tag('xhtml')}</body></html>`],
  '/text': ['text/plain', `<!doctype html>${tag('text')}`],
  '/typeless': [undefined, `<!doctype html>${tag('typeless')}`],
  '/worker.js': ['text/javascript', script('worker')],
  '/lib.js': ['text/javascript', 'globalThis.lib = "loaded"'],
  '/data': ['application/json', '{"name":"real"}'],
} // prettier-ignore

function answer(req: IncomingMessage, res: ServerResponse): void {
  const { pathname, search } = new URL(req.url!, 'http://a')
  res.setHeader('access-control-allow-origin', req.headers.origin ?? network)
  res.setHeader('access-control-allow-credentials', 'true')
  if (pathname === '/ran') ran.push(decodeURIComponent(search.slice(1)))
  // It would also remove a service worker that is being registered.
  if (pathname !== '/worker.js') res.setHeader('clear-site-data', '"*"')
  res.setHeader('service-worker-allowed', '/')
  res.setHeader('content-security-policy', "script-src * 'unsafe-inline'")
  const [type, text] = documents[pathname] ?? ['text/plain', '']
  if (type !== undefined) res.setHeader('content-type', type)
  res.end(text)
}

/** A page of an attacker, on another origin of this machine. */
const attacker = createServer((req, res) => {
  const { pathname, searchParams } = new URL(req.url!, 'http://a')
  const to = searchParams.get('to') ?? ''
  if (pathname === '/redirect') return void res.writeHead(302, { location: to }).end()
  const refresh = pathname === '/refresh' ? `<meta http-equiv="refresh" content="0; url=${to}">` : ''
  res.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html>${refresh}<title>attacker</title>`)
})
const attack = await listen(attacker)

/** The dev server under an address for which browsers send no \`sec-fetch-\` headers: to them, it is another machine. */
const network = 'http://192.0.2.7:8080'
const proxy = createServer((req, res) => {
  const target = new URL(started.origin)
  const { pathname, search } = new URL(req.url!)
  if (pathname === '/ran') ran.push(decodeURIComponent(search.slice(1)))
  const { method, headers } = req
  const passed = { host: target.hostname, port: target.port, path: pathname + search, method, headers }
  req.pipe(request(passed, (from) => from.pipe(res.writeHead(from.statusCode!, from.headers))))
})

const pwa = `
addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => event.waitUntil(clients.claim()))
const how = new URL(location).searchParams.get('how')
addEventListener('fetch', (event) => {
  const { request } = event
  if (how === 'same') event.respondWith(fetch(request))
  if (how === 'changed') event.respondWith(fetch(request, { cache: 'no-store' }))
  if (how === 'address') event.respondWith(fetch(request.url))
  if (how === 'headers') event.respondWith(fetch(request.url, { headers: request.headers }))
})
`
const started = startOnce(vite!, {
  'index.html': '<!doctype html><title>the application</title>',
  'public/pwa.js': pwa,
  'fixtures/a.yaml': `
- { url: '${elsewhere}/known', scenario: taken, response: { body: mocked } }
- { url: '${elsewhere}/mocked', response: { headers: { content-type: text/html, content-security-policy: "script-src *" }, body: ${JSON.stringify(documents['/page']![1])} } }
`,
})
const below = (path: string, origin = started.origin) => `${origin}/__mock-api/origin/${elsewhere}${path}`

let context: BrowserContext
/** One page for all tests, since a new one takes longer than most of them. */
let page: Page
beforeAll(async () => {
  context = await browser().newContext()
  page = await context.newPage()
})
beforeEach(async () => {
  await fetch(`${started.origin}/__mock-api/api/reset`, { method: 'POST', headers: { 'x-mock-api': '1' } })
  ran.length = 0
})
afterAll(async () => {
  await context.close()
  await Promise.all([third, attacker, proxy].map(closeServer))
})

async function checkNothingRan(origin = started.origin) {
  // What a page has sent while it was loading has arrived before this.
  const state = await fetch(`${started.origin}/__mock-api/api/scenario`)
  expect(await state.json()).toMatchObject({ scenario: [] })
  expect(ran.filter((one) => one.includes(origin))).toEqual([])
}

/** Opens an address in a page, and resolves when all that belongs to it has been loaded. */
type Open = (page: Page, url: string) => Promise<unknown>
const inPage =
  (open: (url: string) => void): Open =>
  async (page, url) => {
    const loaded = page.waitForEvent('load')
    await page.evaluate(open, url)
    await loaded
  }
const inElement =
  (name: 'iframe' | 'object' | 'embed' | 'frame', attribute: string): Open =>
  (page, url) =>
    page.evaluate(
      ([name, attribute, url]) =>
        new Promise((resolve) => {
          const element = document.createElement(name)
          element.onload = element.onerror = resolve
          element.setAttribute(attribute, url)
          document.body.append(element)
        }),
      [name, attribute, url] as const,
    )
const ways: [way: string, open: Open][] = [
  ['a link', inPage((url) => Object.assign(document.createElement('a'), { href: url }).click())],
  ['a link without a referrer', inPage((url) => Object.assign(document.createElement('a'), { href: url, rel: 'noreferrer' }).click())],
  ['a form', inPage((action) => { const form = Object.assign(document.createElement('form'), { action }); document.body.append(form); form.submit() })],
  ['a form that posts', inPage((action) => { const form = Object.assign(document.createElement('form'), { action, method: 'post' }); document.body.append(form); form.submit() })],
  ['a window', async (page, url) => {
    const opened = page.waitForEvent('popup')
    await page.evaluate((url) => void open(url), url)
    const popup = await opened
    await popup.waitForLoadState()
    await popup.close()
  }],
  ['a frame', inElement('iframe', 'src')],
  ['an object', inElement('object', 'data')],
  ['an embed', inElement('embed', 'src')],
] // prettier-ignore
const pages = Object.keys(documents).filter((path) => /^\/(?:page|te|ty)/.test(path))

describe.each<[where: string, from: () => string]>([
  ['a page of another origin', () => attack],
  ['a page of the application', () => started.origin],
])('%s', (_, from) => {
  it.each(ways)('%s', async (_, open) => {
    await page.goto(from())
    await open(page, below('/page'))
    await checkNothingRan()
  })
})

it.each([...pages, '/mocked'])('%s: typed, or a link of a native application', async (path) => {
  expect((await page.goto(below(path)))!.status()).toBe(403)
  await checkNothingRan()
})

it.each<[way: string, open: Open]>([
  ['a redirect', (page, url) => page.goto(`${attack}/redirect?to=${encodeURIComponent(url)}`)],
  ['a page that refreshes', async (page, url) => {
    await page.goto(`${attack}/refresh?to=${encodeURIComponent(url)}`)
    await page.waitForURL(url)
  }],
])('%s', async (_, open) => {
  await open(page, below('/page'))
  await checkNothingRan()
}) // prettier-ignore

it('a service worker that passes navigations on, in each of four ways', async () => {
  const context = await browser().newContext()
  onTestFinished(() => context.close())
  const page = await context.newPage()
  for (const how of ['same', 'changed', 'address', 'headers']) {
    await page.goto(started.origin)
    await page.evaluate(async (how) => {
      const controls = new Promise((resolve) =>
        navigator.serviceWorker.addEventListener('controllerchange', resolve),
      )
      await navigator.serviceWorker.register(`/pwa.js?how=${how}`)
      await controls
    }, how)
    for (const path of ['/page', '/page.svg', '/page.xhtml', '/mocked']) {
      expect([how, (await page.goto(below(path)))!.fromServiceWorker()]).toEqual([how, true])
      await checkNothingRan()
    }
  }
})

type Start = (page: Page, url: string) => Promise<string>
/** The page keeps the worker, which tells it nothing once it is collected. */
const startWorker =
  (name: 'Worker' | 'SharedWorker', type: WorkerType = 'classic'): Start =>
  (page, url) =>
    page.evaluate(
      ([name, type, url]) =>
        new Promise<string>((resolve) => {
          const workers: unknown[] = []
          Object.assign(globalThis, { workers })
          const start = () => {
            const worker = new window[name](url, { type })
            workers.push(worker)
            const port = 'port' in worker ? worker.port : worker
            port.onmessage = () => end('ran')
            worker.onerror = () => end('failed')
          }
          const again = setInterval(start, 5000) // Chromium loses the error of a shared worker now and then
          const end = (how: string) => {
            clearInterval(again)
            resolve(how)
          }
          start()
        }),
      [name, type, url] as const,
    )
const register =
  (scope?: string): Start =>
  (page, url) =>
    page.evaluate(
      ([url, scope]) =>
        navigator.serviceWorker.register(url, scope === undefined ? {} : { scope }).then(
          () => 'ran',
          () => 'failed',
        ),
      [url, scope] as const,
    )
it.each<[kind: string, start: Start]>([
  ['a worker', startWorker('Worker')],
  ['a worker that is a module', startWorker('Worker', 'module')],
  ['a shared worker', startWorker('SharedWorker')],
  ['a shared worker that is a module', startWorker('SharedWorker', 'module')],
  ['a service worker', register()],
  ['a service worker for the whole application', register('/')],
])('%s', async (_, start) => {
  await page.goto(started.origin)
  for (const path of ['/worker.js', '/worker.js?mock-api-worker=classic'])
    expect(await start(page, below(path))).toBe('failed')
  await checkNothingRan()
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0)
})

/** What an application does with a third party. */
const use = (elsewhere: string) => {
  const text = (url: string, init?: RequestInit) => fetch(url, init).then((answer) => answer.text())
  const byXhr = (withCredentials: boolean) =>
    new Promise((resolve) => {
      const sent = new XMLHttpRequest()
      sent.open('GET', `${elsewhere}/page`)
      sent.setRequestHeader('accept', 'text/html, */*; q=0.01')
      sent.withCredentials = withCredentials
      sent.onloadend = () => resolve(sent.status)
      sent.send()
    })
  const loaded = (element: HTMLElement, url: string) =>
    new Promise((resolve) => {
      element.onload = () => resolve('loaded')
      element.onerror = () => resolve('failed')
      document.head.append(Object.assign(element, { src: url }))
    })
  return Promise.all([
    text(`${elsewhere}/data`),
    text(`${elsewhere}/page`, { headers: { accept: 'text/html' } }).then((all) => all.includes('foreign')),
    text(`${elsewhere}/page`, { headers: { accept: 'text/html' }, credentials: 'include' }).then((all) => all.includes('foreign')),
    byXhr(false),
    byXhr(true),
    loaded(new Image(), `${elsewhere}/page.svg`),
    loaded(document.createElement('script'), `${elsewhere}/lib.js`).then(() => (globalThis as { lib?: string }).lib),
  ])
} // prettier-ignore
const used = ['{"name":"real"}', true, true, 200, 200, 'loaded', 'loaded']

it('the application still asks for data, pages, images and scripts, and a logout elsewhere leaves its own storage', async () => {
  await page.goto(started.origin)
  await page.evaluate(() => {
    localStorage.setItem('mine', '1')
    document.cookie = 'mine=1'
  })
  expect(await page.evaluate(use, elsewhere)).toEqual(used)
  await page.reload()
  expect(await page.evaluate(() => [localStorage.getItem('mine'), document.cookie])).toEqual(['1', 'mine=1'])
  await checkNothingRan()
})

it('a page that hides where it is may use the control API', async () => {
  await page.goto(started.origin)
  const status = await page.evaluate(async () => {
    document.head.innerHTML += '<meta name="referrer" content="no-referrer">'
    const headers = { 'x-mock-api': '1', 'content-type': 'application/json' }
    const init = { method: 'PUT', headers, body: '{"scenario":[]}' }
    return (await fetch('/__mock-api/api/scenario', init)).status
  })
  expect(status).toBe(200)
})

describe('from another machine, over plain HTTP', () => {
  let page: Page
  beforeAll(async () => {
    const outside = await browser().newContext({ proxy: { server: await listen(proxy) } })
    page = await outside.newPage()
    return () => outside.close()
  })

  it.each(ways.slice(1))('%s on a page of another origin', async (_, open) => {
    await page.goto(attack)
    await open(page, below('/page', network))
    await checkNothingRan(network)
  })

  it('an address that is typed', async () => {
    expect((await page.goto(below('/page', network)))!.status()).toBe(403)
    await checkNothingRan(network)
  })

  it('the application still asks for all of it', async () => {
    await page.goto(`${network}/`)
    expect(await page.evaluate(() => isSecureContext)).toBe(false)
    expect(await page.evaluate(use, elsewhere)).toEqual(used)
  })
})
