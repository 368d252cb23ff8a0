/* Stories in a page that calls `withMockApi` in the order in which Storybook does. Storybook itself: test/scaffolds. Needs `npm run build`. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { hostsNamed, type RunningHost } from '../hosts/hosts.ts'
import { createProjectInPackage } from '../hosts/test-project.ts'
import { useBrowser } from './use-browser.ts'

const files = {
  'fixtures/stock.yaml': `
- { path: /stock, response: { body: [3] } }
- { path: /stock, scenario: sold-out, response: { body: [0] } }
- { path: /late, response: { delay: 50, body: ok } }
- { method: POST, path: /orders, response: [{ status: 201 }, { status: 202 }] }
- { method: POST, path: /orders, scenario: payment-down, response: { status: 503 } }
`,
  'main.js': `
import { mockApi, mockApiToolbar, withMockApi } from 'unplugin-mock-api/storybook'
const listeners = {}
const channel = { on: (name, listener) => (listeners[name] = listener), emit: (name, value) => told.push(value) }
const told = []
const toolbar = mockApiToolbar()
let filled
Object.assign(globalThis, {
  __STORYBOOK_ADDONS_CHANNEL__: channel,
  __STORYBOOK_PREVIEW__: { emitGlobals: () => filled?.() },
  told,
  toolbar: () => new Promise((resolve) => (filled = () => resolve(toolbar))),
  requestsOf: (canvasElement) => mockApi({ canvasElement }).requests(),
  async show(id, parameter, { viewMode = 'docs', globals, element } = {}) {
    const canvasElement = element ?? document.body.appendChild(document.createElement('section'))
    const stop = new AbortController()
    const context = { id, parameters: { mockApi: parameter }, globals, canvasElement, viewMode, abortSignal: stop.signal }
    const phase = (newPhase) => listeners.storyRenderPhaseChanged?.({ storyId: id, newPhase, renderId: canvasElement })
    const end = await withMockApi(context)
    phase('rendering')
    if (!element) render(canvasElement)
    phase('completed')
    return { canvasElement, end }
  },
})
function render(element) {
  element.innerHTML = '<p></p><button>Buy</button><output></output>'
  const [text, button, output] = element.children
  ;(async () => {
    const stock = await fetch('/stock')
    text.textContent = (stock.ok ? await stock.json() : stock.status) + ' ' + (await (await fetch('/late')).text())
    text.textContent += ' ' + (await fetch('/stock')).status
  })().catch((error) => (text.textContent = error.message))
  button.onclick = () => {
    const request = new XMLHttpRequest()
    request.open('POST', '/orders')
    request.onloadend = () => (output.textContent = request.status + request.responseText)
    request.send('{ "total": 20 }')
  }
}
document.body.dataset.ready = ''
`,
}

/** What the page has in its global object. */
interface Stories {
  show: (
    id: string,
    parameter?: unknown,
    how?: object,
  ) => Promise<{ canvasElement: Element; end: () => void }>
  requestsOf: (element: Element) => Promise<{ url: string }[]>
  toolbar: () => Promise<Record<string, { toolbar: { items: { value: string }[] } }>>
  told: unknown[]
}
declare const show: Stories['show'],
  requestsOf: Stories['requestsOf'],
  toolbar: Stories['toolbar'],
  told: Stories['told']

const browser = useBrowser()
const project = createProjectInPackage(files)
let running: RunningHost
let page: Page
beforeAll(async () => {
  running = await hostsNamed('Vite 8 dev')[0]!.start(project)
  page = await browser().newPage({ baseURL: running.origin })
})
afterAll(async () => {
  await running.close()
  project.close()
})

const ownRoutes = `[
  { path: '/stock', response: () => ({ body: [77] }) },
  { method: 'POST', path: '/orders', when: { body: { total: 20 } }, response: { status: 418, body: 'tea' } },
]`
const rows = [
  ['usual', '{}', '3 ok 200', '201'],
  ['scenarios', "{ scenario: ['payment-down', 'sold-out'] }", '0 ok 200', '503'],
  ['routes', `{ routes: ${ownRoutes} }`, '77 ok 200', '418tea'],
  ['sad', "{ sadPath: 'GET /stock #status 500' }", '500 ok 500', '201'],
  ['sad-routes', `{ routes: ${ownRoutes}, sadPath: 'GET /stock #status 404' }`, '404 ok 404', '418tea'],
  ['broken', "{ routes: [{ path: '/stock', response: { fault: 'reset' } }] }", 'Failed to fetch', '201'],
  ['usual', 'undefined', '3 ok 200', '201'],
] as const

describe('stories', () => {
  beforeEach(async () => {
    await page.goto('/')
    await page.locator('[data-ready]').waitFor({ state: 'attached' })
  })

  it('of one page have answers of their own', async () => {
    const calls = rows.map(([id, parameter]) => `show('${id}', ${parameter})`)
    await page.evaluate(`Promise.all([${calls.join()}])`)
    const shown = () => page.locator('p').allTextContents()
    await expect.poll(shown).toEqual(rows.map(([, , stock]) => stock))
    for (const [index, [, , , bought]] of rows.entries()) {
      await page.locator('button').nth(index).click()
      await page.locator('output').nth(index).getByText(bought, { exact: true }).waitFor()
    }
  })

  it.each([
    ["{ scenarios: 'a' }", 'The parameter "mockApi" of a story is { scenario: \'name\' }, or has the keys'],
    ["{ routes: [{ path: '/a', respond: {} }] }", 'Write "response" instead'],
    ["{ sadPath: 'none' }", '"none" is not the id of a sad path.'],
  ])('%s is an error', async (parameter, text) => {
    await expect(page.evaluate(`show('wrong', ${parameter})`)).rejects.toThrow(text)
  })

  it('have a client, which ends with them, and cookies', async () => {
    const asked = await page.evaluate(async () => {
      const { canvasElement, end } = await show('a', { scenario: 'sold-out' }, { viewMode: 'story' })
      const during = document.cookie
      while (canvasElement.textContent !== '0 ok 200Buy') await new Promise(requestAnimationFrame)
      const urls = (await requestsOf(canvasElement)).map(({ url }) => url)
      end()
      return { urls, during, after: document.cookie }
    })
    expect(asked.urls).toEqual(['/stock', '/late', '/stock'])
    expect(asked.during).toMatch(/mock-client=a-\w+; mock-scenario=sold-out/)
    expect(asked.after).toBe('')
  })

  it('follow the toolbar, which lists scenarios and sad paths', async () => {
    const items = await page.evaluate(async () => {
      const filled = toolbar()
      const { canvasElement } = await show('a', {}, { viewMode: 'story' })
      const menus = Object.values(await filled).map(({ toolbar: { items } }) =>
        items.map(({ value }) => value),
      )
      const globals = { mockScenario: 'sold-out', mockSadPath: '' }
      await show('a', {}, { viewMode: 'story', globals, element: canvasElement })
      while (told.length === 0) await new Promise(requestAnimationFrame)
      return { menus, told }
    })
    expect(items.menus[0]).toEqual(['', 'sold-out', 'payment-down'])
    expect(items.menus[1]).toContain('GET /stock #status 500')
    expect(items.told).toEqual([{ storyId: 'a' }])
  })
})
