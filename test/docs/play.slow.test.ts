/* /play in the built site of the docs, below a base path, in Chromium. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startingPoints } from '../../docs/.vitepress/play/starting-points.ts'
import { openApi } from './pets.ts'
import { accessibilityProblems } from '../e2e/accessibility.ts'
import { useBrowser } from '../e2e/use-browser.ts'
import { startStaticServer, type StaticServer } from '../service-worker/static-server.ts'
import { buildSite } from './built-site.ts'

const base = '/some/base/'
const site = mkdtempSync(join(tmpdir(), 'docs-play-'))
const browser = useBrowser()
let server: StaticServer
beforeAll(async () => {
  await buildSite(site, base)
  server = await startStaticServer(site, base, "default-src 'self' 'unsafe-inline' data:")
})
afterAll(async () => {
  await server?.close()
  rmSync(site, { recursive: true })
})

let page: Page
let asked: string[]
let failed: string[]
beforeEach(async () => {
  page = await browser().newPage()
  asked = []
  failed = []
  page.on('request', (request) => asked.push(request.url()))
  page.on('pageerror', ({ message }) => failed.push(message))
})
afterEach(async () => {
  const stored = await page.evaluate(() => [...Object.keys(localStorage), document.cookie])
  await page.close()
  expect(failed).toEqual([])
  // Nothing leaves the page: only files of the site were asked for, and only the draft is stored.
  expect(asked.filter((url) => !url.startsWith(`${server.origin}${base}`))).toEqual([])
  expect(stored.filter((key) => !/^(?:vitepress-.*|mock-api-play|)$/.test(key))).toEqual([])
})

const open = (hash: string) => page.goto(`${server.origin}${base}play.html${hash}`)
const answer = () => page.getByRole('region', { name: 'Answer', exact: true })
const saying = (text: string) => answer().filter({ hasText: text }).waitFor()

describe.each(startingPoints)('$title', ({ id, requests }) => {
  it('answers what it says', async () => {
    await open(`#${id}`)
    for (const { name, status, look } of requests) {
      await page.getByRole('group', { name: 'Requests' }).getByRole('button', { name, exact: true }).click()
      await saying(look)
      if (status !== 'broken')
        await answer()
          .locator('.badge', { hasText: String(status) })
          .waitFor()
    }
  })
})

const editor = (file: string) => page.getByRole('textbox', { name: file, exact: true })

it('a broken fixture shows its diagnostic, which leads to its place', async () => {
  await open('#cursor')
  const text = '- path: /people\n  response: { statu: 404 }\n'
  await editor('fixtures/people.yaml').fill(text)
  const place = page.getByRole('button', { name: 'Line 2, column 15:' })
  await place.click()
  const area = editor('fixtures/people.yaml')
  await expect
    .poll(() => area.evaluate((one: HTMLTextAreaElement) => one.selectionStart))
    .toBe(text.indexOf('statu'))
  await page.getByText('Did you mean "status"?').first().waitFor()
})

it('completes a key, describes it, and answers as it is typed', async () => {
  await open('#last-page')
  const area = editor('fixtures/items.yaml')
  await area.click() // loads the editor
  await area.fill('- path: /items\n  ')
  await area.press('End')
  await area.pressSequentially('respo')
  await page.getByRole('option', { name: 'response' }).waitFor()
  await area.press('Enter')
  await area.pressSequentially('{ status: 418 }')
  await answer().locator('.badge', { hasText: '418' }).waitFor()
  for (const key of ['ArrowLeft', 'ArrowLeft', 'ArrowLeft']) await area.press(key)
  await page.getByText('HTTP status code, 200 to 599').waitFor()
})

it('describes the key under the pointer, and completes JSON', async () => {
  await open('#last-page')
  const text = '[{ "path": "/items", "response": { "status": 418 } }]'
  await page.getByRole('button', { name: 'As JSON' }).click()
  const area = editor('fixtures/items.json')
  await area.fill(text)
  // Of a text in one line, all characters have the same width.
  const [padding, width] = await area.evaluate((one: HTMLTextAreaElement) => {
    const context = document.createElement('canvas').getContext('2d')!
    context.font = getComputedStyle(one).font
    return [parseFloat(getComputedStyle(one).paddingLeft), context.measureText('0').width]
  })
  await area.hover({ position: { x: padding + width * (text.indexOf('status') + 2), y: 16 } })
  await page.getByRole('tooltip').filter({ hasText: 'HTTP status code, 200 to 599' }).waitFor()
  await area.fill('[{ "path": "/items", "response": { "st')
  await area.press('End')
  await area.pressSequentially('a')
  await page.getByRole('option', { name: 'status' }).waitFor()
  await area.press('Enter')
  expect(await area.inputValue()).toBe('[{ "path": "/items", "response": { "status": ')
})

it('a link restores the text and the requests', async () => {
  await open('#cursor')
  await editor('fixtures/people.yaml').fill('- path: /people\n  response: { status: 202, body: größer }\n')
  await answer().locator('.badge', { hasText: '202' }).waitFor()
  await page.waitForURL(/#play=/)
  const link = page.url()
  const other = await browser().newPage()
  await other.goto(link)
  await other.getByRole('region', { name: 'Answer', exact: true }).filter({ hasText: 'größer' }).waitFor()
  expect(await other.getByRole('group', { name: 'Requests' }).getByRole('button').allTextContents()).toEqual([
    'First page',
    'Next page',
  ])
  await other.close()
})

it('Apply writes what a miss needs, and sends it again', async () => {
  await open('#request-values')
  await page.getByRole('button', { name: 'A miss' }).click()
  await page.getByRole('button', { name: 'Apply' }).click()
  await answer().locator('.badge', { hasText: '200' }).waitFor()
  expect(await editor('fixtures/orders.yaml').inputValue()).toContain('when: { query: { state: paid } }')
})

it('a scenario is switched on and off, and a login is remembered until it starts again', async () => {
  await open('#scenario')
  await page.getByLabel('Scenario payment-down').check()
  await page.getByRole('button', { name: 'Pay', exact: true }).click()
  await answer().locator('.badge', { hasText: '503' }).waitFor()
  await open('#login')
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByText('Cookie theme=dark').waitFor()
  await page.getByRole('button', { name: 'Start again' }).click()
  await page.getByText('Cookie theme=dark').waitFor({ state: 'detached' })
})

it('an event is pushed into an open stream', async () => {
  await open('#events')
  await saying('"state":"paid"')
  await page.getByLabel('Payload').fill('{"id":9}')
  await page.getByRole('button', { name: 'Push', exact: true }).click()
  await saying('{"id":9}')
})

it('an imported cURL command becomes a request, and then a route', async () => {
  await open('#import')
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByLabel('A cURL command').fill('curl -X PUT http://localhost/orders/7 -d \'{"a":1}\'')
  await page.getByRole('dialog').getByRole('button', { name: 'Import' }).click()
  await page.getByText('PUT /orders/7', { exact: true }).waitFor()
  await saying('method: PUT') // the page has opened with another miss
  await page.getByRole('button', { name: 'Apply' }).click()
  await answer().locator('.badge', { hasText: '200' }).waitFor()
})

it('an imported OpenAPI document becomes routes', async () => {
  await open('#import')
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByLabel('A cURL command').fill(openApi)
  await page.getByRole('dialog').getByRole('button', { name: 'Import' }).click()
  await saying('name: "Rex"')
})

it('a fixture of the docs opens with "Try it"', async () => {
  await page.goto(`${server.origin}${base}request-values.html`)
  await page.locator('.try-it a').first().click()
  await page.waitForURL(/play\.html#play=/)
  await saying('title: "Order 1"')
})

it('the home page answers in small, and opens in full', async () => {
  await page.goto(`${server.origin}${base}index.html`)
  await saying('code: "not_found"')
  expect(asked.filter((url) => /\/(?:play-server|later)\./.test(url))).toEqual([])
  await page.getByRole('button', { name: 'GET /orders/7' }).click()
  await saying('state: "open"')
  await editor('fixtures/orders.yaml').fill('- path: /orders/:id\n  response: { status: 418 }\n')
  await answer().locator('.badge', { hasText: '418' }).waitFor()
  await page.getByRole('link', { name: 'Open it in full' }).click()
  await page.waitForURL(/play\.html#play=/)
  await answer().locator('.badge', { hasText: '418' }).waitFor()
})

it('what a reader does before the server has started is done when it has', async () => {
  let start = () => {}
  const isDone = new Promise<void>((resolve) => (start = resolve))
  await page.route(/\/play-server\./, (route) => isDone.then(() => route.continue()))
  await open('')
  await saying('has_more: false')
  await page.getByText('What if it fails?').click()
  await page.getByRole('button', { name: 'Edit the next answer' }).click()
  await page.getByLabel('Status').fill('418')
  await page.getByRole('button', { name: 'Send with the next answer' }).click()
  await page.getByRole('button', { name: 'First page' }).click()
  start()
  await answer().locator('.badge', { hasText: '418' }).waitFor()
  await page.getByRole('region', { name: 'Sad paths' }).waitFor()
  await page.getByRole('button', { name: 'First page' }).click()
  await saying('has_more: true')
})

it.each(['light', 'dark'] as const)('fits into 400 pixels, in %s colours', async (colorScheme) => {
  await page.emulateMedia({ colorScheme })
  await page.setViewportSize({ width: 400, height: 800 })
  await open('#scenario')
  await saying('paid: true')
  await page.getByText('Edit the request').click()
  await page.getByLabel('Path and query').waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(400)
  expect(await accessibilityProblems(page)).toEqual([])
})

it('works with keys alone', async () => {
  await open('#cursor')
  await saying('next_cursor')
  await editor('fixtures/people.yaml').and(page.locator(':not([readonly])')).focus()
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  await press('Tab', 'Tab', 'Enter') // the second request
  await saying('next_cursor: null')
  await press('Tab', 'Enter', 'Tab', 'Tab', 'ControlOrMeta+A') // the fields of the request: its path
  await page.keyboard.type('/nobody')
  await press('Enter')
  await saying('No route has the method and path')
})

it('its dialogs and a miss have no accessibility problems', async () => {
  await open('#request-values')
  await page.getByRole('button', { name: 'A miss' }).click()
  await page.getByRole('button', { name: 'Apply' }).waitFor()
  await page.getByText('Edit the request').click()
  expect(await accessibilityProblems(page)).toEqual([])
  await page.getByRole('button', { name: 'Copy for your project' }).click()
  await page.getByRole('dialog').getByText('npm install').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
})

/**
 * All scripts count, also those of the site (Vue, VitePress and its theme: two thirds). The first answer was prepared by the
 * build of the site. The server and the editor load when the reader uses the page.
 */
it('shows its first answer with at most 100 KB of script, and loads its server and its editor on use', async () => {
  const scripts: string[] = []
  page.on('request', (one) => one.resourceType() === 'script' && scripts.push(one.url()))
  const sizeOf = (urls: string[]) =>
    urls
      .map((url) => gzipSync(readFileSync(join(site, url.slice(url.indexOf('assets/'))))).length)
      .reduce((sum, one) => sum + one, 0)
  const parts: string[][] = []
  await page.route(/\/(?:play-server|later)\.[^/]*\.js$/, async (route) => {
    await saying('has_more: false')
    parts.push(scripts.splice(0, scripts.indexOf(route.request().url())))
    await route.continue()
  })
  await open('')
  await saying('has_more: false')
  await editor('fixtures/items.yaml').hover()
  await page.getByRole('heading', { name: '1 route' }).waitFor() // of the decision, which comes last
  expect(parts).toHaveLength(2)
  const [first, server] = parts.map(sizeOf)
  expect(first).toBeGreaterThan(80_000)
  expect(first).toBeLessThan(100_000)
  expect(server).toBeLessThan(142_000)
})
