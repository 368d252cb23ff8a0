/*
 * Demo builds on the plainest static host, in Chromium. Needs `npm run build`, since the worker is made of the built package.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectBrowser } from '../e2e/browser.ts'
import { createProjectInPackage, type TestProject } from '../hosts/test-project.ts'
import { builders } from './builders.ts'
import { startStaticServer } from './static-server.ts'

/** Requests that modules send while they are evaluated, before anything could have waited for a worker. */
const files = {
  'index.html':
    '<!doctype html><title>the app</title><body></body><script type="module" src="/main.js"></script>',
  'template.html': '<!doctype html><title>the app</title><body></body>',
  'main.js': `
    import { early } from './early.js'
    globalThis.asked = Promise.all([early, askXhr('/items?page=2')])
    function askXhr(url) {
      return new Promise((resolve) => {
        const xhr = new XMLHttpRequest()
        xhr.open('GET', url)
        xhr.onloadend = () => resolve([xhr.status, xhr.responseText])
        xhr.send()
      })
    }`,
  'early.js': `
    export const early = fetch('/orders/7').then(async (response) => [response.status, await response.text()])`,
  'fixtures/items.yaml':
    '- { path: /items, paginate: { perPage: 2, items: [{ id: 1 }, { id: 2 }, { id: 3 }] } }',
  'fixtures/orders.ts': `
    import { defineFixture } from 'unplugin-mock-api/fixture'
    export default defineFixture([
      { path: '/orders/:id', response: ({ params }: { params: { id: string } }) => ({ body: { id: params.id } }) },
    ])`,
}

const page2 = { page: 2, per_page: 2, total: 3, total_pages: 2, has_more: false, data: [{ id: 3 }] }
const fromFixtures = [
  [200, { id: '7' }],
  [200, page2],
]

let browser: Browser
beforeAll(async () => {
  browser = await connectBrowser()
})
afterAll(() => browser?.close())

type Answer = [status: number, text: string]

async function asked(page: Page): Promise<unknown[]> {
  await page.waitForFunction(() => 'asked' in globalThis)
  const answers = await page.evaluate(() => (globalThis as unknown as { asked: Promise<Answer[]> }).asked)
  return answers.map(([status, text]) => [status, status === 200 ? (JSON.parse(text) as unknown) : text])
}

/** The contents of all files of a build. */
function contentsOf(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
  const paths = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return Object.fromEntries(
    paths.sort().map((path) => [path.slice(folder.length), readFileSync(path, 'latin1')]),
  )
}

describe.each(builders)('$name', (builder) => {
  let project: TestProject
  beforeAll(() => {
    project = createProjectInPackage(files)
  })
  afterAll(() => project.close())

  it.each(['/demo/', './'])(
    'answers the first requests of the first visit, with the base %s',
    async (base) => {
      const log = await builder.build(project, { base, outDir: 'dist', options: { build: 'service-worker' } })
      expect(log.filter((line) => line.includes('this build contains the mock API'))).toHaveLength(1)
      const served = base === './' ? '/any/place/' : base
      const server = await startStaticServer(join(project.root, 'dist'), served)
      const page = await browser.newPage()
      const problems: string[] = []
      page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
      page.on('pageerror', (error) => problems.push(error.message))
      await page.goto(`${server.origin}${served}`)
      expect(await asked(page)).toEqual(fromFixtures)
      expect(problems).toEqual([])
      expect(server.requests.filter((one) => /items|orders/.test(one))).toEqual([])
      await page.close()
      await server.close()
    },
  )

  it('a build without the option is the same as one without the plugin', async () => {
    await builder.build(project, { base: '/', outDir: 'with' })
    await builder.build(project, { base: '/', outDir: 'without', options: { enabled: false } })
    expect(contentsOf(join(project.root, 'with'))).toEqual(contentsOf(join(project.root, 'without')))
    expect(existsSync(join(project.root, 'with/mock-api-worker.js'))).toBe(false)
  })

  it('a fixture that needs Node fails the build', async () => {
    project.write(
      'fixtures/node.ts',
      "import { hostname } from 'node:os'\nexport default [{ path: '/host', response: { body: hostname() } }]",
    )
    const built = builder.build(project, {
      base: '/',
      outDir: 'failed',
      options: { build: 'service-worker' },
    })
    await expect(built).rejects.toThrow(/fixtures\/node\.ts.*node:os/s)
    project.remove('fixtures/node.ts')
  })
})
