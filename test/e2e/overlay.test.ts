/* The error overlays of the dev servers, as a developer sees them in the page. */
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { RunningHost } from '../hosts/hosts.ts'
import { createTestProject, type TestProject } from '../hosts/test-project.ts'
import { viteConfig, viteVersions } from '../hosts/vite-hosts.ts'
import { isThorough } from '../sampling.ts'
import type { Build, OverlayHost } from './overlay-hosts.ts'
import { screenshot } from './screenshot.ts'
import { useBrowser } from './use-browser.ts'

const viteOverlayHosts: OverlayHost[] = viteVersions.map(({ name, load }) => ({
  name,
  overlay: 'vite-error-overlay',
  link: '.file-link',
  async start(project) {
    const { config, log } = viteConfig(project)
    const server = await (await load()).createServer(config)
    await server.listen()
    const { port } = server.httpServer!.address() as AddressInfo
    return { origin: `http://127.0.0.1:${port}`, log, close: () => server.close() }
  },
}))

// A bundler's overlay takes a build for each save, so all of them belong to the slow run.
const buildingHosts = isThorough ? (await import('./overlay-hosts.ts')).buildingHosts : []

const broken = '- path: /a\n  respnse: {}\n'
const shownOfBroken = [
  'Unknown key "respnse".',
  'fixtures/a.yaml:2:3',
  '2 |   respnse: {}',
  'Did you mean "response"?',
]

/** For updates that go through a server and its client. */
const patience = { timeout: 30_000 }

const browser = useBrowser()
let context: BrowserContext
let page: Page
let project: TestProject
let server: RunningHost
// A page of its own for each test: a dev server may reload one at the end, so that it can't be navigated elsewhere. Nor can its
// end be waited for: Chromium may forget that it is to close a page that is being reloaded, and Playwright waits forever
// (https://github.com/microsoft/playwright/issues/41900). What is left of it ends with the browser. All are in one context: a new
// one takes twice as long as a page.
beforeAll(async () => {
  context = await browser().newContext()
})
beforeEach(async () => {
  page = await context.newPage()
})
afterEach(() => {
  void page.close()
})

/** A module that shows a text and accepts its own updates, so that the page is not reloaded. */
const app = (text: string, hot = 'import.meta.webpackHot') =>
  `document.querySelector('main').textContent = '${text}'\n${hot}?.accept()\n`

const viteFiles = {
  'index.html': '<!doctype html><main></main><script type="module" src="/main.js"></script>',
  'main.js': app('the app', 'import.meta.hot'),
}
const files = { 'index.html': '<!doctype html><main></main>', 'main.js': app('the app') }

/** Starts one server for the tests of a `describe`. Its fixture file is broken when the first test begins. */
function useServer<Server extends RunningHost>(
  start: (project: TestProject) => Promise<Server>,
  files: Record<string, string>,
): () => Server {
  let started: Server
  beforeAll(async () => {
    project = createTestProject({ ...files, 'fixtures/a.yaml': broken })
    started = await start(project)
    server = started
  })
  afterAll(async () => {
    await server.close()
    project.close()
  })
  return () => started
}

const open = () => page.goto(`${server.origin}/`)
const showsApp = (text = 'the app') => page.getByText(text, { exact: true }).waitFor()
const answer = () => page.evaluate(async () => (await fetch('/a')).text())
const markPage = () => page.evaluate(() => Object.assign(window, { isMarked: true }))
const isMarkedPage = () => page.evaluate(() => 'isMarked' in window)
const breakFixture = () => project.write('fixtures/a.yaml', broken)
async function writeFixture(text: 'good' | 'fixed'): Promise<void> {
  project.write('fixtures/a.yaml', `- { path: /a, response: { body: ${text} } }\n`)
  await expect.poll(async () => (await fetch(`${server.origin}/a`)).text(), patience).toBe(text)
}
const fixFixture = () => writeFixture('fixed')
/** Opens the page as it was before any test has changed a file. */
async function openApp(): Promise<void> {
  await writeFixture('good')
  if (readFileSync(join(project.root, 'main.js'), 'utf8').includes('edited'))
    project.write('main.js', app('the app'))
  await open()
  await showsApp()
}

/** Reads an overlay, which is an element with a shadow root or an iframe. */
function watch(selector: string) {
  const inside = () =>
    page.evaluateHandle((selector) => {
      const element = document.querySelector<HTMLIFrameElement>(selector)
      return element?.shadowRoot ?? element?.contentDocument?.body
    }, selector)
  const text = async () => (await inside()).evaluate((root) => root?.textContent ?? '')
  const count = () => page.locator(selector).count()
  return {
    text,
    count,
    /** The file that a click would open in the editor; the request does not reach the server. */
    async click(link: string) {
      await page.route(/open-(in-)?editor/, (route) => route.fulfill({ status: 200 }))
      const asked = page.waitForRequest(/open-(in-)?editor/)
      await (await inside()).evaluate((root, link) => root!.querySelector<HTMLElement>(link)!.click(), link)
      const [file] = new URL((await asked).url()).searchParams.values()
      return resolve(project.root, file!)
    },
    says: (what: string) => expect.poll(text, patience).toContain(what),
    saysNot: (what: string) => expect.poll(text, patience).not.toContain(what),
    isGone: () => expect.poll(count, patience).toBe(0),
    /** The whole error, once. */
    showsError: () =>
      expect
        .poll(text, patience)
        .toSatisfy((shown: string) => shownOfBroken.every((part) => shown.split(part).length === 2)),
  }
}

