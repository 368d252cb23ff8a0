/*
 * Ten problems of an application, solved in the inspector's page alone: no terminal, no editor, no documentation. Each
 * begins with the page as it opens, and says how long it took.
 */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { hostsNamed, startOnce } from '../hosts/hosts.ts'
import { useBrowser } from './use-browser.ts'

const files = {
  'fixtures/shop.yaml': `
- name: order 7
  path: /graphql
  when: { operationName: Order, variables: { id: 7 } }
  response: { body: { data: { order: { state: shipped } } } }
- name: card refused
  path: /graphql
  when: { operationName: Pay }
  response: { body: { data: { pay: null }, errors: [{ message: Card refused. }] } }
- name: paid
  path: /graphql
  when: { operationName: Pay, variables: { amount: 0 } }
  response: { body: { data: { pay: { id: 1 } } } }
- { name: products, path: /products, response: { body: [{ id: 1 }] } }
- { name: sold out, path: /stock, scenario: sold-out, response: { body: { left: 0 } } }
- { name: open orders, path: /orders, when: { query: { state: open } }, response: { body: [{ id: 7 }] } }
- { name: profile, path: /profile, response: { body: { name: Ada } } }
- { name: report, path: /report, response: { body: ready, fault: reset } }
- { name: report without fault, path: /report, when: { query: { plain: 1 } }, response: { body: ready } }
`,
  'fixtures/prices.mjs': `export default [
  { name: 'prices', path: '/prices', response: ({ query }) => ({ body: query.list.split(',') }) },
]
`,
  'index.html': '<!doctype html><title>a shop</title>',
}

const browser = useBrowser()
const running = startOnce(hostsNamed('Vite 8 dev')[0]!, files)

interface Asked {
  path: string
  body?: object
}
const graphql = (operationName: string, variables: object): Asked => ({
  path: '/graphql',
  body: { operationName, query: `query ${operationName} { a }`, variables },
})

/** As the application asks, with the answer of its dev server. */
async function ask({ path, body }: Asked): Promise<string> {
  const json = { 'content-type': 'application/json' }
  const sent = body && { method: 'POST', headers: json, body: JSON.stringify(body) }
  return fetch(`${running.origin}${path}`, sent).then(
    (response) => response.text(),
    () => 'no answer',
  )
}

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' }).first()
const open = (page: Page, row: RegExp) => page.getByRole('option', { name: row }).first().click()

/** What the user sees and does; the page is open on the newest miss. */
const problems: [problem: string, asked: Asked[], solve: (page: Page) => Promise<void>, answer: RegExp][] = [
  ['an ID is sent as text', [graphql('Order', { id: '7' })], async (page) => {
    await page.getByText('Closest: "order 7" (variables.id)').waitFor()
    await button(page, 'Apply').click()
  }, /shipped/],
  ['an endpoint has no route', [{ path: '/users/3' }], async (page) => {
    await page.getByText('Then "GET /users/3 #1" answers.').waitFor()
    await button(page, 'Apply').click()
  }, /^\{\}$/],
  ['the path is misspelt', [{ path: '/prodcuts' }], async (page) => {
    await page.getByText('Did you mean GET /products (fixtures/shop.yaml').waitFor()
    await button(page, 'Edit and send').click()
    await page.getByLabel('Path and query').fill('/products')
    await button(page, 'Send').click()
    await page.getByRole('region', { name: 'The answer' }).getByText('products').first().waitFor()
  }, /doctype/],
  ['the routes belong to a scenario', [{ path: '/stock' }], async (page) => {
    await button(page, 'Switch on sold-out').click()
    await button(page, 'Send again').click()
  }, /"left":0/],
  ['a selector wants another query', [{ path: '/orders?state=sold' }], async (page) => {
    await page.getByText('Closest: "open orders" (query.state)').waitFor()
    await button(page, /^Add a route to/).click()
    await page.getByText('+  when: { query: { state: sold } }').waitFor()
    await button(page, 'Apply').click()
  }, /^\{\}$|\[/],
  ['an error of GraphQL comes with HTTP 200', [graphql('Pay', { amount: 0 })], async (page) => {
    await open(page, /Pay.*1 error/s)
    await page.getByText('The answer has 1 error: Card refused.').waitFor()
    await page.getByRole('listitem').filter({ hasText: 'paid' }).getByRole('button', { name: 'Force' }).click()
    await page.locator('.switched').getByText('POST /graphql').waitFor()
  }, /"pay":\{"id":1\}/],
  ['a function of a fixture fails', [{ path: '/prices' }], async (page) => {
    await open(page, /\/prices.*500/s)
    await page.getByRole('region', { name: 'Stack' }).getByText('prices.mjs:2').waitFor()
    await button(page, 'Edit and send').click()
    await page.getByLabel('Path and query').fill('/prices?list=1,2')
    await button(page, 'Send').click()
    await page.getByRole('region', { name: 'The answer' }).getByText('prices').first().waitFor()
  }, /function-failed/],
  ['the connection breaks', [{ path: '/report' }], async (page) => {
    await open(page, /\/report.*broken/s)
    await page.getByText('broke its answer with the fault "reset"').waitFor()
    await page.getByRole('listitem').filter({ hasText: 'report without fault' }).getByRole('button', { name: 'Force' }).click()
    await page.locator('.switched').getByText('GET /report').waitFor()
  }, /^ready$/],
  ['an empty name must be seen once', [{ path: '/profile' }], async (page) => {
    await open(page, /\/profile.*200/s)
    await page.getByRole('tab', { name: 'Answer' }).click()
    await button(page, 'Edit the next answer').click()
    await page.getByLabel('Body').fill('{ "name": "" }')
    await button(page, 'Send with the next answer').click()
    await page.locator('.switched').getByText('GET /profile').waitFor()
  }, /^\{"name":""\}$/],
  ['three endpoints have no routes', [{ path: '/a' }, { path: '/b' }, { path: '/c' }], async (page) => {
    await button(page, /^Misses/).click()
    await page.getByLabel('Filter').fill('is:miss -prod -users -stock -orders -graphql')
    await button(page, 'Write fixtures for 3 misses').click()
    await button(page, 'Write one file').click()
    await page.getByText('Done. Fill in the answers').waitFor()
  }, /^\{\}$/],
] // prettier-ignore

it.each(problems)('%s', async (problem, asked, solve, answer) => {
  const context = await browser().newContext({ viewport: { width: 1280, height: 800 } })
  try {
    for (const one of asked) await ask(one)
    const page = await context.newPage()
    page.setDefaultTimeout(20_000)
    const start = performance.now()
    await page.goto(`${running.origin}/__mock-api/`)
    await solve(page)
    await expect.poll(() => ask(asked[0]!)).toMatch(answer)
    console.log(`${problem}: ${((performance.now() - start) / 1000).toFixed(1)} s`)
  } finally {
    await context.close()
    await fetch(`${running.origin}/__mock-api/api/reset`, {
      method: 'POST',
      headers: { 'x-mock-api': '1', 'content-type': 'application/json' },
      body: '{ "requests": true }',
    })
  }
})
