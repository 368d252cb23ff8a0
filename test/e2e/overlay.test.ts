/* The error overlays of the dev servers, as a developer sees them in the page. */
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { RunningHost } from '../hosts/hosts.ts'
import { createTestProject, type TestProject } from '../hosts/test-project.ts'
import { launchBrowser } from './browser.ts'
import { buildingHosts, viteOverlayHosts, type Build } from './overlay-hosts.ts'

const good = '- { path: /a, response: { body: good } }\n'
const broken = '- path: /a\n  respnse: {}\n'
const fixed = '- { path: /a, response: { body: fixed } }\n'
const shownOfBroken = [
  'Unknown key "respnse".',
  'fixtures/a.yaml:2:3',
  '2 |   respnse: {}',
  'Did you mean "response"?',
]

/** For updates that go through a server and its client. */
const patience = { timeout: 30_000 }

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

let project: TestProject
let page: Page
let server: RunningHost
afterEach(async () => {
  await page.close()
  await server.close()
  project.close()
})

/** A module that shows a text and accepts its own updates, so that the page is not reloaded. */
const app = (text: string, hot = 'import.meta.webpackHot') =>
  `document.querySelector('main').textContent = '${text}'\n${hot}?.accept()\n`

const viteFiles = {
  'index.html': '<!doctype html><main></main><script type="module" src="/main.js"></script>',
  'main.js': app('the app', 'import.meta.hot'),
}
const files = { 'index.html': '<!doctype html><main></main>', 'main.js': app('the app') }

async function start<Server extends RunningHost>(
  startHost: (project: TestProject) => Promise<Server>,
  files: Record<string, string>,
): Promise<Server> {
  project = createTestProject(files)
  const started = await startHost(project)
  server = started
  page = await browser.newPage()
  return started
}

const open = () => page.goto(`${server.origin}/`)
const showsApp = (text = 'the app') => page.getByText(text, { exact: true }).waitFor()
const answer = () => page.evaluate(async () => (await fetch('/a')).text())
const markPage = () => page.evaluate(() => Object.assign(window, { isMarked: true }))
const isMarkedPage = () => page.evaluate(() => 'isMarked' in window)
const breakFixture = () => project.write('fixtures/a.yaml', broken)
async function fixFixture(): Promise<void> {
  project.write('fixtures/a.yaml', fixed)
  await expect.poll(async () => (await fetch(`${server.origin}/a`)).text(), patience).toBe('fixed')
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

describe.each([...viteOverlayHosts, ...buildingHosts])('the overlay of $name', (host) => {
  const overlay = watch(host.overlay)
  const isVite = viteOverlayHosts.includes(host)
  const own = isVite ? viteFiles : files

  it('appears when a fixture file breaks, and disappears when it is fixed', async () => {
    await start(host.start, { ...own, 'fixtures/a.yaml': good })
    await open()
    await showsApp()
    expect(await overlay.count()).toBe(0)
    await markPage()

    breakFixture()
    await overlay.showsError()
    expect(await overlay.text()).toContain(isVite ? '[plugin:unplugin-mock-api]' : '[mock-api]')
    expect(await answer()).toBe('good')
    const file = `${host.name.toLowerCase().replaceAll(' ', '-')}-overlay.png`
    expect(await overlay.click(host.link)).toBe(join(project.root, 'fixtures/a.yaml:2:3'))
    await page.screenshot({ path: fileURLToPath(new URL(`../../artifacts/e2e/${file}`, import.meta.url)) })

    await fixFixture()
    await overlay.isGone()
    await showsApp()
    expect(await isMarkedPage()).toBe(true) // it was not reloaded
    expect(await answer()).toBe('fixed')
    expect(server.log.filter((line) => line.includes('Unknown key'))).toHaveLength(1)
  })

  it('is there when the page is opened and reloaded, and disappears when the file is fixed', async () => {
    await start(host.start, { ...own, 'fixtures/a.yaml': broken })
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
})

describe.each(buildingHosts)('the overlay of $name', (host) => {
  const overlay = watch(host.overlay)
  const unbuildable = `import './missing.js'\n${app('the app')}`

  it('lets the application update meanwhile, and starts no build', async () => {
    const { builds } = await start(host.start, { ...files, 'fixtures/a.yaml': good })
    await open()
    await showsApp()
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
    expectOnlyOwn(builds)
  })

  it("leaves the build's own errors where they are", async () => {
    const { builds } = await start(host.start, { ...files, 'fixtures/a.yaml': broken })
    await open()
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
    expectOnlyOwn(builds)
  })
})

/** The builds know nothing of fixture files, and each but the first is due to a file of the application. */
function expectOnlyOwn(builds: readonly Build[]): void {
  for (const [index, { changed, problems }] of builds.entries()) {
    expect(problems).not.toContain('Unknown key')
    if (index > 0) expect(changed.filter((path) => path in files)).not.toEqual([])
  }
}

const several = buildingHosts.filter(({ startSeveral }) => startSeveral)
describe.each(several)('with an array of configs, the overlay of $name', (host) => {
  it('names the error once, and stays when the page is reloaded', async () => {
    const overlay = watch(host.overlay)
    await start(host.startSeveral!, { ...files, 'fixtures/a.yaml': good })
    await open()
    await showsApp()
    breakFixture()
    await overlay.showsError()
    project.write('main.js', app('edited'))
    await showsApp('edited')
    await overlay.showsError()
    await fixFixture()
    await overlay.isGone()
  })
})
