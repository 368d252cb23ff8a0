/* The site of the docs (`npm run docs:build`), built and looked at in Chromium. What it shows is in artifacts/docs/. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sidebar } from '../../docs/.vitepress/sidebar.ts'
import { accessibilityProblems } from '../e2e/accessibility.ts'
import { connectBrowser } from '../e2e/browser.ts'
import { startStaticServer, type StaticServer } from '../service-worker/static-server.ts'
import { buildSite } from './built-site.ts'
import { packageRoot, pages, readPage } from './pages.ts'

const listed = sidebar.flatMap(({ items }) => items.map(([, page]) => page))

const screenshots = join(packageRoot, 'artifacts/docs')

const site = mkdtempSync(join(tmpdir(), 'docs-site-'))
let server: StaticServer
let browser: Browser
beforeAll(async () => {
  await buildSite(site)
  mkdirSync(screenshots, { recursive: true })
  // VitePress has inline scripts.
  server = await startStaticServer(site, '/', "default-src 'self' 'unsafe-inline' data:")
  browser = await connectBrowser()
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
  rmSync(site, { recursive: true })
})

it('has every page', () => {
  const missing = pages
    .filter((page) => page.startsWith('docs/'))
    .map((page) => page.slice('docs/'.length).replace(/md$/, 'html'))
    .filter((file) => !existsSync(join(site, file)))
  expect(missing).toEqual([])
})

it('llms.txt lists the pages, and llms-full.txt has their text', () => {
  const list = readFileSync(join(site, 'llms.txt'), 'utf8')
  const full = readFileSync(join(site, 'llms-full.txt'), 'utf8')
  const links = [...list.matchAll(/^- \[.+\]\(\/(.+)\.html\): [A-Z`].+[.!?]$/gm)].map(([, page]) => page!)
  expect(links).toEqual(listed)
  expect(links.filter((page) => !full.includes(readPage(`docs/${page}.md`).trim()))).toEqual([])
})

const shown = [
  '',
  'getting-started.html',
  'fixture-reference.html',
  'faults.html',
  'options.html',
  'diagnostics.html',
  'play.html',
]
const looks = [
  { width: 1280, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
  { width: 400, colorScheme: 'dark' },
  { width: 400, colorScheme: 'light' },
] as const
it.each(shown)('/%s, wide and narrow, light and dark', async (path) => {
  const page = await browser.newPage({ colorScheme: 'light', reducedMotion: 'reduce' })
  const failed: string[] = []
  page.on('pageerror', ({ message }) => failed.push(message))
  page.on('response', (response) => response.ok() || failed.push(`${response.status()} ${response.url()}`))
  await page.goto(`${server.origin}/${path}`, { waitUntil: 'networkidle' })
  for (const { width, colorScheme } of looks) {
    const name = `${path.replaceAll(/[/.]/g, '-') || 'index'}-${width}-${colorScheme}`
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme })
    const root = page.locator('html')
    const isDark = () => root.evaluate((html) => html.classList.contains('dark'))
    await expect.poll(isDark).toBe(colorScheme === 'dark')
    await page.screenshot({ path: join(screenshots, `${name}.png`), animations: 'disabled' })
    expect(await root.evaluate((html) => html.scrollWidth - html.clientWidth), name).toBe(0)
    expect(await accessibilityProblems(page), name).toEqual([])
  }
  expect(failed).toEqual([])
  await page.close()
})

it.each([
  ['fixture-unknown-key', '/diagnostics.html#fixture-unknown-key'],
  ['rateLimit', '/faults.html'],
])('the search for %s leads to %s', async (query, target) => {
  const page = await browser.newPage()
  await page.goto(`${server.origin}/`, { waitUntil: 'networkidle' })
  await page.keyboard.press('/')
  await page.getByRole('searchbox').fill(query)
  const first = page.locator('.results .result').first()
  await first.waitFor()
  expect(
    await page.locator('.results .result').evaluateAll((all) => all.map((a) => a.getAttribute('href'))),
  ).toContainEqual(expect.stringContaining(target))
  expect(await accessibilityProblems(page)).toEqual([])
  await page.close()
})

it('a link to a file outside docs/ leads to its page', async () => {
  const page = await browser.newPage()
  await page.goto(`${server.origin}/getting-started.html`)
  await page.locator('main a[href*="repository/"]').first().click()
  await page.locator('main h1', { hasText: 'Examples' }).waitFor()
  expect(page.url()).toContain('/repository/examples-readme.html')
  await page.close()
})
