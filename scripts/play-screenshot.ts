/* Writes docs/play.png: the page of the docs that answers, with a request that no route matches. Needs a build and a Chromium. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSite } from '../test/docs/built-site.ts'
import { connectBrowser } from '../test/e2e/browser.ts'
import setUp from '../test/e2e/setup.ts'
import { startStaticServer } from '../test/service-worker/static-server.ts'

const target = fileURLToPath(new URL('../docs/play.png', import.meta.url))
const site = mkdtempSync(join(tmpdir(), 'docs-picture-'))
await buildSite(site)
const server = await startStaticServer(site, '/', "default-src 'self' 'unsafe-inline' data:")
const closeBrowsers = await setUp()
const browser = await connectBrowser()
const page = await browser.newPage({ viewport: { width: 1240, height: 800 } })
await page.goto(`${server.origin}/play.html#request-values`)
await page.getByRole('button', { name: 'A miss' }).click()
await page.getByRole('button', { name: 'Apply' }).waitFor()
await page.evaluate(() => scrollTo(0, 160))
await page.screenshot({ path: target })
await browser.close()
await closeBrowsers()
await server.close()
rmSync(site, { recursive: true })
