/* The badge of pages whose requests matched no route. test/e2e/inspector.test.ts clicks it on every host. */
import { createServer } from 'node:http'
import type { ConsoleMessage, Page } from 'playwright-core'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import type { Options } from '../../src/core/options/options.ts'
import { hostsNamed, startOnce } from '../hosts/hosts.ts'
import { projectOfTest } from '../hosts/of-test.ts'
import { closeServer, listen } from '../hosts/serve.ts'
import { useBrowser } from './use-browser.ts'

const browser = useBrowser()
const [vite] = hostsNamed('Vite 8 dev')

/** The page may load nothing but its own files, has a button where the badge would be, and does not read its answers. */
const html = `<!doctype html>
<meta http-equiv="Content-Security-Policy" content="style-src 'self'; script-src 'self'">
<link rel="stylesheet" href="/page.css">
<title>a shop</title>
<button>Chat</button>
<script type="module" src="/main.js"></script>`
const main = `
void fetch('http://[') // nobody catches what this rejects with
await fetch('/orders/8')
await fetch('/elsewhere') // Vite answers with the page
await fetch('/main.js')
await fetch('/elsewhere', { headers: { accept: 'text/html' } })
const request = new XMLHttpRequest()
request.open('GET', '/orders/9')
request.onloadend = () => document.body.append('done')
request.send()
`

const server = startOnce(vite!, {
  'fixtures/orders.yaml': `
- { path: /orders/:id, when: { params: { id: 7 } }, response: { body: {} } }
- { path: /orders/:id, when: { params: { id: 7 } }, scenario: sold-out, response: { status: 503 } }
- { path: /shop, scenario: closed, response: { status: 503 } }
`,
  'index.html': html,
  'main.js': main,
  'page.css': 'button { position: fixed; right: 0; bottom: 0; padding: 2rem }',
})
/** The page of a person, which all tests use: a new one takes longer than most of them. */
let page: Page
const warnings: string[] = []
const uncaught: string[] = []
beforeAll(async () => {
  page = await browser().newPage()
  await page.addInitScript(() => Object.defineProperty(navigator, 'webdriver', { value: false }))
  page.on('pageerror', ({ name }) => uncaught.push(name))
})

async function open(opened = page): Promise<void> {
  warnings.length = uncaught.length = 0
  opened.on('console', note)
  onTestFinished(() => void opened.off('console', note))
  await opened.goto(server.origin)
  await opened.getByText('done').waitFor()
}

function note(message: ConsoleMessage): void {
  if (message.text().startsWith('[mock-api]')) warnings.push(message.text())
}

it('counts the misses of its own page, under a strict policy, and covers no button', async () => {
  await open()
  const { origin } = server
  await fetch(`${origin}/orders/10`) // of another client
  const badge = page.getByRole('link', { name: '3 misses' })
  await badge.waitFor()
  expect(await badge.getAttribute('href')).toMatch(/\/__mock-api\/#\/requests\/\d+$/)
  expect((await badge.boundingBox())!.x).toBeLessThan(100)
  expect(uncaught).toEqual(['TypeError'])
  expect(warnings).toEqual([
    expect.stringContaining(`A request matched no route. The inspector says why: ${origin}/__mock-api/#/`),
  ])
  await page.getByRole('button', { name: 'Hide until the page is loaded again' }).click()
  await page.evaluate(() => fetch('/orders/11'))
  expect(await page.locator('mock-api-misses').count()).toBe(0)
})

const api = (path: string, body: object) =>
  fetch(`${server.origin}/__mock-api/api/${path}`, {
    method: 'PUT',
    headers: { 'x-mock-api': '1', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const sadPath = 'GET /orders/:id #status 503'
const ofSadPath = 'GET /orders/:id: the answer is 503'

it.each<[what: string, on: [path: string, body: object][], status: number, text: string]>([
  ['a scenario', [['scenario', { scenario: ['sold-out'] }]], 503, 'sold-out'],
  ['a scenario that answers nothing', [['scenario', { scenario: ['closed'] }]], 200, 'closed'],
  ['a sad path', [['overrides', { sadPath }]], 503, ofSadPath],
  ['chaos', [['overrides', { chaos: 0.001 }]], 200, '0.1 % of the answers fail'],
  ['all that is on', [['scenario', { scenario: ['closed', 'sold-out'] }], ['overrides', { sadPath }]], 503, `closed, sold-out, ${ofSadPath}`],
])('names %s, ends it with a click, and is gone when it is ended elsewhere', async (_, on, status, text) => {
  await open()
  const badges = page.locator('mock-api-switched')
  const ask = () => page.evaluate(async () => (await fetch('/orders/7')).status)
  const switchOn = async () => {
    for (const [path, body] of on) await api(path, body)
    expect(await ask()).toBe(status)
    await page.getByText(`Mock API: ${text}`, { exact: true }).waitFor()
  }
  expect(await badges.count()).toBe(0)
  await switchOn()
  const isLoadedAgain = page.waitForEvent('load')
  await page.getByRole('button', { name: 'End it' }).click()
  await isLoadedAgain
  expect(await ask()).toBe(200)
  expect(await badges.count()).toBe(0)
  await page.getByText('done').waitFor()
  await switchOn()
  await api('scenario', { scenario: [] })
  await api('overrides', {})
  await badges.waitFor({ state: 'detached' })
}) // prettier-ignore

it('leads nowhere else, whatever a third party says', async () => {
  const addresses = [
    'javascript:document.title="taken"',
    'https://evil.example/',
    '//evil.example/',
    'http://[',
  ]
  const third = createServer((req, res) => {
    const address = addresses[Number(req.url!.slice(1))]!.replaceAll('"', '\\"')
    res.setHeader('server-timing', `mock-api-miss;desc="${address}"`)
    for (const name of [
      'timing-allow-origin',
      'access-control-allow-origin',
      'access-control-expose-headers',
    ])
      res.setHeader(name, '*')
    res.end('third')
  })
  const elsewhere = await listen(third)
  onTestFinished(() => closeServer(third))
  await open()
  const texts = await page.evaluate(
    async ([elsewhere, count]) => {
      const seen = new Promise<void>((resolve) => {
        let left = count
        new PerformanceObserver((list) => {
          left -= list.getEntries().filter(({ name }) => name.startsWith(elsewhere)).length
          if (left === 0) resolve()
        }).observe({ type: 'resource', buffered: true })
      })
      const asked = Array.from({ length: count }, (_, n) => fetch(`${elsewhere}/${n}`))
      const texts = await Promise.all(asked.map(async (answer) => (await answer).text()))
      await seen
      return texts
    },
    [elsewhere, addresses.length] as const,
  )
  expect(texts).toEqual(addresses.map(() => 'third'))
  const badge = page.getByRole('link', { name: '3 misses' })
  expect(await badge.getAttribute('href')).toContain(`${server.origin}/__mock-api/#/requests/`)
})

it('is not there if a test drives the browser', async () => {
  const driven = await browser().newPage()
  onTestFinished(() => driven.close())
  await open(driven)
  expect([await driven.locator('mock-api-misses').count(), warnings.length]).toEqual([0, 1])
})

it.each<[options: Options, isThere: boolean]>([
  [{}, true],
  [{ badge: false }, false],
  [{ inspector: false }, false],
])('is in the client of the dev server, with %j: %s', async (options, isThere) => {
  const server = await vite!.start(projectOfTest(), { options })
  onTestFinished(() => server.close())
  const client = await (await fetch(`${server.origin}/@vite/client`)).text()
  expect(client.includes('mock-api-misses')).toBe(isThere)
})
