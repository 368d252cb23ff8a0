/* What a page of a demo build gets, on a static host in Chromium. Needs `npm run build`. */
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Options } from '../../src/core/options/options.ts'
import { accessibilityProblems } from '../e2e/accessibility.ts'
import { connectBrowser } from '../e2e/browser.ts'
import { createProjectInPackage, type TestProject } from '../hosts/test-project.ts'
import { builders } from './builders.ts'
import { startStaticServer, type StaticServer } from './static-server.ts'

const html =
  '<!doctype html><html lang="en"><title>the app</title><main><h1>Shop</h1></main><script type="module" src="/main.js"></script></html>'
const files = {
  'index.html': html,
  'main.js': 'globalThis.first = fetch("/orders").then((response) => response.text())',
  'fixtures/orders.yaml': `
- { path: /orders, response: { body: ordinary } }
- { path: /orders, scenario: payment-down, response: { status: 503, body: down } }
- { path: /only, scenario: payment-down, response: { body: only } }
- { path: /api-page, response: { body: the route } }
- { path: /login, method: POST, response: { status: 204, headers: { set-cookie: session=abc; Path=/ } } }
- { path: /me, when: { cookies: { session: abc } }, response: { body: me } }
- { path: /reset, response: { body: none, fault: reset } }
- { path: /truncated, response: { body: a long enough text, fault: truncated } }
- { url: https://api.stripe.example/v1/charges, method: POST, when: { headers: { authorization: Bearer x } }, response: { body: [ch_1] } }
- { path: /notes, collection: { items: { file: notes.json } } }
`,
  'fixtures/notes.json': '[{ "id": 1 }]',
}

let browser: Browser
let project: TestProject
let server: StaticServer
let context: BrowserContext
let page: Page
const vite = builders[0]!

async function build(outDir: string, options: Options): Promise<string> {
  await vite.build(project, { base: '/', outDir, options })
  return join(project.root, outDir)
}

beforeAll(async () => {
  browser = await connectBrowser()
  project = createProjectInPackage(files)
  server = await startStaticServer(await build('dist', { build: { type: 'service-worker', badge: true } }))
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
  project?.close()
})
beforeEach(async () => {
  context = await browser.newContext()
  page = await context.newPage()
})
afterEach(() => context.close())

const first = () => page.evaluate(() => (globalThis as unknown as { first: Promise<string> }).first)

interface Asked {
  status: number
  text: string
  route: string | null
}
const ask = (path: string, init: RequestInit = {}) =>
  page.evaluate(
    async ([path, init]): Promise<Asked | string> => {
      try {
        const response = await fetch(path, init)
        return {
          status: response.status,
          text: await response.text(),
          route: response.headers.get('x-mock-route'),
        }
      } catch (error) {
        return String(error)
      }
    },
    [path, init] as const,
  )

it('what no route has goes to the network', async () => {
  await page.goto(server.origin)
  expect(await ask('/elsewhere')).toMatchObject({ status: 404, text: 'not found', route: null })
})

it('a request to another origin with a route is answered, and others are not', async () => {
  await page.goto(server.origin)
  await first()
  const init = { method: 'POST', headers: { authorization: 'Bearer x' }, credentials: 'include' } as const
  expect(await ask('https://api.stripe.example/v1/charges', init)).toMatchObject({
    status: 200,
    text: '["ch_1"]',
  })
  expect(await ask('https://api.stripe.example/v1/refunds', init)).toMatch(/^TypeError/)
  expect(await ask('/v1/charges', init)).toMatchObject({ status: 404, route: null })
})

it('a reload with Shift, which leaves the page without a worker, is answered', async () => {
  await page.goto(server.origin)
  expect(await first()).toBe('ordinary')
  const session = await context.newCDPSession(page)
  const loaded = page.waitForEvent('load')
  await session.send('Page.reload', { ignoreCache: true })
  await loaded
  expect(await first()).toBe('ordinary')
})

it('answers while the network is gone', async () => {
  await page.goto(server.origin)
  await first()
  await context.setOffline(true)
  expect(await ask('/orders')).toMatchObject({ status: 200, text: 'ordinary' })
})

