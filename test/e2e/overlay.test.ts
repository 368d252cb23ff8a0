/* Vite's error overlay, as a developer sees it in the page. */
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import type { ViteDevServer } from 'vite'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createTestProject, type TestProject } from '../hosts/test-project.ts'
import { viteConfig, viteVersions } from '../hosts/vite-hosts.ts'
import { launchBrowser } from './browser.ts'

const good = '- { path: /a, response: { body: good } }\n'
const broken = '- path: /a\n  respnse: {}\n'
const mended = '- { path: /a, response: { body: mended } }\n'

let browser: Browser
// Longer than every other limit: a machine without a browser gets one here.
beforeAll(async () => {
  browser = await launchBrowser()
}, 30 * 60_000)
afterAll(() => browser?.close())

describe.each(viteVersions)("$name's overlay", { timeout: 60_000 }, ({ name, load }) => {
  let project: TestProject
  let server: ViteDevServer
  let page: Page

  async function start(fixture: string): Promise<void> {
    project = createTestProject({ 'fixtures/a.yaml': fixture })
    server = await (await load()).createServer(viteConfig(project).config)
    await server.listen()
    page = await browser.newPage()
  }
  afterEach(async () => {
    await page.close()
    await server.close()
    project.close()
  })

  const open = () => page.goto(`http://127.0.0.1:${(server.httpServer!.address() as AddressInfo).port}/`)
  const overlay = () => page.locator('vite-error-overlay')
  const showsApp = () => page.getByText('the app').waitFor()
  async function expectError(): Promise<void> {
    await overlay().waitFor({ state: 'attached' })
    const text = await overlay().evaluate((element) => element.shadowRoot!.textContent)
    expect(text).toContain('[plugin:unplugin-mock-api]')
    expect(text).toContain('Unknown key "respnse".')
    expect(text).toContain('Did you mean "response"?')
    expect(text).toContain('> 2 |   respnse: {}')
    const link = overlay().locator('.file-link')
    expect(await link.textContent()).toBe(`${join(project.root, 'fixtures/a.yaml')}:2:3`)
  }
  const answer = () => page.evaluate(async () => (await fetch('/a')).text())

  it('comes when a fixture file breaks, and goes when it is mended', async () => {
    await start(good)
    await open()
    await showsApp()
    expect(await overlay().count()).toBe(0)

    project.write('fixtures/a.yaml', broken)
    await expectError()
    expect(await answer()).toBe('good')
    const file = `${name.toLowerCase().replace(' ', '-')}-overlay.png`
    await page.screenshot({ path: fileURLToPath(new URL(`../../artifacts/e2e/${file}`, import.meta.url)) })

    project.write('fixtures/a.yaml', mended)
    await overlay().waitFor({ state: 'detached' })
    await showsApp()
    expect(await answer()).toBe('mended')
  })

  it('is there when the page is opened, and opened again, and goes when the file is mended', async () => {
    await start(broken)
    for (let times = 0; times < 2; times++) {
      await open()
      await expectError()
    }
    project.write('fixtures/a.yaml', mended)
    await overlay().waitFor({ state: 'detached' })
    await showsApp()
    expect(await answer()).toBe('mended')
    await page.reload()
    await showsApp()
    expect(await overlay().count()).toBe(0)
  })
})
