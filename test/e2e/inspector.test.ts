/*
 * A developer's session with the inspector: a checkout fails, the decision says why, a fixture is written for it, and a
 * scenario shows the application's sad path. Needs `npm run build`, which `npm test` does first.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { hostsNamed, type Host, type RunningHost } from '../hosts/hosts.ts'
import { createTestProject, type TestProject } from '../hosts/test-project.ts'
import { inThisRun } from '../hosts/this-run.ts'
import { startApiServer } from '../inspector/server/api-server.ts'
import { accessibilityProblems } from './accessibility.ts'
import { isThorough } from '../sampling.ts'
import { screenshot } from './screenshot.ts'
import { useBrowser } from './use-browser.ts'

const fixtures = `- name: the order is paid
  method: POST
  path: /checkout
  when: { body: { payment: card } }
  response: { status: 201, body: { message: Order 1042 is paid. } }

- name: the payment provider is down
  scenario: payment-down
  method: POST
  path: /checkout
  response: { status: 503, body: { message: The payment provider is down. } }
`

/** A shop that pays by invoice, and counts how often the fixture files were loaded again. */
const app = (onReload: string) => `
document.body.innerHTML = '<button>Pay</button> <output></output> <p>Reloads: <span>0</span></p>'
const output = document.querySelector('output')
const reloads = document.querySelector('span')
document.querySelector('button').onclick = async () => {
  output.textContent = 'Paying'
  const body = JSON.stringify({ cart: 'c-17', payment: 'invoice' })
  const response = await fetch('/checkout', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const { message = 'The checkout failed.' } = await response.json()
  output.textContent = response.status + ' ' + message
}
const listener = () => (reloads.textContent = Number(reloads.textContent) + 1)
${onReload}
`

/** How an app learns of changed fixtures: from Vite's client, or on the other hosts from the control API. */
const reloadEvents = {
  vite: "import.meta.hot.on('mock-api:reload', listener)",
  others: "new EventSource('/__mock-api/api/requests/stream').addEventListener('reload', listener)",
}

/** The answer that is written into the new fixture: the placeholder is for the developer to fill in. */
const written = { from: 'body: {}', to: 'body: { message: An invoice is on its way. }' }

const browser = useBrowser()

const buildingHosts = isThorough ? (await import('./overlay-hosts.ts')).buildingHosts : []
// Those of the overlay have the client of their dev server in their pages, which shows the badge.
const hosts = inThisRun<Pick<Host, 'name'> & { start: (project: TestProject) => Promise<RunningHost> }>({
  quick: hostsNamed('Vite 8 dev'),
  slow: [...hostsNamed('Vite 5 dev', 'Vite 6 dev', 'Vite 7 dev'), ...buildingHosts],
})