describe('scenarios', () => {
  it('of the page, which it keeps', async () => {
    await page.goto(`${server.origin}/?mock-scenario=payment-down`)
    expect(await first()).toBe('down')
    await page.goto(server.origin)
    expect(await first()).toBe('down')
    expect(await ask('/only')).toMatchObject({ text: 'only' })
    await page.goto(`${server.origin}/?mock-scenario=`)
    expect(await first()).toBe('ordinary')
    expect(await ask('/only')).toMatchObject({ status: 404, text: 'not found' })
  })
})

it('cookies are set and selected by', async () => {
  await page.goto(server.origin)
  expect(await ask('/me')).toMatchObject({ status: 404 })
  expect(await ask('/login', { method: 'POST' })).toMatchObject({ status: 204 })
  expect(await ask('/me')).toMatchObject({ status: 200, text: 'me' })
})

it('faults', async () => {
  await page.goto(server.origin)
  expect(await ask('/reset')).toMatch(/^TypeError/)
  expect(await ask('/truncated')).toMatch(/TypeError/)
})

it('a page that is opened at a path of a route is the answer of the route', async () => {
  await page.goto(server.origin)
  await first()
  await page.goto(`${server.origin}/api-page`)
  expect(await page.textContent('body')).toBe('the route')
})

it('a collection keeps what was written over a reload, until the badge starts again', async () => {
  await page.goto(server.origin)
  await first()
  const headers = { 'content-type': 'application/json' }
  expect(await ask('/notes', { method: 'POST', headers, body: '{"kept":true}' })).toMatchObject({
    status: 201,
  })
  await page.reload()
  await first()
  expect(await ask('/notes')).toMatchObject({ text: '[{"id":1},{"kept":true,"id":2}]' })
  const loaded = page.waitForEvent('load')
  await page.getByRole('button', { name: 'Start again' }).click()
  await loaded
  await first()
  expect(await ask('/notes')).toMatchObject({ text: '[{"id":1}]' })
})

it('the badge is accessible, names the scenario, and can be hidden', async () => {
  await page.goto(`${server.origin}/?mock-scenario=payment-down`)
  const badge = page.getByRole('complementary', { name: 'Mock API' })
  await badge.waitFor()
  expect(await badge.textContent()).toContain('Mock API: payment-down')
  expect(await accessibilityProblems(page)).toEqual([])
  await page.screenshot({ path: 'artifacts/e2e/demo-badge.png' })
  await page.getByRole('button', { name: 'Hide this notice' }).click()
  expect(await badge.count()).toBe(0)
})

describe('the next deployment', () => {
  let host: StaticServer
  beforeEach(async () => {
    host = await startStaticServer(join(project.root, 'dist'))
    await page.goto(host.origin)
    expect(await first()).toBe('ordinary')
  })
  afterEach(() => host.close())

  it('replaces the worker before the first answer', async () => {
    project.write('fixtures/orders.yaml', '- { path: /orders, response: { body: new } }')
    host.serve(await build('next', { build: 'service-worker' }))
    project.write('fixtures/orders.yaml', files['fixtures/orders.yaml'])
    await page.goto(host.origin)
    expect(await first()).toBe('new')
  })

  it('without a mock API is not answered by the old worker', async () => {
    host.serve(await build('real', {}))
    await page.goto(host.origin)
    expect(await first()).toBe('not found')
    await page.goto(host.origin)
    expect(await page.evaluate(() => navigator.serviceWorker.controller)).toBeNull()
  })
})

it('a browser without service workers says why, and requests go to the network', async () => {
  const errors: string[] = []
  page.on('console', (message) => message.text().includes('[mock-api]') && errors.push(message.text()))
  await page.addInitScript(() =>
    Object.defineProperty(Navigator.prototype, 'serviceWorker', { value: undefined }),
  )
  await page.goto(server.origin)
  await expect
    .poll(() => errors)
    .toEqual([
      '[mock-api] The mock API of this page is not available: this browser has no service workers, or does not allow them in this window. Requests go to the network.',
    ])
  expect(await ask('/orders')).toMatchObject({ status: 404, text: 'not found' })
})
