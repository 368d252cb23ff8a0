/*
 * MSW's service worker in Chromium, with the routes of `virtual:mock-api`: in a build on a static host, which only MSW answers,
 * and on a dev server that answers too. Needs `npm run build`.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { build, createServer, type ViteDevServer } from 'vite'
import { connectBrowser } from '../e2e/browser.ts'
import { createProjectInPackage, type TestProject } from '../hosts/test-project.ts'
import { startStaticServer, type StaticServer } from '../service-worker/static-server.ts'
import { askRows, byRow, fixtures, picture, rows, type WayAnswer } from '../installed/rows.ts'

const workerScript = createRequire(import.meta.url).resolve('msw/mockServiceWorker.js')

const app = `
import { http, HttpResponse } from 'msw'
import { setupWorker } from 'msw/browser'
import { toHandlers } from 'unplugin-mock-api/msw'
import { routes } from 'virtual:mock-api'

const handlers = toHandlers(routes)
const own = http.get('/own', () => HttpResponse.text('of another handler'))
await setupWorker(...handlers, own).start({ onUnhandledRequest: 'bypass', quiet: true })
Object.assign(globalThis, { handlers })
document.body.append('ready')
`

let project: TestProject
let devServer: ViteDevServer
let host: StaticServer
let browser: Browser
let devOrigin: string

beforeAll(async () => {
  project = createProjectInPackage({
    ...fixtures,
    'main.js': app,
    'public/mockServiceWorker.js': readFileSync(workerScript, 'utf8'),
    'vite.config.js': `import mockApi from 'unplugin-mock-api/vite'\nexport default { plugins: [mockApi()] }\n`,
  })
  project.write('fixtures/picture.png', picture)
  const { root } = project
  await build({ root, logLevel: 'error', build: { target: 'esnext' } })
  host = await startStaticServer(join(root, 'dist'), '/', "default-src * 'unsafe-inline' data: blob:")
  devServer = await createServer({ root, logLevel: 'silent', server: { host: '127.0.0.1', port: 0 } })
  await devServer.listen()
  const address = devServer.httpServer!.address() as { port: number }
  devOrigin = `http://127.0.0.1:${address.port}`
  browser = await connectBrowser()
})
afterAll(async () => {
  await browser?.close()
  await devServer?.close()
  await host?.close()
  project?.close()
})

/** Opens the application, and waits for MSW. */
async function open(origin: string): Promise<{ page: Page; warnings: string[] }> {
  const page = await browser.newPage()
  const warnings: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'warning') warnings.push(message.text())
  })
  await page.goto(origin)
  await page.getByText('ready').waitFor()
  return { page, warnings }
}

const ask = (page: Page, path: string) =>
  page.evaluate(async (url) => {
    const response = await fetch(url)
    return [response.status, await response.text()]
  }, path)

it('a build on a static host answers every row as the dev server', async () => {
  const requests = rows.map(({ request }) => request)
  const expected = await askRows(requests, (url, init) => fetch(devOrigin + url, init))
  const { page, warnings } = await open(host.origin)
  const source = `(${askRows.toString()})(${JSON.stringify(requests)}, (url, init) => fetch(url, init))`
  expect(byRow(await page.evaluate<WayAnswer[]>(source))).toEqual(byRow(expected))
  expect(warnings.filter((text) => text.includes('unplugin-mock-api'))).toEqual([])
})

it('other handlers and the host answer the rest, and the page switches scenarios', async () => {
  const { page } = await open(host.origin)
  expect(await ask(page, '/own')).toEqual([200, 'of another handler'])
  expect(await ask(page, '/nobody')).toEqual([404, 'not found'])
  const pay = () =>
    page.evaluate(async () => (await fetch('/orders', { method: 'POST', body: '{ "total": 20 }' })).status)
  expect(await pay()).toBe(201)
  await page.evaluate("handlers.setScenario('payment-down')")
  expect(await pay()).toBe(503)
  await page.evaluate('handlers.reset()')
  expect(await pay()).toBe(201)
})

it('a dev server that answers too is reported once', async () => {
  const { page, warnings } = await open(devOrigin)
  const overlaps = () => warnings.filter((text) => text.includes('[layers-overlap]'))
  expect(await ask(page, '/orders/7')).toEqual([200, '{"id":7,"note":"ö – ✓"}'])
  await expect.poll(overlaps).toHaveLength(1)
  expect(overlaps()[0]).toContain('the dev server (mockApi() in its config)')
  expect(await ask(page, '/orders/7')).toEqual([200, '{"id":7,"note":"ö – ✓"}'])
  expect(await ask(page, '/own')).toEqual([200, 'of another handler'])
  expect(overlaps()).toHaveLength(1)
})