it.each(hosts)('a failing checkout is understood and answered: $name', async ({ name, start }) => {
  const project = createTestProject({
    'fixtures/checkout.yaml': fixtures,
    ...(!name.startsWith('Vite') && { 'index.html': '<!doctype html><title>shop</title>' }),
    'main.js': app(name.startsWith('Vite') ? reloadEvents.vite : reloadEvents.others),
  })
  const server = await start(project)
  const context = await browser().newContext({
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
  })
  onTestFinished(async () => {
    await context.close()
    await server.close()
    project.close()
  })
  const problems: string[] = []
  const warnings: string[] = []
  const watched = (page: Page): Page => {
    page.on('pageerror', ({ message }) => problems.push(message))
    page.on('console', (message) => {
      if (message.text().startsWith('[mock-api]')) warnings.push(message.text())
      const isOwnError = message.type() === 'error' && !message.text().startsWith('Failed to load')
      if (isOwnError) problems.push(message.text())
    })
    return page
  }
  // In a browser that a test drives, there is no badge.
  await context.addInitScript(() => Object.defineProperty(navigator, 'webdriver', { value: false }))
  const shop = watched(await context.newPage())
  await shop.goto(server.origin)
  const read = (file: string) => readFileSync(join(project.root, file), 'utf8')
  const reloads = async () => Number(await shop.locator('p span').innerText())
  const pay = async (text: string) => {
    await shop.getByRole('button', { name: 'Pay' }).click()
    await shop.getByText(text, { exact: true }).waitFor()
  }
  await pay('404 The checkout failed.')

  // One click on the badge shows the nearest route with its difference, the next one writes it.
  const opened = context.waitForEvent('page')
  const clicked = performance.now()
  await shop.getByRole('link', { name: '1 miss' }).click()
  const inspector = watched(await opened)
  const nearest = inspector.getByRole('tabpanel').getByRole('listitem').first()
  const diff = nearest.getByRole('region', { name: 'The difference' })
  await diff.getByText('-  when: { body: { payment: card } }').waitFor()
  expect(await diff.innerText()).toContain('+  when: { body: { payment: invoice } }')
  await nearest.getByRole('button', { name: 'Apply' }).click()
  await inspector.getByRole('option', { name: /Answered by a route.*\/checkout.*201/s }).waitFor()
  console.log(`${name}: ${((performance.now() - clicked) / 1000).toFixed(1)} s from the badge to the answer`)
  expect(read('fixtures/checkout.yaml')).toBe(fixtures.replace('card', 'invoice'))
  await expect.poll(reloads).toBe(1) // the page of the shop is told, and is not loaded again
  await pay('201 Order 1042 is paid.')
  expect(await shop.locator('mock-api-misses').isVisible()).toBe(false)
  expect(warnings).toEqual([expect.stringContaining(`${server.origin}/__mock-api/#/requests/`)])
  await inspector.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(reloads).toBe(2)
  expect(read('fixtures/checkout.yaml')).toBe(fixtures)
  await pay('404 The checkout failed.')
  await shop.getByRole('button', { name: 'Hide until the page is loaded again' }).click()

  await inspector
    .getByRole('option', { name: /No route.*\/checkout.*404/s })
    .first()
    .click()
  await inspector.getByRole('button', { name: 'Write a fixture' }).click()
  const dialog = inspector.getByRole('dialog', { name: 'Write a fixture' })
  const file = 'fixtures/checkout-2.yaml'
  await expect.poll(() => dialog.getByLabel('New file').inputValue()).toBe(file)
  const path = join(project.root, file)
  expect(existsSync(path)).toBe(false)
  await dialog.getByRole('button', { name: 'Edit' }).click()
  const editor = dialog.getByLabel(file)
  await editor.fill((await editor.inputValue()).replace(written.from, written.to))
  await dialog.getByText(`+  response: { ${written.to} }`).waitFor()
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await inspector.getByRole('option', { name: /Answered by a route.*\/checkout.*200/s }).waitFor()
  await pay('200 An invoice is on its way.')

  await inspector.getByRole('button', { name: 'Switches' }).click()
  await inspector.getByLabel('payment-down').check()
  await inspector.locator('.switched').getByText('Scenario payment-down').waitFor()
  await pay('503 The payment provider is down.')
  await inspector.getByRole('option', { name: /\/checkout.*503/s }).waitFor()
  await inspector.getByRole('button', { name: 'Reset all' }).click()
  await expect.poll(() => inspector.locator('.switched').innerText()).toBe('')
  await pay('200 An invoice is on its way.')

  await inspector
    .getByRole('option', { name: /Answered by a route.*\/checkout.*200/s })
    .first()
    .click()
  await inspector.getByRole('tab', { name: 'Answer' }).click()
  await inspector.getByRole('button', { name: '"An invoice is on its way."' }).click()
  const sadPath = inspector.getByRole('listitem').filter({ hasText: 'message is missing' })
  await sadPath.getByRole('button', { name: 'Force' }).click()
  await inspector.locator('.switched').getByText('POST /checkout: message is missing').waitFor()
  await pay('200 The checkout failed.')
  expect(await accessibilityProblems(inspector)).toEqual([])
  await sadPath.getByRole('button', { name: 'Keep as a scenario' }).click()
  const keeping = inspector.getByRole('dialog', { name: 'Keep as a scenario' })
  await keeping.getByText('scenario: checkout-missing-message').waitFor()
  await keeping.getByRole('button', { name: 'Close' }).click()
  await inspector.getByRole('button', { name: 'End the sad path' }).click()
  await expect.poll(() => inspector.locator('.switched').innerText()).toBe('')
  await pay('200 An invoice is on its way.')
  expect(problems).toEqual([])
})

