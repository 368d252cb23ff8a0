/* setupWorker of MSW in Chromium, with the routes of virtual:mock-api. Needs `npm run build`. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { build, createServer } from 'vite'
import { mockApi } from '../src/vite.ts'
import { connectBrowser } from './e2e/browser.ts'
import { createProjectInPackage } from './hosts/test-project.ts'
import { startStaticServer } from './service-worker/static-server.ts'

const msw = dirname(createRequire(import.meta.url).resolve('msw/package.json'))
const large = 'x'.repeat(10_000)
const files = {
  'index.html': '<!doctype html><title>the app</title><script type="module" src="/main.js"></script>',
  'main.js': `
    import { setupWorker } from 'msw/browser'
    import { toHandlers } from 'unplugin-mock-api/msw'
    import { routes } from 'virtual:mock-api'
    const handlers = toHandlers(routes)
    await setupWorker(...handlers).start({ quiet: true, onUnhandledRequest: 'error' })
    const get = async (path) => {
      const response = await fetch(path)
      return [response.status, (await response.text()).length]
    }
    const answers = [await get('/orders/7'), await get('/manual'), await get('/none')]
    handlers.setScenario('down')
    globalThis.asked = [...answers, await get('/orders/7')]`,
  'fixtures/orders.yaml': `
- { path: '/orders/:id', response: { body: { id: 7 } } }
- { path: '/orders/:id', scenario: down, response: { status: 503 } }
- { path: /manual, response: { file: manual.txt } }`,
  'fixtures/manual.txt': large,
  'public/mockServiceWorker.js': readFileSync(join(msw, 'lib/mockServiceWorker.js'), 'utf8'),
}
const logger = { info() {}, warn() {}, error() {} }

let browser: Browser
beforeAll(async () => {
  browser = await connectBrowser()
})
afterAll(() => browser?.close())

/** What the page got, and what its console said. */
async function visit(origin: string) {
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const log: string[] = []
  page.on('console', (message) => log.push(message.text()))
  await page.goto(origin)
  await page.waitForFunction(() => 'asked' in globalThis)
  const asked = await page.evaluate(() => (globalThis as unknown as { asked: unknown }).asked)
  return {
    asked,
    told: () => log.filter((text) => /\[(?:MSW|mock-api)\]/.test(text) && !text.includes('/none')),
  }
}

/** MSW answers the request that no route has as its option says. */
const expected = [
  [200, 8],
  [200, large.length],
  [500, expect.any(Number)],
  [503, 0],
]

function createProject() {
  const project = createProjectInPackage(files)
  onTestFinished(project.close)
  const config = { root: project.root, configFile: false as const, logLevel: 'silent' as const }
  return { ...config, plugins: [mockApi({ logger }) as never] }
}

it('a production build: our own requests go to the network', async () => {
  const config = createProject()
  await build({ ...config, build: { target: 'esnext' } })
  const server = await startStaticServer(join(config.root, 'dist'))
  onTestFinished(() => server.close())
  const { asked, told } = await visit(server.origin)
  expect(asked).toEqual(expected)
  expect(told()).toEqual([])
})

it('the dev server: the console says that both answer', async () => {
  const server = await createServer({ ...createProject(), server: { host: '127.0.0.1' } })
  onTestFinished(() => server.close())
  await server.listen(0)
  const { asked, told } = await visit(server.resolvedUrls!.local[0]!)
  expect(asked).toEqual(expected)
  await vi.waitFor(() => expect(told()).toEqual([expect.stringContaining('[layers-overlap]')]), 20_000)
})
