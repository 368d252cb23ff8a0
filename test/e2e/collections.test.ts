/* The table of a collection in the inspector, and what requests then get. Needs `npm run build`, which `npm test` does first. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApiServer, type ApiServer } from '../inspector/server/api-server.ts'
import { accessibilityProblems } from './accessibility.ts'
import { useBrowser } from './use-browser.ts'

const browser = useBrowser()
let server: ApiServer
let page: Page
const problems: string[] = []

beforeAll(async () => {
  server = await startApiServer({
    'fixtures/shop.yaml': `
- path: /orders
  collection: { items: { file: orders.json } }
- { path: /customers, collection: { items: [{ id: 1, name: Ann }] } }
`,
    'fixtures/orders.json': JSON.stringify([
      { id: 1, state: 'open', total: 20 },
      { id: 2, state: 'paid', total: 5 },
      { id: 3, state: 'open', total: 7 },
    ]),
  })
  page = await browser().newPage()
  page.on('pageerror', ({ message }) => problems.push(message))
  await page.goto(`${server.origin}/__mock-api/#/routes`)
  await page.getByRole('link', { name: 'Collections' }).click()
  await row('1').waitFor()
})
afterAll(async () => {
  await page.close()
  await server.close()
  expect(problems).toEqual([])
})

const row = (id: string) =>
  page.getByRole('row').filter({ has: page.getByRole('cell', { name: id, exact: true }) })
const said = (text: string) => page.getByRole('status').getByText(text).waitFor()
const orders = async () => (await (await server.send('/orders')).json()) as object[]
const ids = () => page.locator('tbody tr td:first-child').allTextContents()

it('is sorted and filtered', async () => {
  await page.getByRole('button', { name: 'total' }).click()
  expect(await ids()).toEqual(['2', '3', '1'])
  await page.getByRole('button', { name: 'total' }).click()
  expect(await ids()).toEqual(['1', '3', '2'])
  await page.getByLabel('Filter items').fill('open')
  await row('2').waitFor({ state: 'detached' })
  expect(await ids()).toEqual(['1', '3'])
  await page.getByLabel('Filter items').fill('')
})

it('changes, adds and deletes items, marks what is not as in the file, and is reset', async () => {
  const cell = page.getByLabel('total of 2', { exact: true })
  await cell.fill('99')
  await cell.press('Enter')
  await said('orders 2 was changed')
  await row('2').getByText('changed').waitFor()
  await page.getByLabel('id of the new item').fill('8')
  await page.getByLabel('The new item, as JSON').fill('{ "state": "new" }')
  await page.getByRole('button', { name: 'Add' }).click()
  await row('8').getByText('new', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Delete 1' }).click()
  await row('1').waitFor({ state: 'detached' })
  expect(await orders()).toEqual([
    { id: 2, state: 'paid', total: 99 },
    { id: 3, state: 'open', total: 7 },
    { id: 8, state: 'new' },
  ])
  expect(await accessibilityProblems(page)).toEqual([])
  await page.getByRole('button', { name: 'Reset' }).click()
  await row('1').waitFor()
  expect(await orders()).toHaveLength(3)
})

it('a cell keeps the type of its column, and asks before it gets another one', async () => {
  const totals = async () => ((await orders()) as { total: unknown }[]).map(({ total }) => total)
  const cell = page.getByLabel('total of 2', { exact: true })
  await cell.fill('abc')
  await cell.press('Enter')
  await page.getByRole('alert').getByText('Not saved: the other values are of the kind number.').waitFor()
  expect(await totals()).toEqual([20, 5, 7])
  expect(await accessibilityProblems(page)).toEqual([])
  await cell.fill('211')
  await cell.press('Enter')
  await said('orders 2 was changed')
  await expect.poll(totals).toEqual([20, 211, 7])
  await cell.fill('abc')
  await cell.press('Enter')
  await page.getByRole('button', { name: 'Save as text' }).click()
  const text = page.getByLabel('total of 2, a text')
  await expect.poll(() => text.inputValue()).toBe('"abc"')
  expect(await totals()).toEqual([20, 'abc', 7])
  await text.fill('211')
  await text.press('Enter')
  await expect.poll(totals).toEqual([20, 211, 7])
  await page.getByRole('button', { name: 'Reset' }).click()
  await expect.poll(totals).toEqual([20, 5, 7])
})

it('saves the items to their file, and takes that back', async () => {
  const file = join(server.project.root, 'fixtures/orders.json')
  const before = readFileSync(file, 'utf8')
  await page.getByRole('button', { name: 'Delete 1' }).click()
  await page.getByRole('button', { name: 'Save to the file' }).click()
  await page.getByRole('button', { name: 'Undo' }).waitFor()
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject([{ id: 2 }, { id: 3 }])
  await page.getByRole('button', { name: 'Undo' }).click()
  await row('1').waitFor()
  expect(readFileSync(file, 'utf8')).toBe(before)
})

it('shows what a request has written', async () => {
  await server.post('/orders', { state: 'sent' })
  await row('4').waitFor()
  await page.getByRole('button', { name: 'customers' }).click()
  await page.getByLabel('name of 1').waitFor()
})