function testOverlay(host: OverlayHost): void {
  const overlay = watch(host.overlay)
  const isVite = viteOverlayHosts.includes(host)

  it('is there when the page is opened and reloaded, and disappears when the file is fixed', async () => {
    for (let times = 0; times < 2; times++) {
      await open()
      await overlay.showsError()
    }
    await fixFixture()
    await overlay.isGone()
    await showsApp()
    expect(await answer()).toBe('fixed')
    await page.reload()
    await showsApp()
    expect(await overlay.count()).toBe(0)
  })

  it('appears when a fixture file breaks, and disappears when it is fixed', async () => {
    await openApp()
    expect(await overlay.count()).toBe(0)
    await markPage()
    server.log.length = 0

    breakFixture()
    await overlay.showsError()
    expect(await overlay.text()).toContain(isVite ? '[plugin:unplugin-mock-api]' : '[mock-api]')
    expect(await answer()).toBe('good')
    await screenshot(page, `${host.name.toLowerCase().replaceAll(' ', '-')}-overlay`)
    expect(await overlay.click(host.link)).toBe(join(project.root, 'fixtures/a.yaml:2:3'))

    await fixFixture()
    await overlay.isGone()
    await showsApp()
    expect(await isMarkedPage()).toBe(true) // it was not reloaded
    expect(await answer()).toBe('fixed')
    expect(server.log.filter((line) => line.includes('Unknown key'))).toHaveLength(1)
  })

  const elementAt = (x: number, y: number) =>
    page.evaluate(([x, y]) => document.elementFromPoint(x!, y!)!.matches('main, html, body'), [x, y])

  it('is a note in an automated browser: clicks reach the page, and one on it closes it', async () => {
    await openApp()
    breakFixture()
    await overlay.showsError()
    await expect.poll(() => elementAt(20, 20)).toBe(true)
    const { width, height } = page.viewportSize()!
    expect(await elementAt(width - 40, height - 40)).toBe(false)
    await page.mouse.click(width - 40, height - 40)
    await overlay.isGone()
    await fixFixture()
    breakFixture()
    await overlay.showsError()
  })

  it('covers the page for people', async () => {
    await page.addInitScript(() => Object.defineProperty(navigator, 'webdriver', { value: false }))
    await openApp()
    breakFixture()
    await overlay.showsError()
    expect(await elementAt(20, 20)).toBe(false)
  })
}

describe.each(viteOverlayHosts)('the overlay of $name', (host) => {
  useServer(host.start, viteFiles)
  testOverlay(host)
})

describe.each(buildingHosts)('the overlay of $name', (host) => {
  const overlay = watch(host.overlay)
  const unbuildable = `import './missing.js'\n${app('the app')}`
  const running = useServer(host.start, files)
  testOverlay(host)

  it('lets the application update meanwhile, and starts no build', async () => {
    await openApp()
    await markPage()

    breakFixture()
    await overlay.showsError()
    project.write('main.js', app('edited'))
    await showsApp('edited')
    await overlay.showsError()
    await fixFixture()
    await overlay.isGone()
    project.write('main.js', app('edited again'))
    await showsApp('edited again')

    expect(await overlay.count()).toBe(0)
    expect(await isMarkedPage()).toBe(true)
    expectOnlyOwn(running().builds)
  })

  it("leaves the build's own errors where they are", async () => {
    await openApp()
    breakFixture()
    await overlay.showsError()
    await page.reload()
    await overlay.showsError()
    await markPage()

    project.write('main.js', unbuildable)
    await overlay.says('./missing.js')
    await fixFixture()
    await overlay.saysNot('Unknown key')
    await overlay.says('./missing.js')
    breakFixture()
    await overlay.says('./missing.js')
    expect(await isMarkedPage()).toBe(true)

    project.write('main.js', app('edited'))
    await showsApp('edited')
    await overlay.showsError()
    await overlay.saysNot('./missing.js')
    await fixFixture()
    await overlay.isGone()
    expectOnlyOwn(running().builds)
  })
})

/** The builds know nothing of fixture files, and each but the first is due to a file of the application. */
function expectOnlyOwn(builds: readonly Build[]): void {
  expect(builds).not.toEqual([])
  for (const [index, { changed, problems }] of builds.entries()) {
    expect(problems).not.toContain('Unknown key')
    if (index > 0) expect(changed.filter((path) => path in files)).not.toEqual([])
  }
}

const several = buildingHosts.filter(({ startSeveral }) => startSeveral)
describe.each(several)('with an array of configs, the overlay of $name', (host) => {
  useServer(host.startSeveral!, files)

  it('names the error once, and stays when the page is reloaded', async () => {
    const overlay = watch(host.overlay)
    await openApp()
    breakFixture()
    await overlay.showsError()
    project.write('main.js', app('edited'))
    await showsApp('edited')
    await overlay.showsError()
    await fixFixture()
    await overlay.isGone()
  })
})