it('an EventSource goes on after a broken connection, and stops when it has everything', async () => {
  const server = await startApiServer({
    'fixtures/a.yaml': `
- { path: /page, response: { headers: { content-type: text/html }, body: <h1>Feed</h1> } }
- path: /feed
  response:
    stream: [{ retry: 1, id: 1, event: tick, data: one, fault: truncated }, { id: 2, event: tick, data: two }]
    end: complete
`,
  })
  const page = await browser().newPage()
  onTestFinished(async () => {
    await page.close()
    await server.close()
  })
  await page.goto(`${server.origin}/page`)
  const ticks = await page.evaluate(
    () =>
      new Promise<string[]>((resolve) => {
        const source = new EventSource('/feed')
        const had: string[] = []
        source.addEventListener('tick', ({ data, lastEventId }) => had.push(`${lastEventId} ${data}`))
        source.addEventListener('error', () => source.readyState === 2 && resolve(had))
      }),
  )
  expect(ticks).toEqual(['1 one', '2 two'])
})

it('a WebSocket is one row: its frames, a push, its end', async () => {
  const server = await startApiServer({
    'fixtures/a.yaml': `
- { path: /page, response: { headers: { content-type: text/html }, body: <h1>Chat</h1> } }
- path: /chat
  websocket: { open: { send: { type: hello } }, messages: [{ when: { type: ping }, send: { type: pong } }] }
`,
  })
  const context = await browser().newContext({ viewport: { width: 1280, height: 800 } })
  onTestFinished(async () => {
    await context.close()
    await server.close()
  })
  const app = await context.newPage()
  await app.goto(`${server.origin}/page`)
  const frames = () => app.evaluate(() => (globalThis as unknown as { frames: string[] }).frames)
  await app.evaluate(() => {
    const frames: string[] = ((globalThis as unknown as { frames: string[] }).frames = [])
    const socket = new WebSocket('/chat')
    socket.onopen = () => socket.send('{"type":"ping"}')
    socket.onmessage = ({ data }) => frames.push(String(data))
    socket.onclose = ({ code }) => frames.push(`close ${code}`)
  })
  await expect.poll(frames).toEqual(['{"type":"hello"}', '{"type":"pong"}'])

  const inspector = await context.newPage()
  await inspector.goto(`${server.origin}/__mock-api/#/requests/${(await server.last()).id}`)
  await inspector.getByRole('button', { name: 'Write a fixture' }).waitFor()
  expect(
    await inspector.getByRole('button', { name: /^(?:Send again|Edit and send|cURL|fetch)$/ }).count(),
  ).toBe(0)
  await inspector.getByRole('tab', { name: 'Answer' }).click()
  const lines = inspector.locator('.frames li')
  await expect.poll(() => lines.allInnerTexts()).toHaveLength(3)
  expect((await lines.allInnerTexts()).map((line) => line.replace(/\s+/g, ' '))).toEqual([
    expect.stringMatching(/^↓ .* \{"type":"pong"\} 15 B$/),
    expect.stringMatching(/^↑ .* \{"type":"ping"\} 15 B$/),
    expect.stringMatching(/^↓ .* \{"type":"hello"\} 16 B$/),
  ])
  await inspector.getByLabel('Payload').fill('{"type":"pushed"}')
  await inspector.getByRole('button', { name: 'Push' }).click()
  await expect.poll(async () => (await frames()).at(-1)).toBe('{"type":"pushed"}')
  await expect.poll(() => lines.count()).toBe(4)
  expect(await accessibilityProblems(inspector)).toEqual([])
  await screenshot(inspector, 'websocket')
  await inspector.getByRole('button', { name: 'Close' }).click()
  await expect.poll(async () => (await frames()).at(-1)).toBe('close 1000')
  await inspector.getByRole('heading', { name: '4 frames, complete' }).waitFor() // the row in the list says so, too
})

it('a file of an unknown kind is refused, with the reason', async () => {
  const server = await startApiServer({ 'fixtures/a.yaml': '- { path: /a, response: { body: a } }\n' })
  onTestFinished(() => server.close())
  const page = await browser().newPage()
  onTestFinished(() => page.close())
  await page.goto(`${server.origin}/__mock-api/`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.evaluate(() => {
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File(['hello'], 'notes.txt'))
    document.body.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer }))
  })
  const refusal = await page
    .getByRole('dialog', { name: 'Import notes.txt' })
    .getByRole('alert')
    .textContent()
  expect(refusal).toMatch(
    /^notes\.txt can't be imported: it looks like text\. These are read: HAR, .*json-server\.$/,
  )
  expect(existsSync(join(server.project.root, 'fixtures/imported'))).toBe(false)
})
