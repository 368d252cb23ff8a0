/*
 * A developer's session with the inspector: a checkout fails, the decision says why, a fixture is written for it, and a
 * scenario shows the application's sad path. Needs `npm run build`, which `npm test` does first.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { hostsNamed } from '../hosts/hosts.ts'
import { createTestProject } from '../hosts/test-project.ts'
import { inThisRun } from '../hosts/this-run.ts'
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

const hosts = inThisRun({
  quick: hostsNamed('Vite 8 dev'),
  slow: hostsNamed(
    'Vite 5 dev',
    'Vite 6 dev',
    'Vite 7 dev',
    'webpack-dev-server 5, Node API',
    'webpack-dev-server 6, Node API',
    'Rspack dev',
    'Rsbuild dev',
  ),
})

it.each(hosts)('a failing checkout is understood and answered: $name', async ({ name, start }) => {
  const project = createTestProject({
    'fixtures/checkout.yaml': fixtures,
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
  const open = async (path: string): Promise<Page> => {
    const page = await context.newPage()
    page.on('pageerror', ({ message }) => problems.push(message))
    page.on('console', (message) => {
      const isOwnError = message.type() === 'error' && !message.text().startsWith('Failed to load')
      if (isOwnError) problems.push(message.text())
    })
    await page.goto(server.origin + path)
    return page
  }
  const shop = await open('/')
  const pay = async (text: string) => {
    await shop.getByRole('button', { name: 'Pay' }).click()
    await shop.getByText(text, { exact: true }).waitFor()
  }
  await pay('404 The checkout failed.')

  const inspector = await open('/__mock-api/')
  const row = inspector.getByRole('option', { name: /No route matched.*\/checkout.*404/s })
  await row.click()
  const nearest = inspector.getByRole('tabpanel').getByRole('listitem').first()
  await nearest.getByText('the order is paid').waitFor()
  expect((await nearest.getByRole('row').nth(1).innerText()).split(/\s+/)).toEqual([
    'body.payment',
    '"card"',
    'string',
    '"invoice"',
    'string',
  ])

  await inspector.getByRole('button', { name: 'Write a fixture' }).click()
  const dialog = inspector.getByRole('dialog', { name: 'Write a fixture' })
  const file = `fixtures/${await dialog.getByLabel('New file in fixtures/').inputValue()}`
  const path = join(project.root, file)
  expect(existsSync(path)).toBe(false)
  await dialog.getByRole('button', { name: 'Write the file' }).click()
  await dialog.getByText('It answers from now on.').waitFor()
  const yaml = readFileSync(path, 'utf8')
  expect(yaml).toContain('payment: invoice')
  // The page of the shop is told, and is not loaded again.
  await expect.poll(async () => Number(await shop.locator('span').innerText())).toBe(1)
  project.write(file, yaml.replace(written.from, written.to))
  await expect.poll(async () => Number(await shop.locator('span').innerText())).toBe(2)
  await pay('200 An invoice is on its way.')

  await dialog.getByRole('button', { name: 'Close' }).click()
  await inspector.getByRole('option', { name: /Answered by a route.*\/checkout.*200/s }).waitFor()
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
  await inspector.locator('.switched').getByText('POST /checkout #missing message').waitFor()
  await pay('200 The checkout failed.')
  await sadPath.getByRole('button', { name: 'Keep as a scenario' }).click()
  const keeping = inspector.getByRole('dialog', { name: 'Keep as a scenario' })
  await keeping.getByText('scenario: checkout-missing-message').waitFor()
  await keeping.getByRole('button', { name: 'Close' }).click()
  await inspector.getByRole('button', { name: 'End the sad path' }).click()
  await expect.poll(() => inspector.locator('.switched').innerText()).toBe('')
  await pay('200 An invoice is on its way.')
  expect(problems).toEqual([])
})
